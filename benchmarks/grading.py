"""What a grade costs: a long answer beside a short one, by sound beside by spelling, with many accepted answers beside one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measuring import worked
from benchmarks.table import Effort, Ratio, in_turn, medians
from bot.clients.tokenizer import SudachiTokenizer
from lessons.grading import grade
from lessons.model import BLANK, Accepted, Analysis, AnswerKey, ItemKind
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCE = "昨日は友達と一緒に新しい映画を見に行きました。"
KANA = "きのうはともだちといっしょにあたらしいえいがをみにいきました。"
OTHER = "今日は家族と近所の古い食堂で昼ご飯を食べています。"
SHORT, LONG = 2, 15
"""How often a sentence stands in an answer; the limit of an answer is 500 characters."""
MANY = 20


@dataclass(frozen=True, slots=True)
class Case:
    """An answer and what it is held against."""

    key: AnswerKey
    typed: Analysis


async def cases() -> dict[str, Case]:
    """Every case by name."""
    tokenizer = SudachiTokenizer()
    await tokenizer.start()

    async def case(accepted: list[str], typed: str) -> Case:
        analyses = await tokenizer.analyse([*accepted, typed])
        answers = tuple(Accepted(text, fold(text), (), words) for text, words in zip(accepted, analyses, strict=False))
        return Case(AnswerKey(ItemKind.CLOZE, f"{BLANK}と言いました。", answers), analyses[-1])

    many = [f"{SENTENCE}その{number}" for number in range(MANY - 1)]
    made = {
        "short, right": await case([SENTENCE * SHORT], SENTENCE * SHORT),
        "long, right": await case([SENTENCE * LONG], SENTENCE * LONG),
        "short, by sound": await case([SENTENCE * SHORT], KANA * SHORT),
        "long, by sound": await case([SENTENCE * LONG], KANA * LONG),
        "short, wrong": await case([SENTENCE * SHORT], OTHER * SHORT),
        "long, wrong": await case([SENTENCE * LONG], OTHER * LONG),
        "long, one sign repeated": await case([SENTENCE * LONG], "ー" * 500),
        "short, one sign repeated": await case([SENTENCE * SHORT], "ー" * 50),
        "one accepted answer": await case([SENTENCE], SENTENCE),
        "the last of many": await case([*many, SENTENCE], SENTENCE),
    }
    tokenizer.close()
    return made


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    runs = effort.of(400, 60, 2)
    made = asyncio.run(cases())

    def graded(name: str) -> Callable[[], float]:
        return lambda: worked(grade, made[name].key, made[name].typed)

    def beside(name: str, against: str, per: float = 1.0, unit: str = "") -> Ratio:
        ways = in_turn(runs, graded(name), graded(against))
        figures = f"{median(ways[0]):.3f} and {median(ways[1]):.3f} ms"
        return Ratio(f"an answer that is {name}{unit}", against, medians(*ways) / per, figures, runs)

    length = LONG / SHORT
    return [
        beside("long, right", "short, right", length, ", by length"),
        beside("long, by sound", "short, by sound", length, ", by length"),
        beside("long, wrong", "short, wrong", length, ", by length"),
        beside("long, one sign repeated", "short, one sign repeated", 10, ", by length"),
        beside("short, by sound", "short, right"),
        beside("short, wrong", "short, right"),
        beside("the last of many", "one accepted answer", MANY, f", by number ({MANY})"),
    ]


def main() -> None:
    for ratio in ratios():
        print(ratio.row("grading"))


if __name__ == "__main__":
    main()
