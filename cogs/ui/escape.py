"""The one way foreign text reaches a screen: learner, pack and model text, made harmless and cut to fit."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import regex

ELLIPSIS: Final = "…"
URL_LIMIT: Final = 500
"""Characters of an address; a longer one is not linked, since a shortened one leads elsewhere."""

_INVISIBLE = regex.compile(
    r"[\p{Cc}--[\n\t]]"  # C0 and C1 controls
    r"|[\u200B\u2060-\u2064\uFEFF\u00AD\u180E]"  # zero-width and soft hyphen
    r"|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]"  # bidirectional controls
    r"|[\U000E0000-\U000E007F]"  # tag characters
    r"|\p{Cs}|\p{Co}|\p{Cn}",  # lone surrogates, private use, unassigned
    regex.V1,
)
_LONE_JOINER = regex.compile(
    r"(?<!\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)\u200D|\u200D(?!\p{Extended_Pictographic})"
)
_VISIBLE = regex.compile(r"[^\s\p{Default_Ignorable_Code_Point}\u2800]")
_MARKDOWN = regex.compile(r"([\\*_~`|>\[\]#])")
_LIST_START = regex.compile(r"(?m)^([ \t]*\d*)([-+.])(?=\s)")
_SCHEME = regex.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20}):(?=//)")
_INVITE = regex.compile(r"(?i)(discord(?:app)?)\.(?=gg|com|me|io|new|gift|link)")
_GRAPHEME = regex.compile(r"\X")
_NO_ADDRESS = regex.compile(r"[\s<>()\[\]{}\\\"'`|^@]")
_BRACKETS: Final = str.maketrans("[]", "［］")


def clip(text: str, limit: int) -> str:
    """Cut `text` to at most `limit` UTF-16 code units (Discord counts these), never inside a visible character."""
    if _units(text) <= limit:
        return text
    kept, used = [], 0
    for match in _GRAPHEME.finditer(text):
        used += _units(match[0])
        if used > limit - 1:
            break
        kept.append(match[0])
    return "".join(kept).rstrip() + ELLIPSIS


def plain(text: str, limit: int, *, one_line: bool = True) -> str:
    """Take out of foreign text what hides or runs backwards; enough where no markdown runs, as in labels and choices."""
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _LONE_JOINER.sub("", text)
    if not _VISIBLE.search(text):
        return ""
    text = regex.sub(r"\s+", " ", text).strip() if one_line else regex.sub(r"\n{3,}", "\n\n", text).strip()
    return clip(text, limit)


def safe(text: str, limit: int = 1000, *, one_line: bool = True) -> str:
    """Make foreign text harmless: nothing pings, links, formats, hides or runs backwards.

    The result has at most `limit` visible characters before escaping, and at most about twice that after it.
    """
    text = plain(text, limit, one_line=one_line)
    text = _MARKDOWN.sub(r"\\\1", text)
    text = _LIST_START.sub(r"\1\\\2", text)
    text = text.replace("<", "<\u2060").replace("@", "@\u2060").replace("＠", "＠\u2060")
    text = _SCHEME.sub("\\1\u2060:", text)
    return _INVITE.sub("\\1\u2060.", text)


def code(text: str, limit: int = 100) -> str:
    """Show foreign text as inline code, where markdown does not run at all."""
    shown = (
        clip(_INVISIBLE.sub("", regex.sub(r"\s+", " ", text)).strip(), limit).replace("`", "ˋ").replace("@", "@\u2060")
    )
    return f"`{shown}`" if shown else "` `"


def unbracketed(text: str, limit: int) -> str:
    """Make foreign text harmless beside a link, where brackets count even behind a backslash: they become wide ones."""
    return safe(text.translate(_BRACKETS), limit)


def link(title: str, url: str, limit: int = 80, url_limit: int = URL_LIMIT) -> str:
    """Show a title that leads to a web address; the title alone where there is none that a link may lead to.

    What could end the address or begin another one in it is percent-encoded. Foreign text in the same paragraph goes
    through `unbracketed`.
    """
    shown = unbracketed(title, limit)
    target = _target(url)
    return f"[{shown or 'Link'}](<{target}>)" if target and _units(target) <= url_limit else shown


def _target(url: str) -> str:
    """Write an http(s) address so that nothing in it is markdown; "" for anything else, or with a user name in it."""
    try:
        parts = urlsplit(url.strip())
        there = parts.hostname and parts.port != 0  # a port that is no number raises
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or not there or "@" in parts.netloc:
        return ""
    return _INVISIBLE.sub(_percent, _NO_ADDRESS.sub(_percent, url.strip()))


def _percent(found: regex.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
