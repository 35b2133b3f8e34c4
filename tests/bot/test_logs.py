"""The log: one line a record, and neither a secret nor a learner's text in it, even at DEBUG."""

import asyncio
import gc
import io
import json
import logging
import re

import aiosqlite
import discord.ext.commands
import pytest

from bot.logs import ROOMS, TALKATIVE, configure, redact

from .test_settings import TOKEN

INTERACTION_TOKEN = "aW50ZXJhY3Rpb246MTIz" + "NDU2Nzg5MDEyMzQ1Njc4OmFiY2RlZg" * 4
MARK = "-".join(["カナ", "リア"])  # so that no line of this file has it
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (DEBUG|INFO|WARNING|ERROR) [\w.]+ .+")


@pytest.fixture
def log_at():
    """Configure the log at a level and return where it goes; everything is as before at the end."""
    root = logging.getLogger()
    before = {name: logging.getLogger(name).level for name in (None, *ROOMS, *TALKATIVE)}
    handlers = root.handlers[:]
    for handler in handlers:  # they belong to others: `configure` closes what it replaces
        root.removeHandler(handler)

    def configured(level: str, **how: bool) -> io.StringIO:
        stream = io.StringIO()
        configure(level, stream, **how)
        return stream

    yield configured
    root.handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_a_record_is_one_line(log_at):
    stream = log_at("INFO")
    logging.getLogger("bot.app").info("Ready as %s", "気づき")
    assert LINE.fullmatch(stream.getvalue().rstrip("\n"))
    assert stream.getvalue().endswith(" INFO bot.app.test_a_record_is_one_line Ready as 気づき\n")


def test_for_programs_it_is_one_object_a_line(log_at):
    stream = log_at("INFO", as_json=True)
    logging.getLogger("jobs.night").info("backed up: %d bytes in %.1f s, %s", 7, 0.5, "a\nb")
    told = json.loads(stream.getvalue())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told.pop("at"))
    assert told == {
        "level": "INFO",
        "event": "jobs.night.test_for_programs_it_is_one_object_a_line",
        "said": r"backed up: 7 bytes in 0.5 s, a\nb",
        "values": [7, 0.5, "a\nb"],
    }
    try:
        int(TOKEN)
    except ValueError:
        logging.getLogger("bot").exception("no")
    last = stream.getvalue().splitlines()[-1]
    assert json.loads(last)["traceback"][0].startswith("Traceback")
    assert TOKEN not in last


def test_the_words_of_an_error_may_be_a_learners_and_its_place_never_is(log_at):
    stream = log_at("DEBUG")

    def fail(typed: str) -> None:
        try:
            try:
                int(typed)
            except ValueError as error:
                error.add_note(typed)
                raise KeyError(typed) from error
        except KeyError:
            raise ExceptionGroup(typed, [RuntimeError(typed), FileNotFoundError(2, "No such file", "/srv/x")])  # noqa: B904

    try:
        fail(MARK)
    except ExceptionGroup:
        logging.getLogger("cogs").exception("no")
    told = stream.getvalue()
    assert MARK not in told
    for words in (
        "ValueError: (its words",
        "KeyError: (its words",
        "RuntimeError: (its",
        "No such file: '/srv/x'",
        "in fail",
    ):
        assert words in told


async def test_a_task_that_nobody_waited_for_is_not_quoted(log_at):
    stream = log_at("INFO")

    async def fail() -> None:
        raise ValueError(MARK)

    task = asyncio.ensure_future(fail())
    await asyncio.sleep(0)
    del task
    gc.collect()
    assert "Task exception was never retrieved" in stream.getvalue()
    assert MARK not in stream.getvalue()


def test_a_scheduler_that_did_as_it_was_told_says_nothing(log_at):
    stream = log_at("DEBUG")
    logging.getLogger("apscheduler.executors.default").info("Running job")
    assert stream.getvalue() == ""


def test_no_text_can_pass_for_a_record(log_at):
    stream = log_at("INFO")
    logging.getLogger("cogs").info("%s", "a\nb\r\x1b[31mc")
    assert stream.getvalue().endswith(r"a\nb\r\x1b[31mc" + "\n")


def test_a_traceback_follows_indented(log_at):
    stream = log_at("INFO")
    try:
        int(TOKEN)
    except ValueError:
        logging.getLogger("bot").exception("no", stack_info=True)
    first, *others = stream.getvalue().splitlines()
    assert LINE.fullmatch(first)
    assert any("ValueError: (its words are withheld" in line for line in others)
    assert any("Stack (most recent call last)" in line for line in others)
    assert all(line.startswith("    ") for line in others)


def test_the_level_opens_our_own_rooms_only(log_at):
    stream = log_at("DEBUG")
    for name in (*ROOMS, *TALKATIVE, "urllib3"):
        logging.getLogger(f"{name}.x").debug("whispers")
    assert [line.split()[2] for line in stream.getvalue().splitlines()] == [
        f"{room}.x.test_the_level_opens_our_own_rooms_only" for room in ROOMS
    ]


def test_a_higher_level_silences_everybody(log_at):
    stream = log_at("ERROR")
    for name in (*ROOMS, *TALKATIVE, "urllib3"):
        logging.getLogger(name).warning("whispers")
    assert stream.getvalue() == ""


def test_no_logger_of_discord_goes_below_info(log_at):
    log_at("DEBUG")
    assert discord.ext.commands
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in TALKATIVE]
    assert {"discord.gateway", "discord.http", "discord.client", "discord.state", "aiosqlite"} <= set(names)
    assert min(logging.getLogger(name).getEffectiveLevel() for name in names) == logging.INFO


def test_nobody_is_warned_of_a_voice_that_is_not_wanted(log_at):
    stream = log_at("INFO")
    logging.getLogger("discord.client").warning("%s is not installed, voice will NOT be supported", "PyNaCl")
    assert stream.getvalue() == ""


async def test_what_is_stored_stays_out_of_the_log(log_at):
    stream = log_at("DEBUG")
    async with aiosqlite.connect(":memory:") as connection:
        await connection.execute("SELECT ?", ("カナリア",))
    assert "カナリア" not in stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        f"logging in with {TOKEN}",
        f"Authorization: Bot {TOKEN}",
        f"POST /interactions/123/{INTERACTION_TOKEN}/callback",
        f"PATCH /webhooks/123/{INTERACTION_TOKEN}/messages/@original",
    ],
)
def test_tokens_are_redacted(text):
    assert "[redacted]" in redact(text)
    assert TOKEN not in redact(text)
    assert INTERACTION_TOKEN not in redact(text)


def test_the_rest_is_left_alone():
    text = "bot.commands.run: 123456789012345678 in kizuki-20261130T131205.123456Z.db, v2.7.1 at www.example.org"
    assert redact(text) == text
