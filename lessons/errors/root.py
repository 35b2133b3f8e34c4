"""The root of all that can go wrong and is told to a person."""

from __future__ import annotations


class KizukiError(Exception):
    """The root of every error that is told to a person in words."""
