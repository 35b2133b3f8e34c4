"""Text of learners and models as one plain line: no links, pings, markup or hidden characters, cut where a sentence ends."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import regex

from lessons.text import strip_markup

_LAYERS: Final = 4
_READ: Final = 4_000  # characters; a field has 180

_UNSEEN: Final = regex.compile(r"[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\uFE00-\uFE0F\uFFFC\uFFFD]|\|\|")
_SPACES: Final = regex.compile(r"[\s\p{Z}]+")
_MASKED: Final = regex.compile(r"\[([^\[\]]{0,400})\]\s*\([^()]{0,400}\)")
_LINKS: Final = regex.compile(
    r"(?<![a-z0-9+.\-])[a-z][a-z0-9+.\-]{1,20}+://\S*|\b(?:www\.|mailto:|javascript:|data:)\S+"
    r"|\bdiscord(?:app)?\s*\.\s*(?:gg|com|me|new)\b\S*",
    regex.I,
)
_HOST: Final = regex.compile(r"(?<![\w@.\-])[\w\-]++(?:\.[\w\-]++)++(?:[/:?#]\S*+)?")
_TOP: Final = regex.compile(
    r"\.(?:com|net|org|info|biz|io|gg|me|ly|app|dev|xyz|site|online|shop|top|ru|cn|tk|jp|de|uk|eu|example)(?![A-Za-z0-9_\-])",
    regex.I,
)
_MAIL: Final = regex.compile(r"[\w.+\-]{1,64}@[\w\-]+(?:\.[\w\-]+)+")
_MENTIONS: Final = regex.compile(
    r"<[@#&!:/tTaA][^<>\s]{0,80}[^<>]{0,80}>?|[@＠]\s*(?:everyone|here)\b|[@＠]\S+", regex.I
)
_MARKS: Final = regex.compile(r"[*_~`]{2,}|`|^[\s>#\-•・*]+")
_END: Final = regex.compile(
    r"(?<!\b(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|No|e\.g|i\.e|approx|[ap]\.m)(?=\.))[。！？.!?](?=\s|$|[\p{Han}\p{Hiragana}\p{Katakana}])[\p{Pe}\p{Pf}\"']*"
)

_ORDERS: Final = regex.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|earlier|everything)"
    r"|\b(?:system|developer)\s*(?:prompt|message|:)|\b(?:assistant|system|tutor|coach|teacher)\s*[:：]|\byou\s+(?:must|should|shall|have\s+to|are\s+now|will|need\s+to)\b"
    r"|\bthe\s+(?:tutor|coach|assistant|grader|model|ai|bot)\s+(?:must|should|shall|has\s+to|is\s+to|will|needs?\s+to|may\s+not)\b"
    r"|\b(?:tutor|coach|assistant|grader|model|bot)s?\b.{0,20}\b(?:never|always|must)\b"
    r"|\b(?:always|never|do\s+not|don't|please)\s+(?:answer|reply|respond|correct|grade|mark|say|tell|show|treat|call|use|speak|ask|mention|reveal|remember)\b"
    r"|\b(?:act|behave|pretend)\s+(?:as|like|to)\b|\b(?:reveal|repeat|print)\b.{0,30}\bprompt\b|\bremember\s+that\b|^\s*(?:remember|note|important)\s*[:：]"
    r"|\b(?:reply|answer|respond|say|output|write)\s+(?:only|just|exactly|nothing)\b"
    r"|指示.{0,10}(?:無視|従)|無視し(?:て|ろ)|プロンプト|(?:必ず|常に|絶対に?).{0,30}(?:ください|しなさい|すること|せよ)|[てで](?:ください|下さい)|しなさい|(?:あなた|先生|コーチ|チューター)は.{0,20}(?:べき|こと)(?:です|だ|。|$)"
    r"|忽略.{0,10}指令|请(?:你|务必|始终)|무시하|이전\s*지시",
    regex.I,
)


def one_line(text: str) -> str:
    """Return a text in one plain line: without links, addresses, mentions, markup and what cannot be seen."""
    line = _without_markup(text[:_READ])
    for pattern, kept in ((_MASKED, r"\1"), (_MAIL, " "), (_LINKS, " ")):
        line = pattern.sub(kept, line)
    line = _HOST.sub(lambda host: " " if _TOP.search(host[0]) else str(host[0]), line)
    for pattern, kept in ((_MENTIONS, " "), (_MARKS, "")):
        line = pattern.sub(kept, line)
    return _SPACES.sub(" ", line).strip()


def bounded(line: str, limit: int) -> str:
    """Return a line of at most `limit` characters: whole sentences if they fill half of it, else cut with an ellipsis."""
    if len(line) <= limit:
        return line
    ends = [found.end() for found in _END.finditer(line, 0, limit + 1) if found.end() <= limit]
    if ends and ends[-1] >= limit // 2:
        return line[: ends[-1]].rstrip()
    cut = line[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space >= limit // 2 else cut).rstrip(" 、,;；") + "…"


def is_order(sentence: str) -> bool:
    """Tell whether a sentence tells the tutor what to do, which nothing in a profile has any business to."""
    return _ORDERS.search(sentence) is not None


def without_orders(text: str) -> str:
    """Return a text without the sentences that tell the tutor what to do; the others stay as they are written."""
    lines = (" ".join(each for each in sentences_of(line) if not is_order(each)) for line in text.splitlines())
    return "\n".join(lines).strip()


def sentences_of(line: str) -> list[str]:
    """Cut a line into its sentences."""
    ends = [0, *(found.end() for found in _END.finditer(line)), len(line)]
    pieces = [line[start:end].strip() for start, end in pairwise(ends)]
    return [piece for piece in pieces if piece]


def _without_markup(text: str) -> str:
    """Take markup and entities off until none is left that a later reader could uncover."""
    for _ in range(_LAYERS):
        plain = _UNSEEN.sub("", _SPACES.sub(" ", strip_markup(text)))
        if plain == text:
            return plain
        text = plain
    return ""
