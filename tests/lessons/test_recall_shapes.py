"""The shape of a mistake: the same slip in other words is the same, and no text breaks it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import recall
from lessons.model import ErrorType, MistakeCard, Track
from lessons.recall.shape import ASPECTS, shape

HOSTILE = st.text(st.characters(exclude_categories=()), max_size=80) | st.sampled_from(
    ["", "\x00", "\ud800", "が" * 3_000, "\ufdfa" * 9, "ﾊﾟ", "<rt>", "[＿＿＿]", "e\u0301" * 50, "\u202e", "ゃっー"]
)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_any_card_has_a_shape_of_unit_aspects(prompt: str, reference: str, typed: str) -> None:
    numbers = shape(MistakeCard(Track.LESSON, prompt, reference, typed, ErrorType.OTHER, "", prompt))
    assert numbers.shape == (recall.SIZE,)
    assert numbers.dtype == np.float32
    start = 0
    for size in ASPECTS.values():
        length = np.linalg.norm(numbers[start : start + size])
        assert length == pytest.approx(1, abs=1e-5) or length == 0
        start += size


def test_layout_of_no_cards_has_no_rows() -> None:
    empty = np.zeros((0, 8), np.float32)
    assert recall.layout(empty, empty, []).shape == (0, 16 + recall.SIZE)


def aspect(name: str, reference: str, typed: str) -> np.ndarray:
    start = sum(list(ASPECTS.values())[: list(ASPECTS).index(name)])
    numbers = shape(MistakeCard(Track.LESSON, "", reference, typed, ErrorType.OTHER, "", ""))
    return numbers[start : start + ASPECTS[name]]


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("lost", ("歌手に", "歌手"), ("海に", "海")),
        ("put", ("赤い", "赤いの"), ("小さい", "小さいの")),
        ("point", ("がくせい", "がぐせい"), ("こども", "ごども")),  # voicing put where there is none
        ("point", ("きって", "きて"), ("がっこう", "がこう")),
        ("point", ("おばあさん", "おばさん"), ("とうきょう", "ときょう")),
        ("point", ("ビル", "びる"), ("テスト", "てすと")),
        ("point", ("降る", "降ります"), ("住む", "住みます")),
        ("point", ("くれました", "もらいました"), ("あげました", "くれました")),
        ("point", ("三つ買いました", "買いました三つ"), ("いすの下", "下のいす")),
        ("point", ("関心", "感心"), ("対象", "対照")),
        ("point", ("会う", "遭う"), ("暑い", "熱い")),
        ("point", ("一冊", "一本"), ("三枚", "三個")),
    ],
)
def test_the_same_slip_in_other_words_has_the_same_aspect(
    name: str, one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert aspect(name, *one) @ aspect(name, *other) > 0.7


def test_nothing_to_say_is_no_numbers() -> None:
    assert not aspect("point", "は", "が").any()


@pytest.mark.parametrize(("reference", "typed"), [("冷蔵庫", "四人"), ("台所", "廊下"), ("猫", "ねこ")])
def test_two_words_are_no_slip_of_kanji(reference: str, typed: str) -> None:
    assert not aspect("point", reference, typed).any()
