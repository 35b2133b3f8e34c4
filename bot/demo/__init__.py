"""The real bot on a simulated Discord with a page to try it on."""
