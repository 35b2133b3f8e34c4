"""The real dictionary, loaded once, and an answer key from a few words."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import settings

from bot.clients.tokenizer import SudachiTokenizer
from lessons.model import Accepted, AnswerKey, ItemKind
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lessons.model import Analysis


settings.register_profile("kizuki", deadline=None)  # a busy machine is no failure
settings.load_profile("kizuki")


class Keys(Protocol):
    def __call__(self, *answers: str, kind: ItemKind = ..., prompt: str = ..., **more: object) -> AnswerKey: ...


@pytest.fixture(scope="session")
def look_up() -> Iterator[Callable[[str], Analysis]]:
    """Analyse one text with the dictionary, from synchronous tests too."""
    tokenizer = SudachiTokenizer()
    with asyncio.Runner() as runner:
        yield lru_cache(lambda text: runner.run(tokenizer.analyse([text]))[0])
        tokenizer.close()


@pytest.fixture(scope="session")
def key(look_up: Callable[[str], Analysis]) -> Keys:
    """Build a key; an answer is written 外国/がいこく, several readings split by |."""

    def build(*answers: str, kind: ItemKind = ItemKind.VOCAB, prompt: str = "a prompt", **more: object) -> AnswerKey:
        accepted = []
        for answer in answers:
            text, _, readings = answer.partition("/")
            given = tuple(filter(None, readings.split("|")))
            accepted.append(Accepted(text, fold(text), given, look_up(text)))
        return AnswerKey(kind, prompt, tuple(accepted), **more)

    return build
