"""The rules of a race, move by move."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from lessons.model import ChannelId, Ending, GuildId, NewShared, Phase, Shared, SharedId, SharedKind, Track
from lessons.racing import Move, Next, following, hints

ASKED = datetime(2027, 3, 14, 9, 0, tzinfo=UTC)
NEW = NewShared(SharedKind.RACE, GuildId(1), ChannelId(2), Track.LESSON, seconds=16)
RACE = Shared(SharedId(1), NEW, 1, Phase.ASKING, ASKED, ASKED, total=3)


def after(seconds: float) -> datetime:
    return ASKED + timedelta(seconds=seconds)


def lasting(seconds: int | None) -> Shared:
    return replace(RACE, new=replace(NEW, seconds=seconds))


def test_a_race_that_ended_has_nothing_more_to_come() -> None:
    assert following(replace(RACE, ending=Ending.STOPPED), after(0)) == Next(None, 1)


@pytest.mark.parametrize("position", [1, 2])
def test_a_question_that_waits_is_asked_at_once(position: int) -> None:
    waiting = replace(RACE, phase=Phase.WAITING, position=position)
    assert following(waiting, after(0)) == Next(Move.ASK, position)


@pytest.mark.parametrize(
    ("seconds", "now", "hints_shown", "expected"),
    [
        (16, 0, 0, Next(None, 1, again=after(10))),
        (16, 9.9, 0, Next(None, 1, again=after(10))),
        (16, 10, 0, Next(Move.HINT, 1, hints=1)),
        (16, 10, 1, Next(None, 1, again=after(16))),
        (16, 15.9, 1, Next(None, 1, again=after(16))),
        (16, 16, 1, Next(Move.CLOSE, 1)),
        (16, 99, 0, Next(Move.CLOSE, 1)),
        (10, 0, 0, Next(None, 1, again=after(10))),  # too short for a hint
        (10, 10, 0, Next(Move.CLOSE, 1)),
        (11, 10, 0, Next(Move.HINT, 1, hints=1)),
        (30, 10, 1, Next(None, 1, again=after(20))),
        (30, 20, 1, Next(Move.HINT, 1, hints=2)),
        (30, 25, 0, Next(Move.HINT, 1, hints=2)),  # after a long sleep both at once
        (30, 25, 2, Next(None, 1, again=after(30))),
        (20, 19, 1, Next(None, 1, again=after(20))),  # the second hint would come with the end
    ],
)
def test_a_question_with_a_limit(seconds: int, now: float, hints_shown: int, expected: Next) -> None:
    assert following(replace(lasting(seconds), hints=hints_shown), after(now)) == expected


@pytest.mark.parametrize(
    ("right", "now", "expected"),
    [
        (4, 5, Next(None, 1, again=after(6.1))),
        (4, 6.1, Next(Move.CLOSE, 1)),
        (9, 10.5, Next(None, 1, again=after(11.1))),  # no hint any more
        (15, 15.5, Next(None, 1, again=after(16))),  # never longer than the limit
        (-60, 1, Next(None, 1, again=after(2.1))),  # from before it was asked anew
        (-60, 2.1, Next(Move.CLOSE, 1)),
    ],
)
def test_the_first_right_answer_leaves_the_others_a_moment(right: float, now: float, expected: Next) -> None:
    assert following(replace(RACE, right_at=after(right)), after(now)) == expected


def test_a_question_without_a_limit_stays_for_an_hour_after_it_was_touched() -> None:
    assert following(lasting(None), after(3599)) == Next(None, 1, again=after(3600))
    assert following(lasting(None), after(3600)) == Next(Move.END, 1, why=Ending.UNANSWERED)
    touched = replace(lasting(None), touched_at=after(3000))
    assert following(touched, after(3600)) == Next(None, 1, again=after(6600))
    assert following(touched, after(6600)) == Next(Move.END, 1, why=Ending.UNANSWERED)
    before = replace(lasting(None), touched_at=after(-60))  # it was asked anew since
    assert following(before, after(3600)) == Next(Move.END, 1, why=Ending.UNANSWERED)


@pytest.mark.parametrize(("answered", "pause"), [(0, 6), (1, 3), (20, 3)])
def test_after_the_answer_there_is_a_pause(answered: int, pause: int) -> None:
    closed = replace(RACE, phase=Phase.CLOSED, answered=answered, last_answered=min(answered, 1))
    assert following(closed, after(pause - 0.1)) == Next(None, 1, again=after(pause))
    assert following(closed, after(pause)) == Next(Move.ASK, 2)


def test_a_race_ends_after_its_last_question() -> None:
    last = replace(RACE, phase=Phase.CLOSED, position=3)
    assert following(last, after(6)) == Next(Move.END, 3, why=Ending.FINISHED)


@pytest.mark.parametrize(
    ("position", "last_answered", "seconds", "move"),
    [
        (4, 0, 16, Move.ASK),
        (5, 0, 16, Move.END),
        (7, 3, 16, Move.ASK),
        (8, 3, 16, Move.END),
        (8, 8, 16, Move.ASK),
        (8, 0, None, Move.ASK),  # somebody asked for the next one
    ],
)
def test_five_questions_without_an_answer_end_a_race_against_the_clock(
    position: int, last_answered: int, seconds: int | None, move: Move
) -> None:
    closed = replace(lasting(seconds), phase=Phase.CLOSED, position=position, last_answered=last_answered, total=20)
    due = following(closed, after(6))
    assert due.move is move
    assert due.why is (Ending.UNANSWERED if move is Move.END else None)


@pytest.mark.parametrize(
    ("answer", "own", "expected"),
    [
        ("食べられる", "passive", ("passive", "食べ＿＿＿")),
        ("食べられる", "", ("食＿＿＿＿", "食べ＿＿＿")),
        ("から", "", ("＿＿", "か＿")),
        ("が", "", ("＿", "＿")),
        ("が", "subject", ("subject", "＿")),
        ("ice cream", "", ("i＿＿ ＿＿＿＿＿", "ice ＿＿＿＿＿")),
        ("", "", ("", "")),
    ],
)
def test_hints(answer: str, own: str, expected: tuple[str, str]) -> None:
    assert hints(answer, own) == expected


@pytest.mark.parametrize("answer", ["が", "から", "食べる", "食べられる"])
def test_no_hint_of_ours_is_the_whole_answer(answer: str) -> None:
    assert answer not in hints(answer, "")


def test_a_race_left_to_itself_always_ends() -> None:
    """Whatever the limit: nobody answers, and the moves lead to the end without a standstill."""
    for seconds in (10, 16, 30, 120):
        race, now = replace(lasting(seconds), phase=Phase.WAITING, total=50), ASKED
        for _ in range(100):
            due = following(race, now)
            if due.move is Move.END:
                break
            if due.move is Move.ASK:
                race = replace(race, position=due.position, phase=Phase.ASKING, phase_at=now, hints=0)
            elif due.move is Move.HINT:
                race = replace(race, hints=due.hints)
            elif due.move is Move.CLOSE:
                race = replace(race, phase=Phase.CLOSED, phase_at=now)
            else:
                assert due.again is not None
                assert due.again > now
                now = due.again
        assert due.move is Move.END
        assert race.position == 5
