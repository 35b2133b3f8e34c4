"""What a group is told: five people behind every line, and nothing of one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from lessons.groups import EACH, LEAST, Findings, chart, choose, findings
from lessons.model import CountedAnswers, CountedMiss, ErrorType, ItemId, Track, UserId
from lessons.text import fold

LESSON, NEWS = Track.LESSON, Track.EXERCISE
PARTICLE, TENSE = ErrorType.PARTICLE, ErrorType.TENSE


def practised(users: Iterable[int], answered: int = 10, track: Track = LESSON) -> list[CountedAnswers]:
    return [CountedAnswers(UserId(user), track, answered, 4, 3) for user in users]


def missed(
    users: Iterable[int],
    reference: str = "は",
    typed: str = "が",
    *,
    kind: ErrorType = PARTICLE,
    track: Track = LESSON,
    times: int = 1,
) -> list[CountedMiss]:
    return [
        CountedMiss(UserId(user), track, kind, reference, typed, ItemId(100 * user + number))
        for user in users
        for number in range(times)
    ]


def everything(found: Findings) -> str:
    return repr(found)


@pytest.mark.parametrize("number", range(LEAST))
def test_fewer_than_five_are_told_nothing_at_all(number: int) -> None:
    users = range(number)
    assert findings(practised(users, 100), missed(users, times=9)) == Findings()


def test_five_are_told_a_total_and_a_theme() -> None:
    found = findings(practised(range(5), 12), missed(range(5)))
    (total,) = found.totals
    assert (total.track, total.learners, total.answered, total.firsts_percent) == (LESSON, 5, 60, 75)
    (theme,) = found.themes
    assert (theme.track, theme.error_type, theme.exercises, theme.pairs) == (LESSON, PARTICLE, 5, (("は", "が"),))


def test_a_kind_that_four_missed_is_not_told_however_often() -> None:
    found = findings(practised(range(20)), [*missed(range(4), kind=TENSE, times=50), *missed(range(5))])
    assert [theme.error_type for theme in found.themes] == [PARTICLE]


def test_a_confusion_of_four_is_not_named_within_a_theme_of_many() -> None:
    found = findings(practised(range(20)), [*missed(range(4), "に", "で"), *missed(range(4, 20), "を", "が")])
    assert found.themes[0].pairs == (("を", "が"),)


def test_a_theme_of_which_every_confusion_is_somebodys_own_names_none() -> None:
    own = [CountedMiss(UserId(user), LESSON, PARTICLE, "は", f"秘密{user}", ItemId(user)) for user in range(9)]
    found = findings(practised(range(9)), own)
    assert found.themes[0].pairs == ()
    assert "秘密" not in everything(found)


def test_a_confusion_is_named_only_as_five_wrote_it_to_the_letter() -> None:
    spellings = ["ＧＡ", "ga", "Ga", "gA", "GA"]
    own = [CountedMiss(UserId(user), LESSON, PARTICLE, "は", text, ItemId(user)) for user, text in enumerate(spellings)]
    assert findings(practised(range(5)), own).themes[0].pairs == ()


def test_a_sentence_is_never_named_even_when_five_wrote_the_same() -> None:
    sentence = "私は昨日図書館で本を読みました"
    found = findings(practised(range(9)), [*missed(range(9), sentence, "x"), *missed(range(9), "x", sentence)])
    assert found.themes[0].pairs == ()


@pytest.mark.parametrize("nothing", ["", " ", "\u200b", "。"])
def test_an_answer_with_nothing_to_see_is_not_named(nothing: str) -> None:
    assert findings(practised(range(5)), missed(range(5), "は", nothing)).themes[0].pairs == ()


def test_what_cannot_be_seen_is_not_shown() -> None:
    assert findings(practised(range(5)), missed(range(5), "は", "が\u202e")).themes[0].pairs == (("は", "が"),)


def test_nobody_counts_more_than_five_times_in_a_theme() -> None:
    keen = missed([0], times=200)
    found = findings(practised(range(5)), [*keen, *missed(range(1, 5), times=2)])
    assert found.themes[0].exercises == 10  # 5 + 4 * 2, rounded down


def test_retries_of_one_exercise_count_once_and_mistakes_of_lost_items_each() -> None:
    again = [
        CountedMiss(UserId(user), LESSON, PARTICLE, "は", typed, ItemId(1)) for user in range(5) for typed in "がを"
    ]
    lost = [CountedMiss(UserId(user), LESSON, TENSE, "は", typed) for user in range(5) for typed in "がを"]
    found = findings(practised(range(5)), [*again, *lost])
    assert {theme.error_type: theme.exercises for theme in found.themes} == {PARTICLE: 5, TENSE: 10}


def test_figures_are_rounded_so_that_one_more_learner_mostly_changes_nothing() -> None:
    five = findings(practised(range(5), 11), missed(range(5)))
    for more in range(6, 10):
        found = findings(practised(range(more), 11), missed(range(more)))
        assert found.totals[0].learners == five.totals[0].learners
        assert found.themes == five.themes


def test_a_sum_of_which_one_made_more_than_half_is_not_told() -> None:
    keen = [CountedAnswers(UserId(0), LESSON, 300, 200, 10)]
    (total,) = findings([*keen, *practised(range(1, 9))], []).totals
    assert (total.learners, total.answered, total.firsts_percent) == (5, None, None)


@pytest.mark.parametrize(("firsts", "percent"), [(2, None), (3, None), (4, 100)])
def test_first_tries_are_told_only_beside_answers_of_which_they_are_a_third(firsts: int, percent: int | None) -> None:
    answers = [CountedAnswers(UserId(user), LESSON, 10, firsts, firsts) for user in range(5)]
    (total,) = findings(answers, []).totals
    assert (total.answered, total.firsts_percent) == (50, percent)


def test_first_tries_of_fewer_than_five_are_not_told() -> None:
    none = [CountedAnswers(UserId(user), LESSON, 10, 0, 0) for user in range(4)]
    (total,) = findings([*none, *practised(range(4, 8))], []).totals
    assert (total.answered, total.firsts_percent) == (80, None)


def test_lessons_and_news_are_counted_apart() -> None:
    answers = [*practised(range(5)), *practised(range(3, 8), track=NEWS)]
    found = findings(answers, [*missed(range(5)), *missed(range(3, 8), track=NEWS)])
    assert [total.track for total in found.totals] == [LESSON, NEWS]
    assert [theme.track for theme in found.themes] == [LESSON, NEWS]
    mixed = findings([*practised(range(4)), *practised(range(4, 8), track=NEWS)], missed(range(4)))
    assert mixed == Findings()


def test_misses_of_a_track_that_too_few_answered_are_not_told() -> None:
    assert not findings(practised(range(5)), missed(range(5), track=NEWS)).themes


def test_those_who_only_skipped_did_not_practise() -> None:
    assert findings(practised(range(5), 0), []) == Findings()


def test_the_themes_with_the_most_come_first_and_five_are_shown() -> None:
    kinds = list(ErrorType)
    found = findings(
        practised(range(5)),
        [each for times, kind in enumerate(kinds, 1) for each in missed(range(5), kind=kind, times=min(times, EACH))],
    )
    assert len(found.themes) == 5
    assert [theme.exercises for theme in found.themes] == sorted((t.exercises for t in found.themes), reverse=True)


def test_at_most_three_confusions_are_named_in_an_order_that_tells_no_number() -> None:
    pairs = [("は", "が"), ("に", "で"), ("を", "が"), ("へ", "に")]
    rows = [each for place, pair in enumerate(pairs) for each in missed(range(5 + place), *pair)]
    assert findings(practised(range(9)), rows).themes[0].pairs == tuple(sorted(pairs)[:3])


def test_the_chart_has_a_row_a_theme_with_its_confusions() -> None:
    found = findings(practised(range(5)), [*missed(range(5)), *missed(range(5), "x" * 20, "た", kind=TENSE)])
    drawn = chart(found.themes, {(LESSON, PARTICLE): "particles", (LESSON, TENSE): "tense"})
    assert drawn.series[0].xs == ("particles  は→が", "tense")
    assert drawn.series[0].ys == (5.0, 5.0)


def items(answers: Sequence[str]) -> list[tuple[ItemId, str]]:
    return [(ItemId(number), answer) for number, answer in enumerate(answers)]


def test_a_drill_prefers_what_was_mixed_up_and_still_leaves_something_to_guess() -> None:
    offered = items(["は"] * 50 + ["に"] * 50)
    chosen = choose(offered, ["ハ"], 5, 1)
    assert len(set(chosen)) == 5
    assert sum(fold(dict(offered)[each]) == fold("は") for each in chosen) == 3


def test_a_drill_is_the_same_for_a_seed_and_another_for_another() -> None:
    offered = items([str(number) for number in range(100)])
    assert choose(offered, [], 5, 7) == choose(offered, [], 5, 7) != choose(offered, [], 5, 8)


@pytest.mark.parametrize(
    ("answers", "number"), [([], 0), (["は"], 1), (["は"] * 9, 5), (["に"] * 9, 5), (["は"] * 4 + ["に"], 5)]
)
def test_a_drill_takes_what_there_is(answers: list[str], number: int) -> None:
    chosen = choose(items(answers), ["は"], 5, 3)
    assert len(chosen) == len(set(chosen)) == number
