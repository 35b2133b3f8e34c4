"""What the extra "evaluate" brings, each as a plain function, or None where it is not installed; loaded at first use."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

_SEED = 20_260_601


def umap() -> Callable[[NDArray[np.float32]], NDArray[np.floating]] | None:
    """Return a map of [n, d] to [n, 2] by UMAP over cosines, seeded."""
    return _umap if find_spec("umap") else None


def hdbscan() -> Callable[[NDArray[np.float64], int], Sequence[int]] | None:
    """Return HDBSCAN over distances [n, n] with a smallest cluster: labels [n], -1 for noise."""
    return _hdbscan if find_spec("sklearn") else None


def _umap(vectors: NDArray[np.float32]) -> NDArray[np.floating]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # of a part of it that needs Tensorflow
        from umap import UMAP  # noqa: PLC0415 - heavy, and optional

    near = max(2, min(15, len(vectors) - 1))
    found: NDArray[np.floating] = UMAP(n_neighbors=near, metric="cosine", random_state=_SEED, n_jobs=1).fit_transform(
        vectors
    )
    return found


def _hdbscan(distances: NDArray[np.float64], smallest: int) -> Sequence[int]:
    if len(distances) < smallest:
        return [-1] * len(distances)
    from sklearn.cluster import HDBSCAN  # noqa: PLC0415 - heavy, and optional

    labels: list[int] = (
        HDBSCAN(min_cluster_size=smallest, metric="precomputed", copy=True).fit_predict(distances).tolist()
    )
    return labels
