"""A calibration: what turns the parts of a likeness into a probability, and the bar a mistake must clear to be shown."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lessons.recall.parts import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from lessons.recall.parts import Parts

CARD_VERSION: Final = 1
"""Version of the card's texts and of the layout of its vector: count it up with every change that moves a number."""

TAU_DAYS: Final = 90.0
"""Days after which a mistake weighs 1/e of a fresh one in the order."""

_SHIPPED: Final = "data/calibration"
_KIND: Final = NAMES.index("kind")
_PRIOR: Final = 30  # mistakes of the usual kind that a history is taken to hold beside its own
_FLOOR: Final = 0.4  # of the usual share: below, a long history would silence what is plainly alike
_LEAST: Final = 0.001
_ROUNDS: Final = 8
_CLOSE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted for one embedder and card version.

    `centre` [2d] is the middle of all card and pair vectors it was fitted on, `weights` has a number for each of
    `parts.NAMES`, `share` is how many mistakes of the query's own error type were useful. `threshold` is the
    probability from which a mistake is shown: `figures` tell what that gave for learners and exercises held out.
    `tau_days` is how fast recency fades in the order.
    """

    embedder: str
    card_version: int
    centre: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    share: float
    threshold: float
    tau_days: float = TAU_DAYS
    figures: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> str:
        """Return it as JSON text."""
        return json.dumps(
            {
                "embedder": self.embedder,
                "card_version": self.card_version,
                "threshold": self.threshold,
                "tau_days": self.tau_days,
                "share": self.share,
                "bias": self.bias,
                "weights": dict(zip(NAMES, self.weights, strict=True)),
                "figures": dict(self.figures),
                "centre": list(self.centre),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Read it back. Raises ValueError when the text is no calibration of these parts."""
        try:
            values: dict[str, Any] = json.loads(text)
            weights = values["weights"]
            return cls(
                embedder=str(values["embedder"]),
                card_version=int(values["card_version"]),
                centre=tuple(map(float, values["centre"])),
                weights=tuple(float(weights[name]) for name in NAMES),
                bias=float(values["bias"]),
                share=float(values["share"]),
                threshold=float(values["threshold"]),
                tau_days=float(values["tau_days"]),
                figures=MappingProxyType({str(name): float(value) for name, value in values["figures"].items()}),
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError("the text is no calibration of these parts") from error


def chances(parts: Parts, calibration: Calibration) -> NDArray[np.float32]:
    """Return [n] float32 from 0 to 1: how likely each mistake is useful, in a history like those it was fitted on."""
    return _sigmoid(_logits(parts, calibration))


def probabilities(
    parts: Parts, calibration: Calibration, among: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """Return [n] float32 from 0 to 1: how likely each mistake is useful, in this history.

    Where few mistakes of the query's error type are like it, each is less likely than the calibration says; how many
    there are is found from the probabilities themselves (Saerens, Latinne and Decaestecker 2002), in the rows `among`
    [n]. Mistakes of other types change nothing, and no history makes any mistake likelier.
    """
    logits = _logits(parts, calibration)
    rows = parts[_KIND] > 0 if among is None else (parts[_KIND] > 0) & among
    return _sigmoid(logits + np.float32(_shift(logits[rows], calibration.share)))


def _shift(logits: NDArray[np.float32], share: float) -> float:
    """Return what to add to logits so that they fit the share of useful ones among these."""
    usual = min(max(share, _LEAST), 1 - _LEAST)
    shift = 0.0
    for _ in range(_ROUNDS):
        start = shift
        useful = float(_sigmoid(logits + np.float32(shift)).sum(dtype=np.float64))
        found = min(max((useful + _PRIOR * usual) / (len(logits) + _PRIOR), _FLOOR * usual), usual)
        shift = float(np.log(found / (1 - found)) - np.log(usual / (1 - usual)))
        if abs(shift - start) < _CLOSE:
            break
    return shift


def _logits(parts: Parts, calibration: Calibration) -> NDArray[np.float32]:
    return np.asarray(calibration.weights, np.float32) @ parts + np.float32(calibration.bias)


def _sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def shipped(embedder: str) -> Calibration | None:
    """Return the calibration that comes with the program for this embedder's name, None when there is none."""
    file = files("lessons").joinpath(_SHIPPED, f"{file_name(embedder)}.json")
    if not file.is_file():
        return None
    calibration = Calibration.from_json(file.read_text("utf-8"))
    return calibration if calibration.card_version == CARD_VERSION else None


def file_name(embedder: str) -> str:
    """Return a name for a file: the embedder's own, with everything but letters, digits and dots as a dash."""
    return re.sub(r"[^\w.]+", "-", embedder).strip("-.").lower()
