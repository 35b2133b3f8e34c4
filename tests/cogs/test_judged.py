"""What a judge says of answers to news, what happens while it is away, and what "I was right" does then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app import Services
from bot.settings import Settings
from bot.wiring import open_services
from lessons.model import Track
from tests.cogs.drilling import right_answer, submit
from tests.cogs.newsroom import news, paste
from tests.conftest import MovableClock, World
from tests.messages.behaviours import fails, says
from tests.messages.server import MessagesServer, messages_server
from tests.screen import buttons, said, shown, text, told

AWAY = fails(529)
INSTEAD = {"は": "で", "焼きます": "焼きました", "買います": "買いました"}
"""Fillers that only a judge can tell right or wrong: of what is asked, and not what stands there."""


def judging(verdict: str, feedback: str) -> Any:
    """A judge that says the same of every answer."""
    wrong = verdict == "incorrect"
    return says(
        {
            "diagnosis": "The form does not fit." if wrong else "Another form that fits.",
            "error_type": "conjugation" if wrong else "none",
            "part_of_speech": "verb",
            "feedback": feedback,
            "verdict": verdict,
            "confidence": "high",
        }
    )


@pytest.fixture
async def judge() -> AsyncIterator[MessagesServer]:
    async with messages_server(judging("incorrect", "*No*, it is polite here.")) as server:
        yield server


@pytest.fixture
def grades() -> int:
    """Answers of one person that are judged in a day."""
    return 200


@pytest.fixture
async def services(data: Path, clock: MovableClock, judge: MessagesServer, grades: int) -> AsyncIterator[Services]:
    settings = Settings(
        data=data, embedder="hashed", api_key="sk-ant-test-0123456789", api_url=judge.url, grades_a_day=grades
    )
    async with open_services(settings, clock=clock) as opened:
        yield opened


async def asked(world: World, *, closed: bool, count: int = 1) -> tuple[Any, str]:
    """A drill over blanks with one possible filler, or with several, and another answer than the first one's."""
    await paste(world)
    reading = world.services.newsreading
    (article,) = await reading.visible(world.mika.id, world.guild.id, world.clock())
    found = await reading.articles.candidates(world.mika.id, [article.id])
    fitting = [each for each in found if each.closed is closed and each.reference in INSTEAD]
    once = list({each.sentence: each for each in fitting}.values())[:count]
    items = [each.item for each in once]
    assert len(items) == count
    await reading.drills.begin(world.mika.id, world.guild.id, Track.EXERCISE, "", items, world.clock())
    message = shown(await world.mika.click(await news(world), label="Continue"))
    return message, INSTEAD[await right_answer(world, message)]


async def test_a_judge_calls_an_answer_wrong_and_its_doubt_is_shown(world: World) -> None:
    message, near = await asked(world, closed=False)
    verdict = shown(await submit(world.mika, message, near))
    assert "❌ Not this time" in text(verdict)
    assert r"\*No\*, it is polite here." in text(verdict)
    assert "Judged by a language model; it can be wrong." in text(verdict)
    assert "moderators see it in `/queue`" in said(await world.mika.click(verdict, label="I was right"))


async def test_a_judge_accepts_an_answer(world: World, judge: MessagesServer) -> None:
    message, near = await asked(world, closed=False)
    judge.script.always = judging("acceptable", "Less usual, but fine.")
    verdict = shown(await submit(world.mika, message, near))
    assert "✅ Right, with a note" in text(verdict)
    assert f"You wrote: **{near}**" in text(verdict)
    assert "accepted by a language model" in text(verdict)


async def test_feedback_is_asked_for_in_the_language_of_discord_or_the_one_chosen(
    world: World, judge: MessagesServer
) -> None:
    message, near = await asked(world, closed=False, count=2)
    verdict = shown(await submit(world.mika, message, near))
    assert '"feedback_lang": "en"' in judge.requests[-1].turn
    await world.mika.slash(world.study, "settings", feedback="ja")
    message = shown(await world.mika.click(verdict, label="Next"))
    await submit(world.mika, message, INSTEAD[await right_answer(world, message)])
    assert '"feedback_lang": "ja"' in judge.requests[-1].turn


async def test_an_answer_waits_while_the_judge_is_away_and_the_next_news_tells(
    world: World, judge: MessagesServer
) -> None:
    message, near = await asked(world, closed=False)
    judge.script.always = AWAY
    waiting = shown(await submit(world.mika, message, near))
    assert "### ⏳ Waiting for the judge" in text(waiting)
    assert "I was right" not in buttons(waiting)
    summary = shown(await world.mika.click(waiting, label="See how it went"))
    assert "⏳ One answer waits for the judge" in text(summary)
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))
    judge.script.always = judging("correct", "That fits.")
    world.clock.move(minutes=10)
    assert await world.services.regrading.regrade(world.clock()) == 1
    result = await world.mika.slash(world.study, "news", count=1)
    assert "### ⚖️ Judged meanwhile" in told(result)
    assert f"You wrote: **{near}**" in told(result)
    assert "-# That fits." in told(result)
    assert not (await world.mika.slash(world.study, "news", count=1)).followups


@pytest.mark.parametrize(
    ("verdict", "feedback", "headline", "note"),
    [
        ("correct", "That fits.", "✅ Right, with a note", "It counts as right now."),
        ("incorrect", "It is polite here.", "❌ Not this time", "Press **I was right** once more"),
    ],
)
async def test_i_was_right_asks_the_judge_where_rules_decided(
    world: World, judge: MessagesServer, verdict: str, feedback: str, headline: str, note: str
) -> None:
    message, near = await asked(world, closed=True)
    judge.script.always = AWAY
    by_rules = shown(await submit(world.mika, message, near))
    assert "❌ Not this time" in text(by_rules)
    assert "language model" not in text(by_rules)
    judge.script.always = judging(verdict, feedback)
    pressed = await world.mika.click(by_rules, label="I was right")
    assert not pressed.followups
    assert note in text(by_rules)
    assert headline in text(by_rules)
    assert feedback in text(by_rules)
    if verdict == "incorrect":
        assert "moderators see it in `/queue`" in said(await world.mika.click(by_rules, label="I was right"))
        assert buttons(by_rules)["Sent on"] is False


async def test_i_was_right_waits_while_the_judge_is_away(world: World, judge: MessagesServer) -> None:
    message, near = await asked(world, closed=True)
    judge.script.always = AWAY
    by_rules = shown(await submit(world.mika, message, near))
    stored = world.env.backend.get_message(world.study.id, by_rules.id).components
    assert "decided as soon as the judge is back" in said(await world.mika.click(by_rules, label="I was right"))
    assert "### ⏳ Waiting for the judge" in text(by_rules)
    world.env.backend.get_message(world.study.id, by_rules.id).components = stored
    assert "was done already" in told(await world.mika.click(by_rules, label="I was right"))


@pytest.mark.parametrize("grades", [1])
async def test_an_answer_beyond_the_days_share_says_so(world: World) -> None:
    message, other = await asked(world, closed=False, count=2)
    verdict = shown(await submit(world.mika, message, other))
    message = shown(await world.mika.click(verdict, label="Next"))
    waiting = shown(await submit(world.mika, message, "と"))
    assert "### ⏳ Waiting for the judge" in text(waiting)
    assert "Today's share of answers that a language model looks at is used up" in text(waiting)
    assert "judge is back" not in text(waiting)
