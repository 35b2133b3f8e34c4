"""Which blanks of the news a learner meets: more of those they trip on, some of everything, never two of a sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import regex

from lessons.model import ErrorType, Unit
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from lessons.model import Candidate, ItemId, Mistake

TAU_DAYS: Final = 30.0
"""Days after which a mistake counts 1/e of what it did."""
EXPLORATION: Final = 0.3
"""The share of a drill's places that are given without a look at the mistakes."""

_MIX: Final = {Unit.PARTICLE: 0.4, Unit.FORM: 0.3, Unit.WORD: 0.3}
"""How units share the places of a drill that aims at nothing, however many blanks each has."""

_TARGET: Final = 60.0
_ENDING: Final = 15.0
_KIND: Final = 2.0
_UNIT: Final = 1.0
"""What each likeness to mistakes adds, at most, to the weight 1 of a blank that is like none.

Chosen on the invented learners of `benchmarks/steering.py`: after ten misses, as after fifty, a third of a drill is
on what they confuse, where it was a tenth.
"""
_HALF: Final = 8.0
"""Misses that earn half of that: the second tells more than the fiftieth."""

_LONGEST_ENDING: Final = 3
_ENDING_SHARES: Final = {1: 0.2, 2: 0.3, 3: 0.5}
"""How much of an ending's weight its last kana is worth, the last two, and the last three together."""
_VOICELESS: Final = str.maketrans("でだ", "てた")

_FRESH_DAYS: Final = 14.0
_STALE: Final = 0.5
"""What an article's blanks still weigh, however old it is; 14 days take it 1/e of the way."""
_OPEN: Final = 0.6
"""What a blank weighs that only a judge can decide."""
_AGAIN_ARTICLE: Final = 0.5
_AGAIN_ANSWER: Final = 0.15
"""What an article, and an answer, loses by every time it is in this drill: the weight is over 1 + times * this."""

_UNIT_OF_KIND: Final = {
    ErrorType.PARTICLE: Unit.PARTICLE,
    ErrorType.CONJUGATION: Unit.FORM,
    ErrorType.TENSE: Unit.FORM,
    ErrorType.POLITENESS: Unit.FORM,
    ErrorType.VOCABULARY: Unit.WORD,
    ErrorType.KANJI_KANA: Unit.WORD,
}
_UNIT_OF_PART: Final = {"助詞": Unit.PARTICLE} | dict.fromkeys(("動詞", "助動詞", "形容詞", "形状詞"), Unit.FORM)
_TAIL: Final = regex.compile(r"[\p{Hiragana}ー]+$")

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class WeakSpots:
    """What a learner trips on, each as a count of mistakes that fades with their age.

    `pairs` are what was confused, both folded and in the order of their characters; `kinds` and `units` what sort of
    thing it was; `endings` the last one to three kana of missed forms.
    """

    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    kinds: Mapping[ErrorType, float] = field(default_factory=dict)
    units: Mapping[Unit, float] = field(default_factory=dict)
    endings: Mapping[str, float] = field(default_factory=dict)

    @property
    def targets(self) -> Mapping[str, float]:
        """How often each text, folded, was in a confusion, on either side."""
        counts: dict[str, float] = {}
        for pair, count in self.pairs.items():
            _add(counts, set(pair), count)
        return counts


def weak_spots(mistakes: Sequence[Mistake], at: datetime, tau_days: float = TAU_DAYS) -> WeakSpots:
    """Count what a learner confuses, as of `at` (aware); of several mistakes at one exercise the newest counts."""
    pairs: dict[tuple[str, str], float] = {}
    kinds: dict[ErrorType, float] = {}
    units: dict[Unit, float] = {}
    endings: dict[str, float] = {}
    for mistake in _newest_per_item(mistakes):
        card = mistake.card
        count = exp(-max((at - mistake.at).total_seconds(), 0.0) / 86_400 / tau_days)
        one, other = sorted((fold(card.reference), fold(card.typed)))
        _add(pairs, [(one, other)], count)
        _add(kinds, [card.error_type], count)
        unit = _UNIT_OF_KIND.get(card.error_type) or _UNIT_OF_PART.get(card.part_of_speech)
        if unit is not None:
            _add(units, [unit], count)
        if unit is Unit.FORM:
            _add(endings, _endings(fold(card.reference)), count)
    return WeakSpots(pairs, kinds, units, endings)


def pick(
    candidates: Sequence[Candidate],
    spots: WeakSpots,
    count: int,
    seed: int,
    *,
    exploration: float = EXPLORATION,
) -> list[Candidate]:
    """Choose up to `count` blanks, one a sentence; the same input and seed (0 or more) give the same blanks.

    Each place is drawn by itself: with probability `exploration` a sentence, all alike, and a blank of it by its
    plain weight; else a blank in proportion to plain weight times likeness to mistakes. In proportion, and not the
    best first, since one confusion would fill the drill. Without mistakes units come in a set mix, and newer
    articles, closed and certain blanks are a little ahead.

    The blanks come in reading order: article by article as they first stand in `candidates`, sentence by sentence.
    """
    rng = np.random.default_rng(seed)
    folded = {text: fold(text) for text in {each.reference for each in candidates}}
    answers = [folded[each.reference] for each in candidates]
    pool = _Pool(candidates, answers)
    likeness = _likeness(candidates, answers, spots)
    picked: list[int] = []
    while len(picked) < count and pool.free.any():
        # both numbers are always drawn, so that the places of a seed do not depend on how many explore
        explores, place = rng.random() < exploration, rng.random()
        chosen = _drawn(pool.sentence_by_sentence() if explores else pool.weighed(likeness), place)
        pool.take(chosen)
        picked.append(chosen)
    articles = {article: number for number, article in enumerate(dict.fromkeys(each.article for each in candidates))}
    reading = sorted(picked, key=lambda row: (articles[candidates[row].article], candidates[row].sentence))
    return [candidates[row] for row in reading]


class _Pool:
    """The candidates of one drill, row by row, while blanks are taken out of it."""

    def __init__(self, candidates: Sequence[Candidate], answers: Sequence[str]) -> None:
        self._items = _codes(each.item for each in candidates)
        self._sentences = _codes(each.sentence for each in candidates)
        self._articles = _codes(each.article for each in candidates)
        self._answers = _codes(answers)
        self._plain = _plain(candidates)
        self._met = np.ones((2, len(candidates)))
        self.free = np.ones(len(candidates), bool)

    def weighed(self, likeness: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights that look at the mistakes, and at what this drill has had already."""
        return np.where(self.free, self._plain * likeness / (self._met[0] * self._met[1]), 0.0)

    def sentence_by_sentence(self) -> NDArray[np.float64]:
        """Weights that are the same in sum for every sentence."""
        weights = self.free * self._plain
        sums = np.bincount(self._sentences, weights)[self._sentences]
        return np.divide(weights, sums, out=np.zeros_like(weights), where=self.free)

    def take(self, row: int) -> None:
        """Take a blank: its sentence has had its turn, its article and its answer step back."""
        self.free &= (self._sentences != self._sentences[row]) & (self._items != self._items[row])
        self._met[0] += _AGAIN_ARTICLE * (self._articles == self._articles[row])
        self._met[1] += _AGAIN_ANSWER * (self._answers == self._answers[row])


def _plain(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Weights without any mistakes: units in their mix, newer, closed and certain blanks a little ahead."""
    units = Counter(each.unit for each in candidates)
    newest = max((each.at for each in candidates), default=None)
    weights = []
    for each in candidates:
        age = (newest - each.at).total_seconds() / 86_400 if newest else 0.0
        fresh = _STALE + (1 - _STALE) * exp(-age / _FRESH_DAYS)
        sure = (1.0 if each.closed else _OPEN) * (1 + each.certainty) / 2
        weights.append(_MIX[each.unit] / units[each.unit] * fresh * sure)
    return np.array(weights, np.float64)


def _likeness(candidates: Sequence[Candidate], answers: Sequence[str], spots: WeakSpots) -> NDArray[np.float64]:
    """1 for a blank that is like no mistake, and more the more it is like many recent ones."""
    targets = spots.targets
    found = []
    for each, answer in zip(candidates, answers, strict=True):
        weight = 1 + _TARGET * _worth(targets.get(answer, 0.0))
        weight += _KIND * _worth(spots.kinds.get(each.error_type, 0.0))
        weight += _UNIT * _worth(spots.units.get(each.unit, 0.0))
        if each.unit is Unit.FORM:
            shares = ((_ENDING_SHARES[len(end)], spots.endings.get(end, 0.0)) for end in _endings(answer))
            weight += _ENDING * sum(share * _worth(count) for share, count in shares)
        found.append(weight)
    return np.array(found, np.float64)


def _drawn(weights: NDArray[np.float64], place: float) -> int:
    """The row at `place` (0 to 1) of all the weights laid end to end; never one without weight."""
    ends = np.cumsum(weights)
    last = int(np.flatnonzero(weights)[-1])
    return min(int(np.searchsorted(ends, place * ends[-1], side="right")), last)


def _worth(count: float) -> float:
    return count / (count + _HALF)


def _endings(form: str) -> list[str]:
    """The last kana of a folded form, up to three, none before its last kanji; 読んで and 書いて end alike in て."""
    tail = _TAIL.search(form)
    if tail is None:
        return []
    text = tail[0][:-1] + tail[0][-1].translate(_VOICELESS)
    return [text[-length:] for length in range(1, min(len(text), _LONGEST_ENDING) + 1)]


def _newest_per_item(mistakes: Iterable[Mistake]) -> list[Mistake]:
    kept: dict[tuple[bool, ItemId | int], Mistake] = {}
    for mistake in sorted(mistakes, key=lambda each: (each.at, each.id)):
        key = (True, mistake.item_id) if mistake.item_id is not None else (False, mistake.id)
        kept[key] = mistake
    return list(kept.values())


def _add(counts: dict[_Key, float], keys: Iterable[_Key], count: float) -> None:
    for key in keys:
        counts[key] = counts.get(key, 0.0) + count


def _codes(values: Iterable[object]) -> NDArray[np.intp]:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.intp)
