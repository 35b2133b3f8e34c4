"""What tokens cost: the provider's list prices by model, dated, in millionths of a dollar."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from lessons.model import Tokens

if TYPE_CHECKING:
    from lessons.model import ModelCall

AS_OF: Final = date(2026, 11, 30)
"""When the table below was read from the provider's price list."""

_MILLION: Final = 1_000_000
_WRAPPING: Final = 256
"""Tokens that a request has besides its texts: roles, the frame of a schema. Seen: below 100; doubled and rounded up."""
_EACH: Final = 8
"""Tokens that a message has besides its text: its role and its ends."""
_DATED: Final = re.compile(r"(.+?)[-@]\d{8}")


@dataclass(frozen=True, slots=True)
class Price:
    """Millionths of a dollar for a million tokens of each kind."""

    input: int
    cache_write_5m: int
    cache_write_1h: int
    cache_read: int
    output: int

    def of(self, tokens: Tokens) -> int:
        """Return what tokens cost, in millionths of a dollar, rounded up."""
        parts = (
            tokens.input * self.input,
            tokens.cache_write_5m * self.cache_write_5m,
            tokens.cache_write_1h * self.cache_write_1h,
            tokens.cache_read * self.cache_read,
            tokens.output * self.output,
        )
        return -(-sum(parts) // _MILLION)


def _listed(fresh: int, output: int, cache_read: int | None = None) -> Price:
    """Fill in what follows from the price of fresh input: writing a cache costs 5/4 or twice, reading it a tenth."""
    return Price(fresh, fresh * 5 // 4, fresh * 2, fresh // 10 if cache_read is None else cache_read, output)


PRICES: Final = {
    "claude-haiku-5-5": _listed(100_000, 500_000),  # for prompts of up to 100,000 tokens; ours have a few thousand
    "claude-sonnet-5-5": _listed(2_000_000, 10_000_000, cache_read=100_000),
    "claude-opus-5-5": _listed(4_000_000, 20_000_000),
}
"""List prices on the day AS_OF."""

DEAREST: Final = max(PRICES.values(), key=lambda price: price.output)
"""What a model costs whose price is not known: rather too much booked than too little."""


def price_of(model: str) -> Price | None:
    """Return the price of a model, of a dated name as of its family; None when it is not in the table."""
    dated = _DATED.fullmatch(model)
    return PRICES.get(dated[1] if dated else model)


def most(call: ModelCall, price: Price) -> int:
    """Return the most that one request for a call can cost, in millionths of a dollar.

    Nothing is counted by the provider, since that would be a request for every request. The system text and the schema
    are ours, English with Japanese samples: a token for two ASCII characters (about four are usual), one for every
    other, at the price of writing the cache, which ends with them. The turn and the history are anybody's: a token for
    every byte of UTF-8, of which no tokenizer over bytes makes more. The reply at its full length.
    """
    schema = json.dumps(dict(call.schema), ensure_ascii=False) if call.schema is not None else ""
    cached = _estimated(call.system) + _estimated(schema) + _WRAPPING
    said = [call.turn, *(text for _, text in call.history)]
    fresh = sum(len(text.encode(errors="replace")) + _EACH for text in said)
    return price.of(Tokens(input=fresh, cache_write_5m=cached, output=call.max_tokens))


def _estimated(text: str) -> int:
    """Return a generous number of tokens for a text of our own."""
    ascii_ones = sum(character.isascii() for character in text)
    return -(-ascii_ones // 2) + len(text) - ascii_ones
