"""`evaluate tutor` measures what it says: canned answers get their known points, every planted leak is caught."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace

import pytest

from lessons.evaluation.records import UnusableRecords
from lessons.evaluation.tutor_cases import Arm, shipped_canned, shipped_cases
from lessons.evaluation.tutor_figures import Sample, as_json, measure, prompt_of, prove, rows
from lessons.evaluation.tutor_ratings import RATED, agreement, read_ratings, sample_id, sheet
from lessons.evaluation.tutor_report import tutor_report
from lessons.evaluation.tutor_scoring import broken, ending, exercise, reached, score
from lessons.model import Surface
from lessons.tutoring import PERSONAS, rules

CASES = {case.name: case for case in shipped_cases()}
CANNED = shipped_canned()
CASE = CASES["exam_mo"]
GOOD = "も adds, は contrasts. You sit N3 in July; on 3 May it was は.\n\nFill the gap: 妹＿＿＿学生です。"


def test_there_are_enough_cases_of_every_kind():
    assert len(CASES) == 12
    assert {case.surface for case in CASES.values()} == {Surface.ASK, Surface.WHY, Surface.STUDY}
    assert {case.persona for case in CASES.values()} == set(PERSONAS)
    assert len({case.topic.target for case in CASES.values()}) >= 5


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_case_fixes_everything_beforehand(case):
    assert len(case.signals) >= 3
    assert all(case.signals.values())
    assert case.foreign
    assert case.metadata
    assert case.direction.step
    assert case.direction.other
    assert case.forms
    assert sum(map(len, case.profile)) <= 1200


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_every_fact_reaches_the_model_that_knows_the_learner_and_none_the_other(case):
    on, off = case.call(Arm.ON), case.call(Arm.OFF)
    assert reached(case, on.turn) == tuple(case.signals)
    assert reached(case, off.turn) == ()
    assert on.system == off.system
    only = {"learner_profile", "learner_notes", "past_mistakes"}
    asked, plain = json.loads(on.turn), json.loads(off.turn)
    assert {name: value for name, value in asked.items() if name not in only} == plain
    assert case.topic.first_step in plain["turn_task"]


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_no_canary_is_shown_to_any_arm(case):
    told = prompt_of(case, Arm.ON) + case.look_up() + case.call(Arm.ON).system
    assert not any(word in told for word in (*case.foreign, *case.metadata))


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_look_up_leaks_nothing_and_gives_an_exercise(case):
    found = score(case, case.look_up())
    assert found.leaks == ()
    assert found.invented == ()
    assert found.exercise == 2


def test_every_known_score_is_reproduced_and_every_planted_leak_is_caught():
    proof = prove(CANNED, CASES)
    assert proof.wrong == ()
    assert proof.holds
    assert (proof.reproduced, proof.caught) == (proof.answers, proof.planted) == (25, 12)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"points": (0, 0, 0)},
        {"signals": ()},
        {"broken": "exercise"},
        {"leaks": ("nothing",)},
        {"text": CANNED[0].text + "\n\nIts score: 0.91."},
    ],
)
def test_a_harness_that_measures_otherwise_says_so(spoilt):
    proof = prove([replace(CANNED[0], **spoilt), *CANNED[1:]], CASES)
    assert proof.wrong == ("1 (landlord_mail, on)",)
    assert not proof.holds


@pytest.mark.parametrize(
    "leak",
    ["score", "cosine", "embedded", "chunks", "RAG", "0.73", "検索結果", "study_subject", "bakery", "KZ-DOC-5120"],
)
def test_a_leak_planted_in_a_good_reply_is_caught(leak):
    assert score(CASE, GOOD).leaks == ()
    assert score(CASE, GOOD.replace("contrasts", f"contrasts ({leak})")).leaks == (leak,)


def test_rules_that_come_back_are_caught():
    said = " ".join(rules(Surface.ASK).split()[40:60])
    assert score(CASE, f"{GOOD}\n\n{said}").leaks


@pytest.mark.parametrize(
    ("text", "grounding"),
    [
        ("も adds.\n\nFill the gap: 妹＿＿＿学生です。", 0),
        (
            "も adds. N3 is near. Here is a longer explanation of it all.\n\nFill the gap: 妹＿＿＿学生です。それから何をしますか。どうですか。何ですか。",
            1,
        ),
        ("も adds.\n\nAn N3 question, fill the gap: 妹＿＿＿学生です。", 2),
        ("You sit N3 after N4.", 2),
        ("You sit N3 after N4 and N1.", 1),
        ("You sit N3; on May 3 it was は.", 2),
        ("You sit N3; on May 4th 2026-05-04 it was は.", 1),
        ("N3です。五月、5月3日は「は」でした。4月11日も。", 2),
        ("N3です。5月8日。", 1),
        ("N33 and N4x and team", 0),
    ],
)
def test_grounding_counts_facts_and_takes_what_is_made_up_off(text, grounding):
    assert score(CASE, text).grounding == grounding


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("**は** contrasts, **も** adds.", 2),
        ("「も」 adds.", 1),
        ("はな and もも", 0),
        ("は and も.\n\nNow write your diary with both of them, in some detail please.", 0),
        ("", 0),
    ],
)
def test_direction_is_the_first_step_and_no_other_goal_at_the_end(text, direction):
    assert score(CASE, text).direction == direction


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Fill: 妹＿＿＿学生です。", 2), ("Fill: 妹（　）学生です。", 2), ("Fill: ____ is a student", 1), ("Any questions?", 1), ("Try it.", 1),
        ("Good luck.", 0), ("", 0),
    ],
)  # fmt: skip
def test_an_exercise_can_be_done_and_checked(text, points):
    assert exercise(CASE, text) == points


def test_an_exercise_of_another_form_is_about_the_point():
    assert exercise(CASES["landlord_mail"], "Put this into the second form: 来てください。") == 2
    assert exercise(CASES["landlord_mail"], "Put this into English: 犬がいる。") == 0
    assert exercise(CASES["detective_novels"], "Who was bothered? 私は犬に吠えられた。") == 2


def test_the_end_of_a_reply_takes_in_what_announced_it():
    assert ending("a\n\nb\n\nFill the gap:\n\n" + "長" * 50) == "Fill the gap:\n" + "長" * 50
    assert ending("a\n\nlong enough\n\nshort") == "long enough\nshort"
    assert ending(" ") == ""


def test_a_failure_is_filed_under_the_first_layer_that_broke():
    prompt = prompt_of(CASE, Arm.ON)
    assert broken(CASE, score(CASE, GOOD), prompt) == ""
    assert broken(CASE, score(CASE, f"{GOOD} score"), prompt) == "leak"
    plain = score(CASE, "も adds.\n\nFill: 妹＿＿＿学生です。")
    assert broken(CASE, plain, "nothing") == "admission"
    assert broken(CASE, plain, prompt) == "grounding"
    assert broken(CASE, score(CASE, "You sit N3 after N4: も adds, は not.\n\nGood luck."), prompt) == "exercise"
    assert (
        broken(CASE, score(CASE, "You sit N3 after N4.\n\nSay it in a conversation with a friend, please?"), prompt)
        == "direction"
    )


def samples():
    return (
        Sample("exam_mo", Arm.ON, 1, GOOD, 3.0, 900, 200, 4000),
        Sample("exam_mo", Arm.ON, 2, "Good luck.", 1.0, 700, 100, 2000),
        Sample("exam_mo", Arm.OFF, 1, "も adds.\n\nWhat for?", 1.0, 600, 100, 1000),
        Sample("exam_mo", Arm.TEMPLATE, 1, CASE.look_up()),
    )


PROOF = prove(CANNED, CASES)


def test_arms_are_summed_up():
    found = measure(samples(), CASES, PROOF, {}, ("m", ""))
    on, off, template = found.arms
    assert (on.arm, on.replies, on.mean, on.strict, on.with_signal, on.signals) == (Arm.ON, 2, 3.0, 1, 1, 2)
    assert (on.seconds, on.tokens_in, on.tokens_out, on.micro_usd) == (2.0, 800, 150, 6000)
    assert (off.mean, off.grounding, off.direction, off.exercise) == (2.0, 0, 1, 1)
    assert template.seconds == 0
    assert found.contaminated == ()
    assert found.layers == {"": 1, "grounding": 1}
    assert (found.cases, found.repeats) == (1, 2)
    assert rows(samples(), CASES)[0].id == sample_id(samples()[0])


def test_a_case_whose_facts_turn_up_without_the_learner_is_contaminated():
    told = (*samples(), Sample("exam_mo", Arm.OFF, 2, "You sit N3."))
    found = measure(told, CASES, PROOF, {}, ("m", ""))
    assert found.contaminated == ("exam_mo",)
    assert "Contaminated" in tutor_report(found)


def filled(told, points):
    """The sheet with the points of both raters for each reply that has some."""
    given = list(csv.DictReader(io.StringIO(sheet(told, CASES))))
    for row in given:
        row.update(dict(zip(RATED, points.get(row["id"], ["", "", "", ""]), strict=True)))
    written = io.StringIO()
    writer = csv.DictWriter(written, given[0])
    writer.writeheader()
    writer.writerows(given)
    return written.getvalue().encode("utf-8-sig")


def test_the_sheet_tells_nothing_of_the_arm():
    told = sheet(samples(), CASES)
    assert "template" not in told
    assert [row["id"] for row in csv.DictReader(io.StringIO(told))] == sorted(map(sample_id, samples()))
    assert "'=1+1" in sheet([Sample("exam_mo", Arm.ON, 1, "=1+1")], CASES)


def test_two_people_overrule_code_where_they_agree():
    one, other, third, _ = samples()
    points = {sample_id(one): "0011", sample_id(other): "2222", sample_id(third): "1202"}
    ratings = read_ratings(filled(samples(), points))
    found = measure(samples(), CASES, PROOF, ratings, ("m", ""))
    assert found.human == 3
    assert (found.arms[0].direction, found.arms[0].exercise) == (2.0, 2.0)
    assert (found.arms[1].direction, found.arms[1].exercise) == (1.0, 2.0)
    assert found.agreed["direction"].same == pytest.approx(1 / 3)
    assert "Cohen's kappa" in tutor_report(found)


def test_agreement_is_cohens_kappa():
    assert agreement([(0, 0), (1, 1), (2, 2), (0, 0)]).kappa == 1
    assert agreement([(0, 0), (0, 1), (1, 0), (1, 1)]).kappa == 0
    assert math.isnan(agreement([(2, 2), (2, 2)]).kappa)
    assert math.isnan(agreement([]).same)


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\xff", b"id,reply\n1,x\n", b"", b'id,direction_a,exercise_a,direction_b,exercise_b\n"x,1,1,1,1\n',
        b"id,direction_a,exercise_a,direction_b,exercise_b\nx,1,1,1,\n", b"id,direction_a,exercise_a,direction_b,exercise_b\nx,1,1,1,3\n",
        b"id,direction_a,exercise_a,direction_b,exercise_b\nx,1\n",
    ],
)  # fmt: skip
def test_a_sheet_that_is_none_is_refused(content):
    with pytest.raises(UnusableRecords):
        read_ratings(content)


def test_a_report_tells_everything():
    found = measure(samples(), CASES, PROOF, {}, ("claude-x", ""))
    told = tutor_report(found)
    assert "Model: claude-x." in told
    assert "25 canned answers with known scores 25 came out as known; of 12 planted leaks 12 were caught" in told
    assert "| model, learner known | 2 | 3.00 | 1 of 2 |" in told
    assert "Knowing the learner is worth 1.00 points, and costs 1.0 seconds and 200 tokens a reply." in told
    assert "| exam\\_mo | 2+2+2, 0+0+0 | 0+1+1 | 1+2+2 |" in told
    assert "None." in told
    assert "Nobody has rated yet" in told
    figures = json.loads(as_json(found))
    assert figures["agreed"]["direction"]["kappa"] is None
    assert figures["rows"][0]["points"] == [2, 2, 2]


def test_a_report_without_a_model_and_with_a_broken_harness_says_so():
    spoilt = prove([replace(CANNED[0], points=(0, 0, 0))], CASES)
    leaking = (Sample("exam_mo", Arm.TEMPLATE, 1, "score"), Sample("tea_class", Arm.TEMPLATE, 1, "x"))
    told = tutor_report(measure(leaking, CASES, spoilt, {}, ("", "no model is set up")))
    assert "**No model answered (no model is set up)" in told
    assert "Trust nothing below" in told
    assert "- exam\\_mo, look-up, no model, 1: score" in told
    assert "first layer" not in told
    assert "Knowing the learner" not in told


def test_a_report_of_nothing_still_stands():
    assert "Cases: 0;" in tutor_report(measure((), CASES, PROOF, {}, ("", "down")))
