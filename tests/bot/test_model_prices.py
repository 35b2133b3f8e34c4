"""Prices: every kind of token at its own, and no request dearer than what was reserved for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clients.model.prices import DEAREST, PRICES, most, price_of
from lessons.model import Speaker, Tokens
from tests.messages.asking import a_call

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("claude-haiku-5-5", (0.10, 0.125, 0.20, 0.01, 0.50)),
        ("claude-sonnet-5-5", (2, 2.5, 4, 0.10, 10)),
        ("claude-opus-5-5", (4, 5, 8, 0.40, 20)),
    ],
)
def test_a_million_tokens_cost_the_list_price(model, dollars):
    price = PRICES[model]
    kinds = ("input", "cache_write_5m", "cache_write_1h", "cache_read", "output")
    assert [price.of(Tokens(**{kind: MILLION})) for kind in kinds] == [round(each * MILLION) for each in dollars]


def test_a_usual_grade_costs_what_was_estimated():
    assert PRICES["claude-haiku-5-5"].of(Tokens(input=900, output=150)) == 165


def test_fractions_are_rounded_up():
    assert PRICES["claude-haiku-5-5"].of(Tokens(input=1)) == 1
    assert PRICES["claude-haiku-5-5"].of(Tokens()) == 0


@pytest.mark.parametrize("name", ["claude-haiku-5-5-20261001", "claude-haiku-5-5@20261001", "claude-haiku-5-5"])
def test_a_dated_name_costs_what_its_family_costs(name):
    assert price_of(name) is PRICES["claude-haiku-5-5"]


@pytest.mark.parametrize("name", ["claude-haiku-9", "local", "", "claude-haiku-5-5-mini", "x-claude-haiku-5-5"])
def test_an_unknown_model_has_no_price_and_is_booked_at_the_dearest(name):
    assert price_of(name) is None
    assert PRICES["claude-opus-5-5"] == DEAREST


@given(st.text(max_size=500), st.lists(st.text(max_size=90), max_size=9), st.integers(1, 4000))
def test_no_request_costs_more_than_the_most(turn, before, max_tokens):
    """A tokenizer over bytes makes no more tokens than there are bytes; our own text has two characters a token."""
    history = tuple((Speaker.LEARNER, text) for text in before)
    call, price = a_call(turn, max_tokens=max_tokens, schema=None, history=history), PRICES["claude-haiku-5-5"]
    said = sum(len(text.encode(errors="replace")) for text in (turn, *before))
    worst = Tokens(input=said, cache_write_5m=len(call.system) // 2, output=max_tokens)
    assert most(call, price) >= price.of(worst)


def test_the_most_grows_with_everything_that_is_sent_and_may_come_back():
    price = PRICES["claude-haiku-5-5"]
    plain = most(a_call("a", schema=None), price)
    assert most(a_call("a" * 500, schema=None), price) > plain
    assert most(a_call("a"), price) > plain
    assert most(a_call("a", schema=None, history=((Speaker.TUTOR, "b" * 500),)), price) > plain
    assert most(a_call("a", schema=None, max_tokens=4000), price) > plain


def test_lone_surrogates_can_be_counted():
    assert most(a_call("\ud800"), DEAREST) > 0
