"""Finds the units of a sentence that can be asked for: particles, inflected forms, words; fixed expressions stay whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from lessons.cloze.forms import dictionary_form, form_at
from lessons.model import Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.cloze.forms import Form
    from lessons.model import Word

_PARTICLES: Final = frozenset({
    *("は", "が", "を", "に", "で", "へ", "と", "から", "まで", "も", "の", "や", "より"),
    *("か", "しか", "だけ", "など", "ほど", "くらい", "ぐらい", "でも", "ので", "のに", "けれど", "けど", "し"),
})  # fmt: skip
_ASKED_KINDS: Final = frozenset({"格助詞", "係助詞", "副助詞", "接続助詞", "準体助詞"})

_AFTER_NI: Final = (
    *(
        "つく",
        "よる",
        "対する",
        "とる",
        "関する",
        "おく",
        "おける",
        "伴う",
        "加える",
        "基づく",
        "わたる",
        "際する",
        "違い",
    ),
    *("すぎる", "過ぎる", "向ける", "先立つ", "限る", "沿う"),
)
_AFTER_WO: Final = ("めぐる", "巡る", "もと", "通じる", "通す", "はじめ", "含める", "問う", "中心", "契機")
_AFTER_PLAIN: Final = tuple(("の", word) for word in ("で", "に", "だ", "です", "か", "よう", "ため"))
"""A clause made a noun: ので, のに, のだ; after a noun の and に, or の and よう, are two."""
_ATTRIBUTIVE: Final = ("と", "いう")
_HOLDING: Final = ("と", "する")
_FIXED: Final = (
    *(("に", word) for word in _AFTER_NI),
    *(("を", word) for word in _AFTER_WO),
    *_AFTER_PLAIN,
    *(_ATTRIBUTIVE, _HOLDING, ("と", "いっ"), ("と", "とも"), ("と", "共"), ("と", "同時"), ("と", "は")),
    *(("こと", "が", verb) for verb in ("できる", "出来る", "ある")),
    *(("こと", "に", verb) for verb in ("なる", "する")),
    *((noun, "に") for noun in ("よう", "ため", "うち", "とも", "共", "一緒", "特", "まま")),
    *(
        ("に", "よる", "と"),
        ("に", "よる", "ます", "と"),
        ("か", "どう", "か"),
        ("か", "も", "しれる"),
        ("か", "も", "知れる"),
    ),
    *(
        ("から", "こそ"),
        ("まで", "に"),
        ("だけ", "で"),
        ("だけ", "だ"),
        ("で", "も"),
        ("だ", "も"),
        ("て", "は"),
        ("て", "も"),
    ),
    *(("で", "は", "ない"), ("だ", "は", "ない"), ("ば", "なる"), ("ば", "いける")),
)
"""Runs of dictionary forms that are one expression: none of their words is a question of its own."""
_BY_FIRST: Final = {first: [run for run in _FIXED if run[0] == first] for first, *_ in _FIXED}

_CONTENT: Final = frozenset({"名詞", "形状詞", "副詞", "動詞", "形容詞"})
_NO_CONTENT: Final = frozenset({"固有名詞", "数詞", "助数詞", "助動詞語幹"})
_EMPTY: Final = frozenset({
    *("こと", "もの", "ため", "よう", "わけ", "はず", "ところ", "とき", "時", "方", "ほう", "まま", "うち", "中", "ほか", "他"),
    *("上", "下", "前", "後", "際", "間", "場合", "つもり", "一つ", "一部", "それぞれ", "一人", "とおり", "なか", "あと", "何"),
    *("する", "なる", "ある", "いる", "できる", "いう", "くる", "いく", "みる", "よる", "つく", "そう", "こう", "どう", "もう"),
})  # fmt: skip
"""Words that carry grammar rather than a meaning of their own."""
_TWO_READINGS: Final = frozenset(
    {"市場", "大家", "寒気", "生物", "色紙", "表", "縁", "金", "明日", "昨日", "十分", "人気", "工夫", "大事", "背"}
)
"""Words read in two ways, where the dictionary's choice would be a wrong cue."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit: words [first, last), characters [start, end). `form` is there for forms and for inflecting words."""

    unit: Unit
    first: int
    last: int
    start: int
    end: int
    form: Form | None = None


def pieces(words: Sequence[Word]) -> list[Piece]:
    """Return the units of a sentence in order; they never overlap."""
    starts = (0, *accumulate(len(word.surface) for word in words))
    fixed = _fixed(words)
    found: list[Piece] = []
    position = 0
    while position < len(words):
        form = form_at(words, position)
        last = form.last if form else position + 1
        unit = None if fixed & set(range(position, last)) else _unit(words, position, form)
        if unit:
            found.append(Piece(unit, position, last, starts[position], starts[last], form))
        position = last
    return found


def _unit(words: Sequence[Word], position: int, form: Form | None) -> Unit | None:
    word = words[position]
    if form and not form.plain:
        return Unit.FORM if form.steps and _is_whole(words, position, form.last) else None
    if word.pos[:1] == ("助詞",):
        known = word.surface in _PARTICLES and _ASKED_KINDS.intersection(word.pos)
        return Unit.PARTICLE if known and 0 < position < len(words) - 1 else None
    last = form.last if form else position + 1
    return Unit.WORD if _is_content(word, form) and _is_whole(words, position, last) else None


def _is_content(word: Word, form: Form | None) -> bool:
    return (
        word.pos[0] in _CONTENT
        and not _NO_CONTENT.intersection(word.pos)
        and not (_EMPTY | _TWO_READINGS).intersection((word.surface, form.lemma if form else word.dictionary_form))
        and word.normalized not in _EMPTY
        and not (word.surface == "風" and "形状詞可能" in word.pos)  # かぜ, where the dictionary says ふう
        and (form is not None or word.pos[0] not in {"動詞", "形容詞"})
    )


def _is_whole(words: Sequence[Word], first: int, last: int) -> bool:
    """Tell whether the words are known and no part of a longer compound: 降水 in 降水確率, 人 in 百人."""
    if not all(word.known and word.reading for word in words[first:last]):
        return False
    before, after = words[first - 1 : first], words[last : last + 1]
    noun = words[first].pos[0] in {"名詞", "形状詞"}
    tail = words[last - 1].pos[0] in {"名詞", "形状詞"}
    return not (
        any(
            word.pos[0] == "接頭辞" or word.pos[-1].startswith("未然形") or word.surface in {"・", "＝", "ー", "々"}
            for word in before
        )
        or (noun and any(word.pos[0] in {"名詞", "接尾辞"} and not _stands_alone(word) for word in before))
        or any(word.surface in {"・", "＝", "ー", "々"} for word in after)
        or (tail and any(word.pos[0] in {"名詞", "接尾辞"} for word in after))
    )


def _stands_alone(word: Word) -> bool:
    """Tell whether a noun can stand before another as an adverb: きのう, 今年."""
    return "副詞可能" in word.pos or "助数詞" in word.pos


def _fixed(words: Sequence[Word]) -> set[int]:
    """Return the places of all words that belong to a fixed expression."""
    return {place for first in range(len(words)) for place in _run_at(words, first)}


def _run_at(words: Sequence[Word], first: int) -> Iterator[int]:
    for run in _BY_FIRST.get(dictionary_form(words[first]), ()):
        stretch = words[first : first + len(run)]
        if len(stretch) != len(run) or any(
            part not in {dictionary_form(word), word.surface} for part, word in zip(run, stretch, strict=True)
        ):
            continue
        if _is_fixed_here(words, first, run):
            yield from range(first, first + len(run))


def _is_fixed_here(words: Sequence[Word], first: int, run: tuple[str, ...]) -> bool:
    before = words[first - 1] if first else None
    if run in _AFTER_PLAIN:
        return before is not None and before.pos[0] in {"動詞", "形容詞", "助動詞"}
    if run == _ATTRIBUTIVE:
        after = words[first + 2] if first + 2 < len(words) else None
        return after is not None and after.pos[0] in {"名詞", "助詞"} and words[first + 1].surface == "いう"
    if run == _HOLDING:
        return before is not None and before.pos[-1] != "意志推量形" and before.surface != "」"
    return True
