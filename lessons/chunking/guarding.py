"""The guard: how likely a piece of a document is what a message asks for, and whether the tutor gets to see it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lessons.chunking.framing import FRAME_VERSION
from lessons.chunking.words import shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

PARTS: Final = ("cosine", "ahead", "words")
"""What a likeness is made of: the cosine, how far it lies above the other pieces', and the words in common."""
MOST: Final = 3
"""Pieces that one message recalls at most."""

_OTHERS: Final = 3  # pieces of the usual cosine that are taken to stand beside the learner's own
_SHIPPED: Final = "data/calibration"


@dataclass(frozen=True, slots=True)
class Guard:
    """Fitted for one embedder and version of the frames (logistic regression on the shipped tuned questions).

    `usual` is the cosine between a question and a piece it does not ask for, `weights` has a number for each of PARTS.
    A piece whose probability reaches `threshold` is admitted: a guard against noise, and no claim that it is right.
    """

    embedder: str
    frame_version: int
    usual: float
    weights: tuple[float, ...]
    bias: float
    threshold: float
    figures: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> str:
        """Return it as JSON text."""
        return json.dumps(
            {
                "embedder": self.embedder,
                "frame_version": self.frame_version,
                "threshold": self.threshold,
                "usual": self.usual,
                "bias": self.bias,
                "weights": dict(zip(PARTS, self.weights, strict=True)),
                "figures": dict(self.figures),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Guard:
        """Read it back. Raises ValueError when the text is no guard of these parts."""
        try:
            values: dict[str, Any] = json.loads(text)
            return cls(
                embedder=str(values["embedder"]),
                frame_version=int(values["frame_version"]),
                usual=float(values["usual"]),
                weights=tuple(float(values["weights"][name]) for name in PARTS),
                bias=float(values["bias"]),
                threshold=float(values["threshold"]),
                figures=MappingProxyType({str(name): float(value) for name, value in values["figures"].items()}),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError("the text is no guard of these parts") from error


def parts(query: str, cosines: NDArray[np.floating], texts: Sequence[str], usual: float) -> NDArray[np.float64]:
    """Return [n, 3]: PARTS of each piece, whose texts and cosines with the query [n] are given."""
    of_each = np.asarray(cosines, np.float64)
    others = (of_each.sum() - of_each + _OTHERS * usual) / (len(of_each) - 1 + _OTHERS)
    return np.column_stack([of_each, of_each - others, shares(query, texts)])


def scores(query: str, cosines: NDArray[np.floating], texts: Sequence[str], guard: Guard) -> NDArray[np.float64]:
    """Return [n] from 0 to 1: how likely each piece is what the query asks for.

    `query` is a message without the names it is addressed to, `cosines` [n] are of its vector with those of the
    pieces, framed.
    """
    if not texts:
        return np.zeros(0)
    logits = parts(query, cosines, texts, guard.usual) @ np.array(guard.weights) + guard.bias
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float64)


def admitted(scores: NDArray[np.floating], threshold: float, most: int = MOST) -> list[int]:
    """Return the places of what clears the threshold, the likeliest first; none is the usual case."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    return [int(place) for place in order[:most] if scores[place] >= threshold]


def shipped(embedder: str) -> Guard | None:
    """Return the guard that comes with the program for this embedder's name, None when there is none."""
    file = files("lessons").joinpath(_SHIPPED, f"detail-{file_name(embedder)}.json")
    if not file.is_file():
        return None
    guard = Guard.from_json(file.read_text("utf-8"))
    return guard if guard.frame_version == FRAME_VERSION else None


def file_name(embedder: str) -> str:
    """Return a name for a file: the embedder's own, with everything but letters, digits and dots as a dash."""
    return re.sub(r"[^\w.]+", "-", embedder).strip("-.").lower()
