"""Columns without a header: what they most likely hold, read off the cells; the moderator is asked to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.errors import Refusal, UnreadableFile
from lessons.material.columns import Columns, Field, with_directives
from lessons.material.markup import clean, mark_blanks, unfurl
from lessons.model import BLANK, Source
from lessons.text import has_japanese, has_kanji, is_kana

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lessons.material.table import Table

_SAMPLE: Final = 200
"""Records that are looked at."""
_MOST: Final = 0.5
_NEARLY_ALL: Final = 0.7
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class _Column:
    number: int
    cells: tuple[str, ...]  # cleaned; the column's share of the sample, blanks included

    def share(self, holds: Callable[[str], bool]) -> float:
        """Of the cells that are not empty, how many are like this."""
        filled = [cell for cell in self.cells if cell]
        return sum(map(holds, filled)) / len(filled) if filled else 0.0

    @property
    def japanese(self) -> bool:
        return self.share(has_japanese) >= _MOST


def by_content(table: Table, columns: int) -> Columns:
    """Guess the columns of a table without header, of which none is dropped. Raises UnreadableFile MISSING_COLUMNS."""
    fields = with_directives([None] * columns, table.directives)
    set_aside = {
        int(number) - 1 for key, number in table.directives.items() if key.endswith(" column") and number.isdecimal()
    }
    cells = [_cells(table, number) for number in range(columns)]
    free = [_Column(number, cells[number]) for number in range(columns) if number not in set_aside]
    free = [column for column in free if column.share(_has_letters) >= _MOST]
    source = Source.ANKI if table.directives else Source.PAIRS if len(free) == _PAIR else Source.GUESSED
    roles = _sentences(free)
    inside = roles is not None and Field.ANSWER in roles and not _blanked(free[roles.index(Field.PROMPT)])
    if roles is not None and source is not Source.ANKI:
        source = Source.SENTENCES
    if roles is None and len(free) < _PAIR:
        raise UnreadableFile(Refusal.MISSING_COLUMNS, ", ".join(filter(None, map(str.strip, table.records[0].cells))))
    roles = roles or _words(free)
    for column, role in zip(free, roles, strict=True):
        fields[column.number] = role
    names = tuple(field.value if field else str(number) for number, field in enumerate(fields, 1))
    return Columns(source, tuple(fields), names, header=False, guessed=True, inside=inside)


def _cells(table: Table, number: int) -> tuple[str, ...]:
    sample = table.records[:_SAMPLE]
    return tuple(unfurl(clean(record.cells[number]))[0] if number < len(record.cells) else "" for record in sample)


def _has_letters(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _has_blank(cell: str) -> bool:
    return "{{" in cell or BLANK in mark_blanks(cell)


def _blanked(column: _Column) -> bool:
    return column.share(_has_blank) >= _MOST


def _sentences(columns: list[_Column]) -> list[Field | None] | None:
    """Sentences with a blank, or a sentence and a shorter column that occurs in it; None when there are none."""
    for sentence in columns:
        if sentence.share(lambda cell: "{{" in cell) >= _MOST:
            return _roles(columns, {sentence.number: Field.PROMPT})
        others = [column for column in columns if column is not sentence]
        if _blanked(sentence) and others:
            answer = min(others, key=lambda column: (not column.japanese, _length(column)))
            return _roles(columns, {sentence.number: Field.PROMPT, answer.number: Field.ANSWER})
        for answer in others:
            if _occurs(answer, sentence):
                return _roles(columns, {sentence.number: Field.PROMPT, answer.number: Field.ANSWER})
    return None


def _length(column: _Column) -> int:
    return sum(map(len, column.cells))


def _occurs(answer: _Column, sentence: _Column) -> bool:
    pairs = [pair for pair in zip(answer.cells, sentence.cells, strict=True) if all(pair)]
    inside = sum(short in long and len(short) < len(long) for short, long in pairs)
    return inside > _NEARLY_ALL * len(pairs)


def _words(columns: list[_Column]) -> list[Field | None]:
    """A word and what it means, or a question and its answer where both are in one script."""
    japanese = [column for column in columns if column.japanese]
    foreign = [column for column in columns if not column.japanese]
    if japanese and foreign:
        word = max(japanese, key=lambda column: column.share(has_kanji))
        return _roles(columns, {word.number: Field.WORD, foreign[0].number: Field.MEANING})
    return _roles(columns, {columns[0].number: Field.PROMPT, columns[1].number: Field.ANSWER})


def _roles(columns: Iterable[_Column], sure: dict[int, Field]) -> list[Field | None]:
    """Fill in the columns beside those that are sure: a reading, a meaning, then explanations."""
    left = [Field.READING, Field.MEANING]
    roles: list[Field | None] = []
    for column in columns:
        role = sure.get(column.number)
        if role is None and column.share(is_kana) >= _NEARLY_ALL and Field.READING in left:
            role = Field.READING
        elif role is None and not column.japanese and Field.MEANING not in sure.values() and Field.MEANING in left:
            role = Field.MEANING
        role = role or Field.EXPLANATION
        if role in left:
            left.remove(role)
        roles.append(role)
    return roles
