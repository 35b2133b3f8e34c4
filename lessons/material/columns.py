"""What each column of a table holds, read off its header; where the header is unknown, off the cells themselves."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lessons.model import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lessons.material.table import Record, Table


class Field(StrEnum):
    """What a column can hold."""

    ID = "id"
    LESSON = "lesson"
    TYPE = "type"
    PROMPT = "prompt"
    ANSWER = "answer"
    ALSO_OK = "also_ok"
    WORD = "word"
    READING = "reading"
    MEANING = "meaning"
    HINT = "hint"
    INSTRUCTION = "instruction"
    EXPLANATION = "explanation"
    SKILL = "skill"
    TAGS = "tags"
    DECK = "deck"


ALIASES: Final = {
    alias: field
    for field, aliases in {
        Field.ID: "id guid",
        Field.LESSON: "lesson lessons chapter unit lektion leçon 課 レッスン 章",
        Field.TYPE: "type kind 種類 タイプ",
        Field.PROMPT: "prompt question sentence front text cloze 問題 質問 例文 文 問い",
        Field.ANSWER: "answer answers back 答え 答 解答 正解 こたえ",
        Field.ALSO_OK: "alsook alternatives 別解",
        Field.WORD: "word expression kanji vocab vocabulary term japanese 単語 語彙 言葉 漢字 日本語",
        Field.READING: "reading readings kana furigana hiragana pronunciation よみ 読み よみかた 読み方 ふりがな かな",
        Field.MEANING: "meaning english translation definition description gloss 意味 英語 訳 翻訳",
        Field.HINT: "hint ヒント",
        Field.INSTRUCTION: "instruction instructions 指示",
        Field.EXPLANATION: "explanation comment comments note notes extra backextra 説明 解説 備考 メモ",
        Field.SKILL: "skill errortype",
        Field.TAGS: "tags tag タグ",
        Field.DECK: "deck デッキ",
    }.items()
    for alias in aliases.split()
}
"""Header, folded and without spaces, to what the column holds."""

_SHAPES: Final = (
    (frozenset({"prompt", "answer"}), Source.NATIVE),
    (frozenset({"question", "answers", "comment"}), Source.KOTOBA),
    (frozenset({"expression", "reading", "meaning"}), Source.JLPT),
)
_DIRECTIVES: Final = {
    "guid column": Field.ID,
    "deck column": Field.DECK,
    "tags column": Field.TAGS,
    "notetype column": None,
}
_SEPARATING: Final = re.compile(r"[\s_\-?:.*/]+")
_REMARK: Final = re.compile(r"[(（\[].*")
_CLOZE: Final = "cloze"
_STAND_INS: Final = {Field.PROMPT: Field.MEANING, Field.ANSWER: Field.WORD}
"""A word is asked by its meaning."""
_ASKABLE: Final = frozenset({Field.PROMPT, Field.ANSWER, Field.WORD, Field.MEANING})


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file: what each holds (None: nothing that is used), and its name as the file writes it.

    `header` says that the first record is one, `guessed` that nobody named the columns. `inside` says that the answer
    is a part of the prompt, to be blanked out.
    """

    source: Source
    fields: tuple[Field | None, ...]
    names: tuple[str, ...]
    header: bool
    guessed: bool = False
    inside: bool = False

    def has(self, field: Field) -> bool:
        """Tell whether a column holds this."""
        return field in self.fields

    def name(self, field: Field) -> str:
        """Return the name of the first column that holds this, or stands in for it, or what it would be called here."""
        for wanted in (field, _STAND_INS.get(field)):
            for held, name in zip(self.fields, self.names, strict=True):
                if held is wanted is not None:
                    return name
        return field.value

    def cell(self, record: Record, field: Field) -> str:
        """Return a record's cell, "" when it has none; several columns that hold the same are joined, a line each."""
        if field not in self.fields:
            return ""
        held = (cell for what, cell in zip(self.fields, record.cells, strict=False) if what is field and cell.strip())
        return "\n".join(held)


def fold_header(cell: str) -> str:
    """Return a header as `ALIASES` spells it: width, case, spaces and punctuation do not count."""
    return _SEPARATING.sub("", unicodedata.normalize("NFKC", cell).casefold())


def by_header(table: Table) -> Columns | None:
    """Read the columns off the first record, or off Anki's `#columns:`; None when that is no header.

    Two different columns must be known. A pair such as "question, 問題" names one column twice: it is a row.
    """
    named = table.directives.get("columns")
    first = tuple(named.split(table.delimiter)) if named else table.records[0].cells
    first = first[: filled(first)]
    folded = tuple(map(_known_name, first))
    fields = [ALIASES.get(name) for name in folded]
    inside = _settle(fields, folded)
    known = {field for field in fields if field}
    if not known & _ASKABLE or (len(known) < 2 and len(folded) > 1):  # noqa: PLR2004
        return None
    names = tuple(cell.strip() for cell in first)
    source = Source.ANKI if table.directives else _shape(frozenset(folded), known)
    return Columns(source, tuple(with_directives(fields, table.directives)), names, header=not named, inside=inside)


def _settle(fields: list[Field | None], folded: Sequence[str]) -> bool:
    """Settle what a column is by those beside it; True when the answer is a part of the prompt.

    Beside a sentence, "cloze" is what to blank out of it, and so is a word that has no meaning beside it; of a word with
    its meaning the sentence is only an example.
    """
    if _CLOZE in folded and fields.count(Field.PROMPT) > 1:
        fields[folded.index(_CLOZE)] = Field.ANSWER
        return True
    if Field.PROMPT in fields and Field.WORD in fields and Field.ANSWER not in fields:
        if Field.MEANING in fields:
            fields[:] = [Field.EXPLANATION if field is Field.PROMPT else field for field in fields]
            return False
        fields[fields.index(Field.WORD)] = Field.ANSWER
        return True
    return False


def with_directives(fields: Sequence[Field | None], directives: Mapping[str, str]) -> list[Field | None]:
    """Lay over the columns what Anki's `#guid column:1` and its like say of them."""
    laid = list(fields)
    for key, field in _DIRECTIVES.items():
        column = directives.get(key, "")
        if column.isascii() and column.isdecimal() and 1 <= int(column) <= len(laid):
            laid[int(column) - 1] = field
    return laid


def _known_name(cell: str) -> str:
    """Fold a header; of "Meaning (English)" only the first part, unless the whole is known."""
    whole = fold_header(cell)
    return whole if whole in ALIASES else fold_header(_REMARK.sub("", cell))


def _shape(names: frozenset[str], known: set[Field]) -> Source:
    for needed, source in _SHAPES:
        if needed <= names:
            return source
    if _CLOZE in names:
        return Source.SENTENCES
    return Source.WORD_LIST if Field.WORD in known else Source.NATIVE


def width(records: Sequence[Record]) -> int:
    """Return how many columns the records have, without columns that are empty all the way down."""
    return max((filled(record.cells) for record in records), default=0)


def filled(cells: Sequence[str]) -> int:
    """Return how many cells there are up to the last that is not blank."""
    return next((number for number in range(len(cells), 0, -1) if cells[number - 1].strip()), 0)
