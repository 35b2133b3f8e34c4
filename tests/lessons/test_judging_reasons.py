"""What a learner is told by rules: this sentence's explanation first, then one clause, and nothing that contradicts itself."""

from __future__ import annotations

import pytest

from lessons.grading import as_wrong, grade
from lessons.judging import by_rules
from lessons.judging.forms import form_of
from lessons.judging.particles import MARKS, meant
from lessons.model import (
    Accepted,
    AnswerKey,
    Clipping,
    ErrorType,
    Item,
    ItemId,
    ItemKind,
    PackId,
    Row,
    Unit,
)

WHY = "Subject particle が marks what 減る is said of."


def told(look_up, answer, typed, unit, explanation="", nuances=()):
    row = Row("key", 1, "1", ItemKind.CLOZE, "町は人口[＿＿＿]減った。", (answer,), explanation=explanation)
    clipping = Clipping(ItemId(1), unit, "N4", 1.0, True, "", "", "", "ja")
    item = Item(
        ItemId(1),
        PackId(1),
        row,
        (Accepted(answer, readings=(look_up(answer).reading,), analysis=look_up(answer)),),
        clipping=clipping,
    )
    key = AnswerKey(ItemKind.CLOZE, row.prompt, item.accepted, nuances=nuances)
    return by_rules(item, look_up(typed), as_wrong(grade(key, look_up(typed)), key, look_up(typed))).judgement


@pytest.mark.parametrize(
    ("answer", "typed", "nuances", "clause"),
    [
        ("が", "を", (), "を would mark the direct object."),
        ("が", "は", (), "は would mark the topic, or a contrast with something else."),
        (
            "が",
            "は",
            ("は",),
            "は is possible here, but it would mark the topic, or a contrast with something else.",
        ),
        ("に", "で", (), "で would mark the place of an action."),
        ("で", "に", (), "に would mark where something is, or goes."),
        ("が", "犬", (), "A particle is asked here."),
    ],
)
def test_the_explanation_comes_first_and_then_one_clause(look_up, answer, typed, nuances, clause):
    assert told(look_up, answer, typed, Unit.PARTICLE, WHY, nuances).feedback == f"{WHY} {clause}"


def test_without_an_explanation_both_sides_are_told(look_up):
    said = told(look_up, "に", "で", Unit.PARTICLE).feedback
    assert said == "Here に marks where something is, or goes; で would mark the place of an action."
    assert told(look_up, "も", "犬", Unit.PARTICLE).feedback == f"A particle is asked here: も marks {MARKS['も']}."


def test_an_overlong_explanation_is_left_out(look_up):
    said = told(look_up, "すら", "は", Unit.PARTICLE, "x" * 201).feedback
    assert said == "The word that belongs here is すら."
    assert told(look_up, "すら", "は", Unit.PARTICLE, WHY).feedback == WHY


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("捕まえられた", "捕まった"),
        ("捕まえられた", "捕まられた"),
        ("捕まえた", "捕まった"),
        ("捕まえた", "つかまった"),
        ("早めに", "早く"),
        ("始めた", "始まった"),
        ("起こる", "起きる"),
        ("食べられた", "飲まれた"),
        ("開けられた", "開かれた"),
        ("参加した", "参入した"),
        ("安全に", "安心に"),
    ],
)
def test_the_form_of_another_verb_is_another_word(look_up, answer, typed):
    found = told(look_up, answer, typed, Unit.FORM, f"Conjugation: it becomes {answer}.")
    assert found.error_type is ErrorType.VOCABULARY
    assert found.feedback == f"Conjugation: it becomes {answer}. Another word is asked: {answer}."


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("急いで", "急いて"),
        ("行って", "行きて"),
        ("勝った", "かって"),
        ("話せた", "話した"),
        ("閉めた", "閉めった"),
        ("伝わった", "伝わた"),
        ("切った", "切た"),
        ("静かに", "静かく"),
        ("考えた", "考えった"),
        ("会いました", "会うました"),
    ],
)
def test_a_form_of_the_word_is_no_other_word(look_up, answer, typed):
    assert told(look_up, answer, typed, Unit.FORM).error_type is not ErrorType.VOCABULARY


@pytest.mark.parametrize(
    ("answer", "typed"),
    [(asked, given) for asked in ("捕まえられた", "食べた", "早めに", "増えている") for given in ("捕まった", "飲んだ", "早く", "増えてる", "増えた")],
)  # fmt: skip
def test_nobody_is_told_that_what_is_asked_is_what_was_given(look_up, answer, typed):
    said = told(look_up, answer, typed, Unit.FORM).feedback
    asked, given = form_of(look_up(answer).words), form_of(look_up(typed).words)
    assert asked.name != given.name or f"gave the {given.name}" not in said


def test_a_contracted_form_is_named_as_speech(look_up):
    found = told(
        look_up, "増えている", "増えてる", Unit.FORM, "Conjugation: 増える becomes 増えている (〜ている, plain)."
    )
    assert found.error_type is ErrorType.POLITENESS
    assert found.feedback.endswith("You gave the spoken, contracted form; it is written in full here.")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("行きます", "polite form"),
        ("食べられる", "passive form"),
        ("増えている", "progressive form"),
        ("行かない", "plain negative form"),
        ("行きません", "polite negative form"),
        ("行きませんでした", "polite negative past"),
        ("行った", "plain past"),
        ("行って", "て-form"),
        ("行く", "dictionary form"),
    ],
)
def test_the_name_of_a_form_can_be_asked_for(look_up, text, name):
    assert form_of(look_up(text).words).name == name


def test_what_a_particle_would_mark_is_one_short_clause():
    said = [meant(given, asked) for given in MARKS for asked in MARKS]
    assert all(0 < len(each) <= 60 and not each.endswith(".") for each in said)
