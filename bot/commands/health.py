"""`kizuki health`: asks the bot that runs on this machine how it is, for a person and for whatever supervises it."""

from __future__ import annotations

import http.client
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from bot.commands import sayings
from bot.commands.exits import Exit

if TYPE_CHECKING:
    from bot.settings import Settings

HOST: Final = "127.0.0.1"
SECONDS: Final = 5.0
"""How long the page may take; its own looks take two at most."""
_LONGEST: Final = 65_536


def health(settings: Settings) -> Exit:
    """Print one line a part; the exit code says whether all of them are well."""
    if not settings.health_port:
        sayings.say(sayings.NO_HEALTH_PORT)
        return Exit.BAD_SETTINGS
    try:
        parts = asked(settings.health_port)
    except (OSError, http.client.HTTPException, ValueError):
        sayings.say(sayings.no_health(settings.health_port))
        return Exit.CANNOT_START
    sys.stdout.write("".join(f"{_line(name, part)}\n" for name, part in parts.items()))
    return Exit.OK if parts and all(part.get("ok") is True for part in parts.values()) else Exit.CANNOT_START


def asked(port: int) -> dict[str, dict[str, Any]]:
    """Return the parts as the page tells them. Raises OSError, HTTPException, ValueError."""
    connection = http.client.HTTPConnection(HOST, port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        told = json.loads(connection.getresponse().read(_LONGEST))
    finally:
        connection.close()
    parts = told.get("parts") if isinstance(told, dict) else None
    if not isinstance(parts, dict) or not all(isinstance(part, dict) for part in parts.values()):
        raise ValueError("that is no health page")
    return parts


def _line(name: str, part: dict[str, Any]) -> str:
    numbers = ", ".join(f"{key} {value}" for key, value in part.items() if key not in {"ok", "said"})
    return f"{'✓' if part.get('ok') is True else '✗'} {name}: {part.get('said', '?')}" + (
        f" ({numbers})" if numbers else ""
    )
