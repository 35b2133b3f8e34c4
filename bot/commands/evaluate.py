"""`kizuki evaluate`: evidence that recall and themes work, on the operator's own mistakes, the shipped ones or a file's."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.clients import extras
from bot.clients.charts import MatplotlibCharts
from bot.clients.embedders import choose
from bot.commands import faults, sayings, shelf
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.commands.progress import Progress
from bot.wiring import calibration_of
from lessons.evaluation import records
from lessons.flows.evaluating import Evaluating, Extras, Report, Source, TooFew
from lessons.recall import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from bot.settings import Settings
    from lessons.ports import Embedder
    from lessons.recall import Calibration

_QUOTES: Final = "The report quotes what learners typed: keep it where their answers may be read."
_NONE_YET: Final = "The data folder has no mistakes yet, so the shipped set is evaluated (as with --shipped)."


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for: `subject` is retrieval or themes; paths are None when they were not given."""

    subject: str
    data: Path | None = None
    shipped: bool = False
    figures: Path | None = None
    out: Path | None = None


def evaluate(settings: Settings, wanted: Wanted) -> Exit:
    """Measure, and write the report to where it is wanted, or to stdout."""
    return conclude(_evaluate(settings, wanted))


async def _evaluate(settings: Settings, wanted: Wanted) -> Exit:
    given = _given(wanted)
    if given is None and wanted.data:
        return Exit.BAD_SETTINGS
    embedder = await choose(settings.embedder, settings.embedding_model)
    try:
        source, calibration = (given, shipped(embedder.name)) if given else await _own(settings.data, embedder)
        more = Extras(extras.umap(), extras.hdbscan())
        evaluating = Evaluating(embedder, calibration, Progress(), more, illustrated=wanted.out is not None)
        measure = evaluating.themes if wanted.subject == "themes" else evaluating.retrieval
        found = await measure(source)
    finally:
        embedder.close()
    if isinstance(found, TooFew):
        sayings.say(
            f"{found.found} usable mistakes on different exercises are too few to evaluate; {found.needed} are the least."
        )
        return Exit.CANNOT_START
    return await _deliver(found, wanted)


def _given(wanted: Wanted) -> Source | None:
    """Return what was asked for by name; None when it is the data folder, or when a file could not be read (said)."""
    if wanted.data is None:
        return shelf.shipped_source() if wanted.shipped else None
    try:
        content = wanted.data.read_bytes()
    except OSError as error:
        sayings.say(faults.unreadable(wanted.data, error.strerror or "unknown reason"))
        return None
    return Source(wanted.data.name, records.read(content))


async def _own(folder: Path, embedder: Embedder) -> tuple[Source, Calibration | None]:
    """Return the mistakes of the data folder and its calibration; the shipped ones where it has none."""
    if shelf.is_there(folder):
        async with shelf.opened(folder) as stores:
            source = await shelf.own_source(stores)
            if source.records:
                sayings.say(_QUOTES)
                return source, await calibration_of(stores.memories, embedder)
    sayings.say(_NONE_YET)
    return shelf.shipped_source(), shipped(embedder.name)


async def _deliver(report: Report, wanted: Wanted) -> Exit:
    """Write everything; without a folder the report alone, to stdout."""
    try:
        if wanted.figures:
            wanted.figures.write_text(report.figures, encoding="utf-8")
        if wanted.out is None:
            sys.stdout.write(report.markdown)
            return Exit.OK
        wanted.out.mkdir(parents=True, exist_ok=True)
        await _draw(report, wanted.out)
        (wanted.out / f"{wanted.subject}.json").write_text(report.figures, encoding="utf-8")
        (wanted.out / f"{wanted.subject}.md").write_text(report.markdown, encoding="utf-8")
    except OSError as error:
        sayings.say(faults.unwritable(wanted.out or wanted.figures, error.strerror or "unknown reason"))  # type: ignore[arg-type]
        return Exit.CANNOT_START
    sayings.say(
        f"The report is {wanted.out / wanted.subject}.md, with its charts ({len(report.charts)}) and the figures beside it."
    )
    return Exit.OK


async def _draw(report: Report, folder: Path) -> None:
    progress = Progress()
    charts = MatplotlibCharts()
    try:
        for done, (name, chart) in enumerate(report.charts, 1):
            (folder / f"{name}.png").write_bytes(await charts.draw(chart))
            progress("charts", done, len(report.charts))
    finally:
        charts.close()
