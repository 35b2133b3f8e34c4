"""What the tutor says, made fit to be seen while it still streams: Discord's dialect, no links, no pings, no leaks."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import regex

from lessons.prompting import RUN, repeated, words_of
from lessons.text import LINKS
from lessons.tutoring.rules import LABELS

PAGE: Final = 1_900
"""Characters of a page, below the 2,000 that Discord takes."""

_MENTIONS: Final = regex.compile(r"<(?:[@#/]|a?:\w|t:|id:)[^<>\n]*>?|[@＠]\s*(?:everyone|here)\b|[@＠]\S+", regex.I)
_MASKED: Final = regex.compile(r"!?\[([^\[\]\n]*)\]\s*\([^()\n]*\)")
_UNSEEN: Final = regex.compile(
    r"[\p{Cc}--[\n\t]]|\p{Co}|\p{Cs}|\p{Cn}|[\u200B\u2060-\u2064\uFEFF\u00AD\u180E\uFFFC\uFFFD\u061C\u200E\u200F"
    r"\u202A-\u202E\u2066-\u2069\U000E0000-\U000E007F]",
    regex.V1,
)
_HEADING: Final = regex.compile(r"^[ \t]*(?:-#|#{1,6})[ \t]+")
_RULE: Final = regex.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}\n?$")
_ROW: Final = regex.compile(r"^[ \t]*\|(?!\|)")
_UNDER_HEAD: Final = regex.compile(r"^[\s|:\-]+$")
_CELLS: Final = regex.compile(r"[ \t]*\|[ \t]*")
_ENDED: Final = regex.compile(r"[。！？]++[」』）)”\"'*_~|`]*+(?=[\s\S])|(?<![.!?])[.!?]++[)\"'*_~|`”]*+(?=\s)|\n")
"""The end of a sentence; whatever closes it belongs to it, so that what follows has to be there."""
_AGAIN: Final = 200
"""Characters before a new piece that are looked at once more for the end of a sentence."""
_GAPS: Final = regex.compile(r"[ \t]{2,}")
_LINES: Final = regex.compile(r"\n{3,}")

_SUSPECT: Final = regex.compile(
    r"(?<![\p{Latin}\d_.])(?:scores?|similarity|cosine|embeddings?|embedded|vectors?|chunk(?:s|ed)?|retriev\p{Latin}*|(?-i:RAG)|thresholds?"
    r"|system prompt|document ids?)(?![\p{Latin}\d_])"
    r"|(?<![\d.])0\.\d\d(?!\d)|according to (?:your |the )?(?:profile|context|reference)"
    r"|検索結果|類似度|埋め込み|ベクトル|参照データ|プロンプト",
    regex.I,
)
"""Words of the machinery. Some of them are also words of somebody's work: a person reads each hit."""
_SURE: Final = regex.compile(
    r"system prompt|document ids?(?!\p{Latin})|according to (?:your |the )?(?:profile|context|reference)"
    r"|(?:similarity|cosine|score|threshold|類似度)[^\n]{0,20}0\.\d|0\.\d[^\n]{0,20}(?:similarity|cosine|score|threshold|類似度)"
    r"|検索結果(?:に|から|では)|参照データ|システムプロンプト",
    regex.I,
)
"""What no teacher says: a sentence with it is not shown."""
_LABELS: Final = regex.compile(rf"(?<![\p{{Latin}}\d_])(?:{'|'.join(LABELS)})(?![\p{{Latin}}\d_])", regex.I)


def leaks(text: str, secrets: str = "") -> tuple[str, ...]:
    """Return everything in a text that may tell of the machinery, in order: words of it, labels, the rules themselves.

    `secrets` is the text of the rules; of it the first run of RUN words that comes back is told.
    """
    found = [*(match[0] for match in _SUSPECT.finditer(text)), *(match[0] for match in _LABELS.finditer(text))]
    again = repeated(words_of(text), " ".join(words_of(secrets)))
    return (*found, *([again] if again else []))


class Cleaning:
    """Cleans a reply that comes in pieces. A sentence is shown once it has ended, or not at all.

    `rules` is the text that must not come back out (see `rules.rules`); `leaks` what was noticed, shown or not.
    """

    def __init__(self, rules: str = "") -> None:
        self._secret = " ".join(words_of(rules))
        self._raw = ""
        self._shown: list[str] = []
        self._tail: list[str] = []
        self._at_start = True
        self.leaks: list[str] = []

    def feed(self, piece: str) -> str:
        """Take a piece and return the whole text that may be shown so far."""
        begin = max(len(self._raw) - _AGAIN, 0)
        self._raw += _UNSEEN.sub("", piece)
        while (end := self._end(begin)) > 0:
            self._take(self._raw[:end])
            self._raw, begin = self._raw[end:], 0
        return self.text

    def finish(self) -> str:
        """Return the whole text; call it when nothing more comes, however the reply ended."""
        self._take(self._raw)
        self._raw = ""
        return self.text

    @property
    def text(self) -> str:
        """The text that may be shown so far."""
        return _LINES.sub("\n\n", "".join(self._shown)).strip()

    def _end(self, begin: int) -> int:
        """Return where the first sentence ends, 0 when it has not ended; a row of a table is one sentence.

        Before `begin` there is no end.
        """
        if self._at_start and _ROW.match(self._raw):
            return self._raw.find("\n") + 1
        found = _ENDED.search(self._raw, begin)
        return found.end() if found else 0

    def _take(self, sentence: str) -> None:
        shown = clean(sentence) if self._at_start else _within(sentence)
        self._at_start = sentence.endswith("\n")
        if self._is_secret(sentence):
            shown = "\n" if self._at_start else ""
        self._shown.append(shown)

    def _is_secret(self, sentence: str) -> bool:
        """Tell whether a sentence gives something away, by itself or with the words before it."""
        words = [*self._tail, *words_of(sentence)]
        self._tail = words[len(words) - RUN + 1 :] if len(words) >= RUN else words
        again = repeated(words, self._secret)
        sure = _SURE.search(sentence) or _LABELS.search(sentence)
        self.leaks += [match[0] for match in (*_SUSPECT.finditer(sentence), *_LABELS.finditer(sentence))]
        self.leaks += [again] if again else []
        return bool(again) or sure is not None


def clean(line: str) -> str:
    """Return a line, or the beginning of one, in Discord's dialect, without links and pings."""
    if _RULE.match(line):
        return ""
    if _ROW.match(line):
        return _row(line)
    return _within(_HEADING.sub("### ", line))


def _row(line: str) -> str:
    """Return a row of a table as text; nothing of the line under its head."""
    if _UNDER_HEAD.match(line):
        return ""
    ending = "\n" if line.endswith("\n") else ""
    return _within(_CELLS.sub(" · ", line.strip().strip("|").strip())) + ending


def _within(text: str) -> str:
    shown = _MASKED.sub(r"\1", text)
    shown = _MENTIONS.sub(" ", LINKS.sub(" ", shown))
    return shown if shown == text else _GAPS.sub(" ", shown)


def quoted(text: str, limit: int) -> str:
    """Return foreign text for a line of the bot's own: one line, no links, pings, markup or hidden characters."""
    shown = _within(" ".join(_UNSEEN.sub("", text).split()))
    shown = regex.sub(r"[*_~`|<>\\#@＠]", "", shown)
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else f"{shown[: limit - 1].rstrip()}…"


def told(text: str, limit: int, rules: str) -> str:
    """Return a model's words as `quoted` does, and nothing of those that tell of the machinery or repeat the rules."""
    plain = _UNSEEN.sub("", text)
    if _SURE.search(plain) or _LABELS.search(plain) or repeated(words_of(plain), " ".join(words_of(rules))):
        return ""
    return quoted(text, limit)


def pages(text: str, limit: int = PAGE) -> list[str]:
    """Cut a text into pages of at most `limit` characters (UTF-16 units, as Discord counts), none of them empty.

    Between paragraphs where that leaves no page less than half full, else between lines, sentences, words. A block of code that is
    cut is closed on its page and opened again on the next.
    """
    rest, found, fenced = text.strip(), [], False
    while rest:
        room = limit - 2 * len(_FENCE) - 2
        page = rest if _units(rest) <= room else rest[: _border(rest, room)]
        rest = rest[len(page) :].lstrip()
        shown = f"{_FENCE}\n{page.rstrip()}" if fenced else page.rstrip()
        fenced = shown.count(_FENCE) % 2 == 1
        found.append(f"{shown}\n{_FENCE}" if fenced else shown)
    return found


_FENCE: Final = "```"
_BORDERS: Final = (
    regex.compile(r"\n\s*\n"),
    regex.compile(r"\n"),
    regex.compile(r"[。！？]+[」』）]*|[.!?](?=\s)"),
    regex.compile(r"\s|[、，]"),
)


def _border(text: str, room: int) -> int:
    """Return where to cut: the last border in the second half of a page, of the best kind there is."""
    most = _fitting(text, room)
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text, 0, most)]
        if ends and ends[-1] > most // 2:
            return ends[-1]
    return most


def _fitting(text: str, room: int) -> int:
    """Return how many characters fit into so many UTF-16 units, at least one."""
    return max(sum(used <= room for used in accumulate(map(_units, text))), 1)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
