"""Themes over mistakes whose likeness is known, and over those of the labelled set."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.model import ChartKind, ErrorType, ItemId, Mistake, MistakeCard, MistakeId, Track, UserId
from lessons.themes import (
    BY_TYPE,
    ENOUGH,
    UNTYPED,
    Way,
    communities,
    newest_per_item,
    same_pairs,
    theme_chart,
    theme_kind,
    theme_name,
    themes,
)

BEGINNING = datetime(2026, 11, 1, tzinfo=UTC)
PARTICLE, CONJUGATION, TENSE = ErrorType.PARTICLE, ErrorType.CONJUGATION, ErrorType.TENSE


def mistake(number: int, reference: str, typed: str, kind: ErrorType = PARTICLE, item: int | None = None) -> Mistake:
    card = MistakeCard(Track.LESSON, "私[＿＿＿]学生です。", reference, typed, kind, "助詞", "particle")
    where = ItemId(number if item is None else item)
    return Mistake(MistakeId(number), UserId(1), where, card, BEGINNING + timedelta(hours=number))


def blocks(*sizes: int, inside: float = 0.9, outside: float = 0.05) -> np.ndarray:
    """Likeness of mistakes that fall into blocks."""
    marks = np.repeat(np.arange(len(sizes)), sizes)
    alike = np.where(marks[:, None] == marks[None, :], inside, outside).astype(np.float32)
    np.fill_diagonal(alike, 1)
    return alike


def of_pairs(*pairs: tuple[str, str, int], kind: ErrorType = PARTICLE) -> list[Mistake]:
    flat = [(reference, typed) for reference, typed, times in pairs for _ in range(times)]
    return [mistake(number, reference, typed, kind) for number, (reference, typed) in enumerate(flat, 1)]


def test_one_mistake_an_item_and_it_is_the_newest() -> None:
    retried = [mistake(number, "も", "は", item=7) for number in range(1, 6)]
    gone = [Mistake(MistakeId(n), UserId(1), None, retried[0].card, BEGINNING) for n in (8, 9)]
    kept = newest_per_item([*retried, *gone, mistake(6, "に", "で", item=8)])
    assert [each.id for each in kept] == [8, 9, 5, 6]


def test_few_mistakes_are_told_apart_by_their_kind_alone() -> None:
    few = [mistake(n, "も", "は") for n in range(1, 6)] + [mistake(6, "会って", "会いて", CONJUGATION)]
    few += [mistake(7, "に", "で"), mistake(8, "飲んで", "飲みて", CONJUGATION), mistake(9, "行った", "行く", TENSE)]
    found = themes(few, np.zeros((9, 9), np.float32), seed=1)
    assert [(theme.error_type, len(theme.members)) for theme in found.themes] == [(PARTICLE, 6), (CONJUGATION, 2)]
    assert found.themes[0].pairs == (("も", "は", 5), ("に", "で", 1))
    assert found.themes[0].characteristic.id == 5, "of the most frequent confusion, the newest"
    assert [each.id for each in found.one_offs] == [9]


def test_without_likeness_many_are_told_apart_by_their_kind_too() -> None:
    many = of_pairs(("は", "が", 12), ("に", "で", 12))
    (theme,) = themes(many, None, seed=1).themes
    assert len(theme.members) == 24


def test_confusions_of_one_kind_become_themes_of_their_own() -> None:
    many = of_pairs(("は", "が", 9), ("に", "で", 7), ("を", "へ", 1))
    alike = blocks(9, 7, 1)
    alike[16, :16] = alike[:16, 16] = 0
    alike[3, :9] = alike[:9, 3] = 0.95
    found = themes(many, alike, seed=1)
    assert [theme_name(theme) for theme in found.themes] == [
        "particles: は written as が",
        "particles: に written as で",
    ]
    assert found.themes[0].characteristic.id == 4, "the most central, not the newest"
    assert found.themes[1].characteristic.id == 16, "among equals, the newest"
    assert [each.card.reference for each in found.one_offs] == ["を"]


def test_mistakes_of_different_kinds_are_never_linked_unless_nobody_vouches_for_them() -> None:
    kinds = [PARTICLE, CONJUGATION] * 10
    alike = blocks(20)
    assert sorted(map(len, communities(alike, kinds, seed=1, way=BY_TYPE))) == [10, 10]
    assert len(communities(alike, kinds, seed=1, way=Way(typed=False, neighbours=19))) == 1


def test_mistakes_of_other_kinds_do_not_move_a_theme() -> None:
    """One graph over all kinds would do just that: modularity joins what is small beside the whole."""
    raw = np.random.default_rng(3).random((200, 200)).astype(np.float32)
    alike, kinds = (raw + raw.T) / 2, [list(ErrorType)[number % 4] for number in range(200)]
    among_all = {group for group in communities(alike, kinds, seed=1) if group[0] % 4 == 0}
    rows = np.arange(0, 200, 4)
    alone = communities(alike[np.ix_(rows, rows)], [PARTICLE] * 50, seed=1)
    assert among_all == {tuple(4 * row for row in group) for group in alone}


def test_what_is_hardly_alike_is_not_linked() -> None:
    alike = blocks(6, 6, outside=0.0)
    alike[:6, :6] = 0.2
    found = communities(alike, [PARTICLE] * 12, seed=1)
    assert [len(group) for group in found] == [1] * 6 + [6]
    assert len(communities(alike, [PARTICLE] * 12, seed=1, way=Way(least=0.1))) == 2


def test_without_types_only_mutual_and_high_likeness_links() -> None:
    kinds = [PARTICLE] * 22
    alike = blocks(9, 9, 4, inside=0.6, outside=0.1)
    alike[18:, :] = alike[:, 18:] = 0.1
    np.fill_diagonal(alike, 1)
    found = communities(alike, kinds, seed=1, way=Way(typed=False, neighbours=8, mutual=True, floor=0.7))
    assert sum(len(group) > 1 for group in found) == 2
    assert [group for group in found if len(group) == 1] == [(18,), (19,), (20,), (21,)]
    assert all(len(group) == 1 for group in communities(np.eye(22, dtype=np.float32), kinds, 1, UNTYPED))


def test_label_propagation_finds_plain_blocks_as_well() -> None:
    found = communities(blocks(8, 8, outside=0.0), [PARTICLE] * 16, seed=1, way=Way(spread=True))
    assert found == [tuple(range(8)), tuple(range(8, 16))]


def test_nothing_and_one_alone_have_no_theme() -> None:
    assert themes([], None, seed=1).themes == ()
    assert same_pairs([]).shape == (0, 0)
    assert communities(np.zeros((0, 0), np.float32), [], seed=1) == []
    assert communities(np.ones((1, 1), np.float32), [PARTICLE], seed=1, way=UNTYPED) == [(0,)]
    alone = themes([mistake(1, "は", "が")], None, seed=1)
    assert (alone.themes, len(alone.one_offs)) == ((), 1)


@given(st.integers(0, 60), st.integers(0, 9), st.booleans())
def test_every_mistake_is_somewhere_once_and_the_same_seed_gives_the_same_themes(
    count: int, seed: int, typed: bool
) -> None:
    dice = random.Random(seed)
    given_ = [
        mistake(n, dice.choice("はがにで"), dice.choice("もをへと"), dice.choice(list(ErrorType))) for n in range(count)
    ]
    raw = np.random.default_rng(seed).random((count, count)).astype(np.float32)
    alike, way = (raw + raw.T) / 2, BY_TYPE if typed else UNTYPED
    found = themes(given_, alike, seed, way)
    members = [each.id for theme in found.themes for each in theme.members] + [each.id for each in found.one_offs]
    assert sorted(members) == [each.id for each in given_]
    assert found == themes(given_, alike, seed, way)
    sizes = [len(theme.members) for theme in found.themes]
    assert sizes == sorted(sizes, reverse=True)
    assert all(theme.characteristic is theme.members[0] for theme in found.themes)
    assert all(sum(times for *_, times in theme.pairs) == len(theme.members) for theme in found.themes)
    if typed or count < ENOUGH:
        assert all(len({m.card.error_type for m in theme.members}) == 1 for theme in found.themes)


def test_a_name_quotes_the_most_frequent_confusions_and_stays_short() -> None:
    (theme,) = themes(of_pairs(("も", "は", 3), ("が", "に", 2)), None, seed=1).themes
    assert theme_name(theme) == "particles: も written as は, が as に"
    assert theme_kind(theme) == "particles"
    long = of_pairs(
        ("食べさせられませんでしたから", "x\u202e" * 50, 2), *((ref, "ぬ", 1) for ref in "あいう"), kind=TENSE
    )
    (theme,) = themes(long, None, seed=1).themes
    assert theme_name(theme) == "tense: 食べさせられませんでし… written as xxxxxxxxxxx…, う as ぬ, い as ぬ …"
    for kind in ErrorType:
        (theme,) = themes(of_pairs(("も", "は", 2), kind=kind), None, seed=1).themes
        assert theme_name(theme).endswith(": も written as は")


def test_the_chart_numbers_themes_as_they_are_listed() -> None:
    groups = of_pairs(("は", "が", 9), ("に", "で", 4), ("へ", "と", 3), ("おっしゃいました", "言いましたよ", 2))
    found = themes(groups, blocks(13, 3, 2), seed=1).themes
    chart = theme_chart(found, 30)
    assert (chart.kind, chart.whole) == (ChartKind.ROWS, True)
    (series,) = chart.series
    assert series.xs == ("1  は→が, に→で", "2  へ→と", "3  おっしゃいました→言いましたよ")
    assert series.ys == (13, 3, 2)


def test_the_graph_library_is_loaded_with_the_first_themes_only() -> None:
    program = "import sys, lessons.themes; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("count", [ENOUGH - 1, ENOUGH])
def test_likeness_counts_from_enough_mistakes_on(count: int) -> None:
    found = themes(of_pairs(("は", "が", count)), np.eye(count, dtype=np.float32), seed=1)
    assert bool(found.themes) is (count < ENOUGH)
