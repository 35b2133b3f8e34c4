"""What a server's moderators bring, plan and decide."""
