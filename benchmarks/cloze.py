"""How far blanks that a string match may grade have one filler, beside blanks picked uniformly, and how long it takes."""

from __future__ import annotations

import asyncio
import csv
import time
from collections import defaultdict
from importlib.resources import files
from itertools import groupby

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


def report(name: str, some: list[tuple[Sentence, list[Blank]]], labels: Labels) -> None:
    counts: dict[str, list[bool]] = defaultdict(list)
    for sentence, blanks in some:
        for blank in blanks:
            right = labels[sentence.text, blank.start, blank.end]
            counts["uniform picker: all"].append(right)
            counts[f"uniform picker: {blank.unit}"].append(right)
            if blank.closed:
                counts["closed: all"].append(right)
                counts[f"closed: {blank.unit}"].append(right)
    print(f"\n{name}: {len(some)} sentences")
    for kind in sorted(counts):
        found = counts[kind]
        print(
            f"  {kind:26} {len(found):4} blanks, {len(found) / len(some):5.2f} a sentence, one filler {sum(found) / len(found):.1%}"
        )


async def main() -> None:
    texts, labels = labelled()
    tokenizer, levels = SudachiTokenizer(), cloze.load_levels()
    await tokenizer.start()
    sentences = cloze.split(Prose("", tuple(texts)), await tokenizer.analyse(texts))
    blanked = [(sentence, cloze.blanks(sentence, levels)) for sentence in sentences]
    for name, first, last in PARTS:
        report(name, blanked[first - 1 : last], labels)
    articles = ["".join(texts[start : start + ARTICLE]) for start in range(0, len(texts), ARTICLE)] * ROUNDS
    began = time.perf_counter()
    analyses = await tokenizer.analyse(articles)
    cut = time.perf_counter()
    for text, analysis in zip(articles, analyses, strict=True):
        found = [(one, cloze.blanks(one, levels)) for one in cloze.split(Prose("", (text,)), [analysis])]
        kept = [found[place] for place in cloze.choose(found)]
        for sentence, blanks in kept:
            for line, blank in enumerate(cloze.keep(blanks), 1):
                cloze.row(sentence, blank, f"{line}", line)
    done = time.perf_counter()
    tokenizer.close()
    count = len(articles)
    print(f"\n{count} articles of {ARTICLE} sentences: tokenised {count / (cut - began):.0f} articles/s", end="")
    print(f" ({count * ARTICLE / (cut - began):.0f} sentences/s), blanks {count / (done - cut):.0f} articles/s", end="")
    print(f" ({count * ARTICLE / (done - cut):.0f} sentences/s), both {count / (done - began):.1f} articles/s")


if __name__ == "__main__":
    asyncio.run(main())
