"""The language model behind the Messages API: what is asked of it, what it costs, and when it is left alone."""

from __future__ import annotations

from bot.clients.model.claude import GRADER, TUTOR, ClaudeModel
from bot.clients.model.desk import Pace

__all__ = ["GRADER", "TUTOR", "ClaudeModel", "Pace"]
