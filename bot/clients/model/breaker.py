"""A circuit breaker: whoever keeps failing is left alone for a while, then tried by one call at a time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """Leave to send one request; `probe` when it is the one that finds out whether things are well again."""

    probe: bool


@dataclass(slots=True)
class Breaker:
    """Opens after `failures` failures within `window` seconds, for `pause` seconds; then one probe decides.

    Moments are seconds of one monotonic clock. Every pass goes back through `succeeded`, `failed` or `dropped`; given
    back again it changes nothing. A pass from before the breaker opened changes nothing either: a request that old says
    little about now.
    """

    failures: int = 5
    window: float = 60.0
    pause: float = 60.0
    _failed_at: deque[float] = field(init=False, default_factory=deque)
    _open_until: float | None = field(init=False, default=None)
    _probe: Pass | None = field(init=False, default=None)
    _out: set[Pass] = field(init=False, default_factory=set)

    def enter(self, now: float) -> Pass | None:
        """Return leave to send a request, or None while nobody may."""
        if self._open_until is None:
            leave = Pass(probe=False)
            self._out.add(leave)
            return leave
        if now < self._open_until or self._probe is not None:
            return None
        self._probe = Pass(probe=True)
        return self._probe

    def remaining(self, now: float) -> float:
        """Return for how many seconds nobody may ask; 0 when it is closed, or only a probe is waited for."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - now)

    def succeeded(self, leave: Pass) -> bool:
        """Take back the pass of a request that was answered; tell whether that closed the breaker."""
        if leave is not self._probe:
            self._out.discard(leave)
            return False
        self._probe = self._open_until = None
        return True

    def failed(self, leave: Pass, now: float) -> bool:
        """Take back the pass of a request that failed; tell whether that opened the breaker."""
        if leave is self._probe:
            self._open(now)
            return True
        if leave not in self._out:
            return False
        self._out.discard(leave)
        self._failed_at.append(now)
        while self._failed_at[0] <= now - self.window:
            self._failed_at.popleft()
        if len(self._failed_at) < self.failures:
            return False
        self._open(now)
        return True

    def dropped(self, leave: Pass) -> None:
        """Take back the pass of a request that came to no end: nobody learnt anything."""
        self._out.discard(leave)
        if leave is self._probe:
            self._probe = None

    def _open(self, now: float) -> None:
        self._open_until = now + self.pause
        self._probe = None
        self._failed_at.clear()
        self._out.clear()
