"""The real bot on a simulated Discord, in a browser: a server, two learners, a moderator and a lobby to walk in by."""

from bot.demo.serve import PortTaken, serve

__all__ = ["PortTaken", "serve"]
