"""What a request without a reply means: who retries, who waits, and until when."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clients.model.outcomes import Broken, Refused
from bot.clients.model.troubles import meaning, retry_after
from lessons.model import Away

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MIDNIGHT = datetime(2026, 12, 1, tzinfo=UTC)
PAUSE = 0.7


def told(status: int = 429, **other) -> Refused:
    return Refused(status, **other)


@pytest.mark.parametrize(
    ("outcome", "why", "billed"),
    [
        (Broken(sent=False), Away.DOWN, False),
        (Broken(sent=True), Away.DOWN, True),
        (Broken(sent=False, slow=True), Away.SLOW, False),
        (told(408), Away.DOWN, False),
        (told(409), Away.DOWN, False),
        (told(500), Away.DOWN, True),
        (told(502), Away.DOWN, True),
        (told(503), Away.DOWN, True),
        (told(504), Away.DOWN, True),
        (told(529), Away.DOWN, False),
    ],
)
def test_what_may_pass_is_tried_once_more_and_counts_for_the_breaker(outcome, why, billed):
    trouble = meaning(outcome, NOW, PAUSE)
    assert (trouble.why, trouble.billed, trouble.retry_in, trouble.strike) == (why, billed, PAUSE, True)
    assert not trouble.shuts


@pytest.mark.parametrize("status", [301, 302, 307, 401, 402, 403, 404])
def test_what_only_the_operator_can_mend_is_over_for_good(status):
    trouble = meaning(told(status, kind="authentication_error"), NOW, PAUSE)
    assert (trouble.why, trouble.retry_in, trouble.until, trouble.strike) == (Away.KEY, None, None, False)
    assert trouble.shuts


@pytest.mark.parametrize("status", [400, 405, 412, 413, 422, 431, 499])
def test_our_own_fault_is_neither_retried_nor_held_against_the_provider(status):
    trouble = meaning(told(status), NOW, PAUSE)
    assert (trouble.why, trouble.retry_in, trouble.strike, trouble.ours) == (Away.DOWN, None, False, True)
    assert not trouble.shuts
    assert not trouble.billed


@pytest.mark.parametrize(
    ("seconds", "wait", "rest"),
    [(0, PAUSE, 0), (0.1, PAUSE, 0.1), (1.5, 1.5, 1.5), (2, 2, 2), (2.1, None, 2.1), (3600, None, 3600)],
)
def test_a_short_wait_is_waited_for_and_a_long_one_is_a_pause(seconds, wait, rest):
    trouble = meaning(told(retry_after=seconds), NOW, PAUSE)
    assert (trouble.why, trouble.retry_in, trouble.until) == (Away.LIMITED, wait, NOW + timedelta(seconds=rest))
    assert not trouble.billed
    assert not trouble.strike


def test_a_limit_without_a_time_is_a_pause_of_a_minute():
    trouble = meaning(told(), NOW, PAUSE)
    assert (trouble.retry_in, trouble.until) == (None, NOW + timedelta(minutes=1))


@pytest.mark.parametrize("status", [429, 503, 529])
def test_nobody_is_left_alone_for_more_than_an_hour(status):
    assert meaning(told(status, retry_after=1e15), NOW, PAUSE).until == NOW + timedelta(hours=1)


def test_the_provider_can_forbid_the_retry():
    assert meaning(told(500, no_retry=True), NOW, PAUSE).retry_in is None
    assert meaning(told(429, retry_after=1, no_retry=True), NOW, PAUSE).retry_in is None


def test_a_provider_in_trouble_may_ask_for_a_pause_too():
    brief = meaning(told(529, retry_after=1.2), NOW, PAUSE)
    assert (brief.retry_in, brief.until) == (1.2, None)
    long = meaning(told(529, retry_after=30), NOW, PAUSE)
    assert (long.why, long.retry_in, long.until) == (Away.DOWN, None, NOW + timedelta(seconds=30))
    assert long.shuts


@pytest.mark.parametrize(
    "refused",
    [
        told(429, kind="enforced_spend_limit_reached"),
        told(429, kind="contract_spend_limit_reached", retry_after=1),
        told(402, kind="linked_organization_spend_limit_reached"),
        told(429, kind="rate_limit_error", said="This would exceed your workspace's monthly spend limit."),
        told(400, said="You have reached your specified API usage limits."),
        told(400, said="Your credit balance is too low to access the API."),
    ],
)
def test_a_spending_limit_lasts_until_the_next_utc_day(refused):
    trouble = meaning(refused, NOW, PAUSE)
    assert (trouble.why, trouble.retry_in, trouble.until) == (Away.SPENT, None, MIDNIGHT)
    assert trouble.shuts


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("You will regain access on 2026-12-01 at 00:00 UTC.", MIDNIGHT),
        ("You will regain access on 2026-12-24 at 06:30 UTC.", datetime(2026, 12, 24, 6, 30, tzinfo=UTC)),
        ("Regained 2026-12-02T04:00:00Z", datetime(2026, 12, 2, 4, tzinfo=UTC)),
        ("since 2026-11-01, until 2026-12-05", datetime(2026, 12, 5, tzinfo=UTC)),
        ("on 2026-13-45", MIDNIGHT),
        ("on 2026-12-02 at 99:99", MIDNIGHT),
        ("on 2099-01-01", MIDNIGHT),
        ("on 2020-01-01", MIDNIGHT),
    ],
)
def test_a_spending_limit_lasts_until_the_day_it_names(said, until):
    assert meaning(told(kind="enforced_spend_limit_reached", said=said), NOW, PAUSE).until == until


def test_the_next_utc_day_is_that_of_utc():
    tokyo = datetime(2026, 12, 1, 8, 0, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert meaning(told(kind="enforced_spend_limit_reached"), tokyo, PAUSE).until == MIDNIGHT


def test_a_learner_whose_text_is_quoted_cannot_pass_for_a_spending_limit():
    said = "messages.0: bad text: You have reached your specified API usage limits. Access again on 2026-12-24."
    assert meaning(told(400, said=said), NOW, PAUSE).why is Away.DOWN


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "Mon, 30 Nov 2026 09:00:10 GMT"}, 10),
        ({"retry-after": "Mon, 30 Nov 2026 09:00:10 -0000"}, 10),
        ({"retry-after": "Sun, 29 Nov 2026 09:00:10 GMT"}, 0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Mon, 99 Nov 2026 09:00:10 GMT"}, None),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_header_makes_it_stumble(one, other):
    seconds = retry_after({"retry-after-ms": one, "retry-after": other}, NOW)
    assert seconds is None or seconds >= 0


@given(st.integers(300, 599), st.text(max_size=80), st.one_of(st.none(), st.floats(0, 1e300)))
def test_every_refusal_means_something(status, said, seconds):
    trouble = meaning(Refused(status, said=said, retry_after=seconds), NOW, PAUSE)
    assert trouble.status == status
    assert trouble.until is None or NOW <= trouble.until <= NOW + timedelta(days=62)


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_an_error_in_the_middle_of_a_reply_may_be_billed(status):
    assert meaning(Refused(status, begun=True), NOW, PAUSE).billed


@pytest.mark.parametrize(
    ("refused", "everybodys"),
    [
        (told(401), True),
        (told(402), True),
        (told(403), True),
        (told(302), True),
        (told(404), False),
        (told(429), False),
        (told(429, kind="enforced_spend_limit_reached"), True),
        (told(529, retry_after=30), False),
        (told(400), False),
    ],
)
def test_what_is_the_accounts_trouble_is_every_models(refused, everybodys):
    assert meaning(refused, NOW, PAUSE).of_account is everybodys


def test_what_the_provider_says_stays_out_of_sight():
    assert "カナリア" not in repr(told(400, said="カナリア"))
