"""A learner looks back: themes with a drill each, and progress, on the real bot."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cogs.refusals import StalePress
from cogs.render import reviews as render
from cogs.ui.escape import safe
from lessons.flows.reviewing import Progress, Review
from lessons.model import (
    DayAnswer,
    ErrorType,
    InteractionId,
    Mistake,
    MistakeCard,
    MistakeId,
    Origin,
    Profile,
    ProfileField,
    ProfileLine,
    Submission,
    Theme,
    Track,
    UserId,
    Verdict,
)
from lessons.summary import figures
from tests.cogs.drawing import LIMIT, fits, message_of
from tests.conftest import BEGINNING, World
from tests.screen import buttons, components, custom_ids, said, shown, text

MEDIA_GALLERY = 12


async def miss(world: World, answer: str, typed: str, times: int, pack: str = "particles", who: Any = None) -> None:
    """Let a learner (Mika) type the same for so many questions with the same answer."""
    user = UserId((who or world.mika).id)
    packs, drills = world.services.delivering.packs, world.services.delivering.drills
    found = await packs.find(pack, ())
    assert found is not None
    asked = [item.id for item in await packs.items(found.id) if item.answer == answer][:times]
    drill = await drills.begin(user, None, Track.LESSON, "", asked, world.clock())
    for exercise in await drills.exercises(drill.id, user):
        submission = Submission(user, exercise.id, typed, world.clock(), InteractionId(exercise.id))
        await world.services.answering.answer(submission)


def pictures(message: Any) -> dict[str, str]:
    """Words behind each picture of a message, by its address."""
    galleries = [part for part in components(message) if part["type"] == MEDIA_GALLERY]
    return {item["media"]["url"]: item["description"] for gallery in galleries for item in gallery["items"]}


async def test_nothing_missed_yet_and_too_little_for_a_pattern(world: World) -> None:
    result = await world.mika.slash(world.study, "review")
    assert result.ephemeral
    assert "not missed anything in the last 30 days" in said(result)
    await miss(world, "が", "は", 1)
    assert "You missed 1 exercise" in said(await world.mika.slash(world.study, "review"))
    await miss(world, "に", "で", 1)
    few = await world.mika.slash(world.study, "review")
    assert "You missed 2 exercises in the last 30 days: too few" in said(few)
    assert set(buttons(shown(few))) == {"My mistakes", "My progress"}
    await miss(world, "洗って", "洗いて", 1, "verb_forms")
    await world.mika.slash(world.study, "review")


async def test_themes_have_a_chart_words_and_a_drill_each(world: World) -> None:
    await miss(world, "が", "は", 8)
    await miss(world, "に", "を", 7)
    await miss(world, "洗って", "洗いて", 1, "verb_forms")
    result = await world.mika.slash(world.study, "review")
    message = shown(result)
    assert result.ephemeral
    assert "**16 exercises** missed · 2 themes" in text(message)
    assert "1 · particles: が written as は" in text(message)
    assert "you wrote **は**, right is **が**" in text(message)
    assert "1 more mistake fits no theme" in text(message)
    assert "Similar by spelling only: `hashed 512 v1` is at work" in text(message)
    ((_, words),) = pictures(message).items()
    assert words == "Themes by missed exercises: particles: が written as は, 8; particles: に written as を, 7"
    (file,) = message.attachments
    assert (await file.read()).startswith(b"\x89PNG")
    assert sum(part.get("label") == "Drill this" for part in components(message)) == 2
    assert len(text(message)) < LIMIT


def review_of(count: int, wrote: str, *, alone: int = 0, last_resort: str = "") -> Review:
    """A review with so many themes of two exercises each, all of them about the same foreign text."""
    made = BEGINNING
    themes, numbers = [], iter(range(1, 1000))
    for _ in range(count):
        card = MistakeCard(Track.LESSON, f"{wrote}[＿＿＿]{wrote}", wrote, wrote, ErrorType.TENSE, "", "")
        members = tuple(Mistake(MistakeId(next(numbers)), UserId(1), None, card, made) for _ in range(2))
        themes.append(Theme(ErrorType.TENSE, ((wrote, wrote, 1), (wrote, f"{wrote}.", 1)), members[0], members))
    one_offs = themes[0].members * alone if themes else ()
    return Review(
        tuple(themes), one_offs, 2 * count + len(one_offs), made, made - timedelta(days=30), None, last_resort
    )


def drawn(review: Review) -> Any:
    """What a message shows of a review."""
    return message_of(render.review(review))


def test_more_themes_than_fit_are_counted() -> None:
    page = text(drawn(review_of(7, "は", alone=3, last_resort="hashed 512 v1")))
    assert "5 · tense" in page
    assert "6 · tense" not in page
    assert "and 2 smaller themes with 4 exercises" in page
    assert "6 more mistakes fit no theme" in page
    assert "Similar by spelling only: `hashed 512 v1` is at work" in page
    assert "spelling only" not in text(drawn(review_of(1, "は")))
    assert "and 1 smaller theme with 2 exercises" in text(drawn(review_of(6, "は")))


def test_a_review_names_the_aim_where_the_profile_knows_one() -> None:
    told = {ProfileField.TARGET: "N2 @everyone **now**", ProfileField.GAPS: "particles", ProfileField.FOCUS: "を"}
    lines = tuple(ProfileLine(field, words, Origin.LEARNER) for field, words in told.items())
    for themes in (2, 0):
        page = text(drawn(replace(review_of(themes, "は"), exercises=2 * themes + 1, profile=Profile(lines))))
        assert f"Target: {safe(told[ProfileField.TARGET])}\n-# Of all you ever missed, working on: を" in page
        assert "gaps" not in page.lower()
    assert "Target" not in text(drawn(review_of(2, "は")))


def test_a_review_without_a_theme_says_so() -> None:
    lonely = replace(review_of(2, "は"), themes=(), exercises=4)
    assert "No two of the 4 are alike" in text(drawn(lonely))
    assert "no theme" not in text(drawn(replace(lonely, one_offs=review_of(1, "は").themes[0].members)))


@pytest.mark.parametrize("wrote", ["*_~`|>[]#@<" * 40, "寿司" * 200, "👩‍👩‍👧" * 60, "http://evil.example/" * 30])
def test_the_longest_texts_fit_a_message(wrote: str) -> None:
    message = drawn(review_of(9, wrote, alone=2, last_resort="hashed"))
    assert fits(message)


def test_moments_in_buttons_are_exact_and_nonsense_is_refused() -> None:
    made = BEGINNING.replace(microsecond=123_000)
    assert render.moment(render.stamp(made)) == made
    with pytest.raises(StalePress):
        render.moment(10**18)


async def test_a_theme_is_drilled_in_a_message_of_its_own(world: World) -> None:
    await miss(world, "が", "は", 4)
    message = shown(await world.mika.slash(world.study, "review"))
    world.clock.move(minutes=3)
    begun = await world.mika.click(message, label="Drill this")
    assert begun.ephemeral
    assert "**Your theme: particles** · 1/4" in said(begun)
    assert shown(begun).id != message.id
    again = await world.mika.click(message, label="Drill this")
    assert "You have an unfinished drill" in said(again)
    assert "**0 of 4** done of **Your theme: particles**" in said(again)
    anew = await world.mika.click(shown(again), label="Drill the theme")
    assert "**Your theme: particles** · 1/4" in said(anew)
    assert shown(anew).id == shown(again).id


async def test_a_theme_outlives_a_restart_and_a_changed_one_is_told_in_words(world: World) -> None:
    await miss(world, "が", "は", 3)
    message = shown(await world.mika.slash(world.study, "review"))
    await world.restart()
    assert "1/3" in said(await world.mika.click(message, label="Drill this"))
    (press,) = [each for each in custom_ids(message) if each.startswith("kz:theme:")]
    stored = await world.services.recollecting.mistakes.since(UserId(world.mika.id), world.clock())
    assert int(press.split(":")[3]) in {mistake.id for mistake in stored}
    for mistake in stored:
        await world.services.recollecting.delete(mistake.id, UserId(world.mika.id))
    gone = await world.mika.click(message, label="Drill this")
    assert "not what it was any more" in said(gone)


async def test_direct_messages_are_plain_and_nobody_sees_anothers_themes(world: World) -> None:
    await miss(world, "が", "は", 3)
    result = await world.mika.user.slash("review")
    assert not result.ephemeral
    assert "1 theme" in said(result)
    assert "not missed anything" in said(await world.tom.slash(world.study, "review"))
    assert "No answers in the last 60 days" in said(await world.tom.slash(world.study, "progress"))


async def test_what_learners_typed_is_harmless(world: World) -> None:
    await miss(world, "が", "*は*", 3)
    page = said(await world.mika.slash(world.study, "review"))
    assert "\\*は\\*" in page


async def test_progress_in_pictures_and_in_words(world: World) -> None:
    await miss(world, "が", "は", 4)
    await miss(world, "に", "に", 6)
    result = await world.mika.slash(world.study, "progress")
    message = shown(result)
    assert result.ephemeral
    assert "**10 answers, 6 right (60 %)** on one of the last 30 days." in text(message)
    assert "lesson practice: 10 answers, 6 right (60 %)" in text(message)
    assert "last 30 days: lesson practice: 10 answers, 6 right (60 %)" in text(message)
    assert "right in the week from Nov 30: 60 %" in text(message)
    assert "particle 4 (before: 0)" in text(message)
    assert "Streak: **1 day**" in text(message)
    assert len(message.attachments) == 3
    assert len(pictures(message)) == 3
    assert list(pictures(message).values()) == [
        "Right answers by day. Nov 30: 6 of 10",
        "right in the week from Nov 30: 60 %",
        "Mistakes by kind: particle 4 (before: 0)",
    ]
    themes = shown(await world.mika.click(message, label="My themes"))
    assert "1 theme" in text(themes)
    assert len(themes.attachments) == 1
    back = shown(await world.mika.click(themes, label="My progress"))
    assert len(back.attachments) == 3


async def test_without_streaks_nothing_is_said_of_them(world: World) -> None:
    await miss(world, "が", "は", 4)
    await world.mika.slash(world.study, "settings", streaks=False)
    assert "streak" not in said(await world.mika.slash(world.study, "progress")).casefold()


async def test_progress_of_long_ago_is_told_without_a_picture_of_the_days(world: World) -> None:
    await miss(world, "が", "は", 4)
    world.clock.move(days=40)
    message = shown(await world.mika.slash(world.study, "progress"))
    assert "No answers in the last 30 days. The 30 days before: 4 answers, 0 right (0 %)." in text(message)
    assert "(questions you had never answered before), none in the last 30 days" in text(message)
    assert len(message.attachments) == 2
    await miss(world, "に", "に", 1)
    message = shown(await world.mika.slash(world.study, "progress"))
    assert "**1 answer, 1 right (100 %)** on one of the last 30 days. The 30 days before: 4" in text(message)


def test_tracks_are_told_apart_where_there_are_several() -> None:
    day = BEGINNING.date()
    given = [
        (day, DayAnswer(BEGINNING, track, verdict, None, first_attempt=True))
        for track, verdict in [(Track.LESSON, Verdict.EXACT), (Track.EXERCISE, Verdict.WRONG)]
    ]
    shown_ = message_of(render.progress(Progress(figures(given, day), None, b"1", None)))
    assert "lesson practice: 1 answer, 1 right (100 %) · exercises: 1 answer, 0 right (0 %)" in text(shown_)
    assert "Nov 30: 100 % (lesson practice), Nov 30: 0 % (exercises)" in text(shown_)
