"""Clients of the outside world, each behind a port of the subject."""
