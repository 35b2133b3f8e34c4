"""What the judge is asked: stable rules, one JSON object of data, and a schema in the right order."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.judging import (
    ALTERNATIVES_SCHEMA,
    ALTERNATIVES_SYSTEM,
    SCHEMA,
    SYSTEM,
    alternatives_call,
    call,
    parse,
    parse_alternatives,
    turn,
)
from lessons.model import (
    Accepted,
    Clipping,
    ErrorType,
    Item,
    ItemId,
    ItemKind,
    ModelCall,
    PackId,
    Purpose,
    Row,
    Unit,
)


def item(prompt="大阪[＿＿＿]住む。", *answers, kind=ItemKind.CLOZE, hint="", language=""):
    row = Row("key", 1, "1", kind, prompt, answers or ("に",), hint=hint)
    clipping = Clipping(ItemId(1), Unit.PARTICLE, "N5", 1.0, True, "title", "source", "", language)
    return Item(ItemId(77), PackId(5), row, (Accepted("に"),), clipping=clipping if language else None)


def test_everything_about_one_answer_is_one_json_object():
    asked = json.loads(turn(item("大阪[＿＿＿]住む。", "に", "へ", hint="place"), " ||で||\u200b。", "de"))
    assert asked == {
        "item_id": "item",
        "kind": "cloze",
        "task": "大阪＿＿＿住む。",
        "given": "place",
        "references": ["に", "へ"],
        "answer": "で",
        "target_lang": "ja",
        "feedback_lang": "de",
    }


def test_the_language_of_an_article_is_the_one_that_is_learned():
    assert json.loads(turn(item(language="de"), "x", "en"))["target_lang"] == "de"


def test_a_word_is_a_translation():
    assert json.loads(turn(item("dog", "犬", kind=ItemKind.VOCAB), "猫", "en"))["kind"] == "translate"


def test_an_answer_is_cut_and_shows_nothing_hidden():
    asked = json.loads(turn(item("a\u202eb\ud800[＿＿＿]", "に\U000e0041"), "あ\u202e" * 600, "en"))
    assert asked["answer"] == "あ" * 500
    assert (asked["task"], asked["references"]) == ("ab＿＿＿", ["に"])


@given(st.text(), st.text(max_size=30))
def test_whatever_is_typed_stays_one_value_that_can_be_sent(typed, prompt):
    sent = turn(item(f"{prompt}[＿＿＿]"), typed, "en").encode()
    assert len(json.loads(sent)) == 8


def test_the_rules_are_the_same_for_everybody_and_hold_nothing_of_the_learner():
    one, other = call(item(), "で", "en"), call(item("これ[＿＿＿]何？", "は"), "秘密の文", "ja", Purpose.REGRADE)
    assert one.system == other.system == SYSTEM
    assert (one.purpose, other.purpose) == (Purpose.GRADE, Purpose.REGRADE)
    assert (one.max_tokens, one.seconds, one.schema) == (400, 8.0, SCHEMA)
    assert "秘密の文" in other.turn
    assert "秘密の文" not in other.system


def test_the_verdict_follows_the_diagnosis():
    fields = ["diagnosis", "error_type", "part_of_speech", "feedback", "verdict", "confidence"]
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == fields
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["properties"]["error_type"]["enum"] == ["none", *ErrorType, "not_an_answer"]


@pytest.mark.parametrize("schema", [SCHEMA, ALTERNATIVES_SCHEMA])
def test_schemas_have_no_keyword_the_service_refuses(schema):
    written = json.dumps(schema)
    assert not any(f'"{word}' in written for word in ("min", "max", "pattern", "format", "default"))


def test_the_examples_follow_the_schema():
    lines = [line for line in SYSTEM.split("# Examples")[1].splitlines() if line]
    assert len(lines) == 8
    assert all(list(json.loads(line)) == list(json.loads(turn(item(), "x", "en"))) for line in lines[::2])
    heard = [parse(line) for line in lines[1::2]]
    assert all(one.diagnosis and one.feedback for one in heard)
    assert [one.attempt for one in heard] == [True, True, True, False]


def test_alternatives_are_asked_for_many_gaps_at_once():
    asked = alternatives_call([("0.0", "大阪＿＿＿行く。", "に"), ("0.1", "大阪に＿＿＿（行く）。", "行く\u202e")])
    assert isinstance(asked, ModelCall)
    assert (asked.purpose, asked.system, asked.schema) == (
        Purpose.ALTERNATIVES,
        ALTERNATIVES_SYSTEM,
        ALTERNATIVES_SCHEMA,
    )
    assert json.loads(asked.turn)["gaps"][1] == {"id": "0.1", "sentence": "大阪に＿＿＿（行く）。", "answer": "行く"}
    assert asked.max_tokens > alternatives_call([]).max_tokens


def said(*gaps):
    return json.dumps({"gaps": list(gaps)})


def gap(name="0.0", alternatives=(), *, is_open=False):
    return {"id": name, "alternatives": list(alternatives), "open": is_open}


def test_alternatives_are_heard_by_id():
    heard = parse_alternatives("Here: " + said(gap("0.0", ["へ", "へ。", "まで"]), gap("0.1", is_open=True)))
    assert heard == {"0.0": (("へ", "まで"), False), "0.1": ((), True)}


@pytest.mark.parametrize(
    "filler",
    [
        "",
        "。",
        "あ" * 41,
        "に\u202eへ",
        "https://evil.example",
        "evil.com",
        "に、へ",
        "に（へ）",
        "に / へ",
        "＿＿＿",
        "<b>",
        "@everyone",
    ],
)
def test_what_no_gap_can_hold_is_no_alternative(filler):
    assert parse_alternatives(said(gap(alternatives=[filler, "へ"]))) == {"0.0": (("へ",), False)}


def test_five_alternatives_are_enough():
    assert parse_alternatives(said(gap(alternatives="いろはにほへと")))["0.0"][0] == tuple("いろはにほ")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "none",
        "[]",
        "{}",
        '{"gaps": {}}',
        '{"gaps": [1]}',
        '{"gaps": [], "more": 1}',
        said({"id": 1, "alternatives": [], "open": False}),
        said({"id": "a", "alternatives": "へ", "open": False}),
        said({"id": "a", "alternatives": [1], "open": False}),
        said({"id": "a", "alternatives": [], "open": "no"}),
        said({"id": "a", "alternatives": []}),
        said({**gap(), "more": 1}),
        said() + said(),
    ],
)
def test_alternatives_that_follow_no_schema_are_refused(reply):
    with pytest.raises(ValueError, match=r"."):
        parse_alternatives(reply)
