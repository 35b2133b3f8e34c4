"""The starter packs as learners answer them: natural answers are right, and no other word is called half right."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import lessons
from lessons.grading import grade
from lessons.model import RIGHT, Accepted, AnswerKey, ItemKind, Remark, Verdict
from lessons.text import fold
from lessons.wording import cue_and_hint

DATA = Path(lessons.__file__).parent / "data"
ROWS = {
    file.stem: list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    for file in sorted(DATA.glob("*.csv"))
}


@pytest.fixture(scope="session")
def answered(look_up):
    """Grade a text typed for the row of a starter pack."""

    def grade_for(row, typed):
        given = tuple(row["reading"].split("|"))
        accepted = [
            Accepted(text, fold(text), given if place == 0 or look_up(text).reading in given else (), look_up(text))
            for place, text in enumerate([row["answer"], *filter(None, row["also_ok"].split("|"))])
        ]
        return grade(AnswerKey(ItemKind(row["type"]), row["prompt"], tuple(accepted)), look_up(typed))

    return grade_for


NATURAL = [
    ("giving_receiving", "道で会った人に", "もらえて"),
    ("giving_receiving", "部長に相談に乗って", "いただけて"),
    ("giving_receiving", "社長にネクタイを", "頂戴しました"),
    ("conditionals", "困ったことが", "ありましたら"),
    ("conditionals", "あなたさえ", "よろしければ"),
    ("conditionals", "空港に", "着きましたら"),
    ("conditionals", "市役所へはどう", "行きましたら"),
    ("conditionals", "あなたが行く", "のでしたら"),
    ("conditionals", "あした雨が", "降りましても"),
    *(("conditionals", "この漢字は難しすぎて", typed) for typed in ("でさえ", "ですら", "も")),
    *(("conditionals", "家に帰る前に雨が", typed) for typed in ("降ってきたら", "降り出したら")),
    ("everyday_words", "to change (trains", "乗り継ぐ"),
    ("everyday_words", "a little while ago", "今さっき"),
    ("everyday_words", "deadline", "期日"),
    ("everyday_words", "discount", "値下げ"),
    ("particles", "世界[", "の中で"),
    ("particles", "横浜のホテル", "にて"),
    ("particles", "見る[", "のみ"),
    ("particles", "一つ[", "のみ"),
    ("particles", "危ない[", "ので"),
    ("particles", "この店は安い", "ものの"),
    ("particles", "朝六時", "には"),
    ("particles", "家から駅", "までは"),
    ("particles", "レポートは金曜日", "までには"),
    ("verb_forms", "そろそろ", "帰ろうかな"),
    ("verb_forms", "医者に、酒を", "止めろ"),
]


@pytest.mark.parametrize(("pack", "prompt", "typed"), NATURAL)
def test_natural_answers_are_right(answered, pack, prompt, typed):
    (row,) = (row for row in ROWS[pack] if prompt in row["prompt"])
    assert answered(row, typed).verdict in RIGHT


@pytest.mark.parametrize(
    ("pack", "prompt", "cue"),
    [
        ("verb_forms", "この水が", "飲む (potential)"),
        ("verb_forms", "安全に", "遊ぶ (potential)"),
        ("verb_forms", "旅行に[", "行く (wish)"),
        ("passive_causative", "今日は早く", "帰る (causative)"),
        ("passive_causative", "お店の中の写真", "撮る (causative)"),
    ],
)
def test_the_cue_says_what_the_sentence_leaves_open(pack, prompt, cue):
    (row,) = (row for row in ROWS[pack] if prompt in row["prompt"])
    assert cue_and_hint(row["hint"])[0] == cue


def test_another_word_of_the_lesson_typed_in_kana_is_never_called_half_right(answered):
    for row in ROWS["everyday_words"]:
        for other in ROWS["everyday_words"]:
            if other["lesson"] == row["lesson"] and other is not row:
                found = answered(row, other["reading"].split("|")[0])
                assert found.verdict is Verdict.WRONG, (row["answer"], other["reading"])


def test_every_verb_in_its_polite_form_is_asked_for_its_dictionary_form(answered):
    polite = {"乗り換える": "のりかえます", "辞める": "やめます", "晴れる": "晴れます", "払う": "はらいます"}
    polite |= {
        "緊張する": "緊張します",
        "安心する": "あんしんします",
        "怒る": "怒ります",
        "驚く": "おどろきます",
        "飽きる": "飽きます",
    }
    for row in ROWS["everyday_words"]:
        if row["answer"] in polite:
            assert answered(row, polite[row["answer"]]).remarks == (Remark.DICTIONARY_FORM,), row["answer"]
