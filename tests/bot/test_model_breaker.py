"""The breaker: five failures in a minute, a minute's rest, then one probe at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clients.model.breaker import Breaker


def fail(breaker: Breaker, at: float) -> bool:
    leave = breaker.enter(at)
    assert leave is not None
    return breaker.failed(leave, at)


def opened(at: float = 0.0) -> Breaker:
    breaker = Breaker()
    assert [fail(breaker, at) for _ in range(5)] == [False, False, False, False, True]
    return breaker


def test_five_failures_in_a_minute_open_it():
    breaker = Breaker()
    assert [fail(breaker, second) for second in (0, 10, 20, 30, 59)] == [False] * 4 + [True]
    assert breaker.enter(59) is None
    assert breaker.remaining(59) == 60


def test_five_failures_in_more_than_a_minute_do_not():
    breaker = Breaker()
    assert not any(fail(breaker, second) for second in (0, 15, 30, 45, 60))
    assert breaker.enter(60) is not None
    assert breaker.remaining(60) == 0


def test_after_a_minute_one_probe_goes_at_a_time():
    breaker = opened()
    assert breaker.enter(59.9) is None
    probe = breaker.enter(60)
    assert probe is not None
    assert probe.probe
    assert breaker.enter(60) is None
    assert breaker.remaining(60) == 0


def test_a_probe_that_succeeds_closes_it_with_a_clean_slate():
    breaker = opened()
    probe = breaker.enter(60)
    assert probe is not None
    assert breaker.succeeded(probe)
    assert not any(fail(breaker, 60) for _ in range(4))
    assert fail(breaker, 60)


def test_a_probe_that_fails_opens_it_for_another_minute():
    breaker = opened()
    assert fail(breaker, 61)
    assert breaker.enter(120) is None
    assert breaker.remaining(61) == 60
    assert breaker.enter(121) is not None


def test_a_probe_that_nobody_waits_for_makes_room_for_another():
    breaker = opened()
    probe = breaker.enter(60)
    assert probe is not None
    breaker.dropped(probe)
    breaker.dropped(probe)
    assert breaker.enter(60) is not None


@pytest.mark.parametrize("ending", ["succeeded", "failed", "dropped"])
def test_a_request_from_before_it_opened_changes_nothing(ending):
    breaker = Breaker()
    old = [breaker.enter(0) for _ in range(3)]
    for _ in range(5):
        fail(breaker, 0)
    probe = breaker.enter(60)
    assert probe is not None
    for leave in old:
        assert leave is not None
        assert not getattr(breaker, ending)(leave, *([60] if ending == "failed" else []))
    assert breaker.enter(60) is None
    assert breaker.succeeded(probe)


def test_a_pass_counts_once():
    breaker = Breaker()
    leave = breaker.enter(0)
    assert leave is not None
    for _ in range(9):
        assert not breaker.failed(leave, 0)
    assert breaker.enter(0) is not None


@given(st.lists(st.tuples(st.floats(0, 30), st.sampled_from(["succeeded", "failed", "dropped"])), max_size=60))
def test_whatever_happens_it_lets_somebody_through_again(story):
    breaker, now = Breaker(), 0.0
    for later, ending in story:
        now += later
        leave = breaker.enter(now)
        if leave is None:
            assert breaker.remaining(now) > 0
        elif ending == "failed":
            breaker.failed(leave, now)
        else:
            getattr(breaker, ending)(leave)
    assert breaker.enter(now + breaker.pause) is not None
