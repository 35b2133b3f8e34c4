"""What all embedders of this machine share: the thread, the order of work, clean texts in and rows of length 1 out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from bot.clients.embedders.text import LONGEST, clean, is_blank
from bot.clients.embedders.worker import Result, Worker, WorkerClosed
from lessons.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

INTERACTIVE: Final = 4
"""So many texts at once are a learner's who waits (a card and its parts); more are a job's."""

_SHORTEST: Final = 1e-6  # length below which a row has no direction
_REASON: Final = 200  # characters of a library's own words


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory; `encode` takes clean texts that are not blank, at least one, to rows of any length."""

    encode: Callable[[list[str]], NDArray[np.float32]]
    dimension: int


class LocalEmbedder(ABC):
    """An embedder whose model lives in one worker thread: `start` loads it, `close` lets it go.

    Texts are embedded in stretches of about `stretch` characters, so that a request of a thousand texts holds the
    thread for one stretch at a time, and requests of up to INTERACTIVE texts go in between. A text may differ by some
    1e-7 with the texts that share its stretch. The row of a blank text is the first axis, and so is any row that
    comes out without a direction.
    """

    kind: ClassVar[str]
    stretch: ClassVar[int]

    def __init__(self, name: str) -> None:
        self._name = name
        self._worker = Worker(f"embedder-{self.kind}")
        self._loaded: Loaded | None = None

    @property
    def name(self) -> str:
        """What is stored with every vector."""
        return self._name

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; raises EmbedderUnavailable before `start`."""
        return self._ready().dimension

    @property
    def is_loaded(self) -> bool:
        """Tell whether the model is in memory."""
        return self._loaded is not None

    async def start(self) -> None:
        """Load the model from local files, in the thread; raises EmbedderUnavailable, and is closed then."""
        try:
            self._loaded = await self._do(self._load_or_say_why, urgent=True)
        except BaseException:
            self.close()
            raise

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return [n, dimension] rows of length 1 in the order of `texts`; raises EmbedderUnavailable."""
        loaded = self._ready()
        urgent = len(texts) <= INTERACTIVE
        parts = [
            await self._do(partial(self._rows, loaded, some), urgent=urgent) for some in _stretches(texts, self.stretch)
        ]
        return np.concatenate(parts) if parts else np.empty((0, loaded.dimension), np.float32)

    def close(self) -> None:
        """Let the model go, at once: what is being embedded ends unheard, whoever waits gets EmbedderUnavailable."""
        self._worker.close()
        self._loaded = None

    @abstractmethod
    def _load(self) -> Loaded:
        """Load the model, in the thread, and warm it up; raise anything when it cannot be had."""

    def _ready(self) -> Loaded:
        if self._loaded is None:
            raise EmbedderUnavailable(self.kind, "it is not running")
        return self._loaded

    async def _do(self, work: Callable[[], Result], *, urgent: bool) -> Result:
        try:
            return await self._worker.do(work, urgent=urgent)
        except WorkerClosed as error:
            raise EmbedderUnavailable(self.kind, "it was stopped") from error

    def _load_or_say_why(self) -> Loaded:
        try:
            return self._load()
        except EmbedderUnavailable:
            raise
        except ModuleNotFoundError as error:
            raise EmbedderUnavailable(self.kind, f"the Python package {error.name} is not installed") from error
        except Exception as error:  # a library may raise anything over files it does not like
            raise EmbedderUnavailable(self.kind, f"loading it failed: {_in_short(error)}") from error

    def _rows(self, loaded: Loaded, texts: list[str]) -> NDArray[np.float32]:
        """Return the rows of one stretch, in the thread."""
        cleaned = [clean(text) for text in texts]
        seen = [place for place, text in enumerate(cleaned) if not is_blank(text)]
        rows = np.zeros((len(texts), loaded.dimension), np.float32)
        if seen:
            try:
                rows[seen] = loaded.encode([cleaned[place] for place in seen])
            except Exception as error:  # memory, most likely; never the text, which may be a learner's
                raise EmbedderUnavailable(self.kind, f"it failed with {type(error).__name__}") from error
        return _at_length_1(rows)


def _stretches(texts: Sequence[str], characters: int) -> Iterator[list[str]]:
    """Yield the texts in their order, so many at once that they have about this many characters; never none."""
    stretch: list[str] = []
    room = characters
    for text in texts:
        length = min(len(text), LONGEST) + 1
        if stretch and length > room:
            yield stretch
            stretch, room = [], characters
        stretch.append(text)
        room -= length
    if stretch:
        yield stretch


def _at_length_1(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return [n, d] rows of length 1; the first axis stands in for a row without a direction."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lost = ~(np.isfinite(lengths) & (lengths > _SHORTEST))[:, 0]
    rows[lost] = 0
    rows[lost, 0] = 1
    lengths[lost] = 1
    unit: NDArray[np.float32] = rows / lengths
    return unit


def _in_short(error: Exception) -> str:
    """Return a library's error in one line."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return said if len(said) <= _REASON else f"{said[:_REASON]}…"
