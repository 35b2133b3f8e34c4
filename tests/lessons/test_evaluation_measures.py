"""The measures themselves, on cases small enough to count by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from lessons import themes
from lessons.evaluation import ablation, lexical, ranking, statistics, tables, variants
from lessons.evaluation.grouping import Method, by_type, density, graph, quality
from lessons.evaluation.records import Record
from lessons.model import BLANK, ErrorType, MistakeCard, Track

START = datetime(2026, 5, 1, tzinfo=UTC)


def record(exercise: str, concept: str = "", day: int = 0, learner: str = "mika", **card: object) -> Record:
    plain = MistakeCard(Track.LESSON, f"雨{BLANK}降る。", "が", "を", ErrorType.PARTICLE, "助詞", "particle が, not を")
    made = replace(plain, **card)  # type: ignore[arg-type]
    return Record(learner, exercise, made, concept, retry=False, junk=False, at=START + timedelta(days=day))


class TestRanking:
    def test_equals_share_their_places(self) -> None:
        scores = np.array([[0.0, 0.9, 0.5, 0.5]])
        hits = np.array([[False, False, True, False]])
        allowed = np.array([[False, True, True, True]])
        assert ranking.shares(scores, hits, allowed, 4)[0].tolist() == pytest.approx([0, 0.25, 1 / 3, 1 / 3])

    def test_a_query_with_no_past_is_no_query(self) -> None:
        pool = ranking.pools([record("a", "x")])
        assert math.isnan(ranking.precision([np.zeros((1, 1))], pool, ["x"])[0])
        assert ranking.by_learner([np.zeros((1, 1))], pool, ["x"]) == {}

    def test_only_other_exercises_of_the_same_learner_and_track(self) -> None:
        found = [record("a"), record("a", day=1), record("b", day=2), record("c", learner="tom")]
        first, second = ranking.pools(found)
        assert first.allowed.tolist() == [[False, False, True], [False, False, True], [True, True, False]]
        assert second.places.tolist() == [3]
        assert ranking.pools(found, own_exercise=True)[0].allowed.sum() == 6
        assert ranking.pools(found, earlier=True)[0].allowed.tolist()[2] == [True, True, False]
        assert ranking.everybody(found).allowed.sum() == 10
        other = replace(found[0], card=replace(found[0].card, track=Track.EXERCISE))
        assert [len(pool.places) for pool in ranking.pools([*found, other])] == [3, 1, 1]

    def test_precision_and_chance(self) -> None:
        found = [record("a", "x"), record("b", "x"), record("c", "y"), record("d")]
        pools = ranking.pools(found)
        labels = [one.concept for one in found]
        scores = [np.array([[0, 9, 1, 1], [9, 0, 1, 1], [9, 1, 0, 1], [1, 1, 1, 0]], np.float32)]
        assert ranking.precision(scores, pools, labels)[:3] == pytest.approx((2 / 3, 1 / 3, 2 / 9))
        assert ranking.by_chance(pools, labels) == pytest.approx(2 / 9)
        assert ranking.by_learner(scores, pools, labels) == {"mika": (pytest.approx(2 / 3), 3)}

    def test_a_querys_own_exercise_crowds_the_top(self) -> None:
        found = [record("a", day=day) for day in range(4)] + [record("b", day=9)]
        vectors = np.eye(5, 8, dtype=np.float32)
        vectors[:4] = vectors[0]
        crowding = ablation.crowding(found, vectors, 0)
        assert crowding.exclusion_off == pytest.approx(0.8)
        assert crowding.exclusion_off_any == pytest.approx(0.8)
        assert crowding.possible == pytest.approx(0.8)
        assert crowding.exclusion_on == 0
        assert ablation.crowding([], vectors[:0], 0).exclusion_off == 0


class TestStatistics:
    def test_the_rank_sum_agrees_with_the_textbook(self) -> None:
        test = statistics.rank_sum(np.array([3.0, 5.0, 8.0, 9.0]), np.array([1.0, 2.0, 4.0, 6.0]))
        assert test.above == pytest.approx(13 / 16)
        assert test.z == pytest.approx(5 / math.sqrt(12))
        assert 10**test.log10_p == pytest.approx(math.erfc(test.z / math.sqrt(2)))

    def test_ties_equal_samples_and_empty_ones(self) -> None:
        same = np.ones(3)
        assert statistics.rank_sum(same, same) == statistics.RankSum(0.5, 0.0, 0.0)
        assert math.isnan(statistics.rank_sum(same, same[:0]).above)

    def test_a_p_too_small_for_a_float_is_told_by_its_exponent(self) -> None:
        test = statistics.rank_sum(np.arange(3000) + 10_000.0, np.arange(3000) * 1.0)
        assert test.log10_p < -400

    def test_a_map_holds_the_widest_directions(self) -> None:
        points = np.array([[3.0, 0, 0], [-3, 0, 0], [0, 1, 0], [0, -1, 0]])
        flat, widths = statistics.flat_map(points)
        assert np.abs(flat) == pytest.approx(np.abs(points[:, :2]))
        assert widths == pytest.approx((0.9, 0.1))
        assert statistics.flat_map(np.ones((1, 1)))[0].tolist() == [[0, 0]]

    def test_learners_who_lie_apart(self) -> None:
        vectors = np.array([[1.0, 0], [1, 0.1], [-1, 0], [-1, 0.1]] * 4)
        names = ["a", "a", "b", "b"] * 4
        spread = statistics.spread(vectors, names, np.random.default_rng(1))
        assert spread.between > 0.9
        assert spread.shuffled < 0.3

    def test_groupings_agree_or_not(self) -> None:
        assert statistics.adjusted_rand([0, 0, 1, 1], [5, 5, 2, 2]) == 1
        assert statistics.adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(-0.5)
        assert statistics.adjusted_rand([0], [3]) == 1


class TestVariants:
    def test_there_are_a_dozen_and_more_all_different(self) -> None:
        card = record("a", level="N5").card
        plain = [variant.text(card) for variant in variants.VARIANTS]
        named = [variants.labelled(variant, card) for variant in variants.VARIANTS]
        assert len(variants.VARIANTS) >= 12
        assert len({*plain, *named}) == 2 * len(variants.VARIANTS)

    def test_only_the_labelled_ones_hold_the_labels(self) -> None:
        card = record("a", feedback="add が", level="N5").card
        for variant in variants.VARIANTS:
            told = variants.labelled(variant, card)
            assert "particle" in told
            assert "N5" in told
            assert "particle" not in variant.text(card)
            assert "助詞" not in variant.text(card)

    def test_the_abstract_one_holds_no_word_of_the_mistake(self) -> None:
        abstract = next(variant for variant in variants.VARIANTS if variant.name == "abstract")
        texts = {abstract.text(record("a", reference=right, typed=wrong).card) for right, wrong in _CHANGES}
        assert len(texts) == len(_CHANGES)
        assert not any(sign in text for text in texts for sign in "がを東京京ｘ")

    def test_unknown_and_missing_parts_of_speech_are_said_in_words(self) -> None:
        natural = next(variant for variant in variants.VARIANTS if variant.name == "natural language")
        assert "in a 連濁." in variants.labelled(natural, record("a", part_of_speech="連濁").card)
        assert "in a word." in variants.labelled(natural, record("a", part_of_speech="").card)


_CHANGES = [("が", "を"), ("東京", "京"), ("京", "東京"), ("、", "カ")]


class TestLexical:
    def test_likeness_is_that_of_the_spelling(self) -> None:
        found = [record("a"), record("b"), record("c")]
        (block,) = lexical.blocks(["食べました", "食べません", "行く"], ranking.pools(found))
        assert np.diag(block)[0] < 1  # grams of one text alone have no column, but they count in its length
        assert block[0, 1] > block[0, 2] == 0


class TestRecency:
    def test_fading_brings_the_newer_one_to_the_top(self) -> None:
        found = [record("a", "x", 0), record("b", "y", 99), record("c", "x", 100)]
        scores = [np.array([[0, 0, 0], [0.5, 0, 0], [0.9, 0.8, 0]], np.float32)]
        off, on = ablation.recency("plain", scores, found, 90)
        assert (off.concept, on.concept) == (0.5, 0)
        assert (off.days, on.days) == ((99 + 100) / 2, (99 + 1) / 2)
        lonely = ablation.recency("plain", [np.zeros((1, 1))], found[:1], 90)
        assert math.isnan(lonely[0].days)


class TestThemes:
    def test_perfect_groups_are_pure_and_stable(self) -> None:
        kinds = (ErrorType.PARTICLE, ErrorType.TENSE)
        found = [record(f"e{n}", "xy"[n % 2], error_type=kinds[n % 2]) for n in range(20)]
        alike = np.array([[0.9 if one.concept == other.concept else 0.0 for other in found] for one in found])
        alike = alike.astype(np.float32)
        rng = np.random.default_rng(1)
        for method in (
            Method("type", "", by_type),
            Method("graph", "", graph(themes.Way(typed=False, neighbours=9))),
            Method("density", "", density(_cut_in_two)),
        ):
            told = quality(method, [(found, alike)], rng)
            assert (told.purity, told.alone, told.pair_precision) == (1, 0, 1), method.name
        assert told.pair_recall == 1
        assert told.stability == pytest.approx(1)
        assert (told.groups, told.size) == (2, 10)

    def test_noise_is_left_alone(self) -> None:
        found = [record(f"e{n}", "x") for n in range(4)]
        alone = density(lambda distances, _smallest: [-1] * len(distances))
        told = quality(Method("none", "", alone), [(found, np.eye(4, dtype=np.float32))], np.random.default_rng(1))
        assert (told.alone, told.purity, told.groups, told.size) == (1, 0, 0, 0)


def _cut_in_two(distances: np.ndarray, _smallest: int) -> list[int]:
    return [0 if distance < 0.5 else 1 for distance in distances[0]]


class TestTables:
    def test_foreign_text_stays_in_its_line(self) -> None:
        assert tables.quoted(" a|b\n[x](y) <i> &amp; ") == r"a\|b \[x\](y) \<i\> \&amp;"

    def test_what_does_not_exist_is_a_dash(self) -> None:
        assert (tables.number(float("nan")), tables.percent(float("nan"))) == ("–", "–")
