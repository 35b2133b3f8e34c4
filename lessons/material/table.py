"""Text to records: delimiter, quotes and Anki's directives, with the physical line on which every record begins."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lessons.errors import Refusal, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DELIMITERS: Final = ("\t", ",", ";", "|")
_SAMPLE: Final = 40
"""Records on which a delimiter is tried."""
_AGREEMENT: Final = 0.5
"""The share of them that must have the same width for the file to be a table at all."""
_SEPARATORS: Final = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "colon": ":"}
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_DIRECTIVE: Final = re.compile(
    r"#(separator|html|tags|columns|notetype|deck|if matches|(?:notetype|deck|tags|guid) column):[ ]?([^\r\n]*)"
    r"(?:\r\n|\r|\n|\Z)",
    re.IGNORECASE,
)
_EXCEL: Final = re.compile(r'"?sep=([^\r\n])"?(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
_QUOTED: Final = re.compile(r'"([^"]*+(?:""[^"]*+)*+)("?)')
_REST: Final = re.compile(r"[^\r\n]*+")
_LINE_END_OR_NOT: Final = re.compile(r"(?:\r\n|\r|\n)?")


@dataclass(frozen=True, slots=True)
class Record:
    """One record and the 1-based line it begins on. `broken` says that its quotes do not match; it has no cells then."""

    line: int
    cells: tuple[str, ...]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A file as records, blank ones left out. `directives` are the `#key:value` lines of an Anki export."""

    delimiter: str
    records: tuple[Record, ...]
    directives: Mapping[str, str] = field(default_factory=dict)


def tabulate(text: str, rows: int) -> Table:
    """Cut a text into records, at most `rows` and a header.

    Raises UnreadableFile: UNBALANCED_QUOTE (found: the line where the quote opened), NOT_A_TABLE, TOO_MANY_ROWS
    or NO_ROWS.
    """
    start, directives = _directives(text)
    excel = _EXCEL.match(text)
    if excel:
        start, delimiter = excel.end(), excel[1]
    elif "separator" in directives:
        named = directives["separator"]
        delimiter = _SEPARATORS.get(named.lower(), named[:1] or "\t")
    else:
        delimiter = _guess(text, start)
    records: list[Record] = []
    for record in _records(text, start, delimiter):
        if len(records) > rows:
            raise UnreadableFile(Refusal.TOO_MANY_ROWS, found=_lines(text), limit=rows)
        records.append(record)
    if not records:
        raise UnreadableFile(Refusal.NO_ROWS)
    return Table(delimiter, tuple(records), directives)


def _directives(text: str) -> tuple[int, dict[str, str]]:
    found: dict[str, str] = {}
    position = 0
    while match := _DIRECTIVE.match(text, position):
        found[match[1].lower()] = match[2] if match[2].isspace() else match[2].strip()
        position = match.end()
    return position, found


def _guess(text: str, start: int) -> str:
    """The delimiter under which the most of the first records have the same width, and more than one cell."""
    scored = [(_consistency(text, start, delimiter), delimiter) for delimiter in DELIMITERS]
    share, delimiter = max(scored, key=lambda pair: pair[0])
    if share >= _AGREEMENT:
        return delimiter
    if "{{" in text:  # a column of Anki cloze sentences
        return "\t"
    deque(_records(text, start, delimiter), maxlen=0)  # a quote that never closes is the better reason, if there is one
    raise UnreadableFile(Refusal.NOT_A_TABLE, text[start:].strip().partition("\n")[0].strip())


def _consistency(text: str, start: int, delimiter: str) -> float:
    widths: Counter[int] = Counter()
    try:
        for record in _records(text, start, delimiter):
            widths[len(record.cells)] += 1
            if widths.total() == _SAMPLE:
                break
    except UnreadableFile:
        widths[0] += 1
    width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(0, 0))
    return count / widths.total() if width > 1 else 0.0


def _records(text: str, position: int, delimiter: str) -> Iterator[Record]:
    """Yield the records that are not blank. Raises UNBALANCED_QUOTE."""
    scan = _Scan(text, delimiter, position, 1 + _lines(text[:position]))
    while scan.position < len(text):
        record = scan.record()
        if record.broken or any(map(str.strip, record.cells)):
            yield record


def _lines(text: str) -> int:
    return len(_LINE_END.findall(text))


class _Scan:
    """A place in a text, moved on record by record: RFC 4180 with any line end, and no guessing about quotes."""

    __slots__ = ("_bare", "_delimiter", "_text", "line", "position")

    def __init__(self, text: str, delimiter: str, position: int, line: int) -> None:
        self._text = text
        self._delimiter = delimiter
        self._bare = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
        self.position = position
        self.line = line

    def record(self) -> Record:
        """Read one record. Raises UNBALANCED_QUOTE when its quotes cannot be told to end where they should."""
        first = self.line
        cells: list[str] = []
        while True:
            cell = self._quoted() if self._text.startswith('"', self.position) else self._match(self._bare)[0]
            if cell is None:
                self._match(_REST)
                self._end_line()
                return Record(first, (), broken=True)
            cells.append(cell)
            if not self._text.startswith(self._delimiter, self.position):
                self._end_line()
                return Record(first, tuple(cells))
            self.position += 1

    def _quoted(self) -> str | None:
        """Read a quoted cell; None when more text follows its quote, but all quotes of its one line are in pairs."""
        opened = self.line
        match = self._match(_QUOTED)
        self.line += _lines(match[1])
        if match[2] and self._text.startswith((self._delimiter, "\r", "\n"), self.position):
            return match[1].replace('""', '"')
        if match[2] and self.position == len(self._text):
            return match[1].replace('""', '"')
        rest = _REST.match(self._text, self.position)
        if not match[2] or self.line > opened or (rest and rest[0].count('"') % 2):
            raise UnreadableFile(Refusal.UNBALANCED_QUOTE, found=opened)
        return None

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Move over a pattern that matches anywhere."""
        match = pattern.match(self._text, self.position)
        assert match is not None  # noqa: S101 - it can match nothing at all, or begins at a quote that was seen
        self.position = match.end()
        return match

    def _end_line(self) -> None:
        """Move over the end of the line, or of the text."""
        self._match(_LINE_END_OR_NOT)
        self.line += 1
