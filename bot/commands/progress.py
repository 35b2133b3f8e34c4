"""How far long work is, on stderr: a bar that moves on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TextIO

_WIDTH: Final = 28
_QUARTERS: Final = 4
_SECONDS: Final = 0.1  # between two pictures of the bar


class Progress:
    """Told what is being done, how much of it is done and how much there is; ends a line when all is done."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._moving = self._stream.isatty()
        self._drawn = 0.0
        self._told = ("", 0)

    def __call__(self, what: str, done: int, of: int) -> None:
        """Show it, if there is anything new to show."""
        whole = max(of, 1)
        if self._moving:
            self._bar(what, done, whole)
        else:
            self._line(what, done, whole)

    def _bar(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if done < of and now - self._drawn < _SECONDS:
            return
        self._drawn = now
        full = _WIDTH * done // of
        bar = "█" * full + "·" * (_WIDTH - full)
        self._write(f"\r{bar} {100 * done // of:3d} %  {what}\033[K" + ("\n" if done >= of else ""))

    def _line(self, what: str, done: int, of: int) -> None:
        """Tell the quarters, each once."""
        quarter = _QUARTERS * done // of
        if quarter and (what, quarter) != self._told:
            self._told = (what, quarter)
            self._write(f"{what}: {done:,} of {of:,}\n" if of > 1 else f"{what}: done\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
