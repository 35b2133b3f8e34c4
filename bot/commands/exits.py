"""How a command ends, told to whoever started it."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """An exit code; a supervisor may try again after CANNOT_START, after BAD_SETTINGS or IN_VAIN it would be no use.

    Of the first four a greater one is worse.
    """

    OK = 0
    CANNOT_START = 1
    BAD_SETTINGS = 2
    IN_VAIN = 3
    INTERRUPTED = 130
