"""A group's pattern: what may be said in front of everybody about mistakes of many, and nothing about one of them.

Five people or more stand behind every line, whatever it says (`LEAST`). What two reviews could tell by being held
against each other, one learner more or less, is kept out by four rules:

- no answer is ever counted in two reviews of a server (the flow's windows of time do not overlap, whatever becomes of
  schedules), so there are no two figures of the same week, with somebody and without them;
- people and counts are rounded down to fives, shares to five per cent;
- nobody counts more than five times in a theme, and a sum of which one learner made more than half is not told;
- confusions are named without a count, when five learners or more wrote exactly the same.

What is left: whoever knows that exactly five are counted learns from a theme that each of them made such a mistake
(not which, when or how often). Therefore nobody is told how many are counted, but in fives, and being counted is a
choice that others do not see.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import regex

from lessons.model import Chart, ChartKind, ErrorType, Series, Track
from lessons.text import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lessons.model import CountedAnswers, CountedMiss, ItemId, UserId

LEAST: Final = 5
"""Learners behind everything that is said."""
EACH: Final = 5
"""Mistakes of one learner that count in one theme."""
STEP: Final = 5
"""What figures are rounded down to, and shares to the nearest of."""
SHOWN: Final = 5
"""Themes of a review."""
NAMED_PAIRS: Final = 3
FIRSTS: Final = 1 / 3
"""The share of answers that are first tries, from which on a share of right ones among these is told beside them."""
LONGEST: Final = 12
"""Characters of an answer that is named; a longer one is a sentence."""
TRAITS: Final = 0.6
"""The share of questions whose answer is part of a confusion that was named: with more of them there is nothing to guess."""

_UNSEEN: Final = regex.compile(r"\p{C}")


@dataclass(frozen=True, slots=True)
class GroupTheme:
    """A kind of mistake that LEAST learners or more made, `exercises` in steps, with (right, written) confusions."""

    track: Track
    error_type: ErrorType
    exercises: int
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GroupTotal:
    """How many practised a track, in steps; `answered` and `firsts_percent` are None where one learner outweighs them.

    `firsts_percent` is so also where few of the answers were first tries.
    """

    track: Track
    learners: int
    answered: int | None
    firsts_percent: int | None


@dataclass(frozen=True, slots=True)
class Findings:
    """What may be shown to a group. Without a total there is nothing: fewer than LEAST learners practised any track."""

    totals: tuple[GroupTotal, ...] = ()
    themes: tuple[GroupTheme, ...] = ()


def findings(answers: Iterable[CountedAnswers], misses: Iterable[CountedMiss]) -> Findings:
    """Find what may be said; the themes with the most mistakes first, at most SHOWN."""
    given, missed = [each for each in answers if each.answered], list(misses)
    totals = [_total(track, [each for each in given if each.track is track]) for track in Track]
    told = tuple(total for total in totals if total is not None)
    tracks = {total.track for total in told}
    themes = [
        _theme(track, kind, [each for each in missed if each.track is track and each.error_type is kind])
        for track in Track
        for kind in ErrorType
        if track in tracks
    ]
    found = sorted((theme for theme in themes if theme is not None), key=lambda theme: -theme.exercises)
    return Findings(told, tuple(found[:SHOWN]))


def chart(themes: Sequence[GroupTheme], names: Mapping[tuple[Track, ErrorType], str]) -> Chart:
    """Draw themes as rows of their counts, each with its first confusions: "particles  は→が"."""
    labels = tuple(f"{names[theme.track, theme.error_type]}{_label(theme)}" for theme in themes)
    counts = tuple(float(theme.exercises) for theme in themes)
    return Chart(
        ChartKind.ROWS,
        "What the group mixed up (right answer → what was written)",
        "exercises, rounded down to fives",
        "",
        (Series("", labels, counts),),
        whole=True,
    )


def choose(items: Sequence[tuple[ItemId, str]], references: Collection[str], count: int, seed: int) -> list[ItemId]:
    """Choose up to `count` of items (with their answers) by a seed of 0 or more; what anybody missed does not matter.

    At most TRAITS of them have one of these answers, unless there are not enough others; they come in no order.
    """
    rng = np.random.default_rng(seed)
    wanted = set(map(fold, references))
    mixed = [items[place] for place in rng.permutation(len(items))]
    near = [item for item, answer in mixed if fold(answer) in wanted]
    far = [item for item, answer in mixed if fold(answer) not in wanted]
    first = near[: round(count * TRAITS)]
    chosen = [*first, *far, *near[len(first) :]][:count]
    return [chosen[place] for place in rng.permutation(len(chosen))]


def _total(track: Track, given: Sequence[CountedAnswers]) -> GroupTotal | None:
    if len({each.user for each in given}) < LEAST:
        return None
    tried = [each for each in given if each.firsts]
    firsts = _sum_told([each.firsts for each in tried])
    right = sum(each.firsts_right for each in tried)
    answered = _sum_told([each.answered for each in given])
    if firsts is not None and firsts < FIRSTS * sum(each.answered for each in given):
        firsts = None  # it would seem to speak of all the answers
    return GroupTotal(
        track=track,
        learners=_down(len(given)),
        answered=None if answered is None else _down(answered),
        firsts_percent=None if firsts is None else STEP * round(100 * right / firsts / STEP),
    )


def _sum_told(shares: Sequence[int]) -> int | None:
    """Add up the shares of LEAST learners or more, none of whom made more than half; None otherwise."""
    total = sum(shares)
    return total if len(shares) >= LEAST and 2 * max(shares) <= total else None


def _theme(track: Track, kind: ErrorType, missed: Iterable[CountedMiss]) -> GroupTheme | None:
    exercises: defaultdict[UserId, set[object]] = defaultdict(set)
    behind: defaultdict[tuple[str, str], set[UserId]] = defaultdict(set)
    for each in missed:
        exercises[each.user].add(each.item if each.item is not None else each)
        behind[_pair(each)].add(each.user)
    if len(exercises) < LEAST:
        return None
    counted = sum(min(EACH, len(own)) for own in exercises.values())
    pairs = Counter({pair: len(users) for pair, users in behind.items() if len(users) >= LEAST and _is_short(pair)})
    # by the number of learners, which is not told; of several with as many, the first by spelling
    named = sorted(pairs, key=lambda pair: (-_down(pairs[pair]), pair))[:NAMED_PAIRS]
    return GroupTheme(track, kind, _down(counted), tuple(named))


def _pair(miss: CountedMiss) -> tuple[str, str]:
    return _seen(miss.reference), _seen(miss.typed)


def _is_short(pair: tuple[str, str]) -> bool:
    return all(0 < len(part) <= LONGEST for part in pair)


def _label(theme: GroupTheme) -> str:
    return f"  {', '.join(f'{reference}→{typed}' for reference, typed in theme.pairs[:2])}" if theme.pairs else ""


def _seen(text: str) -> str:
    return _UNSEEN.sub("", tidy(text))


def _down(number: int) -> int:
    return number - number % STEP
