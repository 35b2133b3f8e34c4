"""From labelled mistakes to evidence: embed every text a report needs, measure in a thread, hand back report and figures."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import cards, recall
from lessons.evaluation import ablation, calibrating, heldout, records, themes_report
from lessons.evaluation.drawings import retrieval_charts, themes_charts
from lessons.evaluation.figures import to_json
from lessons.evaluation.memories import Laid
from lessons.evaluation.report import retrieval_report
from lessons.evaluation.retrieval import Measured, measure
from lessons.evaluation.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.figures import Ablation
    from lessons.evaluation.grouping import Density
    from lessons.evaluation.records import Judged, Record
    from lessons.model import Chart
    from lessons.ports import Embedder

    Progress = Callable[[str, int, int], None]
    """Told what is being done, how much of it is, and how much there is."""

    Flattened = Callable[[NDArray[np.float32]], NDArray[np.floating]]
    """A map: [n, d] to [n, 2]."""

MOST: Final = 2_000
"""Mistakes that are evaluated, the newest: all are held against all, and every card is embedded 28 times."""
LEAST: Final = 8
"""First tries below which no figure means anything."""
_BATCH: Final = 128
_SEED: Final = 20_260_601


@dataclass(frozen=True, slots=True)
class Source:
    """What is evaluated: mistakes (junk and all) and the pairs among them that somebody judged, with a name for both."""

    name: str
    records: tuple[Record, ...]
    judged: tuple[Judged, ...] = ()

    def kept(self) -> Source:
        """Return what recall would have kept, the newest MOST of it."""
        usable = [place for place, record in enumerate(self.records) if not record.junk]
        newest = sorted(usable, key=lambda place: self.records[place].at)[-MOST:]
        chosen = {place: row for row, place in enumerate(sorted(newest))}
        pairs = tuple(
            records.Judged(chosen[pair.first], chosen[pair.second], pair.useful)
            for pair in self.judged
            if {pair.first, pair.second} <= chosen.keys()
        )
        return Source(self.name, tuple(self.records[place] for place in chosen), pairs)


@dataclass(frozen=True, slots=True)
class Report:
    """Markdown, the charts it shows by file name, and all figures as JSON."""

    markdown: str
    charts: tuple[tuple[str, Chart], ...]
    figures: str


@dataclass(frozen=True, slots=True)
class Extras:
    """What may be installed besides: each None when it is not."""

    umap: Flattened | None = None
    hdbscan: Density | None = None


@dataclass(frozen=True, slots=True)
class TooFew:
    """There are too few mistakes to evaluate: how many, and how many are needed."""

    found: int
    needed: int = LEAST


@dataclass(frozen=True, slots=True)
class Evaluating:
    """Measures recall on labelled mistakes. `calibration` is the present one, for when there are too few learners.

    `illustrated` says that the charts will lie beside the report.
    """

    embedder: Embedder
    calibration: recall.Calibration | None
    progress: Progress
    extras: Extras = Extras()
    illustrated: bool = True

    async def retrieval(self, source: Source) -> Report | TooFew:
        """Report how well past mistakes are found. Raises EmbedderUnavailable."""
        kept = source.kept()
        tried = records.first_places(kept.records)
        if len(tried) < LEAST:
            return TooFew(len(tried))
        ablations = await self._ablations([kept.records[place] for place in tried])
        laid = await self._laid(kept.records)
        evidence = await self._evidence(laid, kept.judged)
        rows = ablation.counted(source.records, kept.records, len(tried))
        self.progress("measuring", 0, 1)
        found = await asyncio.to_thread(
            measure, Measured(source.name, self.embedder.name, rows, laid, evidence), tried, ablations,
            np.random.default_rng(_SEED),
        )  # fmt: skip
        self.progress("measuring", 1, 1)
        flat = list(found.flat)
        if self.extras.umap:
            flat.append(("UMAP", await asyncio.to_thread(self.extras.umap, laid.cards[list(tried)])))
        charts = retrieval_charts(found.figures, flat, found.error_types)
        notes = (
            () if self.extras.umap else ("The map is by PCA alone: umap-learn is not installed (kizuki[evaluate]).",)
        )
        markdown = retrieval_report(found.figures, self._names(charts), notes)
        return Report(markdown, charts, to_json(found.figures))

    async def themes(self, source: Source) -> Report | TooFew:
        """Report how good themes are, by every method there is. Raises EmbedderUnavailable."""
        kept = source.kept()
        tried = records.first_places(kept.records)
        if len(tried) < LEAST:
            return TooFew(len(tried))
        laid = await self._laid(kept.records)
        evidence = await self._evidence(laid, kept.judged)
        rows = ablation.counted(source.records, kept.records, len(tried))
        found = await asyncio.to_thread(
            themes_report.measure, Measured(source.name, self.embedder.name, rows, laid, evidence), tried,
            self.extras.hdbscan, np.random.default_rng(_SEED), self.progress,
        )  # fmt: skip
        charts = themes_charts(found)
        return Report(themes_report.write(found, self._names(charts)), charts, to_json(found))

    async def calibrate(self, source: Source) -> recall.Calibration:
        """Fit a calibration on labelled mistakes. Raises EmbedderUnavailable."""
        usable = source.kept()
        laid = await self._laid(usable.records)
        self.progress("fitting", 0, 1)
        found = await asyncio.to_thread(calibrating.calibrate, laid, usable.judged, self.embedder.name)
        self.progress("fitting", 1, 1)
        return found

    def _names(self, charts: Sequence[tuple[str, Chart]]) -> list[str]:
        return [name for name, _ in charts] if self.illustrated else []

    async def _ablations(self, tried: Sequence[Record]) -> tuple[Ablation, ...]:
        """Judge every card, with and without its labels."""
        result = []
        jobs = [(variant, labelled) for variant in VARIANTS for labelled in (False, True)]
        for number, (variant, labelled) in enumerate(jobs):
            self.progress("card variants", number, len(jobs))
            vectors = await self._embedded(ablation.texts(variant, tried, labelled=labelled))
            result.append(await asyncio.to_thread(ablation.ablate, variant, tried, vectors, labelled=labelled))
        self.progress("card variants", len(jobs), len(jobs))
        return tuple(result)

    async def _laid(self, kept: tuple[Record, ...]) -> Laid:
        """Embed the mistakes as recall does."""
        held = [record.card for record in kept]
        card = await self._embedded([cards.card_text(one) for one in held], "cards")
        pair = await self._embedded([cards.pair_text(one) for one in held], "pairs")
        return Laid(kept, recall.layout(card, pair, held), self.embedder.dimension)

    async def _embedded(self, texts: Sequence[str], what: str = "") -> NDArray[np.float32]:
        """Embed texts, each different one once; tells its progress under a name, or not at all."""
        different = list(dict.fromkeys(texts))
        parts = []
        for start in range(0, len(different), _BATCH):
            if what:
                self.progress(what, start, len(different))
            parts.append(await self.embedder.embed(different[start : start + _BATCH]))
        if what:
            self.progress(what, len(different), len(different))
        row = {text: number for number, text in enumerate(different)}
        vectors: NDArray[np.float32] = np.concatenate(parts)
        return vectors[[row[text] for text in texts]]

    async def _evidence(self, laid: Laid, judged: tuple[Judged, ...]) -> heldout.Evidence | None:
        """Choose calibrations: by folds where enough learners are labelled, else the present one for everybody."""
        names = calibrating.learners(laid.records)
        if len(names) >= heldout.ENOUGH_LEARNERS and any(record.concept for record in laid.records):
            self.progress("calibrating by folds", 0, 1)
            found = await asyncio.to_thread(calibrating.by_folds, laid, judged, self.embedder.name)
            self.progress("calibrating by folds", 1, 1)
            return heldout.Evidence(laid, judged, found, by_folds=True)
        if self.calibration is None:
            return None
        return heldout.Evidence(laid, judged, dict.fromkeys(names, self.calibration), by_folds=False)
