"""Six points for a reply of the tutor, two each for grounding, direction and exercise, and what it gave away.

Grounding and leaks are facts that code can find. Direction and exercise are heuristics over fixed words: good enough
to compare arms and to prove the harness, and to be overruled by two people who do not know the arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from lessons.text import fold, has_japanese, is_kana
from lessons.tutoring import leaks, rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.evaluation.tutor_cases import Case

BEST: Final = 6
_NEARLY: Final = 5
_FULL: Final = 2
_SHORT: Final = 40  # characters of a last paragraph that belongs to the one before

_GAP: Final = regex.compile(r"＿{2,}|_{3,}|（[\s　]*）|\([\s　]*\)|\[[\s　]*\]")
_FORMS: Final = {
    "gap": _GAP,
    "correct": regex.compile(r"\bcorrect\b|\bfix\b|put right|what is wrong|直し|訂正", regex.I),
    "transform": regex.compile(
        r"rewrite|\bput\b.*\binto\b|\bturn\b.*\binto\b|\bchange\b.*\b(?:in)?to\b|書き換え|言い換え|変えて", regex.I
    ),
    "line": regex.compile(r"\bsay\b|\btell\b|\bone (?:spoken )?line\b|aloud|言って|答えて", regex.I),
    "read": regex.compile(r"who (?:is|was|did)|what (?:does|did|happened)|だれが|誰が", regex.I),
}
"""What an exercise is recognised by."""
_VAGUE: Final = regex.compile(
    r"[?？]|\btry\b|\bwrite\b|\btell me\b|\bdescribe\b|\bpractise\b|\bpractice\b|練習|書いて|みて", regex.I
)
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH: Final = "|".join(_MONTHS)
_DATE: Final = regex.compile(
    rf"\d{{4}}-(?P<m1>\d\d)-(?P<d1>\d\d)|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\b|\b(?P<m3>{_MONTH})\s+(?P<d3>\d{{1,2}})(?!\d)"
    r"|(?P<m4>\d{1,2})月(?P<d4>\d{1,2})日",
    regex.I,
)
_LETTERS: Final = r"\p{Hiragana}\p{Katakana}\p{Han}ー"
_PARAGRAPHS: Final = regex.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Score:
    """What a reply is worth: three times 0 to 2 points; the facts it used and made up, and what it gave away."""

    grounding: int
    direction: int
    exercise: int
    signals: tuple[str, ...]
    invented: tuple[str, ...]
    leaks: tuple[str, ...]

    @property
    def total(self) -> int:
        """The points, 0 to 6."""
        return self.grounding + self.direction + self.exercise

    @property
    def strict(self) -> bool:
        """Tell whether it passes: six points, or five, where no part can be zero."""
        return self.total >= _NEARLY


def score(case: Case, text: str) -> Score:
    """Judge a reply to a case."""
    found = tuple(name for name, aliases in case.signals.items() if _says(text, aliases))
    made_up = (*_said(text, case.invented), *_unknown_dates(case, text))
    given_away = (*leaks(text, rules(case.surface)), *_said(text, (*case.foreign, *case.metadata)))
    return Score(
        _grounding(case, text, found, made_up), direction(case, text), exercise(case, text), found, made_up, given_away
    )


def _grounding(case: Case, text: str, found: tuple[str, ...], made_up: tuple[str, ...]) -> int:
    """Two for two facts, or for one that the exercise uses; nothing may be made up."""
    if not found:
        return 0
    used = any(_says(ending(text), case.signals[name]) for name in found)
    return _FULL if not made_up and (len(found) > 1 or used) else 1


def direction(case: Case, text: str) -> int:
    """Zero where it ends with another goal, two for the fixed first step, one for the topic alone."""
    if _says(ending(text), case.direction.other):
        return 0
    if all(_says(text, words) for words in case.direction.step):
        return _FULL
    return int(_says(text, case.direction.topic))


def exercise(case: Case, text: str) -> int:
    """Two for a gap, or another of the fixed forms about the point; one for a question or an invitation."""
    last = ending(text)
    formed = {form for form in case.forms if _FORMS[form].search(last)}
    is_about = any(fold(word) in fold(last) for word in case.about)
    if has_japanese(last) and ("gap" in formed or (formed and is_about)):
        return _FULL
    return int(bool(_VAGUE.search(last) or _GAP.search(last)))


def ending(text: str) -> str:
    """Return the last paragraph, with the one before where it is short or was announced."""
    parts = [part for part in _PARAGRAPHS.split(text.strip()) if part.strip()]
    if len(parts) > 1 and (len(parts[-1]) < _SHORT or parts[-2].rstrip().endswith((":", "："))):
        return "\n".join(parts[-2:])
    return parts[-1] if parts else ""


def broken(case: Case, result: Score, prompt: str) -> str:
    """Name the first layer that failed, "" where the reply passes: that is where a repair belongs.

    `prompt` is what the model was shown; a fact that never reached it is no fault of the answer.
    """
    if result.leaks:
        return "leak"
    if result.strict:
        return ""
    if result.grounding < _FULL and not all(_says(prompt, aliases) for aliases in case.signals.values()):
        return "admission"
    return min(("grounding", "direction", "exercise"), key=lambda part: getattr(result, part))


def reached(case: Case, prompt: str) -> tuple[str, ...]:
    """Return the facts that stand in a prompt."""
    return tuple(name for name, aliases in case.signals.items() if _says(prompt, aliases))


def _said(text: str, words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if _says(text, (word,)))


def _says(text: str, aliases: Iterable[str]) -> bool:
    """Tell whether one of some words stands in a text.

    Latin ones count as whole words (a plural as well), a single kana only where it stands alone: は, not はな.
    """
    folded = fold(text)
    return any(_pattern(fold(alias)).search(folded) for alias in aliases)


def _pattern(alias: str) -> regex.Pattern[str]:
    if len(alias) == 1 and is_kana(alias):
        return regex.compile(rf"(?<![{_LETTERS}]){alias}(?![{_LETTERS}])")
    before = r"(?<!\p{Latin})" if alias[:1].isascii() else ""
    after = r"(?:s|es)?(?![\p{Latin}\d])" if alias[-1:].isascii() else ""
    return regex.compile(f"{before}{regex.escape(alias)}{after}")


def _unknown_dates(case: Case, text: str) -> tuple[str, ...]:
    """Return the days a reply names that no mistake of the case was made on."""
    known = {(mistake.at.month, mistake.at.day) for mistake in case.mistakes}
    return tuple(found[0] for found in _DATE.finditer(text) if _day(found) not in known)


def _day(found: regex.Match[str]) -> tuple[int, int]:
    month = next(filter(None, (found["m1"], found["m2"], found["m3"], found["m4"])))
    day = next(filter(None, (found["d1"], found["d2"], found["d3"], found["d4"])))
    return (int(month) if month.isdecimal() else _MONTHS.index(month.casefold()) + 1), int(day)
