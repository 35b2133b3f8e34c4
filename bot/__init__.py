"""Start-up, wiring, and the clients of the outside world."""
