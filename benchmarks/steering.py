"""What steering buys: the share of blanks on what a learner confuses, beside a picker that draws blanks blindly."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from benchmarks.measuring import worked
from benchmarks.table import Effort, Ratio
from lessons.model import Candidate, ErrorType, ItemId, Mistake, MistakeCard, MistakeId, PackId, Track, Unit, UserId
from lessons.steering import pick, weak_spots

AT = datetime(2027, 3, 14, tzinfo=UTC)
ARTICLES, SENTENCES, BLANKS = 30, 10, 5
LENGTH = 10
LEARNERS = 200
MISSES = (0, 10, 50)
EXPLORATIONS = (0.3, 0.0, 1.0)
WEAK = {"は": "が", "が": "は"}
SLIPS, LAPSES = 0.6, 0.05  # how often the learner is wrong on what they confuse, and on anything else

UNITS = {Unit.PARTICLE: 0.4, Unit.FORM: 0.3, Unit.WORD: 0.3}
PARTICLES = {
    "の": 24,
    "を": 15,
    "に": 15,
    "は": 13,
    "が": 11,
    "と": 9,
    "で": 8,
    "も": 5,
}  # percent, as newspapers have them
STEMS = ("食べ", "見", "始め", "決め", "続け", "開い", "書い", "行っ", "使っ", "言っ", "読ん", "進ん")
ENDS = ("て", "た", "ている", "ていた", "ました", "たい")
WORDS = tuple(f"語{chr(0x4E00 + number)}" for number in range(400))
KINDS = {
    Unit.PARTICLE: (ErrorType.PARTICLE,),
    Unit.FORM: (ErrorType.CONJUGATION, ErrorType.TENSE, ErrorType.POLITENESS),
    Unit.WORD: (ErrorType.VOCABULARY, ErrorType.KANJI_KANA),
}
PARTS = {Unit.PARTICLE: "助詞", Unit.FORM: "動詞", Unit.WORD: "名詞"}


@dataclass
class Shares:
    """Shares of the blanks of one kind of drill, one number a learner."""

    weak: list[float] = field(default_factory=list)
    units: list[Counter[Unit]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def add(self, blanks: list[Candidate]) -> None:
        """Count one learner's drill."""
        self.weak.append(sum(each.reference in WEAK for each in blanks) / len(blanks))
        self.units.append(Counter(each.unit for each in blanks))
        self.answers.append(len({each.reference for each in blanks}))

    def row(self, name: str) -> str:
        """One line of the table."""
        tenths = statistics.quantiles(self.weak, n=10)
        units = sum(self.units, Counter())
        mix = " / ".join(f"{units[unit] / units.total():3.0%}" for unit in Unit)
        every = sum(len(found) == len(Unit) for found in self.units) / len(self.units)
        weak = f"{statistics.mean(self.weak):4.0%} ± {statistics.stdev(self.weak):3.0%}"
        return (
            f"{name:<34}{weak}   {tenths[0]:4.0%} to {tenths[-1]:4.0%}   {mix}   {every:12.0%}"
            f"   {statistics.mean(self.answers):5.1f}"
        )


def answer(rng: random.Random, unit: Unit) -> str:
    if unit is Unit.PARTICLE:
        return rng.choices(tuple(PARTICLES), tuple(PARTICLES.values()))[0]
    return rng.choice(WORDS) if unit is Unit.WORD else rng.choice(STEMS) + rng.choice(ENDS)


def news(rng: random.Random) -> list[Candidate]:
    """Blanks of thirty articles of thirty days."""
    items = count(10_000)
    return [
        Candidate(
            item=ItemId(next(items)),
            sentence=ItemId(sentence),
            article=PackId(sentence // SENTENCES),
            reference=answer(rng, unit),
            unit=unit,
            error_type=rng.choice(KINDS[unit]),
            level="",
            certainty=(certainty := rng.random()),
            closed=certainty > 0.5,
            at=AT - timedelta(days=sentence // SENTENCES),
        )
        for sentence in range(ARTICLES * SENTENCES)
        for unit in rng.choices(tuple(UNITS), tuple(UNITS.values()), k=rng.randint(BLANKS - 2, BLANKS + 2))
    ]


def blindly(rng: random.Random, candidates: list[Candidate]) -> list[Candidate]:
    """Draw a drill uniformly over blanks, one a sentence."""
    found: dict[ItemId, Candidate] = {}
    for each in rng.sample(candidates, len(candidates)):
        found.setdefault(each.sentence, each)
    return list(found.values())[:LENGTH]


def history(rng: random.Random, candidates: list[Candidate], misses: int) -> list[Mistake]:
    """Mistakes of a learner at blanks drawn blindly, over the two months before."""
    found: list[Mistake] = []
    while len(found) < misses:
        for each in blindly(rng, candidates):
            if rng.random() >= (SLIPS if each.reference in WEAK else LAPSES) or len(found) == misses:
                continue
            typed = WEAK.get(each.reference) or answer(rng, each.unit)
            card = MistakeCard(Track.EXERCISE, "", each.reference, typed, each.error_type, PARTS[each.unit], "")
            at = AT - timedelta(days=60 * rng.random())
            found.append(Mistake(MistakeId(len(found)), UserId(1), None, card, at))
    return found


@dataclass
class Drills:
    """What a blind picker and steered ones drew for the same learners; milliseconds of one drill out of so many blanks."""

    blind: Shares = field(default_factory=Shares)
    steered: dict[tuple[int, float], Shares] = field(
        default_factory=lambda: {(misses, exploration): Shares() for misses in MISSES for exploration in EXPLORATIONS}
    )
    took: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    blanks: int = 0


def drills(learners: int) -> Drills:
    """Draw drills for so many learners."""
    found = Drills()
    for seed in range(learners):
        rng = random.Random(seed)
        earlier, candidates = news(rng), news(rng)
        found.blanks = len(candidates)
        found.blind.add(blindly(rng, candidates))
        spots = {misses: weak_spots(history(rng, earlier, misses), AT) for misses in MISSES}
        for (misses, exploration), shares in found.steered.items():
            shares.add(pick(candidates, spots[misses], LENGTH, seed, exploration=exploration))
        found.took.append(worked(lambda: pick(candidates, spots[MISSES[-1]], LENGTH, 0)))  # noqa: B023 - called at once
        found.drawn.append(worked(blindly, rng, candidates))
    return found


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    learners = effort.of(LEARNERS, 60, 2)
    found = drills(learners)
    blind = statistics.mean(found.blind.weak)
    several = [
        Ratio(
            f"share of は and が after {misses} misses of them, exploration {exploration:.1f}",
            "blanks drawn uniformly",
            statistics.mean(shares.weak) / blind if blind else float("nan"),
            f"{statistics.mean(shares.weak):.0%} and {blind:.0%}",
            learners,
        )
        for (misses, exploration), shares in found.steered.items()
        if exploration != 0
    ]
    took, drawn = statistics.median(found.took), statistics.median(found.drawn)
    against, figures = "drawing them uniformly", f"{took:.1f} and {drawn:.1f} ms"
    return [
        *several,
        Ratio(f"picking a drill out of {found.blanks:,} blanks", against, took / drawn, figures, learners),
    ]


def main() -> None:
    print(f"{LEARNERS} learners, who confuse は and が; drills of {LENGTH} out of {ARTICLES} articles")
    print(f"{'':<34}{'は and が':<10}   {'the middle 80 %':>14}   particle/form/word   all three units   answers")
    found = drills(LEARNERS)
    print(found.blind.row("blindly"))
    for (misses, exploration), shares in found.steered.items():
        print(shares.row(f"{misses:>3} misses, exploration {exploration:.1f}"))
    print(f"one drill out of {found.blanks} blanks takes {statistics.median(found.took):.0f} ms")


if __name__ == "__main__":
    main()
