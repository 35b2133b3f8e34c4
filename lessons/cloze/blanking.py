"""The blanks of a sentence: each a whole unit, with its cue and how surely one filler fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.cloze import particles
from lessons.cloze.spaced import spaced_blanks
from lessons.cloze.units import pieces
from lessons.cloze.words import word_cue
from lessons.model import Blank, ErrorType, Unit

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lessons.cloze.levels import Levels
    from lessons.cloze.units import Piece
    from lessons.model import Sentence, Word

CLOSED: Final = 0.9
"""Certainty from which a string match has the last word; with it 95 in 100 held-out closed blanks or more have one filler."""

LONGEST: Final = 300
"""Characters of the longest sentence that is asked about."""

_FORM: Final = 0.96
_UNSURE_FORM: Final = 0.8
_UNSURE_STEPS: Final = ("command", "causative, 〜られる", "causative, passive")
"""Named forms that can be made in two ways, such as 待たせられる and 待たされる."""


def blanks(
    sentence: Sentence, levels: Levels, *, language: str = "ja", function_words: Collection[str] = frozenset()
) -> list[Blank]:
    """Return the units of the sentence that can be asked for, in order.

    Never asked: punctuation, numbers and counters, names, unknown words, Latin script, parts of compounds and of fixed
    expressions, and what the rest of the sentence shows. A particle is asked as "particle, 1 kana". A form is
    asked with its dictionary form and its name, "食べる (passive, polite past)", since news alone seldom says
    whether past or present, plain or polite was written: named, one form is left, and a string match can grade it.
    A word is asked with its first kana (`word_cue`). `function_words` are those of a language written with spaces.
    """
    if len(sentence.text) > LONGEST:
        return []
    if language != "ja":
        return spaced_blanks(sentence, frozenset(function_words))
    made = (_blank(sentence, piece, levels) for piece in pieces(sentence.words))
    return [blank for blank in made if blank is not None]


def _blank(sentence: Sentence, piece: Piece, levels: Levels) -> Blank | None:
    if piece.unit is Unit.PARTICLE:
        return _particle(sentence, piece)
    if _is_shown(sentence, piece):
        return None
    return _form(sentence, piece) if piece.unit is Unit.FORM else _word(sentence, piece, levels)


def _particle(sentence: Sentence, piece: Piece) -> Blank:
    answer = sentence.text[piece.start : piece.end]
    slot = particles.slot(sentence.words, piece.first)
    return Blank(
        start=piece.start,
        end=piece.end,
        answer=answer,
        reading=answer,
        unit=Unit.PARTICLE,
        part_of_speech="助詞",
        error_type=ErrorType.PARTICLE,
        certainty=slot.certainty,
        closed=slot.certainty >= CLOSED,
        cue=f"particle, {len(answer)} kana",
        level=particles.level(answer),
        also=slot.also,
    )


def _form(sentence: Sentence, piece: Piece) -> Blank | None:
    answer, form = sentence.text[piece.start : piece.end], piece.form
    if form is None or form.lemma.startswith(answer):
        return None  # an ichidan stem is read off its dictionary form
    certainty = _UNSURE_FORM if any(step in form.name for step in _UNSURE_STEPS) else _FORM
    return Blank(
        start=piece.start,
        end=piece.end,
        answer=answer,
        reading=_reading(sentence, sentence.words[piece.first : piece.last]),
        unit=Unit.FORM,
        part_of_speech=form.part,
        error_type=ErrorType.CONJUGATION,
        certainty=certainty,
        closed=certainty >= CLOSED,
        cue=f"{form.lemma} ({form.name})",
        level=form.level,
    )


def _word(sentence: Sentence, piece: Piece, levels: Levels) -> Blank | None:
    answer, words = sentence.text[piece.start : piece.end], sentence.words[piece.first : piece.last]
    reading = _reading(sentence, words)
    lemma = piece.form.lemma if piece.form else words[0].dictionary_form
    level = levels.of(lemma, reading) or levels.of(words[0].normalized, reading) or levels.of(lemma)
    cue, certainty = word_cue(answer, reading, levels)
    certainty = certainty if level else min(certainty, CLOSED - 0.1)
    return Blank(
        start=piece.start,
        end=piece.end,
        answer=answer,
        reading=reading,
        unit=Unit.WORD,
        part_of_speech=piece.form.part if piece.form else words[0].pos[0],
        error_type=ErrorType.VOCABULARY,
        certainty=certainty,
        closed=certainty >= CLOSED,
        cue=cue,
        level=level,
    )


def _reading(sentence: Sentence, words: Sequence[Word]) -> str:
    """Read the words, by the sentence's own furigana where it has them."""
    rubies = dict(sentence.rubies)
    return "".join(rubies.get(word.surface, word.reading) for word in words)


def _is_shown(sentence: Sentence, piece: Piece) -> bool:
    """Tell whether the answer can be read elsewhere in the sentence: as written, as it sounds or in another form."""
    answer = sentence.text[piece.start : piece.end]
    rest = sentence.text[: piece.start] + "\n" + sentence.text[piece.end :]
    if answer in rest or (len(answer) > 1 and _reading(sentence, sentence.words[piece.first : piece.last]) in rest):
        return True
    if piece.unit is Unit.FORM:
        return False
    own, others = sentence.words[piece.first], (*sentence.words[: piece.first], *sentence.words[piece.last :])
    return any(
        own.normalized == word.normalized or own.reading == word.reading or own.dictionary_form == word.dictionary_form
        for word in others
    )
