"""Recall finds a learner's past mistakes that show the same pattern, by calibrated probability, and is silent when unsure."""

from __future__ import annotations

from lessons.recall.calibration import CARD_VERSION, TAU_DAYS, Calibration, chances, file_name, probabilities, shipped
from lessons.recall.fitting import PRECISION, Labels, Pool, fit, held_out, label
from lessons.recall.parts import NAMES, Parts, layout, parts
from lessons.recall.recalling import SHOWN, Found, Query, affinity, recall
from lessons.recall.shape import SIZE

__all__ = [
    "CARD_VERSION",
    "NAMES",
    "PRECISION",
    "SHOWN",
    "SIZE",
    "TAU_DAYS",
    "Calibration",
    "Found",
    "Labels",
    "Parts",
    "Pool",
    "Query",
    "affinity",
    "chances",
    "file_name",
    "fit",
    "held_out",
    "label",
    "layout",
    "parts",
    "probabilities",
    "recall",
    "shipped",
]
