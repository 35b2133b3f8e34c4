"""Which sentences of an article are kept, and which of their blanks."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import regex

from lessons.cloze.blanking import LONGEST
from lessons.cloze.sentences import is_complete
from lessons.model import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Blank, Sentence

_SHORT: Final = 15  # characters; the ideal length lies between the two
_LONG: Final = 120
_LEAST: Final = 8  # a shorter one tells nothing
_BLANKS: Final = 6
_CONFUSED: Final = frozenset({"は", "が", "に", "で", "も"})
_BACKWARD: Final = regex.compile(
    r"^(?:これ|それ|この|その|こう|そう|また|しかし|だが|一方|同[\p{Han}]|ただ|さらに|なお|ここ|そこ|あの|彼|でも|そして|[『「]?え)"
    r"|(?:その|それ|同)(?:後|ため|うえ|結果|氏|市|社|日)"
    r"|^(?:He|She|It|They|This|That|These|Those|But|And|However|Also|Er|Sie|Es|Dies|Aber)\b"
)
"""What points back at a sentence that the learner does not see."""


def choose(blanked: Sequence[tuple[Sentence, Sequence[Blank]]], limit: int = 10) -> list[int]:
    """Return the places of at most `limit` sentences, in reading order.

    Only complete sentences of 8 to 300 characters with a blank are kept. The article is cut into as many stretches
    as are wanted and the best of each stretch comes first, so that the choice spreads; the best of the rest fill up.
    """
    able = [place for place, (sentence, found) in enumerate(blanked) if _is_usable(sentence, found)]
    worth = {place: _worth(*blanked[place]) for place in able}
    stretches: dict[int, int] = {}
    for order, place in enumerate(able):
        stretch = order * limit // len(able)
        if stretch not in stretches or worth[place] > worth[stretches[stretch]]:
            stretches[stretch] = place
    chosen = list(stretches.values())
    rest = sorted((place for place in able if place not in chosen), key=lambda place: -worth[place])
    return sorted([*chosen, *rest][:limit])


def keep(blanks: Sequence[Blank], limit: int = _BLANKS) -> list[Blank]:
    """Return at most `limit` blanks, in order: the surest first, each kind of unit in turn.

    The last place is for one of the particles that learners confuse most, if an open one is there: whoever mistakes は
    for が would else never be asked, since no sentence decides between them for sure.
    """
    by_unit = {unit: sorted((b for b in blanks if b.unit is unit), key=_rank) for unit in Unit}
    places = [(not blank.closed, place, *_rank(blank)) for some in by_unit.values() for place, blank in enumerate(some)]
    ranked = [
        blank for _, blank in sorted(zip(places, chain(*by_unit.values()), strict=True), key=lambda pair: pair[0])
    ]
    confused = next((blank for blank in ranked[limit - 1 :] if blank.answer in _CONFUSED and not blank.closed), None)
    chosen = [*ranked[: limit - 1], confused] if confused else ranked[:limit]
    return sorted(chosen, key=lambda blank: blank.start)


def _rank(blank: Blank) -> tuple[float, int]:
    return -blank.certainty, blank.start


def _is_usable(sentence: Sentence, blanks: Sequence[Blank]) -> bool:
    return bool(blanks) and _LEAST <= len(sentence.text) <= LONGEST and is_complete(sentence)


def _worth(sentence: Sentence, blanks: Sequence[Blank]) -> float:
    """Weigh a sentence: closed blanks of several kinds, a good length, and nothing that points back."""
    closed = [blank for blank in blanks if blank.closed]
    kinds = {blank.unit for blank in closed}
    fits = _SHORT <= len(sentence.text) <= _LONG
    points_back = _BACKWARD.search(sentence.text) is not None
    return min(len(closed), _BLANKS) + 2 * len(kinds) + 4 * fits - 4 * points_back + 0.1 * min(len(blanks), _BLANKS)
