"""What a learner sees of an answer to news: where it comes from, who judged it, and what waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.render import drills, verdicts
from lessons.flows.appealing import Filed
from lessons.model import Grade, GradeSource, GuildId, Opinion, Remark, Track, Verdict
from tests.cogs.cuttings import URL, drill, exercise, item, judged, outcome, step, summary, waiting
from tests.cogs.drawing import fits, message_of
from tests.screen import buttons, components, custom_ids, text

TEXT = 10
"""Discord's number of a text display."""
PENDING = Grade(Verdict.PENDING, "を")
LINK = f"-# [パン屋の朝](<{URL}>) · 例新聞"


def seen(grade: Grade, typed: str = "が") -> str:
    return text(message_of(verdicts.verdict(outcome(grade, typed))))


@pytest.mark.parametrize("verdict", [Verdict.EXACT, Verdict.WRONG, Verdict.RETRY, Verdict.SKIPPED, Verdict.PENDING])
def test_every_verdict_says_where_the_sentence_is_from(verdict: Verdict) -> None:
    assert LINK in seen(Grade(verdict, "を"))


def test_a_question_says_where_it_is_from_and_a_lesson_has_nothing_to_say() -> None:
    assert f"**News** · 2/4\n{LINK}\n" in text(message_of(drills.step(step(item()))))
    assert "-# 切り抜き · 例新聞\n" in text(message_of(drills.step(step(item(title="切り抜き", url="")))))
    assert "-# 切り抜き\n" in text(message_of(drills.step(step(item(title="切り抜き", url="", source="")))))
    assert drills.header(drill(track=Track.LESSON), exercise(item())).startswith("**Your drill** · 2/4")


def test_the_title_of_an_article_stands_there_once() -> None:
    asked = item()
    assert drills.header(drill(title="パン屋の朝"), exercise(asked)) == f"**News** · 2/4\n{LINK}"
    assert drills.header(drill(title="を"), exercise(asked)).startswith("**を** · 2/4")


def test_the_dictionary_form_is_given_with_the_question() -> None:
    asked = item(hint="焼く → polite", answer="焼きます")
    assert "焼く → ?" in text(message_of(drills.step(step(asked))))


def test_the_judges_feedback_explains_a_miss_and_its_doubt_is_said() -> None:
    said = seen(judged(Opinion.INCORRECT, "パンは目的語です。*を*を使います。"))
    assert "❌ Not this time" in said
    assert r"パンは目的語です。\*を\*を使います。" in said
    assert "Judged by a language model; it can be wrong." in said
    assert "language model" not in seen(judged(Opinion.INCORRECT, "Look.", GradeSource.RULES))
    assert "language model" in seen(judged(Opinion.INCORRECT, "Look.", GradeSource.CACHE))


def test_feedback_stands_in_the_place_of_the_rows_own_explanation() -> None:
    asked = item(explanation="What a row says.")
    said = text(message_of(verdicts.verdict(outcome(judged(Opinion.INCORRECT, "No."), asked=asked))))
    assert "What a row says." not in said
    silent = text(message_of(verdicts.verdict(outcome(judged(Opinion.INCORRECT, ""), asked=asked))))
    assert "What a row says." in silent


def test_what_the_judge_accepts_is_right_with_what_was_written_beside_it() -> None:
    grade = judged(Opinion.ACCEPTABLE, "それもいいです。")
    said = seen(
        Grade(grade.verdict, "を", (Remark.OTHER_ANSWER,), source=grade.source, judgement=grade.judgement), "も"
    )
    assert "✅ Right, with a note" in said
    assert "You wrote: **も**" in said
    assert "accepted by a language model" in said
    assert "the first one is" not in said


def test_rules_do_not_repeat_what_a_remark_says() -> None:
    grade = judged(Opinion.INCORRECT, "Look at the voicing marks (は, ば, ぱ).", GradeSource.RULES)
    said = seen(Grade(grade.verdict, "を", (Remark.VOICING,), source=grade.source, judgement=grade.judgement))
    assert said.count("Look at the voicing marks") == 1


def test_an_answer_that_waits_is_calm_and_offers_the_way_on() -> None:
    message = message_of(verdicts.verdict(outcome(PENDING, "も")))
    assert "### ⏳ Waiting for the judge" in text(message)
    assert "You wrote: **も**" in text(message)
    assert "decided as soon as the judge is back: the next `/news` tells you" in text(message)
    assert list(buttons(message)) == ["Next", "Stop"]


def test_a_summary_of_news_counts_what_waits_and_goes_on_with_news() -> None:
    message = message_of(drills.summary(summary(answered=4, right=2, waiting=1)))
    assert "**2 of 3 right**" in text(message)
    assert "⏳ One answer waits for the judge" in text(message)
    assert "counted apart" not in text(message)
    assert "kz:fresh_news:0:0" in custom_ids(message)
    assert "More news" in buttons(message)
    all_wait = text(message_of(drills.summary(summary(answered=2, waiting=2))))
    assert "2 answers wait" in all_wait
    assert "Nothing answered" not in all_wait
    lesson = message_of(drills.summary(summary(track=Track.LESSON)))
    assert "counted apart" in text(lesson)
    assert "New drill" in buttons(lesson)


SENT_ON = "Sent on. The moderators of its server see it; until then it counts as a miss."


@pytest.mark.parametrize(
    ("judgement", "said"),
    [
        (None, SENT_ON),
        (judged(Opinion.CORRECT, ""), "The judge agrees. It counts as right now."),
        (judged(Opinion.INCORRECT, "を is asked."), "The judge looked at it and calls it wrong."),
        (judged(Opinion.INCORRECT, ""), "Press **I was right** once more, and the moderators of its server see it."),
        (PENDING, "decided as soon as the judge is back"),
    ],
)
def test_the_card_itself_says_where_i_was_right_went(judgement: Grade | None, said: str) -> None:
    filed = Filed(exercise(item(), "が"), judgement)
    grade = judgement or Grade(Verdict.WRONG, "を")
    shown = text(message_of(verdicts.verdict(outcome(grade), filed=filed)))
    assert said in shown
    assert "Judged by a language model" not in shown


def test_an_appeal_names_who_decides_it() -> None:
    wrong = outcome(Grade(Verdict.WRONG, "を"))
    lesson = replace(wrong.exercise, item=replace(wrong.exercise.item, clipping=None))
    for filed, guild, who in [
        (Filed(wrong.exercise), GuildId(1), "The moderators see it in `/queue`"),
        (Filed(wrong.exercise), None, "The moderators of its server see it;"),
        (Filed(lesson), GuildId(1), "The moderators see it in `/queue`"),
        (Filed(lesson), None, "The operator of this bot, or whoever looks after the pack, sees it;"),
    ]:
        placed = replace(wrong, exercise=replace(filed.exercise, appealed=True), drill=drill(guild_id=guild))
        message = message_of(verdicts.verdict(placed, filed=filed))
        assert who in text(message)
        assert buttons(message)["Sent on"] is False


def test_a_spent_day_is_said_in_place_of_a_judge_that_is_away() -> None:
    said = seen(Grade(Verdict.PENDING, "を", (Remark.DAY_SPENT,)))
    assert "Today's share of answers" in said
    assert "decided tomorrow" in said
    assert "`/news` tells you then" in said
    assert "judge is back" not in said
    later = judged(Opinion.CORRECT, "")
    told = text(message_of(verdicts.decided([waiting(replace(later, remarks=(Remark.DAY_SPENT,)))])))
    assert "Today's share" not in told


def test_an_answer_that_another_was_asked_for_is_told_what_was_asked() -> None:
    grade = Grade(Verdict.WRONG, "焼きます", (Remark.NOT_ASKED_FOR,))
    asked = item(hint="*焼く* (polite) → begins with 焼", answer="焼きます")
    assert r"another one is asked for: \*焼く\* (polite)." in text(
        message_of(verdicts.verdict(outcome(grade, "焼く", asked)))
    )


@pytest.mark.parametrize("nothing", ["", " ", "\u200b", "\u2060\u3164", "\u115f\uffa0", "\u2800", "\ufe0f\u034f"])
def test_feedback_in_which_nothing_can_be_seen_leaves_no_line(nothing: str) -> None:
    grade = judged(Opinion.INCORRECT, nothing)
    for view in (verdicts.verdict(outcome(grade)), verdicts.decided([waiting(grade)])):
        parts = [part["content"] for part in components(message_of(view)) if part.get("type") == TEXT]
        assert all(line.strip("-# \n") for part in parts for line in part.splitlines())
    assert "What a row says." in text(
        message_of(verdicts.verdict(outcome(grade, asked=item(explanation="What a row says."))))
    )


def test_what_was_decided_meanwhile_is_told_five_at_a_time() -> None:
    right, wrong = judged(Opinion.CORRECT, "よくできました。"), judged(Opinion.INCORRECT, "を is asked.")
    message = message_of(verdicts.decided([waiting(right, "も"), *[waiting(wrong)] * 6]))
    assert "✅ Right** · 店主は毎朝パン**を**焼きます。" in text(message)
    assert "You wrote: **も**" in text(message)
    assert text(message).count("❌ Not this time") == 4
    assert text(message).count("-# を is asked.") == 4
    assert "and 2 more" in text(message)
    assert "more;" not in text(message_of(verdicts.decided([waiting(wrong)])))


HOSTILE = [
    "@everyone <@1> **b** ||s|| [x](http://evil.example)",
    "](http://evil.example)",
    "](<http://evil.example>) [",
    "*_~`|>[]#@<" * 60,
    "\u202e\u200b",
    "👩‍👩‍👧" * 200,
    "http://evil.example/" * 40,
]


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_news_stays_text_and_fits(evil: str) -> None:
    asked = item(title=evil, source=evil, prompt=f"{evil}[＿＿＿]{evil}", hint=f"{evil} → {evil}", answer=evil)
    grade = judged(Opinion.INCORRECT, evil)
    for view in (
        drills.step(step(asked)),
        verdicts.verdict(outcome(grade, evil, asked)),
        verdicts.verdict(outcome(grade, evil, asked), filed=Filed(exercise(asked, evil), grade)),
        verdicts.decided([waiting(grade, evil)] * 9),
    ):
        message = message_of(view)
        assert fits(message)
        shown = text(message)
        assert "http://" not in shown
        assert "@everyone" not in shown
        assert "\u202e" not in shown


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "https://a@b.example/", "//evil.example", "https://", "ftp://x.y/"],
)
def test_only_web_addresses_are_linked(url: str) -> None:
    assert "-# パン屋の朝 · 例新聞" in text(message_of(drills.step(step(item(url=url)))))


def test_the_longest_drill_fits() -> None:
    long = "猫" * 3000
    asked = item(title=long, url=f"https://a.example/{'x' * 480}", prompt=f"{long}[＿＿＿]{long}", explanation=long)
    assert fits(message_of(verdicts.verdict(outcome(judged(Opinion.INCORRECT, long), long, asked))))
    assert "](<" not in text(message_of(drills.step(step(item(url=f"https://a.example/{'x' * 500}")))))
