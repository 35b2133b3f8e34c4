"""Steering on invented learners: what they confuse comes up more, and everything else still comes up."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.model import Candidate, ErrorType, ItemId, Mistake, MistakeCard, MistakeId, PackId, Track, Unit, UserId
from lessons.steering import WeakSpots, pick, weak_spots

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
KIND = {Unit.PARTICLE: ErrorType.PARTICLE, Unit.FORM: ErrorType.CONJUGATION, Unit.WORD: ErrorType.VOCABULARY}
ANSWERS = {
    Unit.PARTICLE: ("は", "が", "を", "に", "の", "の", "と", "で", "も", "から"),
    Unit.FORM: ("食べて", "書いて", "読んで", "行った", "見ました", "使われた", "決める", "長く"),
    Unit.WORD: tuple(f"語{number}" for number in range(100)),
}
WEAK = {"は", "が"}


def mistake(
    reference: str,
    typed: str,
    *,
    kind: ErrorType = ErrorType.PARTICLE,
    days: float = 0,
    item: int | None = None,
    part: str = "",
    number: int = 0,
) -> Mistake:
    card = MistakeCard(Track.EXERCISE, "", reference, typed, kind, part, "")
    return Mistake(
        MistakeId(number), UserId(1), None if item is None else ItemId(item), card, AT - timedelta(days=days)
    )


def blank(
    item: int,
    reference: str = "は",
    unit: Unit = Unit.PARTICLE,
    *,
    sentence: int | None = None,
    article: int = 1,
    days: float = 0,
    certainty: float = 1.0,
    closed: bool = True,
) -> Candidate:
    return Candidate(
        item=ItemId(item),
        sentence=ItemId(item if sentence is None else sentence),
        article=PackId(article),
        reference=reference,
        unit=unit,
        error_type=KIND[unit],
        level="",
        certainty=certainty,
        closed=closed,
        at=AT - timedelta(days=days),
    )  # fmt: skip


def news(seed: int, articles: int = 5) -> list[Candidate]:
    rng = random.Random(seed)
    units = rng.choices((Unit.PARTICLE, Unit.FORM, Unit.WORD), (4, 3, 3), k=articles * 50)
    return [
        blank(10_000 + n, rng.choice(ANSWERS[unit]), unit, sentence=n // 5, article=n // 50, certainty=rng.random())
        for n, unit in enumerate(units)
    ]


def shares(spots: WeakSpots, test, **options: float) -> float:
    """The mean share of blanks that pass the test, over drills of ten from many draws of the news."""
    drills = [pick(news(seed), spots, 10, seed, **options) for seed in range(40)]
    return mean(test(each) for drill in drills for each in drill)


def is_weak(each: Candidate) -> bool:
    return each.reference in WEAK


TEN = [mistake(*("はが" if n % 2 else "がは"), days=n, item=n) for n in range(10)]


def test_a_confusion_counts_for_both_sides_whichever_was_asked() -> None:
    spots = weak_spots([mistake("は", "が", item=1), mistake("ガ", " は。", item=2), mistake("を", "を", item=3)], AT)
    assert spots.pairs == {("が", "は"): 2.0, ("を", "を"): 1.0}
    assert spots.targets == {"は": 2.0, "が": 2.0, "を": 1.0}
    assert spots.kinds == {ErrorType.PARTICLE: 3.0}
    assert spots.units == {Unit.PARTICLE: 3.0}
    assert spots.endings == {}


def test_a_mistake_fades_with_its_age_and_one_from_the_future_counts_in_full() -> None:
    spots = weak_spots([mistake("は", "が", days=30, item=1), mistake("に", "で", days=-1, item=2)], AT)
    assert spots.pairs == {("が", "は"): pytest.approx(0.3679, abs=1e-4), ("で", "に"): 1.0}
    assert weak_spots([mistake("は", "が", days=7)], AT, tau_days=7).targets["は"] == pytest.approx(0.3679, abs=1e-4)


def test_of_several_mistakes_at_one_exercise_the_newest_counts_and_those_without_one_all_do() -> None:
    again = [mistake("は", typed, days=days, item=1, number=days) for days, typed in enumerate("がもを")]
    assert weak_spots(again, AT).pairs == {("が", "は"): 1.0}
    assert weak_spots(again[::-1], AT).pairs == {("が", "は"): 1.0}
    gone = [mistake("は", "が", number=number) for number in range(3)]
    assert weak_spots(gone, AT).pairs == {("が", "は"): 3.0}


@pytest.mark.parametrize(
    ("reference", "endings"),
    [
        ("食べて", {"て", "べて"}),
        ("読んで", {"て", "んて"}),
        ("つかわれた", {"た", "れた", "われた"}),
        ("行く", {"く"}),
        ("went", set()),
        ("食", set()),
    ],
)
def test_a_missed_form_is_known_by_its_last_kana(reference: str, endings: set[str]) -> None:
    assert set(weak_spots([mistake(reference, "x", kind=ErrorType.TENSE)], AT).endings) == endings


@pytest.mark.parametrize(
    ("kind", "part", "unit"),
    [
        (ErrorType.POLITENESS, "助詞", Unit.FORM),
        (ErrorType.KANJI_KANA, "", Unit.WORD),
        (ErrorType.MISSING, "助詞", Unit.PARTICLE),
        (ErrorType.OTHER, "形容詞", Unit.FORM),
        (ErrorType.OTHER, "名詞", None),
    ],
)
def test_the_unit_comes_from_the_error_type_or_else_the_part_of_speech(
    kind: ErrorType, part: str, unit: Unit | None
) -> None:
    assert set(weak_spots([mistake("高い", "x", kind=kind, part=part)], AT).units) == ({unit} if unit else set())


def test_before_any_mistake_nothing_is_steered() -> None:
    blind = mean(is_weak(each) for seed in range(40) for each in news(seed))
    assert shares(WeakSpots(), is_weak) == pytest.approx(blind, abs=0.04)
    assert weak_spots([], AT) == WeakSpots()


def test_after_ten_misses_the_confused_come_up_twice_as_often_and_a_fifth_is_something_else() -> None:
    steered, blind = shares(weak_spots(TEN, AT), is_weak), shares(WeakSpots(), is_weak)
    assert steered > 2 * blind
    assert steered < 0.8
    assert shares(weak_spots(TEN * 10, AT), lambda each: not is_weak(each)) > 0.2


def test_the_share_of_exploration_decides_how_much_is_steered() -> None:
    spots = weak_spots(TEN, AT)
    none, some, all_ = (shares(spots, is_weak, exploration=share) for share in (0.0, 0.3, 1.0))
    assert none > some > all_
    assert all_ == pytest.approx(shares(WeakSpots(), is_weak, exploration=1.0))


def test_a_learner_who_misses_forms_meets_forms_and_most_those_that_end_alike() -> None:
    misses = [mistake(form, "x", kind=ErrorType.CONJUGATION, item=n) for n, form in enumerate(("話して", "出して") * 4)]
    spots = weak_spots(misses, AT)
    assert shares(spots, lambda each: each.unit is Unit.FORM) > 1.3 * shares(
        WeakSpots(), lambda each: each.unit is Unit.FORM
    )
    forms = Counter(
        each.reference for seed in range(60) for each in pick(news(seed), spots, 10, seed) if each.unit is Unit.FORM
    )
    assert min(forms["書いて"], forms["読んで"], forms["食べて"]) > max(forms["行った"], forms["決める"], forms["長く"])


def test_without_mistakes_units_are_mixed_though_words_are_many() -> None:
    crowd = [blank(n, f"語{n}", Unit.WORD, article=n % 7) for n in range(300)]
    crowd += [blank(1000 + n, "は", article=n % 7) for n in range(10)]
    crowd += [blank(2000 + n, "見た", Unit.FORM, article=n % 7) for n in range(10)]
    drills = [pick(crowd, WeakSpots(), 10, seed, exploration=0.0) for seed in range(40)]
    units = Counter(each.unit for drill in drills for each in drill)
    assert all(units[unit] > 0.2 * units.total() for unit in Unit)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"days": 0}, {"days": 60}),
        ({"closed": True}, {"closed": False}),
        ({"certainty": 1.0}, {"certainty": 0.1}),
    ],
)
def test_newer_closed_and_certain_blanks_are_a_little_ahead(better: dict[str, float], worse: dict[str, float]) -> None:
    two = [blank(1, article=1, **better), blank(2, article=2, **worse)]  # type: ignore[arg-type]
    first = Counter(pick(two, WeakSpots(), 1, seed, exploration=0.0)[0].item for seed in range(400))
    assert 1.3 < first[ItemId(1)] / first[ItemId(2)] < 3.0


def test_a_drill_is_spread_over_articles() -> None:
    many = [blank(n, article=n // 25) for n in range(100)]
    drills = [pick(many, WeakSpots(), 4, seed, exploration=0.0) for seed in range(200)]
    assert mean(len({each.article for each in drill}) for drill in drills) > 2.9  # blindly 2.7


def test_exploration_gives_each_sentence_the_same_chance() -> None:
    crowded = [blank(n, "は", sentence=1) for n in range(9)] + [blank(9, "は", sentence=2)]
    first = Counter(pick(crowded, weak_spots(TEN, AT), 1, seed, exploration=1.0)[0].sentence for seed in range(400))
    assert first[ItemId(1)] == pytest.approx(200, abs=40)


def test_blanks_come_in_reading_order() -> None:
    two = [blank(n, sentence=n // 2, article=7) for n in range(20, 40)]
    two += [blank(n, sentence=n // 2, article=3) for n in range(20)]
    found = pick(two, WeakSpots(), 12, 5)
    assert [(each.article, each.sentence) for each in found] == sorted(
        ((each.article, each.sentence) for each in found), key=lambda place: (-place[0], place[1])
    )


def test_an_item_that_stands_twice_is_asked_once() -> None:
    assert len(pick([blank(1, sentence=1), blank(1, sentence=2)], WeakSpots(), 2, 0)) == 1


@given(st.integers(0, 40), st.integers(0, 60), st.integers(0, 2**64), st.floats(0, 1))
def test_no_sentence_comes_twice_and_the_seed_decides(size: int, count: int, seed: int, exploration: float) -> None:
    candidates = [blank(n, sentence=n // 3, article=n // 9, certainty=0.0, closed=False) for n in range(size)]
    found = pick(candidates, weak_spots(TEN, AT), count, seed, exploration=exploration)
    assert len({each.sentence for each in found}) == len(found) == min(count, -(-size // 3))
    assert found == pick(candidates, weak_spots(TEN, AT), count, seed, exploration=exploration)
