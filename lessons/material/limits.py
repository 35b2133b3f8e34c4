"""How much a lesson file may hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a file, and of one row: characters of a prompt, of a short cell and of any cell, number of answers.

    A text longer than `shown` is kept whole up to `cell`, with a warning: it is shortened on screen.
    """

    bytes: int = 1 << 20
    rows: int = 10_000
    columns: int = 40
    prompt: int = 400
    answers: int = 50
    short: int = 200
    cell: int = 10_000
    shown: int = 1_000
