"""How far blanks that a string match may grade have one filler, beside blanks picked uniformly, and how long it takes."""

from __future__ import annotations

import asyncio
import csv
import time
from collections import defaultdict
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from statistics import median

from benchmarks.table import Effort, Ratio
from bot.clients.tokenizer import SudachiTokenizer
from lessons import cloze
from lessons.model import Blank, Prose, Sentence

PARTS = (("1 to 50, the rules were made on them", 1, 50), ("51 to 150, looked at afterwards", 51, 150))
ARTICLE = 25  # sentences
ROUNDS = 8

Labels = dict[tuple[str, int, int], bool]


def labelled() -> tuple[list[str], Labels]:
    """Return the labelled sentences in order, and whether one filler is right by sentence and span."""
    text = files("lessons").joinpath("data/evaluation/blanks.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    labels = {(row["sentence"], int(row["start"]), int(row["end"])): row["one_filler"] == "yes" for row in rows}
    return [sentence for sentence, _ in groupby(rows, key=lambda row: row["sentence"])], labels


@dataclass
class Blanks:
    """Sentences with their blanks, and the milliseconds that each article took in the tokenizer and afterwards."""

    labels: Labels
    blanked: list[tuple[Sentence, list[Blank]]]
    tokenised: list[float]
    cut: list[float]

    def counts(self, first: int, last: int) -> dict[str, list[bool]]:
        """Whether one filler alone is right, by kind of picker and of blank, for the sentences from `first` to `last`."""
        found: dict[str, list[bool]] = defaultdict(list)
        for sentence, blanks in self.blanked[first - 1 : last]:
            for blank in blanks:
                right = self.labels[sentence.text, blank.start, blank.end]
                for name in ("all", f"{blank.unit}"):
                    found[f"uniform picker: {name}"].append(right)
                    if blank.closed:
                        found[f"closed: {name}"].append(right)
        return found


async def cut(rounds: int, length: int = ARTICLE) -> Blanks:
    """Find every blank of the labelled sentences, and blank articles of so many of them, each in so many rounds."""
    texts, labels = labelled()
    tokenizer, levels = SudachiTokenizer(), cloze.load_levels()
    await tokenizer.start()
    sentences = cloze.split(Prose("", tuple(texts)), await tokenizer.analyse(texts))
    found = Blanks(labels, [(sentence, cloze.blanks(sentence, levels)) for sentence in sentences], [], [])
    for text in ["".join(texts[start : start + length]) for start in range(0, len(texts), length)] * rounds:
        began = time.perf_counter()
        analyses = await tokenizer.analyse([text])
        ready = time.perf_counter()
        split = [(one, cloze.blanks(one, levels)) for one in cloze.split(Prose("", (text,)), analyses)]
        for place in cloze.choose(split):
            sentence, blanks = split[place]
            for line, blank in enumerate(cloze.keep(blanks), 1):
                cloze.row(sentence, blank, f"{line}", line)
        found.tokenised.append(1000 * (ready - began))
        found.cut.append(1000 * (time.perf_counter() - ready))
    tokenizer.close()
    return found


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    found = asyncio.run(cut(effort.of(ROUNDS, 2, 1), effort.of(ARTICLE, ARTICLE, 150)))
    (_, first, last) = PARTS[1]
    counts = found.counts(first, last)
    closed, uniform = counts["closed: all"], counts["uniform picker: all"]
    good, blind = sum(closed) / len(closed), sum(uniform) / len(uniform)
    articles = len(found.cut)
    tokenised, blanked = median(found.tokenised), median(found.cut)
    rate = f"{1000 / (tokenised + blanked):.0f} articles/s in all"
    return [
        Ratio("closed blanks that one filler fits", "all blanks", good / blind, f"{good:.1%} of {len(closed)} and {blind:.1%} of {len(uniform)}", last - first + 1),
        Ratio("closed blanks", "all blanks", len(closed) / len(uniform), f"{len(closed)} of {len(uniform)}", last - first + 1),
        Ratio("finding an article's blanks", "cutting it into words", blanked / tokenised, f"{blanked:.1f} and {tokenised:.1f} ms, {rate}", articles),
    ]  # fmt: skip


def main() -> None:
    found = asyncio.run(cut(ROUNDS))
    for name, first, last in PARTS:
        sentences = last - first + 1
        print(f"\n{name}: {sentences} sentences")
        for kind, right in sorted(found.counts(first, last).items()):
            share = f"{len(right) / sentences:5.2f} a sentence, one filler {sum(right) / len(right):.1%}"
            print(f"  {kind:26} {len(right):4} blanks, {share}")
    cutting, blanking = 1000 / median(found.tokenised), 1000 / median(found.cut)
    print(f"\n{len(found.cut)} articles of {ARTICLE} sentences: {cutting:.0f}/s tokenised, {blanking:.0f}/s blanked")


if __name__ == "__main__":
    main()
