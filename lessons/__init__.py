"""The subject: items, drills, matching, spacing. It knows no Discord, SQL, network or clock."""
