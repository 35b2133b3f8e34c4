"""The reading process: takes bytes on its input, answers with what they say, and ends with its parent.

It is run as `python -m bot.clients.news.worker MEBIBYTES`. Whatever a page does to it, it dies of it alone: its memory
is bounded, an alarm ends it soon after its time is up, it cannot write files, and it opens no connection.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

from bot.clients.news import wire
from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lessons.model import FeedPage, Prose

    Read = Callable[[bytes, str, str], FeedPage | Prose]

_MEBIBYTE: Final = 1024 * 1024
_GRACE: Final = 1


def main() -> int:
    """Serve until the input ends."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    _limit(int(sys.argv[1]))
    readers = _readers()
    _send(channel, wire.READY)
    while (asked := _take(sys.stdin.buffer)) is not None and (data := _take(sys.stdin.buffer)) is not None:
        _send(channel, _answer(readers, json.loads(asked), data))
        del data
    return 0


def _limit(mebibytes: int) -> None:
    try:
        import resource  # noqa: PLC0415 - Unix alone has it
    except ImportError:
        return
    for limit, most in (
        (resource.RLIMIT_AS, mebibytes * _MEBIBYTE),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        bounded = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError):  # macOS knows RLIMIT_AS and takes none
            resource.setrlimit(limit, (bounded, bounded))


def _readers() -> Mapping[str, Read]:
    from bot.clients.news.reading.feeds import read_feed  # noqa: PLC0415 - under the limits already
    from bot.clients.news.reading.pages import read_page  # noqa: PLC0415

    return {wire.FEED: read_feed, wire.PAGE: read_page}


def _answer(readers: Mapping[str, Read], asked: dict[str, str], data: bytes) -> bytes:
    _alarm(math.ceil(float(asked["seconds"])) + _GRACE)  # should the parent be gone, nobody else would end it
    try:
        return wire.FIT + wire.answer(readers[asked["what"]](data, asked["type"], asked["url"]))
    except UnreadableNews as error:
        return wire.FIT + wire.trouble(error)
    except (MemoryError, RecursionError):
        return wire.SPENT + wire.trouble(UnreadableNews(ReadTrouble.TOO_MUCH))
    except Exception:  # noqa: BLE001 - a fault of a parser says no more than that it could not read this
        broken = ReadTrouble.NOT_A_FEED if asked["what"] == wire.FEED else ReadTrouble.NO_ARTICLE
        return wire.SPENT + wire.trouble(UnreadableNews(broken))
    finally:
        _alarm(0)


def _alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _take(stream: BinaryIO) -> bytes | None:
    head = stream.read(wire.LENGTH.size)
    if len(head) < wire.LENGTH.size:
        return None
    (length,) = wire.LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def _send(channel: BinaryIO, data: bytes) -> None:
    channel.write(wire.frame(data))
    channel.flush()


if __name__ == "__main__":
    sys.exit(main())
