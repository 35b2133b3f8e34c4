"""Readings beside kanji, and never the answer's own."""

import csv
import re
from pathlib import Path

import pytest

import lessons
from bot.clients.tokenizer import SudachiTokenizer
from lessons.furigana import annotate, part_of_speech
from lessons.model import BLANK, Word


@pytest.mark.parametrize(
    ("prompt", "answer", "shown", "pos"),
    [
        (f"図書館{BLANK}本を読みます。", "で", f"図書館(としょかん){BLANK}本(ほん)を読(よ)みます。", "助詞"),
        (f"お金を{BLANK}ください。", "貸して", f"お金(かね)を{BLANK}ください。", "動詞"),
        (f"これ{BLANK}ペンです。", "は", "", "助詞"),
        (f"{BLANK}が好きです。", "静かな海", f"{BLANK}が好(す)きです。", "形状詞"),
        (f"私{BLANK}学生です。", "は", f"私(わたし){BLANK}学生(がくせい)です。", "助詞"),
        (f"明日{BLANK}行きます。", "も", f"明日(あした){BLANK}行(い)きます。", "助詞"),
        (f"ペンが三本{BLANK}あります。", "も", "", "助詞"),
        (f"毎朝{BLANK}ます。", "走り", f"毎朝(まいあさ){BLANK}ます。", "動詞"),
        (f"食べ{BLANK}。", "られない", f"食(た)べ{BLANK}。", "助動詞"),
        (f"A「行く{BLANK}。」 / B「うん。」", "？", f"A「行(い)く{BLANK}。」 / B「うん。」", "補助記号"),
    ],
)
async def test_sentences(prompt: str, answer: str, shown: str, pos: str) -> None:
    tokenizer = SudachiTokenizer()
    try:
        (analysis,) = await tokenizer.analyse([prompt.replace(BLANK, answer)])
    finally:
        tokenizer.close()
    start = prompt.index(BLANK)
    span = (start, start + len(answer))
    assert annotate(analysis.words, span) == shown
    assert part_of_speech(analysis.words, span) == pos


WHAT = [
    *(
        (f"何{after}", f"何(なに){after}")
        for after in ("がある", "をする", "もない", "よりもいい", "かある", "から", "に", "は", "？")
    ),
    *(
        (f"何{after}", f"何(なん){after}")
        for after in ("で", "という", "のこと", "だ", "ですか", "でしょう", "なの", "って")
    ),
    ("何名様", "何(なん)名様(さま)"),
    ("何度も", "何度(なんど)も"),
    ("何らかの", ""),
]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *WHAT,
        ("そう言う人", "そう言(い)う人(ひと)"),
        ("手を洗う", "手(て)を洗(あら)う"),
        ("お皿と時間", "お皿(さら)と時間(じかん)"),
        ("その件", "その件(けん)"),
        ("三時間", ""),
        ("一皿", ""),
        ("二匹", ""),
        ("何時間も", "何時間(なんじかん)も"),
        ("辛いです", ""),
        ("ドアが開きません", ""),
        ("ドアを開ける", "ドアを開(あ)ける"),
        ("銀行の方", "銀行(ぎんこう)の方"),
        ("書き方", "書(か)き方(かた)"),
        ("引っ越し", "引(ひ)っ越(こ)し"),
        ("走り回る", "走(はし)り回(まわ)る"),
        ("申し込み", "申(もう)し込(こ)み"),
        ("子ども向け", "子(こ)ども向(む)け"),
        ("コーヒー豆", "コーヒー豆(まめ)"),
        ("三年前", "三年前(まえ)"),
        ("後半に入ると風が強まった", "後半(こうはん)に入(はい)ると風が強(つよ)まった"),
        ("日本中の", "日本(にほん)中の"),
        ("旅行中の", "旅行(りょこう)中(ちゅう)の"),
        ("大山教授", "大山教授(きょうじゅ)"),
        ("田中教授", "田中(たなか)教授(きょうじゅ)"),
        ("箱がある", "箱(はこ)がある"),
    ],
)
async def test_what_the_dictionary_cannot_know_stays_without_a_reading(text: str, shown: str) -> None:
    tokenizer = SudachiTokenizer()
    try:
        (analysis,) = await tokenizer.analyse([text])
    finally:
        tokenizer.close()
    assert annotate(analysis.words, (99, 99)) == shown


WRONG = re.compile(
    r"何\(なん\)(?:\[＿＿＿\])?[がをもよかに]|言\(ゆ\)|辛\(|都\(と\)|中\(ちゅう\)の人|大山\(だい|方\(ほう\)|開\(ひら\)き|箱\(ばこ\)"
)


async def test_no_starter_sentence_has_a_reading_that_was_found_wrong() -> None:
    rows = [
        row
        for file in sorted(Path(lessons.__file__).parent.joinpath("data").glob("*.csv"))
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
        if row["type"] == "cloze"
    ]
    assert len(rows) > 400
    tokenizer = SudachiTokenizer()
    try:
        analyses = await tokenizer.analyse([row["prompt"].replace(BLANK, row["answer"]) for row in rows])
    finally:
        tokenizer.close()
    for row, analysis in zip(rows, analyses, strict=True):
        start = row["prompt"].index(BLANK)
        shown = annotate(analysis.words, (start, start + len(row["answer"])))
        assert not WRONG.search(shown), shown


def word(surface: str, reading: str, *, known: bool = True) -> Word:
    return Word(surface, reading, surface, surface, ("名詞",), known)


def test_a_word_across_the_blanks_edge_keeps_its_secret() -> None:
    assert annotate([word("犬", "いぬ"), word("食べる", "たべる")], (2, 3)) == f"犬(いぬ)食{BLANK}る"


def test_unknown_words_and_odd_readings_stay_as_they_are() -> None:
    assert annotate([word("鬱蒼", "うっそう", known=False)], (9, 9)) == ""
    assert annotate([word("々", "々")], (9, 9)) == ""
    assert annotate([word("お茶", "お")], (9, 9)) == ""


def test_a_reading_that_could_be_cut_in_two_ways_stays_whole() -> None:
    assert annotate([word("生い意", "いいいい")], (9, 9)) == "生い意(いいいい)"


def test_a_sign_between_kanji_keeps_one_reading() -> None:
    assert annotate([word("一ヶ月", "いっかげつ")], (9, 9)) == "一ヶ月(いっかげつ)"


def test_no_words_no_part_of_speech() -> None:
    assert part_of_speech([], (0, 1)) == ""
    assert part_of_speech([Word("x", "x", "x", "x", ())], (0, 1)) == ""
