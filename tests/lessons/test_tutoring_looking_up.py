"""The tutor without a model: a look-up that says so, with sources and dates, and nothing invented."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lessons.model import ErrorType, Origin, ProfileField, ProfileLine, Topic, TopicState
from lessons.tutoring import (
    Event,
    Explanation,
    Miss,
    advance,
    answer,
    explained,
    points_in,
    study_report,
    study_turn,
    why,
)
from tests.lessons.test_tutoring import AT, mistake

WA = Explanation(
    "は", "Topic particle は marks what the sentence is about.", "Particles, lesson 1", "これ[＿＿＿]何ですか。"
)
GA = Explanation("が", "Subject particle が answers who; は cannot.", "Particles, lesson 1")
MO = Explanation("も", "も adds one more.", "")
PROFILE = [ProfileLine(ProfileField.TARGET, "JLPT N3 in July", Origin.LEARNER)]
COUNTS = {ErrorType.PARTICLE: 5, ErrorType.TENSE: 1}


@pytest.mark.parametrize(
    ("question", "points"),
    [
        ("When は and when が?", ("は", "が")),
        ("What does “ている” do, and は?", ("ている",)),
        ("「は」と「が」の違いは何ですか。", ("は", "が")),
        ("なぜ必要ですか。", ()),
        ("why is this needed?", ()),
        ("`x` and は", ("は",)),
        ("", ()),
    ],
)
def test_points_are_what_a_question_names(question, points):
    assert points_in(question) == points


def test_explanations_of_named_points_come_once_the_more_telling_first():
    again = Explanation("は", "は contrasts.", "Particles, lesson 9")
    assert explained("は or が?", [WA, again, GA, MO]) == (GA, WA)
    assert explained("why?", [WA, GA]) == ()


def test_an_answer_quotes_counts_and_remembers():
    said = answer(
        "は or が?",
        PROFILE,
        [mistake(), mistake("が", "を", at=AT - timedelta(days=3))],
        COUNTS,
        [WA, GA],
        "私[＿＿＿]行く。",
    )
    assert said.splitlines() == [
        "This is a look-up, not a conversation: no language model answered.",
        "",
        "が: “Subject particle が answers who; は cannot.” (Particles, lesson 1)",
        "",
        "は: “Topic particle は marks what the sentence is about.” (Particles, lesson 1)",
        "Example: これ＿＿＿何ですか。",
        "",
        "You missed particles 5 times, last on 2026-12-28.",
        "",
        "Your nearest earlier mistakes:",
        "• You wrote は for も in これ＿＿＿ください。 on 2026-12-28.",
        "• You wrote が for を in これ＿＿＿ください。 on 2026-12-25.",
        "",
        "Fill the gap on particles: 私＿＿＿行く。",
    ]


def test_what_there_is_nothing_about_is_said_to_be_so():
    said = answer("why is this needed?", PROFILE, [], {}, [WA])
    assert "Nothing in the lessons" in said
    assert said.endswith("The next exercise: /drill.")
    assert "JLPT" not in said


@pytest.mark.parametrize("question", ["What do you know about me?", "私について何を知っていますか"])
def test_the_profile_is_shown_where_it_is_asked_for(question):
    assert "• JLPT N3 in July" in answer(question, PROFILE, [], {}, [])
    assert "Nothing in the lessons" in answer(question, [], [], {}, [])


def test_a_count_without_a_date_has_none():
    said = answer("about tense", [], [mistake()], COUNTS, [])
    assert "You missed tense and aspect once.\n" in said


def test_a_miss_is_explained_by_the_lesson_and_by_the_own_pattern():
    miss = Miss("これ[＿＿＿]ください。", "も", "は", "wrong", "も adds one more.", "Particles, lesson 3")
    said = why(miss, [mistake()], COUNTS)
    assert "You wrote は; accepted is も." in said
    assert "も: “も adds one more.” (Particles, lesson 3)" in said
    assert "You missed particles 5 times, last on 2026-12-28." in said
    assert said.endswith("The next exercise on particles: /drill.")


def test_a_miss_without_an_explanation_is_not_explained():
    said = why(Miss("x", "も", "", "wrong"), [], {}, "これ[＿＿＿]")
    assert "You wrote ∅; accepted is も." in said
    assert "cannot be looked up" in said
    assert said.endswith("Fill the gap: これ＿＿＿")


def test_foreign_text_in_a_look_up_neither_links_nor_pings():
    bad = "<@1> @everyone https://evil.example **x**"
    said = answer("は?", [], [mistake(bad, bad, bad)], COUNTS, [Explanation("は", bad, bad, bad)], bad)
    assert not any(sign in said for sign in ("<@", "@everyone", "://", "**"))


TOPICS = (
    Topic(0, "も and は", "Missed 5 times.", "Contrast も and は", ErrorType.PARTICLE),
    Topic(1, "The subject", "For writing.", "Show it", None),
)


def test_a_study_says_its_steps():
    first, _ = advance(TOPICS, Event.OPENED)
    second, _ = advance(first, Event.TALKED)
    third, _ = advance(second, Event.TALKED)
    said = study_turn(first, [], [MO], "これ[＿＿＿]")
    assert "Topic 1 of 2: も and は. Missed 5 times." in said
    assert "First step: Contrast も and は" in said
    assert "も: “も adds one more.”\n" in said
    assert said.endswith("Fill the gap on particles: これ＿＿＿")
    assert "• You wrote は for も" in study_turn(second, [mistake()])
    assert "no mistakes of this kind" in study_turn(second, [])
    assert "First step" not in study_turn(third, [mistake()], [MO])
    later, _ = advance(third, Event.NEXT_WANTED)
    assert study_turn(later, []).endswith("The next exercise: /drill.")
    done, _ = advance(later, Event.NEXT_WANTED)
    assert "Every topic of this study is done." in study_turn(done, [])
    assert study_turn((), [mistake()], [], "これ[＿＿＿]").endswith("on 2026-12-28.\n\nFill the gap: これ＿＿＿")


def test_a_study_is_closed_by_counts():
    topics = (Topic(0, "も", "", "", None, TopicState.DONE), TOPICS[1])
    assert study_report(topics, 3, 1, COUNTS).splitlines() == [
        "Topics done: も.",
        "Exercises: 4, of them 3 right.",
        "What goes wrong most at present: particles (5 times).",
    ]
    assert study_report((), 1, 0, {}) == "Exercises: 1, of them 1 right."
    assert study_report(TOPICS, 0, 0, {}).splitlines() == ["No topic was finished.", "No exercise was answered."]
    assert "most at present" not in study_report(TOPICS, 0, 0, {ErrorType.TENSE: 0})
