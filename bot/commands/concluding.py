"""How a command that does one thing ends: its exit code, and any trouble as one sentence on stderr."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from bot.commands import sayings
from bot.commands.exits import Exit
from bot.commands.failures import explain
from bot.commands.faults import unusable
from lessons.evaluation.records import UnusableRecords

if TYPE_CHECKING:
    from collections.abc import Coroutine

log = logging.getLogger(__name__)


def conclude(story: Coroutine[Any, Any, Exit]) -> Exit:
    """Play a story to its end."""
    try:
        return asyncio.run(story)
    except UnusableRecords as error:
        sayings.say(unusable(error))
        return Exit.BAD_SETTINGS
    except Exception as error:  # noqa: BLE001 - told, and logged where nobody foresaw it
        return ended_by(error)


def ended_by(error: Exception) -> Exit:
    """Tell how an error ended a command: a foreseen one as one sentence, any other with its traceback."""
    failure = explain(error)
    if failure is None:
        log.error("unforeseen", exc_info=error)
        sayings.say(sayings.UNEXPECTED)
        return Exit.CANNOT_START
    log.debug("what happened", exc_info=error)
    sayings.say(failure.sentence)
    return failure.code
