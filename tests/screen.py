"""What a person sees of a message: its texts, its buttons, its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcord.results import InteractionResult


def components(message: Any) -> Iterator[dict[str, Any]]:
    """Every component of a message, however deep."""
    raw = message.components
    pending = [item if isinstance(item, dict) else item.to_dict() for item in raw]
    while pending:
        component = pending.pop(0)
        yield component
        pending = list(component.get("components", ())) + pending
        if accessory := component.get("accessory"):
            pending.insert(0, accessory)


def text(message: Any) -> str:
    """All that can be read in a message."""
    return "\n".join(part["content"] for part in components(message) if part.get("type") == 10)


def buttons(message: Any) -> dict[str, bool]:
    """Labels of a message's buttons, with whether each can be pressed."""
    return {part["label"]: not part.get("disabled") for part in components(message) if part.get("type") == 2}


def custom_ids(message: Any) -> list[str]:
    """Custom ids of everything that can be pressed or chosen."""
    return [part["custom_id"] for part in components(message) if "custom_id" in part]


def shown(result: InteractionResult) -> Any:
    """The message an interaction ended in."""
    assert result.response is not None, result
    return result.response


def said(result: InteractionResult) -> str:
    """The text of the message an interaction ended in."""
    return text(shown(result))


def told(result: InteractionResult) -> str:
    """The text of the last extra message of an interaction, such as a refusal after a press."""
    return text(result.followups[-1])
