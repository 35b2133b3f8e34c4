"""A cell to plain text: tags, entities, sounds and furigana come off, every notation of a blank becomes BLANK."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from lessons.model import BLANK
from lessons.text import is_kana

# Every pattern here is tried once from each place it can begin at: hostile cells cost what long cells cost.

_KANA: Final = "\u3041-\u309f\u30a1-\u30ff"
_KANJI: Final = "\u3400-\u9fff\uf900-\ufaff々〆〇ヶヵ0-9０-９\U00020000-\U000323af"
_START: Final = "\ufdef"
"""Where a ruby base begins; a character that no text holds."""

_KNOWN_TAGS: Final = (
    "a|abbr|anki-[a-z]+|audio|b|big|blockquote|center|cite|code|del|em|font|h[1-6]|i|img|ins|kbd|label|mark|object|pre|"
    "q|rb|rp|rtc|s|samp|small|source|span|strike|strong|sub|sup|svg|table|tbody|td|tfoot|th|thead|tt|u|video|wbr"
)
_BREAKS: Final = re.compile(r"<br\b[^<>]*>|</?(?:p|div|li|ul|ol|tr|hr|dd|dt|dl)\b[^<>]*>", re.IGNORECASE)
_TAGS: Final = re.compile(rf"</?(?:{_KNOWN_TAGS})\b[^<>]*>|</(?:ruby|rt)>", re.IGNORECASE)
_RUBY_FALLBACK: Final = re.compile(r"<rp\b[^<>]*>[^<]*</rp>", re.IGNORECASE)
_RUBY_BASE: Final = re.compile(r"<(?:ruby|rb)\b[^<>]*>", re.IGNORECASE)
_RUBY_TEXT: Final = re.compile(r"<rt\b[^<>]*>([^<]*)", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_SOUND: Final = re.compile(r"\[(?:sound|anki):[^\[\]]*\]")
_INVISIBLE: Final = re.compile("[\u200b\u2060\ufeff\u00ad]")
_VOICED: Final = re.compile("[\u3040-\u30ff][\u3099\u309a]")
_SPACES: Final = re.compile(r"[ \t\xa0]+")
_AROUND_LINE_END: Final = re.compile(r" ?(?:\r\n|[\r\n\u2028\u2029\x85]) ?")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")

_FURIGANA: Final = re.compile(
    rf"(?:{_START}([^{_START}\[\]]*+)|(?:[ \u3000]|(?<![{_KANJI}]))([{_KANJI}]++))\[([{_KANA}]++)\]"
)
_BLANKS: Final = re.compile(
    r"[\[［(（【〔｛{][ \u3000_＿]++[\])）】〕］｝}]|（）|【】|［］|\[(?:\.{3}|…{1,2})\]|_{2,}|＿+",
)
_EMPHASIS: Final = (
    re.compile(r"\*\*([^*\n]+)\*\*"), re.compile(r"__([^_\s](?:[^_\n]*[^_\s])?)__"), re.compile(r"\|\|([^|\n]+)\|\|"),
)  # fmt: skip

_GAP_MARKS: Final = re.compile(r"\{\{(?:c(\d{1,3})::)?|\}\}")
_NESTING: Final = 8
_GAPS: Final = 100


@dataclass(frozen=True, slots=True)
class Gap:
    """One cloze of a note: its number, the sentence around it (BLANK in it), what fills it, and its hint, or ""."""

    number: int
    sentence: str
    filler: str
    hint: str


def clean(cell: str) -> str:
    """Return the text of a cell without tags, entities, sounds, invisible characters and superfluous space.

    Line-breaking tags become line ends, ruby becomes bracket furigana 漢字[かんじ] (see `unfurl`); cloze marks stay.
    Tags are only those HTML knows, so "a < b" and "<to eat>" are text.
    """
    if "<" in cell:
        cell = _BREAKS.sub("\n", _RUBY_FALLBACK.sub("", cell))
        cell = _RUBY_TEXT.sub(r"[\1]", _RUBY_BASE.sub(_START, cell))
        cell = _TAGS.sub("", cell)
    if "&" in cell:
        cell = _ENTITY.sub(lambda match: html.unescape(match[0]), cell)
    if "[" in cell:
        cell = _SOUND.sub("", cell)
    cell = _SPACES.sub(" ", _INVISIBLE.sub("", cell))
    cell = _EMPTY_LINES.sub("\n\n", _AROUND_LINE_END.sub("\n", cell))
    return _VOICED.sub(lambda match: unicodedata.normalize("NFC", match[0]), cell).strip()


def unfurl(text: str) -> tuple[str, str]:
    """Take bracket furigana off a cleaned text: 食[た]べる gives ("食べる", "たべる").

    The second part is "" when there is no furigana, or when it leaves kanji unread.
    """
    if "[" not in text and _START not in text:
        return text, ""
    plain = _FURIGANA.sub(lambda match: match[1] or match[2], text).replace(_START, "")
    read = _FURIGANA.sub(r"\3", text).replace(_START, "")
    return plain.strip(), read.strip() if read != plain and is_kana(read.strip()) else ""


def mark_blanks(text: str) -> str:
    """Write every notation of a blank as BLANK: [___], （＿＿）, ( ), ___, ＿＿, [...]."""
    return _BLANKS.sub(BLANK, text)


def strip_emphasis(text: str) -> str:
    """Take Discord's bold, underline and spoiler marks off a text that was written for Discord."""
    for pattern in _EMPHASIS:
        text = pattern.sub(r"\1", text)
    return text


def split_hint(text: str) -> tuple[str, str]:
    """Split "answer::hint" into the two; the hint is "" when there is none."""
    answer, _, hint = text.partition("::")
    return answer.strip(), hint.strip()


def gaps(text: str) -> list[Gap] | None:
    """Return the clozes of an Anki note, {{c1::filler::hint}} or {{filler}}, in their order.

    For each of them the others are filled in. A number that stands on several fillers gives a sentence with as many
    blanks. Empty when the text has no cloze, None when its marks do not match or are more than anyone means.
    """
    if "{{" not in text and "}}" not in text:
        return []
    note = _parse(text)
    if note is None:
        return None
    return [note.gap(number) for number in dict.fromkeys(number for number, _ in note.spans)]


@dataclass(frozen=True, slots=True)
class _Note:
    """A note in pieces: each a text and the spans it stands in, outermost first. A span is its number and its hint."""

    spans: list[tuple[int, str]]
    pieces: list[tuple[str, tuple[int, ...]]]

    def gap(self, number: int) -> Gap:
        sentence = filler = hint = ""
        blanked: list[int] = []
        for text, inside in self.pieces:
            span = next((span for span in inside if self.spans[span][0] == number), None)
            if span is None:
                sentence += text
                continue
            if span not in blanked:
                sentence += BLANK
                blanked.append(span)
            if span == blanked[0]:
                filler += text
                hint = self.spans[span][1]
        return Gap(number, sentence, filler.strip(), hint)


def _parse(text: str) -> _Note | None:
    note = _Note([], [])
    inside: tuple[int, ...] = ()
    begun: list[int] = []  # the first piece of each open span
    position = 0
    for mark in _GAP_MARKS.finditer(text):
        note.pieces.append((text[position : mark.start()], inside))
        position = mark.end()
        if mark[0] != "}}":
            inside += (len(note.spans),)
            begun.append(len(note.pieces))
            note.spans.append((int(mark[1] or 1), ""))
            if len(inside) > _NESTING or len(note.spans) > _GAPS:
                return None
        elif begun:
            _take_hint(note, begun.pop(), inside)
            inside = inside[:-1]
        else:
            return None
    note.pieces.append((text[position:], inside))
    return None if begun else note


def _take_hint(note: _Note, begun: int, inside: tuple[int, ...]) -> None:
    """Move what follows :: in the span that just closed from its pieces to its hint."""
    for number in range(begun, len(note.pieces)):
        text, where = note.pieces[number]
        filler, colons, hint = text.partition("::")
        if where == inside and colons:
            span = inside[-1]
            rest = "".join(text for text, _ in note.pieces[number + 1 :])
            note.spans[span] = (note.spans[span][0], (hint + rest).strip())
            note.pieces[number:] = [(filler, inside)]
            return
