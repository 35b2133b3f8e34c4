"""A view as a message that can be read, without a bot that sends it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from discord.ui import LayoutView

from tests.screen import components, text

LIMIT = 4000


def message_of(view: LayoutView) -> Any:
    """The message that a view would become."""
    return SimpleNamespace(components=view.to_components())


def fits(message: Any) -> bool:
    """Tell whether Discord takes a message: its characters, its components, its choices, its buttons' names."""
    parts = list(components(message))
    custom = [part["custom_id"] for part in parts if "custom_id" in part]
    return (
        len(text(message).encode("utf-16-le")) // 2 < LIMIT
        and len(parts) <= 40
        and len(set(custom)) == len(custom)
        and all(len(each) <= 100 for each in custom)
        and all(1 <= len(part.get("options", "x")) <= 25 for part in parts if part.get("type") == 3)
        and all(1 <= len(option["label"]) <= 100 for part in parts for option in part.get("options", ()))
    )
