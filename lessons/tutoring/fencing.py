"""Untrusted text on its way into a prompt, and JSON on its way out of a reply: bounded, visible, and nothing but data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import regex

from lessons import prompting
from lessons.model import ErrorType
from lessons.text import has_odd_characters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPLY_LIMIT: Final = 40_000
"""Characters of a reply that is read as JSON at all."""
NO_KIND: Final = "none"
_SPACES: Final = regex.compile(r"\s+")
_HIDDEN: Final = regex.compile(r"[\u200B-\u200D\u2060-\u2064\uFEFF\u00AD\u180E]")


def visible(text: str, limit: int) -> str:
    """Return a text without control, bidi, tag and zero-width characters, cut to `limit` characters."""
    seen = "".join(char for char in _HIDDEN.sub("", text) if not has_odd_characters(char))
    return seen if len(seen) <= limit else f"{seen[: limit - 1].rstrip()}…"


def one_line(text: str, limit: int) -> str:
    """Return a text as `visible` does, on one line."""
    return visible(_SPACES.sub(" ", text).strip(), limit)


def block(**fields: object) -> str:
    """Return one JSON object of what there is; empty values are left out."""
    return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def only_object(text: str) -> dict[str, object]:
    """Return the one JSON object of a reply (see `prompting.only_object`). Raises ValueError."""
    return prompting.only_object(text, REPLY_LIMIT)


def only_fields(found: Mapping[str, object], names: Sequence[str]) -> None:
    """Raise ValueError when an object has other fields than these."""
    if set(found) != set(names):
        raise ValueError("other fields than the schema's")


def text_of(found: Mapping[str, object], name: str) -> str:
    """Return a field that is a text. Raises ValueError."""
    match found[name]:
        case str(value):
            return value
    raise ValueError(f"{name} is no text")


def number_of(found: Mapping[str, object], name: str) -> int:
    """Return a field that is a whole number. Raises ValueError."""
    match found[name]:
        case int(value) if not isinstance(value, bool):
            return value
    raise ValueError(f"{name} is no number")


def texts_of(found: Mapping[str, object], name: str) -> list[str]:
    """Return a field that is a list of texts. Raises ValueError."""
    value = found[name]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"{name} is no list of texts")
    return value


def objects_of(found: Mapping[str, object], name: str, fields: Sequence[str]) -> list[dict[str, object]]:
    """Return a field that is a list of objects with exactly these fields. Raises ValueError."""
    value = found[name]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError(f"{name} is no list of objects")
    for each in value:
        only_fields(each, fields)
    return value


def kind_of(name: str) -> ErrorType | None:
    """Return an error type by the model's name for it, None for NO_KIND. Raises ValueError."""
    return None if name == NO_KIND else ErrorType(name)


def object_schema(**properties: object) -> dict[str, object]:
    """Return the JSON schema of an object whose properties are all required, and no others allowed."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT: Final[Mapping[str, object]] = {"type": "string"}


def one_of(values: Sequence[str]) -> dict[str, object]:
    """Return the JSON schema of a choice."""
    return {"type": "string", "enum": [str(value) for value in values]}


def list_of(items: object) -> dict[str, object]:
    """Return the JSON schema of a list."""
    return {"type": "array", "items": items}
