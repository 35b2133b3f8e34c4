"""Which sentences and blanks of an article are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lessons.cloze import choose, keep
from lessons.model import Blank, ErrorType, Sentence, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Analysis


def _sentence(text: str) -> Sentence:
    return Sentence(text, (), 0)


def _blank(start: int = 0, unit: Unit = Unit.PARTICLE, certainty: float = 0.95) -> Blank:
    return Blank(start, start + 1, "を", "を", unit, "助詞", ErrorType.PARTICLE, certainty, closed=certainty >= 0.9)


PLAIN = "町は観光客を増やすために新しい案内を作りました。"
FULL = [_blank(0), _blank(1, Unit.FORM), _blank(2, Unit.WORD)]


def test_incomplete_overlong_and_empty_sentences_are_never_chosen() -> None:
    article = [
        (_sentence("見出しのような文が続く町の新しい案内"), FULL),
        (_sentence("あ" * 300 + "。"), FULL),
        (_sentence(PLAIN), []),
    ]
    assert choose(article) == []
    assert choose([]) == []


def test_an_ending_inside_brackets_is_an_ending() -> None:
    assert choose([(_sentence("「町は新しい案内を作りました。」"), FULL), (_sentence("」"), FULL)]) == [0]


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("(元気に)「はい」と。", False),
        ("会場は大きな駅の前の広い公園で。", False),
        ("（集まった人たちの声も。）", False),
        ("会場は大きな駅の前の公園だ。", True),
        ("会場は駅の前の公園だったね。", True),
        ("新しい案内を町が作った（昨日）。", True),
    ],
)
def test_a_fragment_that_ends_in_a_bare_particle_is_no_sentence(
    look_up: Callable[[str], Analysis], text: str, *, usable: bool
) -> None:
    assert choose([(Sentence(text, look_up(text).words, 0), FULL)]) == ([0] if usable else [])


def test_the_choice_spreads_over_the_article_in_reading_order() -> None:
    chosen = choose([(_sentence(PLAIN), FULL)] * 40, limit=4)
    assert chosen == [0, 10, 20, 30]


def test_places_left_over_go_to_the_best_of_the_rest() -> None:
    article = [(_sentence(PLAIN), FULL[:1]), (_sentence(PLAIN), FULL)] * 3
    assert choose(article, limit=4) == [1, 2, 3, 5]
    assert choose(article, limit=10) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "worse",
    [
        "それは町の新しい案内を作りました。",
        "この案内は英語で作られました。",
        "同市は案内を作りました、英語で。",
        "短い文だ。",
        PLAIN * 6,
    ],
)
def test_sentences_that_point_back_or_have_no_good_length_give_way(worse: str) -> None:
    assert choose([(_sentence(worse), FULL), (_sentence(PLAIN), FULL)], limit=1) == [1]


def test_closed_blanks_of_several_kinds_are_preferred() -> None:
    open_ones = [_blank(place, certainty=0.4) for place in range(6)]
    one_kind = [_blank(place) for place in range(3)]
    assert choose([(_sentence(PLAIN), open_ones), (_sentence(PLAIN), one_kind), (_sentence(PLAIN), FULL)], limit=1) == [
        2
    ]


def test_at_most_six_blanks_are_kept_and_each_kind_has_its_turn() -> None:
    many = [_blank(place) for place in range(8)]
    many += [_blank(8, Unit.FORM), _blank(9, Unit.WORD, 0.4), _blank(10, Unit.WORD)]
    kept = keep(many)
    assert [blank.start for blank in kept] == [0, 1, 2, 3, 8, 10]
    assert keep(many[8:10]) == many[8:10]
    assert len(keep(many, limit=2)) == 2
    assert keep([]) == []


def test_one_place_is_for_a_particle_that_learners_confuse() -> None:
    topic = replace(_blank(9, certainty=0.4), answer="は")
    many = [_blank(place) for place in range(8)]
    assert [blank.start for blank in keep([*many, topic])] == [0, 1, 2, 3, 4, 9]
    assert [blank.start for blank in keep([*many, replace(topic, closed=True)])] == [0, 1, 2, 3, 4, 5]
