"""The language model behind the Messages API: what is asked of it, what it costs, and when it is left alone."""

from __future__ import annotations

from bot.clients.model.claude import GRADER, ClaudeModel

__all__ = ["GRADER", "ClaudeModel"]
