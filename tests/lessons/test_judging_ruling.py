"""A judgement, the rules, or nobody: what becomes of the grade."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.grading import as_wrong, grade
from lessons.judging import as_grade, by_rules, unjudged
from lessons.judging.forms import form_of
from lessons.judging.particles import MARKS
from lessons.model import (
    Accepted,
    Analysis,
    AnswerKey,
    Clipping,
    Confidence,
    DiffKind,
    DiffPart,
    ErrorType,
    Grade,
    GradeSource,
    Item,
    ItemId,
    ItemKind,
    Judgement,
    Opinion,
    PackId,
    Remark,
    Row,
    Unit,
    Verdict,
)

DIFF = (DiffPart(DiffKind.SAME, "食べ"), DiffPart(DiffKind.EXTRA, "る"))
BY_STRING = Grade(Verdict.WRONG, "食べた", (Remark.SMALL_KANA,), DIFF)
SAID = Judgement(Opinion.INCORRECT, ErrorType.TENSE, "動詞", "Tense.", "The past, please.", Confidence.HIGH)


@pytest.mark.parametrize(("opinion", "remarks"), [(Opinion.CORRECT, ()), (Opinion.ACCEPTABLE, (Remark.OTHER_ANSWER,))])
def test_a_judge_makes_an_answer_right_but_never_exact(opinion, remarks):
    right = replace(SAID, opinion=opinion, error_type=None)
    found = as_grade(right, BY_STRING, GradeSource.CACHE)
    assert found == Grade(Verdict.EQUIVALENT, "食べた", remarks, (), GradeSource.CACHE, right)


def test_a_wrong_answer_keeps_what_string_match_saw():
    assert as_grade(SAID, BY_STRING, GradeSource.JUDGE) == replace(BY_STRING, source=GradeSource.JUDGE, judgement=SAID)


@pytest.mark.parametrize(("attempt", "doubt"), [(True, True), (False, False)])
def test_an_attempt_turned_down_without_a_reason_is_said_with_doubt(attempt, doubt):
    bare = replace(SAID, error_type=None, attempt=attempt)
    found = as_grade(bare, BY_STRING, GradeSource.JUDGE)
    assert (found.verdict, found.judgement, found.source) == (Verdict.WRONG, bare, GradeSource.JUDGE)
    assert (Remark.NOT_JUDGED in found.remarks) is doubt


def test_what_nobody_judges_is_wrong_and_says_so_once():
    found = unjudged(replace(BY_STRING, verdict=Verdict.PENDING))
    assert found == replace(BY_STRING, remarks=(Remark.SMALL_KANA, Remark.NOT_JUDGED))
    assert unjudged(found) == found


def explained(look_up, answer, typed, unit=None, *, part_of_speech="", skill=None, language="ja"):
    row = Row("key", 1, "1", ItemKind.CLOZE, "x[＿＿＿]y", (answer,), skill=skill)
    clipping = Clipping(ItemId(1), unit, "N4", 1.0, True, "", "", "", language) if unit else None
    accepted = (Accepted(answer, analysis=look_up(answer)),)
    item = Item(ItemId(1), PackId(1), row, accepted, part_of_speech, clipping=clipping)
    key = AnswerKey(ItemKind.CLOZE, row.prompt, accepted, language)
    by_string = as_wrong(grade(key, look_up(typed)), key, look_up(typed))
    found = by_rules(item, look_up(typed), by_string)
    assert replace(found, source=GradeSource.STRING, judgement=None) == by_string
    assert (found.verdict, found.source) == (Verdict.WRONG, GradeSource.RULES)
    judgement = found.judgement
    assert (judgement.opinion, judgement.confidence) == (Opinion.INCORRECT, Confidence.HIGH)
    assert judgement.feedback.endswith(".")
    assert len(judgement.feedback) <= 300
    assert len(judgement.diagnosis) <= 200
    return judgement.error_type, judgement.diagnosis


@pytest.mark.parametrize(
    ("answer", "typed", "diagnosis"),
    [
        ("に", "で", f"Particle に marks {MARKS['に']}, while で marks {MARKS['で']}."),
        ("も", "犬", "Particle も marks what is true as well."),
        ("すら", "は", "Function word すら belongs here."),
    ],
)
def test_particles_are_explained_by_what_they_mark(look_up, answer, typed, diagnosis):
    assert explained(look_up, answer, typed, Unit.PARTICLE) == (ErrorType.PARTICLE, diagnosis)


def test_function_words_of_other_languages_are_named(look_up):
    said = explained(look_up, "the", "a", Unit.PARTICLE, language="en")
    assert said == (ErrorType.PARTICLE, "Function word the belongs here.")


@pytest.mark.parametrize(
    ("answer", "typed", "error_type", "diagnosis"),
    [
        ("食べました", "食べた", ErrorType.POLITENESS, "Politeness level: the polite past is asked here, not the plain past."),
        ("食べた", "食べる", ErrorType.TENSE, "Tense and aspect: the plain past is asked here, not the dictionary form."),
        ("飲んでいる", "飲む", ErrorType.TENSE, "Tense and aspect: the progressive form is asked here, not the dictionary form."),
        ("食べて", "食べた", ErrorType.CONJUGATION, "Conjugation: the て-form is asked here, not the plain past."),
        ("行けば", "行ったら", ErrorType.CONJUGATION, "Conjugation: the ば-form is asked here, not the たら-form."),
        ("高く", "高い", ErrorType.CONJUGATION, "Conjugation: the く-form is asked here, not the dictionary form."),
        ("静かな", "静かに", ErrorType.CONJUGATION, "Conjugation: the な-form is asked here, not the に-form."),
        ("行ける", "行く", ErrorType.CONJUGATION, "Conjugation: the potential form is asked here, not the dictionary form."),
        ("行って", "行きて", ErrorType.CONJUGATION, "Conjugation: the て-form is right here, but it is formed another way."),
        ("読んで", "読むいて", ErrorType.CONJUGATION, "Conjugation: the て-form is asked here."),
        ("食べた", "飲んだ", ErrorType.VOCABULARY, "Vocabulary: a form of another word is asked, 食べた."),
        ("食べた", "のんだ", ErrorType.VOCABULARY, "Vocabulary: a form of another word is asked, 食べた."),
        ("でした", "でしょう", ErrorType.CONJUGATION, "Conjugation: another form is asked here."),
    ],
)  # fmt: skip
def test_forms_are_explained_by_what_is_asked_and_given(look_up, answer, typed, error_type, diagnosis):
    assert explained(look_up, answer, typed, Unit.FORM) == (error_type, diagnosis)


def test_words_are_explained_by_the_word(look_up):
    said = explained(look_up, "病院", "銀行", Unit.WORD)
    assert said == (ErrorType.VOCABULARY, "Vocabulary: 病院 is the word that fits here.")


@pytest.mark.parametrize(
    ("answer", "typed", "skill", "error_type", "begins"),
    [
        ("早い", "速い", None, ErrorType.KANJI_KANA, "Spelling: the reading is right"),
        ("きって", "きて", None, ErrorType.KANJI_KANA, "Spelling: a small kana"),
        ("きって", "きて", ErrorType.CONJUGATION, ErrorType.CONJUGATION, "Spelling: a small kana"),
        ("かばん", "かはん", None, ErrorType.KANJI_KANA, "Spelling: a voicing mark"),
        ("おばあさん", "おばさん", None, ErrorType.KANJI_KANA, "Spelling: a long vowel"),
        ("は", "ha", ErrorType.PARTICLE, ErrorType.KANJI_KANA, "Spelling: the answer is written"),
    ],
)
def test_slips_of_spelling_come_first(look_up, answer, typed, skill, error_type, begins):
    found = explained(look_up, answer, typed, Unit.WORD, skill=skill)
    assert found[0] is error_type
    assert found[1].startswith(begins)


@pytest.mark.parametrize(
    ("part_of_speech", "begins"),
    [("助詞", "Function word"), ("動詞", "Vocabulary: a form"), ("名詞", "Vocabulary: 学校 is")],
)
def test_without_a_clipping_the_part_of_speech_tells_what_is_asked(look_up, part_of_speech, begins):
    assert explained(look_up, "学校", "銀行", part_of_speech=part_of_speech)[1].startswith(begins)


def test_rules_never_repeat_what_was_typed(look_up):
    for unit in Unit:
        assert "にほんご" not in " ".join(map(str, explained(look_up, "食べた", "にほんご", unit)))


@pytest.mark.parametrize(
    ("text", "head", "name"),
    [
        ("食べませんでした", "食べる", "polite negative past"),
        ("飲んだら", "飲む", "たら-form"),
        ("行きましょう", "行く", "polite volitional"),
        ("行け", "行く", "imperative"),
        ("食べ", "食べる", "stem"),
        ("食べないで", "食べる", "negative て-form"),
        ("食べたり", "食べる", "たり-form"),
        ("泣かせられた", "泣く", "causative passive past"),
        ("高くない", "高い", "plain negative form"),
        ("食べてしまった", "食べる", "completive plain past"),
        ("行きたい", "行く", "desiderative form"),
    ],
)
def test_forms_have_the_names_teachers_give_them(look_up, text, head, name):
    found = form_of(look_up(text).words)
    assert found.head == head
    assert set(found.name.split()) - {"plain"} == set(name.split()) - {"plain"}


@pytest.mark.parametrize("text", ["", "友達", "には", "食べる人", "行ってください"])
def test_what_is_no_single_inflected_word_has_no_form(look_up, text):
    assert form_of(look_up(text).words) is None


def test_words_without_parts_of_speech_have_no_form():
    assert form_of(Analysis("x").words) is None


def test_what_a_particle_marks_follows_a_verb():
    assert all(text and text[0].islower() and not text.endswith(".") for text in MARKS.values())


def test_what_two_particles_mark_fits_on_a_card():
    longest, second = sorted(MARKS.values(), key=len)[-2:]
    assert len(f"Particle によると marks {longest}, while によると marks {second}.") <= 200
