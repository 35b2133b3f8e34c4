"""What happened, as components: sync, no I/O, and the keeper of Discord's limits."""
