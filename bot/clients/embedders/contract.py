"""What the subject may rely on in an embedder, and the one error that embedders raise; bound for `lessons`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into directions: the nearer two of them, the more alike the texts. Works in the client's own thread."""

    @property
    def name(self) -> str:
        """What is stored with every vector: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return [n, dimension] rows of length 1 in the order of `texts`, which may be empty.

        No text makes it raise, and a text with nothing to see in it has a row of its own. Few texts at once go ahead
        of many. Raises EmbedderUnavailable when the model failed or was closed.
        """
        ...


@dataclass(eq=False)
class EmbedderUnavailable(KizukiError):
    """An embedder that cannot work; `reason` is a clause that follows "because" (no capital, no full stop)."""

    kind: str
    reason: str
