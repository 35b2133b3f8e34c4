"""Where a particle stands: what governs it, what it is called there, and what else is possible with another nuance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lessons.cloze import blanks, load_levels, near, row, split
from lessons.model import Accepted, Blank, Clipping, Item, ItemId, PackId, Prose, Row, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Analysis

    LookUp = Callable[[str], Analysis]


def _asked(look_up: LookUp, marked: str) -> tuple[Blank, Row]:
    """Return the blank of the particle in [brackets], and its row."""
    before, _, rest = marked.partition("[")
    answer, _, after = rest.partition("]")
    text = before + answer + after
    (sentence,) = split(Prose("", (text,)), [look_up(text)])
    blank = next(one for one in blanks(sentence, load_levels()) if one.start == len(before))
    assert blank.answer == answer
    return blank, row(sentence, blank, "key", 1)


def _role(made: Row) -> str:
    return made.hint.partition(" → ")[2]


def _item(made: Row, unit: Unit = Unit.PARTICLE, language: str = "ja") -> Item:
    clipping = Clipping(ItemId(1), unit, "N5", 0.9, True, "", "", "", language)
    return Item(ItemId(1), PackId(1), made, (Accepted(made.answers[0]),), clipping=clipping)


@pytest.mark.parametrize(
    "marked",
    [
        "兄は弟より背[が]低いが、足は速い。",
        "雨が降る可能性[が]高いとみている。",
        "土砂崩れのおそれ[が]あり、注意する。",
        "店の前には200人以上[が]並んだ。",
        "日本では人口[が]減っている。",
        "利用者は月480円[を]払わなければならない。",
        "応募は100人[を]超えた。",
    ],
)
def test_where_ha_says_no_less_nothing_is_sure(look_up: LookUp, marked: str) -> None:
    assert not _asked(look_up, marked)[0].closed


@pytest.mark.parametrize(
    ("marked", "role", "closed"),
    [
        ("子どもが公園[を]走り回る。", "space that is crossed", False),
        ("橋[を]渡ると海だ。", "space that is crossed", False),
        ("選手は町[を]駆け抜けた。", "space that is crossed", False),
        ("車が線路[を]横切った。", "space that is crossed", True),
        ("階段[を]降りた。", "space that is crossed", False),
        ("バス[を]降りた。", "place that is left", False),
        ("この空港[を]発着する便だ。", "place that is left", False),
        ("大学[を]卒業した。", "place that is left", True),
        ("東京[を]離れて暮らす。", "place that is left", True),
        ("前年[を]上回る見通しだ。", "limit", True),
        ("10メートル[を]越える波だ。", "limit", False),
        ("山[を]越えて来た。", "space that is crossed", True),
        ("かばん[を]持ち歩く。", "direct object", True),
        ("困難[を]乗り越えた。", "direct object", True),
        ("水[を]飲み過ぎる。", "direct object", True),
    ],
)
def test_wo_of_a_space_is_no_object(look_up: LookUp, marked: str, role: str, *, closed: bool) -> None:
    blank, made = _asked(look_up, marked)
    assert (_role(made), blank.closed) == (role, closed)
    assert ("is done to" in made.explanation) is (role == "direct object")


@pytest.mark.parametrize(
    ("marked", "governor"),
    [
        ("おぼれているの[を]通りかかった男性が助け、病院に運んだ。", "助ける"),
        ("落とした人[を]近くで通りかかった学生が見つけた。", ""),
        ("財布[を]通りかかった学生が見つけた。", "見つける"),
        ("財布[を]集まった人が広がる。", ""),
        ("財布[を]集まった人だ。", ""),
        ("財布[を]集まった。", ""),
        ("手紙[を]書いた人が来た。", "書く"),
        ("荷物[を]預かる店が増えた。", "預かる"),
        ("本[を]図書館に返した。", "返す"),
    ],
)
def test_a_verb_without_an_object_before_another_noun_is_no_governor(
    look_up: LookUp, marked: str, governor: str
) -> None:
    explanation = _asked(look_up, marked)[1].explanation
    assert explanation == f"Object particle を marks the thing that {governor or 'an action'} is done to."


@pytest.mark.parametrize(
    ("marked", "further"),
    [
        ("警察[が]増えた事故を調べる。", True),
        ("市長[が]始まった会議で話した。", True),
        ("町は人[が]増えた駅を直す。", False),
        ("雪[が]降る町を歩いた。", False),
        ("会社[が]増えた町だ。", False),
        ("会社[が]増えた。", False),
    ],
)
def test_a_subject_that_may_belong_to_the_main_verb_is_left_open(
    look_up: LookUp, marked: str, *, further: bool
) -> None:
    made = _asked(look_up, marked)[1]
    assert (_role(made) == "subject, or “but”") is further


@pytest.mark.parametrize(
    ("marked", "idiom"),
    [
        ("車に気[を]つけてください。", "気をつける, “take care”"),
        ("足元に気[を]付ける。", "気を付ける, “take care”"),
        ("この道具は役[に]立つ。", "役に立つ, “be of use”"),
        ("技を身[に]つけた。", "身につける, “wear, or learn”"),
        ("客に声[を]かけた。", "声をかける, “speak to somebody”"),
        ("気[に]なる結果が出た。", "気になる, “be on one’s mind”"),
    ],
)
def test_an_idiom_is_explained_as_one(look_up: LookUp, marked: str, idiom: str) -> None:
    blank, made = _asked(look_up, marked)
    assert made.explanation == f"Idiom {idiom}: its particle is {blank.answer}."
    assert (blank.closed, blank.also) == (True, ())


@pytest.mark.parametrize(
    ("marked", "role", "also"),
    [
        ("両国は調整[に]入る。", "phase that begins", ()),
        ("後半[に]入ると寒い。", "phase that begins", ()),
        ("10月[に]入り、涼しい。", "phase that begins", ()),
        ("延長戦[に]入った。", "phase that begins", ()),
        ("予算は110兆円[に]上る。", "amount that is reached", ()),
        ("被害は二万人以上[に]達した。", "amount that is reached", ()),
        ("建物の中[に]入る。", "goal of a movement", ("へ",)),
        ("会場[に]入る。", "goal of a movement", ("へ",)),
        ("山[に]登る。", "goal of a movement", ("へ",)),
    ],
)
def test_a_motion_that_is_only_a_way_of_speaking_has_no_direction(
    look_up: LookUp, marked: str, role: str, also: tuple[str, ...]
) -> None:
    blank, made = _asked(look_up, marked)
    assert (_role(made), blank.also, blank.closed) == (role, also, True)


@pytest.mark.parametrize(
    ("marked", "role"),
    [
        ("大会はオーストラリア[で]開かれた。", "place of action"),
        ("本は図書館[で]見つかった。", "place of action"),
        ("結果は手紙[で]発表された。", "place or means of action"),
    ],
)
def test_a_place_is_no_means(look_up: LookUp, marked: str, role: str) -> None:
    made = _asked(look_up, marked)[1]
    assert _role(made) == role
    assert ("means" in made.explanation) is ("means" in role)


@pytest.mark.parametrize(
    ("marked", "possible"),
    [
        ("本[を]増やす予定だ。", ("は", "も")),
        ("月480円[を]払わなければならない。", ("は", "も")),
        ("背[が]低い。", ("は", "も")),
        ("習いたい人[が]増えている。", ("は", "も")),
        ("町は人口[が]減った。", ("は", "も")),
        ("公園[を]走り回る。", ("は", "も")),
        ("外国語[を]話せる。", ("は", "も")),
        ("雨[が]降る日が続く。", ("も",)),
        ("料金[を]払う人が多い。", ("も",)),
        ("雨[が]降れば休む。", ("も",)),
        ("影響[が]ある地域だ。", ("も",)),
        ("雨が降った[が]、行った。", ("けど", "けれど", "けれども")),
        ("気[を]つける。", ("も",)),
        ("役[に]立つ。", ()),
        ("市[は]制度を変えた。", ("が", "も")),
        ("優勝したの[は]初めてだ。", ("も",)),
        ("今日[も]行った。", ("は", "が", "を")),
        ("誰[も]知らない話だ。", ()),
        ("肉[や]魚などを買う。", ()),
        ("肉[や]魚だ。", ("と",)),
        ("学校[に]行った。", ()),
        ("三人[の]子どもだ。", ()),
        ("泳ぐ[の]は楽しい。", ("こと",)),
        ("みんなで使う[の]が楽しい。", ("こと",)),
        ("泳ぐ[の]を見た。", ()),
        ("優勝した[の]は初めてだ。", ()),
        ("大きい[の]が好きだ。", ()),
    ],
)
def test_near_names_what_is_possible_with_another_nuance(
    look_up: LookUp, marked: str, possible: tuple[str, ...]
) -> None:
    made = _asked(look_up, marked)[1]
    assert near(_item(made)) == possible
    assert not set(possible) & set(made.answers)


def test_only_particles_of_generated_japanese_gaps_have_something_near(look_up: LookUp) -> None:
    made = _asked(look_up, "背[が]低い。")[1]
    plain = Item(ItemId(1), PackId(1), made, (Accepted("が"),))
    assert near(plain) == near(_item(made, Unit.WORD)) == near(_item(made, language="en")) == ()
