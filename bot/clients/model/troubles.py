"""What a request without a reply means: who is told what, whether it is tried again, and until when nobody asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from bot.clients.model.outcomes import Broken, Refused
from lessons.model import Away

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE: Final = 2.0
"""The longest wait that a provider asks for and that is waited for, in seconds."""
LIMITED_PAUSE: Final = 60.0
"""How long nobody asks after a 429 that does not say."""
LONGEST_PAUSE: Final = 3600.0
"""However long a provider asks to be left alone, it is tried again after this."""

_NOT_FOUND: Final = 404  # the model's name, in all likelihood
_SETTINGS: Final = frozenset({401, 402, 403, _NOT_FOUND})
_PASSING: Final = frozenset({408, 409})
_NOT_BEGUN: Final = frozenset({529})
_LIMIT_REACHED: Final = "_spend_limit_reached"
_SPENT: Final = {
    400: re.compile(r"You have reached your .{0,40}usage limits|Your credit balance is too low"),
    429: re.compile(r".*(?:usage limits|spend(?:ing)? limit|credit balance)", re.IGNORECASE | re.DOTALL),
}
"""How a limit is told where no code is sent: wording, so only a hint. Other 400s may quote a learner: their beginning
alone is trusted."""
_NAMED: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:(?:T| at | )(\d\d:\d\d))?", re.ASCII)
_FAR: Final = timedelta(days=62)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What to do about it.

    `billed`: the provider may charge for it. `retry_in`: the same may be asked once more after so many seconds.
    `strike`: the breaker counts it. `until`: nobody asks before. `ours`: the fault is in the request. `status` and
    `kind` are what the provider said, for the operator; 0 when it said nothing.
    """

    why: Away
    billed: bool = False
    retry_in: float | None = None
    strike: bool = False
    until: datetime | None = None
    ours: bool = False
    status: int = 0
    kind: str = ""

    @property
    def shuts(self) -> bool:
        """Whether the provider asks for nothing more, for now or for good."""
        return self.status > 0 and (self.why is Away.KEY or self.until is not None)

    @property
    def of_account(self) -> bool:
        """Whether it is the account's or the address's, and so no other model can be asked either."""
        return self.why is Away.SPENT or (self.why is Away.KEY and self.status != _NOT_FOUND)


def meaning(outcome: Refused | Broken, now: datetime, pause: float) -> Trouble:
    """Return what to do about a request without a reply; `pause` is the wait before the one retry, in seconds."""
    if isinstance(outcome, Broken):
        return Trouble(Away.SLOW if outcome.slow else Away.DOWN, billed=outcome.sent, retry_in=pause, strike=True)
    trouble = _refusal(outcome, now, pause)
    billed = trouble.billed or outcome.begun
    return replace(trouble, billed=billed, status=outcome.status, kind=outcome.kind or "unnamed")


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a provider asks for, from `retry-after-ms` or `retry-after` (seconds or a date)."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _refusal(outcome: Refused, now: datetime, pause: float) -> Trouble:
    status = outcome.status
    if _spent(outcome):
        return Trouble(Away.SPENT, until=_regained(outcome.said, now))
    if status == 429:  # noqa: PLR2004 - too many requests
        return _limited(outcome, now, pause)
    if status in _SETTINGS or status < 400:  # noqa: PLR2004 - a redirection: the address is not the API's
        return Trouble(Away.KEY)
    if status in _PASSING or status >= 500:  # noqa: PLR2004 - the provider's own trouble
        return _down(outcome, now, pause)
    return Trouble(Away.DOWN, ours=True)


def _spent(refused: Refused) -> bool:
    if refused.kind.endswith(_LIMIT_REACHED):
        return True
    wording = _SPENT.get(refused.status)
    return wording is not None and wording.match(refused.said) is not None


def _regained(said: str, now: datetime) -> datetime:
    """Return the moment a refusal names, if it lies in the next two months, else the beginning of the next UTC day."""
    for day, hour in _NAMED.findall(said):
        try:
            moment = datetime.fromisoformat(f"{day}T{hour or '00:00'}:00+00:00")
        except ValueError:
            continue
        if now < moment <= now + _FAR:
            return moment
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1)


def _limited(refused: Refused, now: datetime, pause: float) -> Trouble:
    seconds = LIMITED_PAUSE if refused.retry_after is None else refused.retry_after
    short = seconds <= PATIENCE and not refused.no_retry
    return Trouble(Away.LIMITED, retry_in=max(seconds, pause) if short else None, until=_after(seconds, now))


def _down(refused: Refused, now: datetime, pause: float) -> Trouble:
    seconds = refused.retry_after or 0.0
    short = seconds <= PATIENCE and not refused.no_retry
    return Trouble(
        Away.DOWN,
        billed=refused.status >= 500 and refused.status not in _NOT_BEGUN,  # noqa: PLR2004 - it may have begun
        retry_in=max(seconds, pause) if short else None,
        strike=True,
        until=_after(seconds, now) if seconds > PATIENCE else None,
    )


def _after(seconds: float, now: datetime) -> datetime:
    return now + timedelta(seconds=min(seconds, LONGEST_PAUSE))
