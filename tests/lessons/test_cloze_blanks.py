"""Blanks of Japanese sentences: whole units, cues, what fits, and the rows made of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessons import grading
from lessons.cloze import CLOSED, blanks, levels_of, load_levels, row, split
from lessons.model import BLANK, Accepted, AnswerKey, Blank, ErrorType, ItemKind, Prose, Sentence, Unit, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Analysis

    LookUp = Callable[[str], Analysis]

PIECES = (
    *(
        "は",
        "が",
        "を",
        "に",
        "で",
        "と",
        "の",
        "も",
        "から",
        "まで",
        "より",
        "しか",
        "や",
        "か",
        "へ",
        "「",
        "」",
        "。",
        "、",
        "…",
    ),
    *(
        "市",
        "雨",
        "三",
        "人",
        "日",
        "前",
        "学校",
        "こと",
        "食べ",
        "行っ",
        "来",
        "て",
        "い",
        "た",
        "ます",
        "ない",
        "なけれ",
        "ば",
        "られ",
    ),
    *(
        "静か",
        "高",
        "く",
        "すぎ",
        "たい",
        "だ",
        "です",
        "A",
        "1",
        " ",
        "🎌",
        "ー",
        "ゲッポロン",
        "たくさん",
        "する",
        "避難",
    ),
)


def _sentence(look_up: LookUp, text: str, *rubies: tuple[str, str]) -> Sentence:
    (sentence,) = split(Prose("", (text,), rubies=rubies), [look_up(text)])
    return sentence


def _blanks(look_up: LookUp, text: str, *rubies: tuple[str, str]) -> list[Blank]:
    return blanks(_sentence(look_up, text, *rubies), load_levels())


def _particle(look_up: LookUp, marked: str) -> Blank:
    """Return the blank of the particle in [brackets]."""
    before, _, rest = marked.partition("[")
    answer, _, after = rest.partition("]")
    found = [one for one in _blanks(look_up, before + answer + after) if one.start == len(before)]
    assert [one.answer for one in found] == [answer]
    return found[0]


@pytest.mark.parametrize(
    ("text", "answer", "cue", "level"),
    [
        (
            "子どもは何も食べられていませんでした。",
            "食べられていませんでした",
            "食べる (〜られる, 〜ている, polite negative past, 〜ません)",
            "N4",
        ),
        ("学校が開かれた。", "開かれた", "開く (passive, plain past)", "N4"),
        ("雨が降り続いた。", "降り続いた", "降り続く (plain past)", "N5"),
        ("薬を飲みすぎたり走ったりした。", "飲みすぎたり", "飲みすぎる (たり-form)", "N5"),
        ("彼は忙しすぎて困った。", "忙しすぎて", "忙しすぎる (て-form)", "N5"),
        ("字が読みにくくなった。", "読みにくく", "読みにくい (く-form)", "N5"),
        ("住民は避難しました。", "避難しました", "避難する (polite past)", "N5"),
        ("人が不足している。", "不足している", "不足する (〜ている, plain)", "N5"),
        ("客に喜んでもらえるならうれしい。", "喜んでもらえるなら", "喜ぶ (〜てもらえる, なら-form)", "N4"),
        ("外に出ないでください。", "出ないで", "出る (〜ないで)", "N5"),
        ("水を飲まなくて困った。", "飲まなくて", "飲む (negative て-form)", "N5"),
        ("注意してください。", "注意してください", "注意する (〜てください)", "N5"),
        ("準備しておらず困った。", "準備しておらず", "準備する (〜ておる, 〜ず)", "N3"),
        ("見に行こうと話した。", "行こう", "行く (volitional)", "N4"),
        ("早く行きましょう。", "行きましょう", "行く (polite volitional)", "N4"),
        ("すぐに止まれと叫んだ。", "止まれ", "止まる (command)", "N4"),
        ("雨が降りそうだ。", "降りそうだ", "降る (〜そう, plain)", "N4"),
        ("町は静かでした。", "静かでした", "静か (polite past)", "N5"),
        ("町は便利で明るい。", "便利で", "便利 (で-form)", "N5"),
        ("静かな町を歩いた。", "静かな", "静か (な-form)", "N5"),
        ("値段は高くなかったです。", "高くなかったです", "高い (polite negative past, 〜ないです)", "N5"),
        ("駅に近ければ買う。", "近ければ", "近い (ば-form)", "N4"),
        ("歌を歌いながら歩いた。", "歌いながら", "歌う (〜ながら)", "N4"),
        ("話を聞きたかったら来る。", "聞きたかったら", "聞く (〜たい, 〜たら)", "N4"),
        ("川があふれ、道が消えた。", "消えた", "消える (plain past)", "N5"),
        ("揺れを感じた。", "感じた", "感じる (plain past)", "N5"),
        ("質問に応じました。", "応じました", "応じる (polite past)", "N5"),
        ("変化が生じている。", "生じている", "生じる (〜ている, plain)", "N5"),
        ("使用を禁じられた。", "禁じられた", "禁じる (〜られる, plain past)", "N4"),
        ("命を軽んじた。", "軽んじた", "軽んじる (plain past)", "N5"),
        ("春が感ぜられた。", "感ぜられた", "感ずる (〜られる, plain past)", "N4"),
        ("店は閉まりました。", "閉まりました", "閉まる (polite past)", "N5"),
        ("市は動きませんでした。", "動きませんでした", "動く (polite negative past, 〜ません)", "N5"),
    ],
)
def test_a_form_is_one_blank_with_its_dictionary_form_and_name(
    look_up: LookUp, text: str, answer: str, cue: str, level: str
) -> None:
    found = {blank.answer: blank for blank in _blanks(look_up, text) if blank.unit is Unit.FORM}
    assert answer in found
    assert (found[answer].cue, found[answer].level) == (cue, level)
    assert found[answer].error_type is ErrorType.CONJUGATION


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("川があふれ、道が消えた。", "あふれ"),  # read off the cue
        ("ご飯を食べちゃった。", "食べちゃった"),  # spoken
        ("明日は晴れるでしょう。", "晴れるでしょう"),
        ("罰金を払わなければならない。", "払わなければ"),
        ("駅に着いた。店に着いた。", "着いた"),
        ("行くべき店だ。", "行くべき"),
        ("橋を渡らされた。", "された"),
    ],
)
def test_some_forms_are_not_asked(look_up: LookUp, text: str, absent: str) -> None:
    prose = Prose("", (text,))
    whole = Sentence(text, look_up(text).words, 0)
    assert split(prose, [look_up(text)])
    assert absent not in {blank.answer for blank in blanks(whole, load_levels())}


@pytest.mark.parametrize(
    ("text", "sure"), [("待たせられた客が怒った。", False), ("窓を閉めろと叫んだ。", False), ("客が来た。", True)]
)
def test_a_form_that_can_be_made_in_two_ways_is_not_closed(look_up: LookUp, text: str, *, sure: bool) -> None:
    first = next(blank for blank in _blanks(look_up, text) if blank.unit is Unit.FORM)
    assert first.closed is sure


@pytest.mark.parametrize(
    ("marked", "also"),
    [
        ("新しい制度[を]導入した。", ()),
        ("本[を]図書館に返した。", ()),
        ("外国語[を]話せる人がいる。", ("が",)),
        ("雨[が]降る日が続く。", ("の",)),
        ("雨[が]降るため休む。", ()),
        ("雨[が]降れば休む。", ()),
        ("雪[が]降ると寒い。", ()),
        ("町は人口[が]減った。", ()),
        ("雨が降る可能性[が]ある町だ。", ("の",)),
        ("影響[が]ある地域だ。", ("の",)),
        ("優勝したの[は]初めてだ。", ()),
        ("誰[も]知らない話だ。", ()),
        ("花を見[に]来た。", ()),
        ("春[に]なった。", ("と",)),
        ("春[に]なると暖かい。", ()),
        ("会議は三日[に]開かれた。", ()),
        ("会議は月曜日[に]開かれた。", ()),
        ("出かける前[に]、窓を閉めた。", ()),
        ("事故は三十分後[に]起きた。", ()),
        ("学校[に]行った。", ("へ",)),
        ("大会[に]参加した。", ()),
        ("町[に]ある店だ。", ()),
        ("学校[へ]行った。", ("に",)),
        ("世界[で]最も高い山だ。", ()),
        ("大会は町[で]開かれた。", ()),
        ("「行く」[と]話した。", ()),
        ("「行く」[と]、市長は話した。", ()),
        ("雨が降る[と]思う。", ()),
        ("店を開こう[と]した。", ()),
        ("去年[と]比べて多い。", ("に",)),
        ("店は朝[から]夜まで開く。", ("より",)),
        ("食べて[から]出かけた。", ()),
        ("会議は三時[から]始まる。", ("より",)),
        ("五月から七月[まで]続く。", ()),
        ("予想[より]高い。", ()),
        ("水[しか]ない。", ()),
        ("肉[や]魚などを買う。", ("と",)),
        ("泳ぐ[の]は楽しい。", ()),
        ("三人[の]子どもだ。", ()),
        ("駅[の]近くに住む。", ()),
        ("駅から[の]道だ。", ()),
        ("誰が来る[か]調べた。", ()),
    ],
)
def test_a_particle_that_its_words_decide_is_closed(look_up: LookUp, marked: str, also: tuple[str, ...]) -> None:
    blank = _particle(look_up, marked)
    assert blank.closed, blank.certainty
    assert (blank.also, blank.cue) == (also, f"particle, {len(blank.answer)} kana")
    assert blank.error_type is ErrorType.PARTICLE


@pytest.mark.parametrize(
    "marked",
    [
        *("市[は]制度を変えた。", "市[が]制度を変えた。", "雨が降った[が]、行った。", "道[を]歩いた。", "財布[を]盗まれた。", "窓[を]開いた。"),
        *("町[を]静かな場所に変えた。", "大きな花[を]白い紙に書いた。", "三人[が]来た。", "百人[が]減った。", "駅[で]あった。", "車[で]、来た。"),
        *("子ども[に]話した。", "先生[に]呼ばれた。", "店は八時[に]閉まる。", "前[に]、店があった。", "今日[も]行った。", "誰[も]行った。"),
        *("駅[へ]の道だ。", "友人[と]話した。", "名犬[と]呼ばれた。", "押す[と]開く。", "友人[と]遊んだ。", "町[から]来た。", "駅[まで]行った。"),
        *("去年[より]高くなった。", "去年[より]増えた。", "三人[しか]来た。", "肉[や]魚だ。", "市[の]道を使う。", "雪[の]降る町だ。", "母[の]作る菓子だ。"),
        *("会社[か]学校だ。", "水[だけ]飲んだ。", "今年[で]初めてだ。", "授業は時間[が]ある。", "学校では授業[が]ある。", "兄[で]遊ぶ。"),
        *("兄は教室[に]いる。", "花[に]美しく、水[に]強い。", "歌うの[は]楽しい。", "三人[で]遊んだ。", "長い冬が終わったあとの広い町に雪[が]とても"),
    ],
)  # fmt: skip
def test_a_particle_that_others_could_replace_is_left_to_a_judge(look_up: LookUp, marked: str) -> None:
    before, _, rest = marked.partition("[")
    answer, _, after = rest.partition("]")
    text = before + answer + after.replace("[", "").replace("]", "")
    found = [blank for blank in _blanks(look_up, text) if blank.start == len(before)]
    assert not any(blank.closed for blank in found)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "住民について調べる。",
            "天気によると雨だ。",
            "代表として話す。",
            "食べることができる。",
            "行くかどうか迷う。",
            "寒いので帰る。",
        ),
        *(
            "安いのに買う。",
            "行くのだ。",
            "首相という人だ。",
            "食べてもいい。",
            "知るために読む。",
            "いいですね。",
            "と話した。",
        ),
    ],
)
def test_fixed_expressions_and_endings_are_no_particle_blanks(look_up: LookUp, text: str) -> None:
    asked = {blank.answer for blank in _blanks(look_up, text) if blank.unit is Unit.PARTICLE}
    assert not asked & {"に", "と", "が", "か", "の", "で", "も", "ね"}


def test_a_noun_keeps_its_own_no_before_de_and_ni(look_up: LookUp) -> None:
    asked = [blank.answer for blank in _blanks(look_up, "「雨だ」という声と、大きいのが出た。")]
    assert "の" in asked
    assert [one.answer for one in _blanks(look_up, "彼が来るという。") if one.unit is Unit.PARTICLE] == ["が", "と"]


@pytest.mark.parametrize(
    ("text", "answer", "cue", "level", "closed"),
    [
        ("図書館が建つ。", "図書館", "とし＿＿＿ (5 kana)", "N5", True),
        ("スーパーが建つ。", "スーパー", "スー＿＿ (4 kana)", "N4", True),
        ("祖父が来た。", "祖父", "そ＿ (2 kana)", "N4", False),
        ("来月が楽しみだ。", "来月", "らい＿＿ (4 kana)", "N5", False),
        ("展望台が建つ。", "展望台", "てん＿＿＿＿ (6 kana)", "", False),
        ("川を流れる水だ。", "流れる", "なが＿＿ (4 kana)", "N3", True),
    ],
)
def test_a_word_is_asked_with_its_first_kana(
    look_up: LookUp, text: str, answer: str, cue: str, level: str, *, closed: bool
) -> None:
    found = {blank.answer: blank for blank in _blanks(look_up, text)}[answer]
    assert (found.cue, found.level, found.closed, found.unit) == (cue, level, closed, Unit.WORD)
    assert found.error_type is ErrorType.VOCABULARY


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("東京で田中さんが三人の客と会った。", {"東京", "田中", "三", "人"}),
        ("降水確率が高い。", {"降水", "確率"}),
        ("学校の前に学校がある。", {"学校"}),
        ("大雨の日は雨が強い。", {"雨"}),
        ("がっこうは学校だ。", {"学校", "がっこう"}),
        ("NHKとABCがゲッポロンを見た。", {"NHK", "ABC", "ゲッポロン"}),
        ("朝の市場で会う。", {"市場"}),
        ("お客と新制度を見る。", {"客", "制度"}),
        ("サッカー・野球が好きだ。", {"サッカー", "野球"}),
        ("行くことがいい。", {"こと"}),
    ],
)
def test_names_numbers_parts_of_compounds_and_shown_words_are_not_asked(
    look_up: LookUp, text: str, absent: set[str]
) -> None:
    assert not absent & {blank.answer for blank in _blanks(look_up, text) if blank.unit is Unit.WORD}


def test_furigana_of_the_page_outranks_the_dictionary(look_up: LookUp) -> None:
    found = {blank.answer: blank for blank in _blanks(look_up, "紅葉が美しい。", ("紅葉", "もみじ"))}
    assert (found["紅葉"].reading, found["紅葉"].cue[0]) == ("もみじ", "も")


def test_blanks_are_whole_in_order_apart_and_inside_the_sentence(look_up: LookUp) -> None:
    text = "きのうの夜から降り続いた大雨で、町を流れる川の水があふれました。"
    found = _blanks(look_up, text)
    assert [text[blank.start : blank.end] for blank in found] == [blank.answer for blank in found]
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(blank.closed is (blank.certainty >= CLOSED) and 0 <= blank.certainty <= 1 for blank in found)


def test_sentences_nobody_could_ask_have_no_blanks(look_up: LookUp) -> None:
    long = "雨が降り、" * 61 + "寒い。"
    assert blanks(Sentence(long, look_up(long).words, 0), load_levels()) == []
    assert blanks(Sentence("", (), 0), load_levels()) == []


@pytest.mark.parametrize(
    ("text", "answer", "hint", "explanation", "tags"),
    [
        ("制度を導入した。", "を", "particle, 1 kana → direct object", "Object particle を marks the thing that 導入する is done to.", ("n5",)),
        ("本を渡された。", "渡された", "渡す (passive, plain past) → begins with 渡, 5 kana", "Conjugation: 渡す becomes 渡された (passive, plain past).", ("n4",)),
        ("図書館が建つ。", "図書館", "とし＿＿＿ (5 kana) → ends with ん", "Vocabulary: the word here is 図書館 (としょかん).", ("n5",)),
        ("トラブルが起きた。", "トラブル", "トラ＿＿ (4 kana) → ends with ル", "Vocabulary: the word here is トラブル.", ("n1",)),
        ("コピーが要る。", "コピー", "コ＿＿ (3 kana) → ends with ピー", "Vocabulary: the word here is コピー.", ()),
        ("役者が来た。", "役者", "やく＿＿ (4 kana) → ends with しゃ", "Vocabulary: the word here is 役者 (やくしゃ).", ("n2",)),
        ("茶が出た。", "茶", "ち＿ (2 kana) → ends with ゃ", "Vocabulary: the word here is 茶 (ちゃ).", ("n3",)),
        ("しゃべった。", "しゃべった", "しゃべる (plain past) → begins with しゃ, 5 kana", "Conjugation: しゃべる becomes しゃべった (plain past).", ("n5",)),
        ("その町でゆっくり休む。", "ゆっくり", "ゆっ＿＿ (4 kana) → ends with り", "Vocabulary: the word here is ゆっくり.", ()),
    ],
)  # fmt: skip
def test_a_row_shows_the_cue_and_explains_the_answer(
    look_up: LookUp, text: str, answer: str, hint: str, explanation: str, tags: tuple[str, ...]
) -> None:
    sentence = _sentence(look_up, text)
    blank = next(one for one in blanks(sentence, load_levels()) if one.answer == answer)
    made = row(sentence, blank, "key", 7)
    assert made.prompt.replace(BLANK, answer) == text
    assert (made.hint, made.explanation, made.tags) == (hint, explanation, tags)
    assert (made.kind, made.skill, made.reading) == (ItemKind.CLOZE, blank.error_type, blank.reading)


def test_every_answer_of_a_row_is_graded_right(look_up: LookUp) -> None:
    sentence = _sentence(look_up, "学校へ行った子どもが、英語を話せる先生に図書館で会いました。")
    for blank in blanks(sentence, load_levels()):
        made = row(sentence, blank, "key", 1)
        accepted = tuple(Accepted(text, text, (made.reading,), look_up(text)) for text in made.answers)
        for answer in made.answers:
            verdict = grading.grade(AnswerKey(ItemKind.CLOZE, made.prompt, accepted), look_up(answer)).verdict
            assert verdict is Verdict.EXACT


@example("はがなけれ")
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_gives_whole_blanks_and_rows(look_up: LookUp, text: str) -> None:
    sentence = Sentence(text, look_up(text).words, 0)
    for blank in blanks(sentence, load_levels()):
        assert text[blank.start : blank.end] == blank.answer
        assert blank.answer not in blank.also
        made = row(sentence, blank, "key", 1)
        assert made.prompt.replace(BLANK, blank.answer) == text
        assert made.explanation


def test_levels_know_words_by_reading_and_count_rivals() -> None:
    levels = levels_of(
        [
            ("来月", "らいげつ", 5),
            ("来年", "らいねん", 5),
            ("雷雨", "らいう", 1),
            ("表", "ひょう", 3),
            ("表", "おもて", 4),
            ("ライネン", "", 1),
        ]
    )
    assert (levels.of("表", "おもて"), levels.of("表"), levels.of("表", "べつ"), levels.of("裏")) == (
        "N4",
        "N4",
        "",
        "",
    )
    assert levels.of("ライネン", "らいねん") == "N1"
    assert (levels.rivals("らいげつ", 2), levels.rivals("ライネン", 1), levels.rivals("ら", 1)) == (1, 1, 0)
    assert levels.has_sibling("来月", "らいげつ", 2)
    assert not levels.has_sibling("雷雨", "らいう", 2)
    assert not levels.has_sibling("ライゲツ", "らいげつ", 2)


def test_the_shipped_list_is_sorted_and_has_all_levels() -> None:
    levels = load_levels()
    assert {levels.of(word) for word in ("学校", "経験", "政府", "欠席", "赤字")} >= {"N5", "N4", "N3", "N1"}
    assert len(levels.pairs) > 7_500
    assert load_levels() is levels
