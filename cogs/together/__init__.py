"""What many do at once: races, shared cards, the review of a group."""
