"""What one record asks, shape by shape: a sentence with a blank, a question with its answers, a word by its meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from lessons.material.columns import Field
from lessons.material.escapes import protect, restore, unguard_formula
from lessons.material.markup import clean, gaps, mark_blanks, split_hint, strip_emphasis, unfurl
from lessons.model import Source
from lessons.text import has_japanese, has_kanji, is_kana

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lessons.material.columns import Columns
    from lessons.material.markup import Gap
    from lessons.material.table import Record

_SHORT: Final = 250
"""Characters up to which a comment on a Japanese question is its meaning."""
_OPTIONAL: Final = frozenset(
    ["する", "した", "して", "な", "の", "に", "と", "を", "て", "で", "だ", "です", "も", "が", "は", "か", "さん"]
)
"""In brackets behind kanji these are a part that may be left out; other kana there are the reading."""
_OPTIONS: Final = 3
_INSTRUCTION: Final = 60
"""Characters up to which an instruction is given with its question."""
_WAVES: Final = re.compile("[~〜～]")
_BRACKETED: Final = re.compile(r"[ \u3000]?[(（]([^()（）]*)[)）][ \u3000]?")
_SEPARATORS: Final = {Source.NATIVE: r"|\n", Source.KOTOBA: r",、，\n", Source.JLPT: r";；、,，/／|\n"}
_SEPARATORS[Source.WORD_LIST] = _SEPARATORS[Source.JLPT]
_OTHER_SEPARATORS: Final = r";；|／\n"
_READING_SEPARATORS: Final = r"|;；、,，/／\n"
_SURU: Final = "する"


@dataclass(frozen=True, slots=True)
class Ask:
    """One question of a record, cleaned. `number` is that of its cloze in the record, 1 where there is only one."""

    prompt: str
    answers: tuple[str, ...]
    readings: tuple[str, ...] = ()
    meaning: str = ""
    hint: str = ""
    explanation: str = ""
    number: int = 1


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one record by what they hold."""

    record: Record
    columns: Columns

    def raw(self, field: Field) -> str:
        """Return a cell as the file has it, without the guard of an export."""
        cell = self.columns.cell(self.record, field)
        return unguard_formula(cell) if self.columns.source is Source.NATIVE else cell

    def marked(self, field: Field) -> str:
        """Return a cell cleaned, its furigana and escapes still in place."""
        cell = self.raw(field)
        if not cell:
            return ""
        if self.columns.source is Source.NATIVE:
            return clean(protect(cell))
        return clean(strip_emphasis(cell) if self.columns.source is Source.KOTOBA else cell)

    def text(self, field: Field) -> str:
        """Return a cell as text."""
        return plain(self.marked(field))

    def several(self, field: Field) -> list[str]:
        """Return the answers of a cell, their furigana and escapes still in place."""
        return self._split(self.marked(field), _SEPARATORS.get(self.columns.source, _OTHER_SEPARATORS))

    def readings(self) -> list[str]:
        """Return the readings of the reading column."""
        return [plain(part) for part in self._split(self.marked(Field.READING), _READING_SEPARATORS)]

    def _split(self, text: str, separators: str) -> list[str]:
        """Split at any of the separators, in files of others not inside brackets; empty parts are left out."""
        whole = "" if self.columns.source is Source.NATIVE else "[(（][^()（）]*[)）]|"
        parts = re.findall(rf"(?:{whole}[^{separators}])+", text)
        return [stripped for part in parts if (stripped := part.strip())]


def plain(marked: str) -> str:
    """Return a cleaned text as it is shown."""
    return restore(unfurl(marked)[0]) if marked else ""


def asks(cells: Cells) -> list[Ask] | None:
    """Return the questions of a record, several when an Anki note has several clozes; None when its marks do not match."""
    notes = gaps(cells.marked(Field.PROMPT))
    if notes is None:
        return None
    if notes:
        return [_gap(cells, note, alone=len(notes) == 1) for note in notes]
    if cells.columns.has(Field.WORD) and not cells.columns.has(Field.PROMPT):
        return [_word(cells, Field.WORD, Field.MEANING)]
    if cells.columns.has(Field.ANSWER):
        return [_question(cells)]
    return [_basic(cells)]


def _gap(cells: Cells, note: Gap, *, alone: bool) -> Ask:
    """Ask for one cloze of a note. Its filler is the answer; an answer column can only add to the one of a lone cloze."""
    filler, reading = unfurl(note.filler)
    answers, readings, hint = _answers(cells) if alone else ((), (), "")
    return Ask(
        prompt=_prompt(note.sentence),
        answers=_unique([restore(filler).strip(), *answers]),
        readings=_unique([reading, *readings]),
        meaning=cells.text(Field.MEANING),
        hint=plain(note.hint) or hint or cells.text(Field.HINT),
        explanation=cells.text(Field.EXPLANATION),
        number=note.number,
    )


def _question(cells: Cells) -> Ask:
    answers, readings, hint = _answers(cells)
    prompt = _prompt(cells.marked(Field.PROMPT))
    meaning, comment = cells.text(Field.MEANING), cells.text(Field.EXPLANATION)
    if cells.columns.source is Source.KOTOBA and not meaning and len(comment) <= _SHORT and has_japanese(prompt):
        meaning, comment = comment, ""
    if not readings and answers and has_kanji(answers[0]) and cells.columns.source is not Source.NATIVE:
        readings = tuple(filter(is_kana, answers))
    return Ask(prompt, answers, readings, meaning, cells.text(Field.HINT) or hint or _instruction(cells), comment)


def _instruction(cells: Cells) -> str:
    """Return a short instruction ("Type the reading!") as a cue, which is given with the question; else nothing."""
    said = " ".join(cells.text(Field.INSTRUCTION).split())
    return f"{said} →" if said and len(said) <= _INSTRUCTION and "→" not in said else ""


def _basic(cells: Cells) -> Ask:
    """Ask a note without a cloze among notes with clozes: its Japanese side by the other one."""
    back = Field.MEANING if cells.text(Field.MEANING) else Field.EXPLANATION
    if has_japanese(cells.text(back)) and not has_japanese(cells.text(Field.PROMPT)):
        return _word(cells, back, Field.PROMPT)
    return _word(cells, Field.PROMPT, back)


def _prompt(marked: str) -> str:
    return restore(mark_blanks(unfurl(marked)[0]).strip())


def _answers(cells: Cells) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return answers, readings (the column's, else those of their furigana) and the hint that stood behind ::."""
    answers, readings = [], cells.readings()
    furigana, hint = [], ""
    for part in cells.several(Field.ANSWER) + cells.several(Field.ALSO_OK):
        answer, behind = split_hint(part)
        shown, reading = unfurl(answer)
        answers.append(restore(shown).strip())
        furigana.append(reading)
        hint = hint or plain(behind)
    return _unique(answers), _unique(readings or furigana), hint


def _word(cells: Cells, word: Field, meaning: Field) -> Ask:
    """Ask for a word by its meaning; without a meaning, for the reading of the word."""
    marked = cells.several(word)
    spellings, bracketed = _spellings(unfurl(part)[0] for part in marked)
    readings, _ = _spellings(cells.readings() or bracketed or [unfurl(part)[1] for part in marked])
    if any(map(has_kanji, readings)) and not any(map(has_kanji, spellings)):  # the two columns are swapped
        spellings, readings = _unique([*spellings, *readings]), spellings
    readings = _unique(_WAVES.sub("", reading) for reading in readings)
    spellings, readings = _with_suru(spellings, readings)
    hint, asked = cells.text(Field.HINT), cells.text(meaning)
    comment = "" if Field.EXPLANATION in {word, meaning} else cells.text(Field.EXPLANATION)
    if asked:
        return Ask(mark_blanks(asked), spellings, readings, hint=hint, explanation=comment)
    return Ask(cells.text(word), readings, hint=hint, explanation=comment)


def _spellings(parts: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ways to write a dictionary entry, and the readings that stood in brackets behind its kanji.

    "パート (タイム)" can be written パートタイム or パート, "～区" also without its wave, "時 (じ)" is read じ.
    The first is the longest; waves stay in it, since they show where the word goes.
    """
    spellings: list[str] = []
    readings: list[str] = []
    for part in map(restore, parts):
        pieces = _BRACKETED.split(part)  # outside, inside, outside, inside ... outside
        choices = [_choices(pieces, number, readings) for number in range(len(pieces))]
        if len(pieces) > 2 * _OPTIONS + 1:
            choices = [[part]]
        spellings += ["".join(choice).strip() for choice in product(*choices)]
    return _unique([*spellings, *(_WAVES.sub("", spelling) for spelling in spellings)]), tuple(readings)


def _choices(pieces: Sequence[str], number: int, readings: list[str]) -> list[str]:
    """What can be written for one piece of an entry; a piece in brackets that is a reading goes to `readings`."""
    piece = pieces[number]
    if number % 2 == 0:
        return [piece]
    if _WAVES.search(piece) or not has_japanese(piece):
        return [""]  # a remark such as (〜を) or (polite)
    if has_kanji(pieces[number - 1]) and is_kana(piece) and piece not in _OPTIONAL:
        readings.append(piece)
        return [""]
    return [piece, ""]


def _with_suru(spellings: tuple[str, ...], readings: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """運動 read うんどうする is both 運動 and 運動する: a noun that makes a verb, whichever of them the list wrote."""
    verbs = [reading for reading in readings if reading.endswith(_SURU) and reading != _SURU]
    if not verbs or any(spelling.endswith(_SURU) for spelling in spellings):
        return spellings, readings
    nouns = [verb.removesuffix(_SURU) for verb in verbs]
    return _unique([*spellings, *(spelling + _SURU for spelling in spellings)]), _unique([*nouns, *readings])


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
