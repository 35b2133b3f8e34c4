"""Ratings, and FSRS with nothing left to chance."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from lessons.model import Learning, Rating, Spacing, Verdict
from lessons.spacing import rating_of, review

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("verdict", "hinted", "rating"),
    [
        (Verdict.WRONG, False, Rating.AGAIN),
        (Verdict.WRONG, True, Rating.AGAIN),
        (Verdict.EXACT, False, Rating.GOOD),
        (Verdict.EQUIVALENT, False, Rating.GOOD),
        (Verdict.EXACT, True, Rating.HARD),
        (Verdict.SKIPPED, False, None),
        (Verdict.RETRY, False, None),
        (Verdict.TIMEOUT, False, None),
        (Verdict.PENDING, True, None),
    ],
)
def test_what_a_verdict_tells_the_spacing(verdict: Verdict, hinted: bool, rating: Rating | None) -> None:
    assert rating_of(verdict, hinted=hinted) is rating


def test_an_item_is_learned_kept_and_lost() -> None:
    first = review(None, Rating.GOOD, AT)
    assert (first.learning, first.step, first.due) == (Learning.LEARNING, 1, AT + timedelta(minutes=10))
    second = review(first, Rating.GOOD, first.due)
    assert (second.learning, second.step) == (Learning.REVIEW, None)
    assert second.due - first.due == timedelta(days=2)
    third = review(second, Rating.GOOD, second.due)
    assert third.due - second.due > timedelta(days=2)
    lost = review(third, Rating.AGAIN, third.due)
    assert (lost.learning, lost.step) == (Learning.RELEARNING, 0)
    assert lost.stability is not None
    assert third.stability is not None
    assert lost.stability < third.stability


def test_hard_comes_back_before_good() -> None:
    assert review(None, Rating.HARD, AT).due < review(None, Rating.GOOD, AT).due
    assert review(None, Rating.AGAIN, AT).due < review(None, Rating.HARD, AT).due


def test_other_zones_and_missing_times_are_understood() -> None:
    tokyo = AT.astimezone(timezone(timedelta(hours=9)))
    assert review(None, Rating.GOOD, tokyo) == review(None, Rating.GOOD, AT)
    seen = Spacing(Learning.LEARNING, 0, None, None, due=tokyo, last_review=None)
    assert review(seen, Rating.GOOD, AT) == review(None, Rating.GOOD, AT)


def test_the_same_review_twice_is_the_same() -> None:
    first = review(None, Rating.GOOD, AT)
    assert {review(first, Rating.GOOD, first.due) for _ in range(20)} == {review(first, Rating.GOOD, first.due)}
