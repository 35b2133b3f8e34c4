"""One line a field, whoever wrote it, within bounds: what every surface shows and every prompt holds of a learner."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import regex

from lessons.errors import TextTooLong
from lessons.model import Origin, Profile, ProfileField, ProfileLine
from lessons.profile.cleaning import bounded, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TOTAL: Final = 1_200
"""Characters of a whole profile as text, names of the fields and line ends included."""
LIMITS: Final[Mapping[ProfileField, int]] = MappingProxyType(
    {
        ProfileField.OVERVIEW: 180,
        ProfileField.TARGET: 180,
        ProfileField.STRENGTHS: 120,
        ProfileField.GAPS: 150,
        ProfileField.FOCUS: 120,
        ProfileField.PROJECTS: 110,
        ProfileField.EXPERIENCE: 130,
        ProfileField.REQUIREMENTS: 120,
    }
)
"""Characters of each field; with the names of the fields they make TOTAL at most."""
HIDDEN: Final = "–"
"""A learner's own line without a letter or a digit, such as this one, leaves its field out."""

_SAYS_SOMETHING: Final = regex.compile(r"[\p{L}\p{N}]")
_RANK: Final = {Origin.LEARNER: 0, Origin.ANALYSIS: 1, Origin.SUMMARY: 2}


def build(stored: Iterable[ProfileLine], summary: Iterable[ProfileLine]) -> Profile:
    """Return the profile: of each field the learner's own line, else the accepted analysis, else the summary.

    A field that nobody says anything about is left out.
    """
    best: dict[ProfileField, ProfileLine] = {}
    for line in sorted((*stored, *summary), key=lambda line: _RANK[line.origin]):
        best.setdefault(line.field, line)
    lines = [_within(best[field]) for field in ProfileField if field in best]
    return Profile(tuple(line for line in lines if _SAYS_SOMETHING.search(line.text)))


def text(profile: Profile) -> str:
    """Return the profile as plain lines, "Target: JLPT N2 in December", at most TOTAL characters; "" for an empty one."""
    return "\n".join(f"{line.field.value.capitalize()}: {_within(line).text}" for line in profile.lines)


def own_line(field: ProfileField, typed: str) -> ProfileLine:
    """Return a learner's own line, "" where it takes the line away. Raises TextTooLong over the field's limit."""
    line = one_line(typed)
    if len(line) > LIMITS[field]:
        raise TextTooLong(len(line), LIMITS[field])
    return ProfileLine(field, line, Origin.LEARNER)


def difference(before: Profile, after: Profile) -> list[tuple[ProfileField, str, str]]:
    """Return what changes, field by field: the text before and after, "" where there is none."""
    old, new = ({line.field: line.text for line in profile.lines} for profile in (before, after))
    return [
        (field, old.get(field, ""), new.get(field, ""))
        for field in ProfileField
        if old.get(field, "") != new.get(field, "")
    ]


def _within(line: ProfileLine) -> ProfileLine:
    """Return a line in its bounds, however it came here."""
    return ProfileLine(line.field, bounded(one_line(line.text), LIMITS[line.field]), line.origin)
