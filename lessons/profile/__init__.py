"""The profile of a learner, always there and always small: summed up without a model, or analysed by one and accepted."""

from __future__ import annotations

from lessons.profile.analysing import analysis_call, parse_analysis
from lessons.profile.building import HIDDEN, LIMITS, TOTAL, build, difference, own_line, text
from lessons.profile.cleaning import without_orders
from lessons.profile.summing import Statistics, summary

__all__ = [
    "HIDDEN",
    "LIMITS",
    "TOTAL",
    "Statistics",
    "analysis_call",
    "build",
    "difference",
    "own_line",
    "parse_analysis",
    "summary",
    "text",
    "without_orders",
]
