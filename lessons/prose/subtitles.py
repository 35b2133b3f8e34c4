"""Subtitles as running text: the cues of SRT and WebVTT without times, tags, songs and sounds, in whole sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.errors import TextTooLong
from lessons.model import Prose
from lessons.prose.kinds import language_of
from lessons.prose.lines import LONGEST, Rubies, cleaned, ends_sentence, joined, without_furigana, without_tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_FILE: Final = 300_000
"""Characters of a file of subtitles with its times; two hours of talk have half of it."""

_MARKED: Final = 0.2
"""The share of utterances that end in a mark from which sentences without one go on in the next cue."""

_TIMING: Final = regex.compile(r"\s*(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}\s*-->.*")
_NUMBER: Final = regex.compile(r"\s*\d{1,6}\s*")
_STYLE: Final = regex.compile(r"\{\\[^{}\n]*+\}|<[\d:.]++>")
_ESCAPES: Final = regex.compile(r"\\[Nn]")
_SONG: Final = regex.compile(r"[♩-♯🎵🎶]")
_SOUND: Final = regex.compile(
    r"（[^（）\n]{0,40}+）|\([^()\n]{0,40}+\)|\[[^\[\]\n]{0,40}+\]|［[^［］\n]{0,40}+］|【[^【】\n]{0,40}+】|<[^<>\n]{0,40}+>"
)
_SPEAKER: Final = regex.compile(r"(?:[-‐‑‒–—―−－＞>]+|≫|»)[ \u3000]*")
_GOES_ON: Final = regex.compile(r"[、,，➡→⇒]$")
_ARROW: Final = regex.compile(r"[➡→⇒]$")
_WORD: Final = regex.compile(r"[\p{L}\p{N}]")


def from_srt(text: str) -> Prose:
    """Read SubRip subtitles; there is no title. Raises TextTooLong."""
    return _prose(_srt_cues(cleaned(text, LONGEST_FILE).split("\n")))


def from_vtt(text: str) -> Prose:
    """Read WebVTT subtitles, the readings of `<ruby>` kept; notes and styles go. Raises TextTooLong."""
    return _prose(_vtt_cues(cleaned(text, LONGEST_FILE).split("\n")))


def _srt_cues(lines: Sequence[str]) -> Iterator[list[str]]:
    """What stands between two times, without the number before the second; blank lines in a cue are forgiven."""
    cue: list[str] | None = None
    for line in lines:
        if not _TIMING.fullmatch(line):
            if cue is not None and line.strip():
                cue.append(line)
            continue
        if cue:
            yield cue[:-1] if _NUMBER.fullmatch(cue[-1]) else cue
        cue = []
    yield cue or []


def _vtt_cues(lines: Sequence[str]) -> Iterator[list[str]]:
    """What stands between a time and a blank line."""
    cue: list[str] | None = None
    for line in (*lines, ""):
        if _TIMING.fullmatch(line):
            yield cue or []
            cue = []
        elif not line.strip():
            yield cue or []
            cue = None
        elif cue is not None:
            cue.append(line)


def _prose(cues: Iterator[list[str]]) -> Prose:
    rubies: Rubies = {}
    said: list[str] = []
    last = ""
    for cue in cues:
        utterances, last = _utterances(cue, last, rubies)
        said += utterances
    paragraphs = [without_furigana(paragraph, rubies) for paragraph in _sentences(said)]
    found = sum(map(len, paragraphs))
    if found > LONGEST:
        raise TextTooLong(found, LONGEST)
    return Prose("", tuple(paragraphs), tuple(rubies), language_of(paragraphs))


def _utterances(cue: Sequence[str], last: str, rubies: Rubies) -> tuple[list[str], str]:
    """What is said in a cue, one text a speaker, and its last line, which live subtitles say again in the next."""
    text = without_tags(_STYLE.sub("", _ESCAPES.sub("\n", "\n".join(cue))), rubies)
    found: list[str] = []
    if len(_SONG.findall(text.strip()[:1] + text.strip()[-1:])) > 1:
        return found, last
    for line in text.split("\n"):
        heard = _SOUND.sub("", without_furigana(line, rubies)).strip()
        turn = _SPEAKER.match(heard)
        heard = heard[turn.end() :] if turn else heard
        if _SONG.search(heard) or not _WORD.search(heard) or heard == last:
            continue
        last = heard
        if found and not turn and not ends_sentence(found[-1]):
            found[-1] = joined(found[-1], heard)
        else:
            found.append(heard)
    return found, last


def _sentences(said: Sequence[str]) -> Iterator[str]:
    """Put utterances together until a sentence ends; where hardly any ends in a mark, each stands for itself."""
    marked = sum(map(ends_sentence, said)) >= _MARKED * len(said)
    text = ""
    for utterance in said:
        text = joined(text, _ARROW.sub("", utterance))
        goes_on = _GOES_ON.search(utterance) or (marked and not ends_sentence(utterance))
        if not goes_on:
            yield text
            text = ""
    if text:
        yield text
