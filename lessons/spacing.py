"""When an item comes back: FSRS over our own values, with time and ids as arguments and no chance in it."""

from __future__ import annotations

from datetime import UTC
from functools import cache
from typing import TYPE_CHECKING

from fsrs import Card, Scheduler, State
from fsrs import Rating as FsrsRating

from lessons.model import RIGHT, Learning, Rating, Spacing, Verdict

if TYPE_CHECKING:
    from datetime import datetime

_STATES = {Learning.LEARNING: State.Learning, Learning.REVIEW: State.Review, Learning.RELEARNING: State.Relearning}
_LEARNINGS = {state: learning for learning, state in _STATES.items()}
_RATINGS = {Rating.AGAIN: FsrsRating.Again, Rating.HARD: FsrsRating.Hard, Rating.GOOD: FsrsRating.Good}


@cache
def _scheduler() -> Scheduler:
    return Scheduler(enable_fuzzing=False)


def rating_of(verdict: Verdict, *, hinted: bool) -> Rating | None:
    """What a verdict tells the spacing; None when it is no review (skip, retry, timeout, pending)."""
    if verdict is Verdict.WRONG:
        return Rating.AGAIN
    if verdict in RIGHT:
        return Rating.HARD if hinted else Rating.GOOD
    return None


def review(before: Spacing | None, rating: Rating, at: datetime) -> Spacing:
    """The spacing after a review at `at` (aware UTC); `before` is None for an item never reviewed.

    FSRS-6 with the default parameters of the `fsrs` package, desired retention 0.9, fuzzing off.
    """
    moment = at.astimezone(UTC)
    card, _ = _scheduler().review_card(_card(before, moment), _RATINGS[rating], moment)
    return Spacing(
        learning=_LEARNINGS[card.state],
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due=card.due,
        last_review=card.last_review,
    )


def _card(before: Spacing | None, at: datetime) -> Card:
    if before is None:
        return Card(card_id=0, due=at)
    return Card(
        card_id=0,
        state=_STATES[before.learning],
        step=before.step,
        stability=before.stability,
        difficulty=before.difficulty,
        due=before.due.astimezone(UTC),
        last_review=before.last_review and before.last_review.astimezone(UTC),
    )
