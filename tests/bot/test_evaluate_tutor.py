"""`kizuki evaluate tutor` end to end: a real client against a Messages server, real bookings, and files one can go on with."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date

import pytest

from bot.commands import evaluate_tutor as command
from bot.commands.exits import Exit
from bot.settings import Settings
from lessons.evaluation.tutor_cases import shipped_cases
from lessons.evaluation.tutor_ratings import RATED
from storage import migrate
from storage.connection import Database
from storage.usage import UsageStore
from tests.messages.asking import KEY
from tests.messages.behaviours import fails, refuses, says
from tests.messages.server import messages_server
from tests.storage.world import AT

CASES = {case.message: case for case in shipped_cases()}
QUESTIONS = 12 * 2 * 3


def a_tutor(seen):
    """Answer as one who uses what is given: the learner's first facts if there are any."""
    asked = json.loads(seen.turn)
    case = CASES[asked["message"]]
    facts = " ".join(aliases[0] for aliases in case.signals.values()) if "learner_profile" in asked else ""
    step = " ".join(f"**{words[0]}**" for words in case.direction.step)
    return (
        f"{step} {facts}\n\nNow fill the gap, in one line, aloud and correct: これは{''.join(case.about)}＿＿＿です。"
    )


@pytest.fixture
def settings(tmp_path):
    return Settings(data=tmp_path / "data", api_key=KEY)


async def test_arms_with_and_without_the_learner_and_the_look_up_are_compared(settings, tmp_path, capsys):
    out = tmp_path / "out"
    async with messages_server(says(a_tutor)) as server:
        code = await command._evaluate(replace(settings, api_url=server.url), tmp_path / "f.json", out, None)
    assert code is Exit.OK
    assert len(server.requests) == QUESTIONS
    assert len({seen.body["system"][0]["text"] for seen in server.requests}) == 3
    figures = json.loads((out / "tutor.json").read_text("utf-8"))
    assert (tmp_path / "f.json").read_text("utf-8") == (out / "tutor.json").read_text("utf-8")
    on, off, template = figures["arms"]
    assert (on["replies"], off["replies"], template["replies"]) == (36, 36, 12)
    assert (on["with_signal"], off["with_signal"], figures["contaminated"]) == (36, 0, [])
    assert on["mean"] > off["mean"]
    assert on["tokens_in"] == 900
    assert (figures["away"], figures["proof"]["wrong"]) == ("", [])
    assert "Knowing the learner is worth" in (out / "tutor.md").read_text("utf-8")
    assert "is asked 72 questions" in capsys.readouterr().err
    assert not settings.data.exists()


async def test_what_it_cost_is_booked_where_there_is_a_book(settings, tmp_path):
    settings.data.mkdir()
    async with Database(migrate.prepare(settings.data, at=AT)):
        pass
    async with messages_server(says(a_tutor)) as server:
        await command._evaluate(replace(settings, api_url=server.url), None, tmp_path, None)
    async with Database(settings.data / "kizuki.db") as database:
        (row,) = await UsageStore(database).bill(date(2026, 1, 1))
    assert (row.calls, row.purpose) == (QUESTIONS, "tutor")


async def test_without_a_model_the_look_up_is_measured_and_that_is_said(settings, capsys):
    assert await command._evaluate(replace(settings, api_key=""), None, None, None) is Exit.OK
    said = capsys.readouterr()
    assert "only the look-up is measured" in said.err
    assert "**No model answered (no model is set up)" in said.out
    assert "| look-up, no model | 12 |" in said.out


async def test_a_refused_reply_is_passed_over_and_a_refused_key_ends_it(settings, tmp_path):
    async with messages_server(says(a_tutor)) as server:
        server.script.then(refuses(), says(a_tutor), fails(401, "authentication_error"))
        await command._evaluate(replace(settings, api_url=server.url), None, tmp_path, None)
    figures = json.loads((tmp_path / "tutor.json").read_text("utf-8"))
    assert [arm["replies"] for arm in figures["arms"]] == [1, 12]
    assert figures["away"] == "key"


async def test_a_rated_sheet_is_judged_with_the_replies_beside_it(settings, tmp_path):
    assert await command._evaluate(replace(settings, api_key=""), None, tmp_path, None) is Exit.OK
    sheet = tmp_path / command.SHEET
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    for row in rows:
        row.update(dict.fromkeys(RATED, "0"))
    written = io.StringIO()
    writer = csv.DictWriter(written, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    sheet.write_text(written.getvalue(), "utf-8", newline="")
    assert await command._evaluate(settings, None, tmp_path, sheet) is Exit.OK
    figures = json.loads((tmp_path / "tutor.json").read_text("utf-8"))
    assert figures["human"] == 12
    assert figures["arms"][0]["direction"] == figures["arms"][0]["exercise"] == 0
    assert sheet.read_bytes().decode() == written.getvalue()


@pytest.mark.parametrize(
    ("row", "code"), [("x,1,1,1,1", Exit.CANNOT_START), ("x,1,1,1,9", Exit.CANNOT_START), ("x,,,,", Exit.OK)]
)
async def test_a_sheet_that_somebody_worked_on_is_never_written_over(settings, tmp_path, row, code):
    sheet = tmp_path / command.SHEET
    sheet.write_text(f"id,{','.join(RATED)}\n{row}\n", "utf-8")
    assert await command._evaluate(replace(settings, api_key=""), None, tmp_path, None) is code
    assert (row in sheet.read_text("utf-8")) is (code is not Exit.OK)


@pytest.mark.parametrize("replies", ["", "{}", "[]", '{"samples": [{"arm": "on"}]}', '{"samples": [], "model": "", "away": ""}',
    '{"samples": [{"case": "gone", "arm": "on", "repeat": 1, "text": ""}], "model": "", "away": ""}'])  # fmt: skip
def test_a_sheet_without_its_replies_is_refused(settings, tmp_path, capsys, replies):
    (tmp_path / command.REPLIES).write_text(replies, "utf-8")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"id,{','.join(RATED)}\n", "utf-8")
    assert command.evaluate_tutor(settings, None, None, sheet) is Exit.BAD_SETTINGS
    assert "There are no replies to go with" in capsys.readouterr().err


def test_files_that_cannot_be_read_or_written_are_named(settings, tmp_path, capsys):
    assert command.evaluate_tutor(settings, None, None, tmp_path / "none.csv") is Exit.BAD_SETTINGS
    assert "none.csv cannot be read" in capsys.readouterr().err
    (tmp_path / "bad.csv").write_text("id\n", "utf-8")
    (tmp_path / command.REPLIES).write_text("{}", "utf-8")
    assert command.evaluate_tutor(settings, None, None, tmp_path / "bad.csv") is Exit.BAD_SETTINGS
    assert "direction_a is missing" in capsys.readouterr().err
    plain = replace(settings, api_key="")
    assert command.evaluate_tutor(plain, tmp_path, None) is Exit.CANNOT_START
    assert "cannot be written" in capsys.readouterr().err
