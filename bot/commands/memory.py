"""`kizuki calibrate`, `kizuki reembed`, `kizuki fetch-model`: what an operator does to memory while the bot is stopped."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final

from bot.clients.embedders import choose, fetch_model
from bot.commands import faults, sayings, shelf
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.commands.progress import Progress
from bot.wiring import now
from lessons.chunking import FRAME_VERSION
from lessons.evaluation import detail, detail_fitting, records
from lessons.flows.evaluating import Evaluating, Source
from lessons.flows.recalling import Recalling
from lessons.model import Space
from lessons.recall import CARD_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from bot.settings import Settings
    from lessons.recall import Calibration

ENOUGH_DISMISSALS: Final = 20
"""Pairs that learners called unlike, from which they take part in a calibration."""
_BATCH: Final = 64

_NEXT: Final = (
    "Next, with the bot stopped: `kizuki calibrate` fits recall to this model, `kizuki reembed` embeds what is "
    "remembered already; `kizuki evaluate retrieval --shipped` shows what it is worth. EMBEDDER=auto takes it by itself."
)


def calibrate(settings: Settings, data: Path | None) -> Exit:
    """Fit the present embedder's calibration, store it and print its figures."""
    return conclude(_calibrate(settings, data))


def reembed(settings: Settings) -> Exit:
    """Embed every mistake that has no vector of the present embedder."""
    return conclude(_reembed(settings))


def fetch(settings: Settings) -> Exit:
    """Download the model of EMBEDDING_MODEL."""
    return conclude(_fetch(settings.embedding_model))


async def _calibrate(settings: Settings, data: Path | None) -> Exit:
    source = _labelled(data)
    if source is None:
        return Exit.BAD_SETTINGS
    async with shelf.opened(settings.data) as stores:
        dismissed = await shelf.dismissed_source(stores)
        taken = len(dismissed.judged) >= ENOUGH_DISMISSALS
        embedder = await choose(settings.embedder, settings.embedding_model)
        try:
            found = await Evaluating(embedder, None, Progress()).calibrate(
                shelf.joined(source, dismissed) if taken else source
            )
            guard = detail_fitting.fit(await detail.embed(detail.shipped(detail.TUNED), embedder), embedder.name)
        finally:
            embedder.close()
        await stores.memories.save_calibration(Space(found.embedder, CARD_VERSION), found.to_json(), now())
        await stores.memories.save_calibration(Space(found.embedder, FRAME_VERSION), guard.to_json(), now())
    sys.stdout.write(_told(found, len(dismissed.judged), taken=taken))
    return Exit.OK


def _labelled(data: Path | None) -> Source | None:
    """Return the shipped set, with a file's mistakes if one is given; None when that cannot be read (said)."""
    source = shelf.shipped_source()
    if data is None:
        return source
    try:
        return shelf.joined(source, Source(data.name, records.read(data.read_bytes())))
    except OSError as error:
        sayings.say(faults.unreadable(data, error.strerror or "unknown reason"))
        return None


def _told(found: Calibration, dismissals: int, *, taken: bool) -> str:
    """List the figures of a calibration."""
    why = "took part" if taken else f"did not take part; {ENOUGH_DISMISSALS} are the least"
    lines = [
        f"calibrated: {found.embedder}, card version {found.card_version}",
        f"  threshold {found.threshold:.3f}, fading over {found.tau_days:.0f} days",
        f"  dismissals by learners: {dismissals} ({why})",
        "  on learners and exercises held out:",
        *(f"    {name}: {value:g}" for name, value in found.figures.items()),
        "It is stored, and in use from the next start on.",
    ]
    return "\n".join(lines) + "\n"


async def _reembed(settings: Settings) -> Exit:
    async with shelf.opened(settings.data) as stores:
        embedder = await choose(settings.embedder, settings.embedding_model)
        try:
            recalling = Recalling(stores.mistakes, stores.memories, embedder, None, stores.learners)
            before, total = await stores.memories.coverage(recalling.space)
            progress, done = Progress(), 0
            while filled := await recalling.fill_in(_BATCH):
                done += filled
                progress("mistakes", min(before + done, total), total)
        finally:
            embedder.close()
    sys.stdout.write(f"{embedder.name}: {done:,} mistakes embedded, {before:,} had their vector already.\n")
    return Exit.OK


async def _fetch(model: str) -> Exit:
    await asyncio.to_thread(fetch_model, model, sayings.say)
    sayings.say(_NEXT)
    return Exit.OK
