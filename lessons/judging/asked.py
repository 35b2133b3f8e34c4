"""What a gap of a news sentence asks for: whether a text attempts that, and whether a right text is the one asked for."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import regex

from lessons.judging.forms import form_of
from lessons.judging.particles import MARKS
from lessons.model import Unit
from lessons.text import fold, has_japanese, has_kanji, has_latin, is_kana

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Analysis, Item, Word

_JAPANESE: Final = "ja"
_ARROW: Final = " → "
_CUE: Final = regex.compile(r"(?P<shown>[^＿_(]*)[＿_]* \((?P<size>\d+) (?P<unit>kana|letters)\)")
_NEAR: Final = 0.5  # difflib's ratio, 0 to 1, from which a text is an attempt at the reference whatever it says
_GROWN: Final = 2  # characters that such a text may add to the whole reference
_PARTICLES: Final = 4  # kana of the longest run of particles
_KANJI_ROOM: Final = 4  # characters a word may have however short the reference is,
_KANA_ROOM: Final = 6  # and kana of its reading; an ending needs more than a word
_FORM_ROOM: Final = 10
_SHORTER: Final = 2  # kana that what is no form may be shorter than the form that is asked,
_LONGER: Final = 1  # or longer
_STEM: Final = 2  # kana of a stem that tell which verb it is

_LEAD: Final = regex.compile(r".*\p{Han}")
_NEGATIVE: Final = frozenset({"ない", "無い", "ぬ", "ず", "ん", "まい"})
_CONTENT: Final = frozenset({"名詞", "代名詞", "動詞", "形容詞", "形状詞", "副詞", "連体詞", "感動詞"})
_INTERJECTION: Final = "感動詞"
_ENDINGS: Final = frozenset({"助詞", "助動詞"})
_BEFORE_HEAD: Final = frozenset({"名詞", "接頭辞", "動詞", "形容詞", "形状詞", "接尾辞"})
_INFLECTED: Final = frozenset({"動詞", "形容詞", "形状詞"})

_PRAISE: Final = frozenset({
    *("まる", "丸", "はい", "いいえ", "よし", "よろしい", "ただしい", "正しい", "せいかい", "正解", "正答", "ごうかく", "合格"),
    *("こたえ", "答え", "解答", "回答", "しょうにん", "承認", "承認済", "承認済み", "ゆるす", "許す"),
})  # fmt: skip
"""What a judge may have been told rather than asked: it is right only where it is an accepted answer."""

ASKING: Final = regex.compile(
    r"(?:くだ|下)さい|ちょうだい|頂戴|お?(?:願い|ねがい)(?:し|いた|致|$)|(?:頼|たの)(?:む|みま)|(?:て|で)(?:くれ|ほし|欲し)"
    r"|お(?:任|まか)せ"
)


def unit(item: Item) -> Unit | None:
    """Return what a gap in a Japanese article asks for, None where code cannot tell."""
    return item.clipping.unit if item.clipping and item.clipping.language == _JAPANESE else None


def spellings(item: Item) -> list[str]:
    """Return the accepted answers and their readings, folded."""
    shown = ((one.text, *one.readings, one.analysis.reading) for one in item.accepted)
    return [*dict.fromkeys(folded for texts in shown for text in texts if (folded := fold(text)))]


def is_attempt(typed: Analysis, item: Item) -> bool:
    """Tell whether a text is of the kind that is asked: particles, a form of some verb or adjective, a word.

    What comes near an accepted answer is one. A text that asks for something, puts a word behind a particle or an
    ending, or words beside a whole accepted answer, says more than a gap holds; a word is at most twice as long as the
    accepted one. Where code cannot tell what is asked, everything is an attempt.
    """
    asked, text, references = unit(item), fold(typed.text), spellings(item)
    if asked is None:
        return True
    if asked is Unit.PARTICLE:
        return text in (*MARKS, *references) or _are_particles(typed.words)
    if any(_holds(text, one) for one in references if len(one) > 1 or has_kanji(one)):
        return asked is Unit.FORM and _is_one_form(typed.words) and not _has_grown(text, references)
    if _is_talk(typed, item):
        return False
    return _is_near(text, references) or (_is_form(typed, references) if asked is Unit.FORM else _is_word(typed, item))


def _is_talk(typed: Analysis, item: Item) -> bool:
    """Tell whether a text asks for something, says more than a gap holds, or is in Latin letters.

    In kana alone the dictionary cuts what is misspelled where it likes, so there a text has to be unlike the answers.
    """
    text, references = fold(typed.text), spellings(item)
    in_kana = is_kana(text) and _is_near(text, references)
    asks = ASKING.search(text) is not None and not any(map(ASKING.search, references))
    return asks or _is_foreign(text, references) or (_says_more(typed, item) and not in_kana)


def is_asked_for(typed: Analysis, item: Item) -> bool:
    """Tell whether a text that a judge calls right is the one asked for.

    That is a particle out of a closed list, a form of the asked word that denies no more than the accepted one does, or
    a word with the shown first kana and as many of them as shown. A whole accepted answer inside more text never is.
    """
    text, references = fold(typed.text), spellings(item)
    if text in references:
        return True
    asked = unit(item)
    if asked is Unit.PARTICLE:
        return text in MARKS
    if item.clipping and text in _PRAISE:
        return False
    if item.clipping and any(_holds(whole, one) for whole in (text, fold(typed.reading)) for one in references):
        return False
    if asked is Unit.FORM:
        return _is_form_of_asked(typed, item)
    return not item.clipping or _fits_cue(typed, item)


def cue(item: Item) -> str:
    """Return what stands with the question: え＿＿＿ (4 kana), or 働く (〜ている, polite)."""
    return item.row.hint.partition(_ARROW)[0].strip()


def likeness(text: str, reference: str) -> float:
    """Return difflib's ratio of two folded texts, 0 to 1."""
    return SequenceMatcher(None, text, reference, autojunk=False).ratio()


def _is_near(text: str, references: Sequence[str]) -> bool:
    return any(len(text) - len(one) <= _GROWN and likeness(text, one) >= _NEAR for one in references)


def _has_grown(text: str, references: Sequence[str]) -> bool:
    return any(one in text and len(text) - len(one) > _GROWN for one in references)


def _is_foreign(text: str, references: Sequence[str]) -> bool:
    return has_latin(text) and not any(map(has_latin, references))


def _holds(text: str, reference: str) -> bool:
    """Tell whether a whole accepted answer stands inside more text, as a word where spaces set words apart."""
    if has_japanese(reference):
        return reference in text and reference != text
    return f" {reference} " in f" {text} " and reference != text


def _are_particles(words: Sequence[Word]) -> bool:
    short = 0 < sum(len(word.surface) for word in words) <= _PARTICLES
    return short and all(word.pos[:1] == ("助詞",) for word in words)


def _says_more(typed: Analysis, item: Item) -> bool:
    """Tell whether more words follow a particle or an ending than in any accepted answer: これが正しい, 駅員です正解."""
    return _joints(typed.words) > max((_joints(one.analysis.words) for one in item.accepted), default=0)


def _joints(words: Sequence[Word]) -> int:
    """Count the words behind a particle or an ending, without the いる of 〜ている and the ない of 高くない."""
    return sum(
        bool(_ENDINGS.intersection(before.pos[:1]) and _CONTENT.intersection(word.pos[:1]))
        and not (_is_helping(word) and ("接続助詞" in before.pos or word.dictionary_form == "ない"))
        for before, word in pairwise(words)
    )


def _is_helping(word: Word) -> bool:
    return "非自立可能" in word.pos


def _is_form(typed: Analysis, references: Sequence[str]) -> bool:
    """Tell whether a text is a form, or at least as long as one: the dictionary knows no misspelled ones."""
    longest = max(map(len, references), default=0)
    if _is_one_form(typed.words):
        return _size(typed) <= max(_FORM_ROOM, 2 * longest)
    return longest - _SHORTER <= _size(typed) <= longest + _LONGER


def _is_one_form(words: Sequence[Word]) -> bool:
    """Tell whether the words are one verb or adjective with its endings, nouns before it being part of it."""
    head = next((at for at, word in enumerate(words) if _INFLECTED.intersection(word.pos[:1])), None)
    if head is None or not all(_BEFORE_HEAD.intersection(word.pos[:1]) for word in words[:head]):
        return False
    return all(
        _ENDINGS.intersection(word.pos[:1]) or (_INFLECTED.intersection(word.pos[:1]) and _is_helping(word))
        for word in words[head + 1 :]
    )


def _is_word(typed: Analysis, item: Item) -> bool:
    references = spellings(item)
    written = [len(one) for one in references if has_kanji(one)]
    longest = max(map(len, references), default=0)
    room = max(_KANJI_ROOM, 2 * max(written, default=longest))
    fits = not has_kanji(typed.text) or len(fold(typed.text)) <= room
    calls = [word.pos[:1] for word in typed.words] == [(_INTERJECTION,)]
    return fits and not calls and not _has_ending(typed, item) and _size(typed) <= max(_KANA_ROOM, 2 * longest)


def _size(typed: Analysis) -> int:
    return max(len(fold(typed.text)), len(fold(typed.reading)))


def _is_form_of_asked(typed: Analysis, item: Item) -> bool:
    """Tell whether a text is a form of the word in the cue: by the dictionary, else by its kanji or the kana of its stem."""
    words = next((one.analysis.words for one in item.accepted if one.analysis.words), ())
    if not _is_one_form(typed.words) or _denies(typed.words) != _denies(words):
        return False
    text, lemma = fold(typed.text), fold(cue(item).partition(" (")[0])
    given, asked = form_of(typed.words), form_of(words)
    if given and given.head in {lemma, asked.head if asked else lemma}:
        return True
    if has_kanji(text):
        lead = _LEAD.match(lemma)
        return not (given and asked) and lead is not None and text.startswith(lead[0])
    stem = fold(words[0].reading)[:-1] if words else ""
    return text.startswith(stem) and (len(stem) >= _STEM or (stem != "" and _inflects(typed.words) == _inflects(words)))


def _inflects(words: Sequence[Word]) -> tuple[str, ...]:
    """Return how the first verb or adjective inflects: of two that sound alike the dictionary may name the other one."""
    return next((word.pos[4:5] for word in words if _INFLECTED.intersection(word.pos[:1])), ())


def _denies(words: Sequence[Word]) -> bool:
    return any(word.dictionary_form in _NEGATIVE or word.normalized in _NEGATIVE for word in words)


def _fits_cue(typed: Analysis, item: Item) -> bool:
    """Tell whether a word begins and counts as the cue says; one that says nothing of it fits every word."""
    found = _CUE.fullmatch(cue(item))
    if found is None:
        return True
    text = fold(typed.text)
    if found["unit"] == "letters":
        return _counts(text, found)
    if _is_foreign(text, spellings(item)) or (not is_kana(text) and _has_ending(typed, item)):
        return False
    return _counts(text if is_kana(text) else fold(typed.reading), found)


def _counts(sound: str, found: regex.Match[str]) -> bool:
    return len(sound) == int(found["size"]) and sound.startswith(fold(found["shown"]))


def _has_ending(typed: Analysis, item: Item) -> bool:
    """Tell whether a particle or an ending was written where a word has none: 承知します, 命令です, 許して for a noun."""
    accepted = {word.pos[:1] for one in item.accepted for word in one.analysis.words}
    endings = [word for word in typed.words if _ENDINGS.intersection(word.pos[:1]) and word.pos[:1] not in accepted]
    return bool(endings) and len(typed.words) > 1 and all(word.known for word in typed.words)
