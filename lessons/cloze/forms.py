"""Finds inflected forms, with all their endings, and names them so that only one form is left to write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Word

_INFLECTED: Final = ("動詞", "形容詞")
_HELPERS: Final = {
    *("いる", "ある", "おく", "しまう", "くる", "いく", "みる", "もらう", "くれる", "あげる"),
    *("いただく", "くださる", "おる", "ほしい", "もらえる", "いただける"),
}
"""What follows the て-form as part of it, in kana or kanji."""
_HELPERS_IN_KANJI: Final = {
    "居る": "いる", "有る": "ある", "置く": "おく", "来る": "くる", "行く": "いく", "見る": "みる", "貰う": "もらう",
    "呉れる": "くれる", "上げる": "あげる", "頂く": "いただく", "下さる": "くださる", "欲しい": "ほしい", "仕舞う": "しまう",
}  # fmt: skip
_VOICES: Final = {"れる": "passive", "られる": "〜られる", "せる": "causative", "させる": "causative", "たい": "〜たい"}
_LAST: Final = {"ば": "ば-form", "ながら": "〜ながら", "つつ": "〜つつ", "たり": "たり-form", "だり": "たり-form"}
_MOOD: Final = {"意志推量形": "volitional", "命令形": "command"}
_LEVELS: Final = (
    ("N3", ("〜ておる", "〜つつ", "〜ず")),
    (
        "N4",
        (
            *("passive", "〜られる", "causative", "volitional", "command", "ば-form", "〜たら", "〜ながら", "〜そう"),
            *(
                "なら-form",
                "〜てある",
                "〜ておく",
                "〜てしまう",
                "〜てくる",
                "〜ていく",
                "〜てみる",
                "〜てもらう",
                "〜てもらえる",
            ),
            *("〜てくれる", "〜てあげる", "〜ていただく", "〜てくださる", "〜てほしい", "polite volitional"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Form:
    """An inflected form: words [first, last), its dictionary form, and the steps that lead from it to the form.

    `steps` is () where the form cannot be named; `plain` says that it is the dictionary form itself, `potential`
    that its head is a verb of ability, such as 話せる. `part` is the part of speech of its head.
    """

    first: int
    last: int
    lemma: str
    steps: tuple[str, ...]
    part: str
    plain: bool = False
    potential: bool = False

    @property
    def name(self) -> str:
        """What the form is called, such as "passive, 〜ている, polite negative past"."""
        return ", ".join(self.steps)

    @property
    def ending(self) -> str:
        """The last step, "" where the form cannot be named."""
        return self.steps[-1] if self.steps else ""

    @property
    def level(self) -> str:
        """JLPT level of the grammar."""
        return next((level for level, steps in _LEVELS if set(steps) & set(self.steps)), "N5")


def form_at(words: Sequence[Word], first: int) -> Form | None:
    """Return the form that begins with this word, None when none does."""
    head = _head(words, first)
    if head is None:
        return None
    position, lemma, part = head
    reader = _Reader(words, position, adjective=part != "動詞")
    reader.read()
    steps = reader.steps()
    plain = steps == ("plain",) and words[position - 1].surface == lemma[-len(words[position - 1].surface) :]
    return Form(
        first,
        reader.position,
        lemma,
        steps,
        part,
        plain=plain and reader.position == position,
        potential=_is_potential(words[position - 1]),
    )


def _head(words: Sequence[Word], first: int) -> tuple[int, str, str] | None:
    """Return where the head ends, its dictionary form and its part of speech."""
    word, after = words[first], words[first + 1] if first + 1 < len(words) else None
    kind = word.pos[:1]
    if kind == ("名詞",) and _is(word, "サ変") and after is not None and after.normalized in {"為る", "出来る"}:
        return first + 2, word.surface + after.dictionary_form, "動詞"
    if (kind == ("形状詞",) and "一般" in word.pos) or _is(word, "形状詞可能"):
        return (first + 1, word.surface, "形状詞") if _is_copula(after) else None
    if not kind or kind[0] not in _INFLECTED:
        return None
    position, lemma, part = first + 1, dictionary_form(word), kind[0]
    while position < len(words) and (joined := _joins(words[position - 1], words[position])):
        lemma = lemma[: len(lemma) - len(dictionary_form(words[position - 1]))] + words[position - 1].surface
        lemma, part, position = lemma + dictionary_form(words[position]), joined, position + 1
    return position, lemma, part


def dictionary_form(word: Word) -> str:
    """Return a word's dictionary form as learners know it: 感じる where 感じ is written, which the dictionary files under 感ずる."""
    stem = word.dictionary_form.removesuffix("ずる")
    ichidan = stem != word.dictionary_form and word.surface.startswith(f"{stem}じ")
    return f"{stem}じる" if ichidan else word.dictionary_form


def _is(word: Word, kind: str) -> bool:
    """Tell whether a noun can be of this kind as well: サ変可能, 形状詞可能 or サ変形状詞可能."""
    return any(kind in level and level.endswith("可能") for level in word.pos[2:])


def _is_copula(word: Word | None) -> bool:
    return (
        word is not None
        and word.pos[0] == "助動詞"
        and word.dictionary_form in {"だ", "です"}
        and ("意志推量形" not in word.pos)
    )


def _is_potential(word: Word) -> bool:
    """Tell whether a verb says that something can be done: the dictionary normalises 話せる to 話す."""
    made = word.dictionary_form
    return word.pos[0] == "動詞" and (
        word.normalized == "出来る"
        or (made != word.normalized and made[:-2] == word.normalized[:-1] and made[-1] == "る")
    )


def _joins(before: Word, word: Word) -> str:
    """Return the part of speech of two words that are one verb or adjective (降り続く, 使いやすい), "" otherwise."""
    if before.pos[-1].startswith("語幹") and word.normalized == "過ぎる":
        return "動詞"
    if before.pos[0] != "動詞" or not before.pos[-1].startswith("連用形-一般"):
        return ""
    if word.pos[:1] == ("動詞",):
        return "動詞"
    return "形容詞" if word.pos[:2] == ("接尾辞", "形容詞的") else ""


class _Reader:
    """Reads the endings of one form, from the word after its head."""

    def __init__(self, words: Sequence[Word], position: int, *, adjective: bool) -> None:
        self.words = words
        self.position = position
        self.adjective = adjective  # inflects as an adjective, up to here
        self.layers: list[str] = []
        self.last = ""  # the name of an ending that closes the form
        self.polite = self.negative = self.past = self.unknown = False

    def read(self) -> None:
        while not self.last and self.position < len(self.words) and self._take(self.words[self.position]):
            self.position += 1

    def _take(self, word: Word) -> bool:
        """Take one more word as an ending; False when it is none."""
        kind, lemma = word.pos[0], word.dictionary_form
        if kind == "助動詞":
            return self._auxiliary(word, lemma)
        if kind == "助詞" and word.surface in {"て", "で"} and "接続助詞" in word.pos:
            return self._te()
        if kind == "助詞" and word.surface in _LAST:
            self.last = _LAST[word.surface]
            return True
        if kind == "形容詞" and word.normalized == "無い" and self._previous.pos[-1].startswith("連用形"):
            self.negative = self.adjective
            return self.adjective
        if (
            word.surface == "そう"
            and "助動詞語幹" in word.pos
            and self._previous.pos[-1].startswith(("連用形", "語幹"))
        ):
            self.layers.append("〜そう")
            return True
        return False

    @property
    def _previous(self) -> Word:
        return self.words[self.position - 1]

    def _auxiliary(self, word: Word, lemma: str) -> bool:
        if "意志推量形" in word.pos and lemma in {"です", "だ"}:
            return False
        if lemma in _VOICES:
            self.layers.append(_VOICES[lemma])
        elif lemma in {"ます", "です"}:
            self.polite = True
        elif lemma == "ない" or word.surface == "ん":
            self.negative = True
        elif word.surface == "ず":
            self.last = "〜ず"
        elif "助動詞-タ" in word.pos:
            self.past, self.last = True, "〜たら" if "仮定形-一般" in word.pos else ""
        elif lemma != "だ":
            self.unknown = True
            return lemma in {"ちゃう", "てる", "とく"}
        elif word.surface == "なら":
            self.last = "なら-form"
        return True

    def _te(self) -> bool:
        """Take て, and the helping verb after it."""
        after = self.words[self.position + 1] if self.position + 1 < len(self.words) else None
        helper = _HELPERS_IN_KANJI.get(after.dictionary_form, after.dictionary_form) if after else ""
        if after is not None and helper in _HELPERS and after.pos[0] in _INFLECTED and not self.negative:
            self.layers.append(f"〜て{helper}")
            self.position += 1
        else:
            self.last = "〜ないで" if self._previous.surface == "ない" else "て-form"
        return True

    def steps(self) -> tuple[str, ...]:
        """Name the form step by step; () when a part of it has no name here."""
        last = self.last if self.last else self._ending()
        if last == "command" and self.layers[-1:] == ["〜てくださる"]:
            return (*self.layers[:-1], "〜てください")
        if self.unknown or not last:
            return ()
        negative = self.negative and last not in {"〜ないで"} and not last.startswith(("plain", "polite"))
        return (*self.layers, f"negative {last}" if negative else last)

    def _ending(self) -> str:
        """Name what the last word's own inflection says."""
        word = self._previous
        shape, lemma = word.pos[-1], word.dictionary_form
        if shape in _MOOD:
            return f"polite {_MOOD[shape]}" if self.polite else _MOOD[shape]
        if not self.past and shape.startswith("連用形"):
            if lemma == "だ":
                return {"に": "に-form", "で": "で-form"}.get(word.surface, "")
            adjective = word.pos[0] == "形容詞" or word.pos[1] == "形容詞的" or lemma in {"ない", "たい"}
            return "く-form" if adjective else "ます stem"
        if word.surface == "な" and lemma == "だ":
            return "な-form"
        if shape.startswith(("終止形", "連体形")):
            return self._finite()
        return ""

    def _finite(self) -> str:
        manner = "polite" if self.polite else "plain"
        name = " ".join((manner, *["negative"] * self.negative, *["past"] * self.past))
        if not (self.polite and self.negative):
            return name
        masu = any(word.dictionary_form == "ます" for word in self.words[self.position - 4 : self.position])
        return f"{name}, {'〜ません' if masu else '〜ないです'}"
