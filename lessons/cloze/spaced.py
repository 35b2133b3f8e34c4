"""Sentences and blanks of languages that put spaces between words, as far as letters alone can tell."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import regex

from lessons.cloze.sentences import rubies_in
from lessons.model import BLANK, Blank, ErrorType, Sentence, Unit, Word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lessons.model import Prose

_TOKEN: Final = regex.compile(r"[\p{L}\p{M}]++(?:['’\-][\p{L}\p{M}]++)*+|\p{N}++(?:[.,:]\p{N}++)*+|\s++|.", regex.S)
_END: Final = regex.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s++[\"'“‘«(\[¿¡]*+[\p{Lu}\p{Lo}\p{N}]|\s*+$)")
_ABBREVIATION: Final = regex.compile(
    r"(?:^|[\s(\"“«])(?:\p{L}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|prof|st|sr|sra|jr|vs|nr|bzw|ca|etc|gen|rev|inc|ltd|co|usw"
    r"|approx|dept|fig|jan|feb|apr|aug|sep|sept|oct|nov|dec|mme|mlle|ing|lic)$",
    regex.I,
)
_ORDINAL: Final = regex.compile(r"(?<!\d)\d{1,2}$")  # 3. Mai, 21. Jahrhundert; a year can end a sentence
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_OPENING: Final = "\"'“‘«([¿¡ "
_BACK: Final = 12  # characters looked at for an abbreviation
_HEADLINE: Final = 40  # characters from which a text without a full stop is taken for a sentence
_SHORTEST: Final = 4  # letters of a word that is asked
_FEW: Final = 3


def split_spaced(prose: Prose) -> list[Sentence]:
    """Cut the paragraphs at . ! ? … into sentences with their words.

    A dot after an abbreviation, an initial or a number does not end a sentence, unless nothing follows. Words carry
    no reading and their lower-case form as dictionary form; joined they give the text.
    """
    return [
        Sentence(piece, tuple(_words(piece)), number, rubies_in(piece, prose))
        for number, text in enumerate(prose.paragraphs)
        for piece in _pieces(text)
        if BLANK not in piece
    ]


def _pieces(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        last = not text[end.end() :].strip()
        if not last and end[0][0] == "." and _is_abbreviated(text[max(start, end.start() - _BACK) : end.start()]):
            continue
        yield text[start : end.end()].strip()
        start = end.end()
    rest = text[start:].strip()
    if len(rest) >= _HEADLINE:
        yield rest


def _is_abbreviated(before: str) -> bool:
    return _ABBREVIATION.search(before) is not None or _ORDINAL.search(before) is not None


def _words(text: str) -> Iterator[Word]:
    for surface in _TOKEN.findall(text):
        yield Word(surface, "", surface.lower(), surface.lower(), ())


def spaced_blanks(sentence: Sentence, function_words: Collection[str]) -> list[Blank]:
    """Return function words as PARTICLE and longer words as WORD; nothing is known of their grammar.

    Weaker than Japanese in all: no forms (an ending cannot be told from its stem), names are only known by a
    capital inside the sentence (German nouns fall out with them), and no list says which words share a beginning. So
    nothing here is closed: a judge decides what string match does not.
    """
    made, position = [], 0
    times = Counter(word.normalized for word in sentence.words)
    for word in sentence.words:
        first = not sentence.text[:position].strip(_OPENING)
        unit = _unit(word.surface, function_words, first=first)
        if unit and times[word.normalized] == 1:
            made.append(_blank(word, position, unit))
        position += len(word.surface)
    return made


def _unit(surface: str, function_words: Collection[str], *, first: bool) -> Unit | None:
    if surface.lower() in function_words:
        return None if first else Unit.PARTICLE
    plain = surface.isalpha() and surface == surface.lower() and not _UNSPACED.search(surface)
    return Unit.WORD if plain and len(surface) >= _SHORTEST else None


def _blank(word: Word, start: int, unit: Unit) -> Blank:
    shown = word.surface[: max(1, min(_FEW, len(word.surface) // 3))]
    hidden = "＿" * (len(word.surface) - len(shown))
    particle = unit is Unit.PARTICLE
    return Blank(
        start=start,
        end=start + len(word.surface),
        answer=word.surface,
        reading="",
        unit=unit,
        part_of_speech="",
        error_type=ErrorType.OTHER if particle else ErrorType.VOCABULARY,
        certainty=0.5 if particle else 0.7,
        closed=False,
        cue=f"{len(word.surface)} letters" if particle else f"{shown}{hidden} ({len(word.surface)} letters)",
    )
