"""The production choice: any sentence-transformers model that lies on this machine's disk, multilingual-e5 above all."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, Final

from bot.clients.embedders.downloads import E5, folder_of
from bot.clients.embedders.local import Loaded, LocalEmbedder
from lessons.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

_E5_NAME: Final = re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])", re.I)
_WARMING: Final = "学校へ行く"


class SentenceTransformerEmbedder(LocalEmbedder):
    """A model of that name in the hub's cache, or of that folder; it is never asked for over the network.

    E5 models want a word in front of each text (`prefix`); None takes "query: " for a model called e5 and nothing for
    others. Text beyond the model's own longest sequence is cut off by it. `threads` are torch's, of this model alone.
    """

    kind: ClassVar[str] = E5
    stretch: ClassVar[int] = 400  # about four cards: 0.4 s of multilingual-e5-base on one thread

    def __init__(self, model: str, *, prefix: str | None = None, threads: int = 1) -> None:
        super().__init__(model)
        self._model = model
        self._prefix = _usual_prefix(model) if prefix is None else prefix
        self._threads = threads

    def _load(self) -> Loaded:
        if find_spec("sentence_transformers") is None:
            raise EmbedderUnavailable(self.kind, "sentence-transformers is not installed (it comes with kizuki[e5])")
        folder = folder_of(self._model)  # before the imports below, which take seconds
        import torch  # noqa: PLC0415 - heavy
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - heavy
        from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415 - heavy

        disable_progress_bar()
        torch.set_num_threads(self._threads)  # of the calling thread, which is the one that will encode
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

        def encode(texts: list[str]) -> NDArray[np.float32]:
            return _encode(model, [self._prefix + text for text in texts])

        return Loaded(encode, encode([_WARMING]).shape[1])


def _usual_prefix(model: str) -> str:
    """Return what models of this name want in front of a text."""
    return "query: " if _E5_NAME.search(PurePath(model).name) else ""


def _encode(model: SentenceTransformer, texts: list[str]) -> NDArray[np.float32]:
    """Return [n, d] rows; the empty prompt keeps the model's own default prompt out."""
    rows: NDArray[np.float32] = model.encode(
        texts, prompt="", batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False
    )
    return rows
