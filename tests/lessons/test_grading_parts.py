"""The pieces that grading is made of, and properties no table can list."""

from __future__ import annotations

import unicodedata
from itertools import product

import jaconv
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lessons.grading import as_wrong, grade
from lessons.grading.homographs import likely_reading, other_readings
from lessons.grading.meanings import nearly, slips, slips_allowed
from lessons.grading.romaji import is_romaji, spells
from lessons.grading.slips import difference, named_slip, nearness
from lessons.grading.sounds import could_read, shorten, sounds_alike
from lessons.grading.spelling import in_numerals
from lessons.model import RIGHT, Accepted, Analysis, AnswerKey, DiffKind, ItemKind, Remark, Verdict
from lessons.text import fold, tidy

KANA = "".join(map(chr, range(0x3041, 0x3097)))
WORDS = [
    "外国",
    "友だち",
    "食べます",
    "コーヒー",
    "おねえさん",
    "は",
    "がっこう",
    "一日",
    "dog",
    "to eat",
    "〜時",
    "Tシャツ",
    "行なう",
]
DISGUISES = {
    "as it is": str,
    "katakana": jaconv.hira2kata,
    "hiragana": jaconv.kata2hira,
    "half width": lambda text: jaconv.z2h(text, kana=True, digit=True, ascii=True),
    "full width": lambda text: jaconv.h2z(text, kana=True, digit=True, ascii=True),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "full stop": "{}。".format,
    "spoiler": "||{}||".format,
    "spaces": "\u3000{} ".format,
    "quoted": "「{}」".format,
    "zero width": "\u200b".join,
    "upper case": str.upper,
}


@pytest.mark.parametrize(("word", "disguise"), list(product(WORDS, DISGUISES)))
@pytest.mark.parametrize("kind", ItemKind)
def test_an_accepted_answer_is_right_in_every_disguise(key, look_up, word, disguise, kind):
    held = key("ちがう", word, kind=kind, prompt="これは[＿＿＿]です")
    assert grade(held, look_up(DISGUISES[disguise](word))).verdict is Verdict.EXACT


@given(
    st.text(alphabet=KANA + "ー犬食a1 。〜-", min_size=1, max_size=12),
    st.sampled_from(list(DISGUISES)),
    st.sampled_from(ItemKind),
)
def test_any_answer_is_right_in_every_disguise(answer, disguise, kind):
    disguised = DISGUISES[disguise](answer)
    assume(fold(answer) and fold(disguised) == fold(answer))
    held = AnswerKey(kind, answer, (Accepted("ちがう"), Accepted(answer)), siblings=(answer,))
    assert grade(held, Analysis(disguised)).verdict is Verdict.EXACT


@given(st.text(min_size=1), st.sampled_from(ItemKind), st.booleans(), st.sampled_from(["ja", "de"]))
def test_any_text_at_all_is_right_where_it_is_accepted(answer, kind, strict, language):
    assume(answer.strip())
    held = AnswerKey(kind, answer, (Accepted(answer),), language, strict, (answer,))
    assert grade(held, Analysis(answer)).verdict is Verdict.EXACT


@settings(max_examples=200)
@given(st.text(max_size=30), st.sampled_from(WORDS), st.sampled_from(ItemKind), st.booleans())
def test_no_text_makes_it_raise(key, look_up, typed, word, kind, strict):
    held = key(word, kind=kind, prompt="食べ[＿＿＿]は", strict_kana=strict, siblings=("いぬ",))
    found = grade(held, look_up(typed))
    assert found.verdict in {*RIGHT, Verdict.RETRY, Verdict.WRONG}
    assert as_wrong(found, held, look_up(typed)).matched in {word, ""}


@given(st.text(max_size=12), st.text(alphabet=KANA + "ー", max_size=12))
def test_no_romaji_makes_it_raise(typed, kana):
    assert spells(fold(typed), fold(kana)) in {True, False}
    assert is_romaji(typed) in {True, False}


@given(
    st.text(
        alphabet="あいうえおかきくけこさしすせそたちつてとなにぬねのまみむめもらりるれろがぎぐげごばびぶべぼ",
        min_size=1,
        max_size=8,
    )
)
def test_kana_is_spelled_by_its_own_romaji(kana):
    assert spells(jaconv.kana2alphabet(kana), kana)
    assert is_romaji(jaconv.kana2alphabet(kana))


@given(st.text(alphabet=KANA + "ー", max_size=12), st.text(alphabet=KANA + "ー", max_size=12))
def test_sounding_alike_goes_both_ways(one, other):
    assert sounds_alike(one, one)
    assert sounds_alike(one, other) == sounds_alike(other, one)


@pytest.mark.parametrize(
    "text",
    ["tomato", "shinkansen", "gakkō", "kin'en", "kin’en", "ko-hi-", "jyuu", "senpai", "sempai", "o-kane", "tchi"],
)
def test_romaji(text):
    assert is_romaji(text)


@pytest.mark.parametrize("text", ["test", "idk", "asdf", "the", "correct", "ignore", "friend", "dog", "k", "", "m"])
def test_no_romaji(text):
    assert not is_romaji(text)


@pytest.mark.parametrize(
    ("romaji", "kana", "strictly", "loosely"),
    [
        ("kinnen", "きんえん", True, True),
        ("kinnen", "きんねん", True, True),
        ("kinen", "きんえん", False, True),
        ("onnna", "おんな", True, True),
        ("kinyuu", "きんゆう", False, True),
        ("sempai", "せんぱい", True, True),
        ("semsei", "せんせい", False, False),
        ("ō", "おう", True, True),
        ("ō", "おお", True, True),
        ("koukou", "こうこう", True, True),
        ("kookoo", "こうこう", False, True),
        ("kxyo", "きょ", False, False),
        ("kilyo", "きょ", True, True),
        ("wa", "は", False, False),
        ("dewa", "では", False, False),
        ("sorewa", "それは", True, True),
        ("ra-men", "らーめん", True, True),
        ("nnー", "んー", False, False),
        ("a", "ん", False, False),
        ("ka", "犬", False, False),
    ],
)
def test_what_romaji_spells(romaji, kana, strictly, loosely):
    assert (spells(romaji, kana), spells(romaji, kana, loosely=True)) == (strictly, loosely)


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("abc", "abcd", 1),
        ("abc", "xbc", 1),
        ("", "ab", 2),
        ("ca", "abc", 3),
    ],
)
def test_slips_of_typing(one, other, count):
    assert slips(one, other) == slips(other, one) == count


@pytest.mark.parametrize(
    ("length", "allowed"), [(0, 0), (3, 0), (4, 1), (5, 1), (6, 2), (7, 2), (8, 3), (13, 3), (14, 4)]
)
def test_slips_allowed(length, allowed):
    assert slips_allowed(length) == allowed


@pytest.mark.parametrize(
    ("spelling", "reading", "fits"),
    [
        ("食べる", "たべる", True),
        ("食べる", "のむ", False),
        ("友達", "ともだち", True),
        ("友達", "", False),
        ("食べ物", "たべもの", True),
        ("食べ物", "たもの", False),
        ("", "", True),
        ("飲む" * 30, "のむ" * 30, True),
    ],
)
def test_what_a_spelling_could_be_read(spelling, reading, fits):
    assert could_read(spelling, reading) is fits


def test_short_vowels_and_nearness():
    assert shorten("おばあさん") == "おばさん"
    assert shorten("とーきょう") == "ときょ"
    assert nearness("a" * 201, "a") == 0
    assert nearness("ab", "ab") == 1


@pytest.mark.parametrize(
    ("typed", "expected", "slip"),
    [
        ("きて", "きって", Remark.SMALL_KANA),
        ("きつて", "きって", Remark.SMALL_KANA),
        ("びよういん", "びょういん", Remark.SMALL_KANA),
        ("はな", "ばな", Remark.VOICING),
        ("ぱん", "ばん", Remark.VOICING),
        ("おばさん", "おばあさん", Remark.LONG_VOWEL),
        ("おうきい", "おおきい", Remark.LONG_VOWEL),
        ("びよいん", "びょういん", None),
        ("いぬ", "いぬ", None),
        ("は", "ば", None),
        ("いぬ", "ねこ", None),
    ],
)
def test_a_slip_has_a_name_when_it_is_the_only_one(typed, expected, slip):
    assert named_slip(typed, expected) is slip


@given(st.text(alphabet=KANA + "犬食か\u3099ab ||。", max_size=12), st.text(alphabet=KANA + "犬食", max_size=12))
def test_a_diff_shows_the_text_as_typed(typed, expected):
    parts = difference(typed, expected)
    shown = "".join(part.text for part in parts if part.kind is not DiffKind.MISSING)
    assert not parts or shown == tidy(typed)


def test_long_texts_have_no_tolerance():
    assert nearly("a" * 99 + "b", "a" * 100)
    assert not nearly("a" * 100 + "b", "a" * 101)


@pytest.mark.parametrize(
    ("spelling", "reading", "others"),
    [
        ("止めろ", "とめろ", ["やめろ"]),
        ("開きます", "ひらきます", ["あきます"]),
        ("一人", "ひとり", ["いちにん"]),
        ("行う", "おこなう", []),
        ("一日中", "いちにちじゅう", []),
        ("犬", "いぬ", []),
        ("", "", []),
    ],
)
def test_other_readings_of_what_is_written_alike(spelling, reading, others):
    assert list(other_readings(spelling, reading)) == others


@pytest.mark.parametrize(
    ("spelling", "reading", "likely"),
    [("十日", "とうか", "とおか"), ("七日", "なぬか", "なぬか"), ("犬", "いぬ", "いぬ"), ("十日", "", "")],
)
def test_a_number_put_together_wrongly_is_read_as_usual(spelling, reading, likely):
    assert likely_reading(spelling, reading) == likely


@pytest.mark.parametrize(
    ("digits", "numerals"),
    [
        ("1冊", "一冊"),
        ("10日", "十日"),
        ("14日", "十四日"),
        ("20歳", "二十歳"),
        ("100円", "100円"),
        ("1.5キロ", "1.5キロ"),
    ],
)
def test_small_numbers_are_written_in_kanji(digits, numerals):
    assert in_numerals(digits) == numerals
