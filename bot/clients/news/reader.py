"""Reads feeds and pages in one process of its own, which is killed and begun anew when it takes too long or too much."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from typing import TYPE_CHECKING, Final

from bot.clients.news import wire
from lessons.errors import UnreadableNews
from lessons.model import FeedPage, Prose, ReadTrouble

if TYPE_CHECKING:
    from asyncio.subprocess import Process

_WORKER: Final = "bot.clients.news.worker"
_PATIENCE: Final = 60.0
"""Seconds until a fresh process must have loaded its parsers, on however slow a machine."""
_FAREWELL: Final = 2.0
_MOST_USES: Final = 500
_INHERITED: Final = ("LD_LIBRARY_PATH", "SYSTEMROOT", "TZ")

_log = logging.getLogger(__name__)


class ProcessReader:
    """Reads one document after the other, each within `seconds`; the process may take `memory_mib` of address space.

    The process gets bytes and nothing else: no secret of the surroundings, no address to fetch, no file to write.
    """

    def __init__(self, seconds: float = 10, memory_mib: int = 512) -> None:
        self._seconds = seconds
        self._memory = memory_mib
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._uses = 0
        self._closed = False

    async def feed(self, data: bytes, content_type: str, url: str) -> FeedPage:
        """Read RSS or Atom; relative links are taken from `url`. Raises UnreadableNews."""
        found = await self._ask(wire.FEED, data, content_type, url)
        if not isinstance(found, FeedPage):
            raise UnreadableNews(ReadTrouble.TOO_MUCH)
        return found

    async def page(self, data: bytes, content_type: str, url: str) -> Prose:
        """Read the article out of an HTML page; furigana become readings. Raises UnreadableNews."""
        found = await self._ask(wire.PAGE, data, content_type, url)
        if not isinstance(found, Prose):
            raise UnreadableNews(ReadTrouble.TOO_MUCH)
        return found

    async def close(self) -> None:
        """End the process; what is being read fails with TOO_MUCH, and nothing can be read any more."""
        self._closed = True
        process = self._process
        if process is None:
            return
        if not self._turn.locked() and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FAREWELL):
                    await process.wait()
        await self._kill()

    async def _ask(self, what: str, data: bytes, content_type: str, url: str) -> FeedPage | Prose:
        async with self._turn:
            process = await self._ready()
            fit = False
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await _exchange(process, wire.question(what, content_type, url, self._seconds), data)
                fit = answer.startswith(wire.FIT)
            except (TimeoutError, OSError, EOFError):
                raise UnreadableNews(ReadTrouble.TOO_MUCH) from None
            finally:
                if not fit:  # an answer that nobody waits for must not be taken for the next one's
                    await self._kill()
        return wire.read_answer(answer)

    async def _ready(self) -> Process:
        """Return a process that waits for a question. Raises UnreadableNews when there can be none."""
        if self._closed:
            raise UnreadableNews(ReadTrouble.TOO_MUCH)
        if self._process is not None and (self._process.returncode is not None or self._uses >= _MOST_USES):
            await self._kill()
        if self._process is None:
            self._process = await self._start()
        self._uses += 1
        return self._process

    async def _start(self) -> Process:
        self._uses = 0
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-B",
            "-P",
            "-m",
            _WORKER,
            str(self._memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_surroundings(),
            start_new_session=True,  # an interrupt from the keyboard is the bot's to handle
        )
        self._process = process
        ready = False
        try:
            async with asyncio.timeout(_PATIENCE):
                ready = await _frame(process) == wire.READY and not self._closed
        except (TimeoutError, OSError, EOFError):
            _log.warning(
                "the process that reads news does not start; `python -m %s %d` says why", _WORKER, self._memory
            )
            raise UnreadableNews(ReadTrouble.TOO_MUCH) from None
        finally:
            if not ready:
                await self._kill()
        return process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await asyncio.shield(process.wait())


async def _exchange(process: Process, question: bytes, data: bytes) -> bytes:
    if process.stdin is None:
        raise EOFError
    process.stdin.write(wire.frame(question) + wire.LENGTH.pack(len(data)))
    process.stdin.write(data)
    await process.stdin.drain()
    return await _frame(process)


async def _frame(process: Process) -> bytes:
    if process.stdout is None:
        raise EOFError
    (length,) = wire.LENGTH.unpack(await process.stdout.readexactly(wire.LENGTH.size))
    if length > wire.LONGEST_ANSWER:
        raise EOFError
    return await process.stdout.readexactly(length)


def _surroundings() -> dict[str, str]:
    """The environment of the process: where it finds the same modules as this one, and no secret."""
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"}
