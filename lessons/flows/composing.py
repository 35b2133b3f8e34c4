"""Free writing with corrections: piece by piece, each of them a mistake that is remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons import tutoring
from lessons.errors import NothingWritten, TextTooLong
from lessons.model import Surface

if TYPE_CHECKING:
    from lessons.flows.conversing import Conversing, Place
    from lessons.model import Corrected, MistakeId
    from lessons.ports import Studies

LONGEST: Final = 1_500
"""Characters of a text."""
SOURCE: Final = "Your writing"
"""Where a mistake is said to come from."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A corrected text and the mistakes that were kept of it, in the order of its corrections."""

    corrected: Corrected
    kept: tuple[MistakeId, ...]


@dataclass(frozen=True, slots=True)
class Composing:
    """Corrects what a learner writes. Nobody but a model can: without one it is said so, and nothing is pretended."""

    conversing: Conversing
    studies: Studies

    async def compose(self, text: str, grammar: str, place: Place) -> Composition:
        """Correct a text; `grammar` is what it was meant to practise. Raises NothingWritten, TextTooLong, ModelAway."""
        if not tutoring.visible(text, LONGEST).strip():
            raise NothingWritten
        if len(text) > LONGEST:
            raise TextTooLong(len(text), LONGEST)
        here = replace(place, surface=Surface.COMPOSITION)
        profile = await self.conversing.profiling.text(here.user, here.at)
        call = tutoring.composition_call(text, profile, here.language, grammar)
        corrected = await self.conversing.consulting.consult(
            call, here.payer, here.at, lambda reply: tutoring.parse_composition(reply, text)
        )
        kept = [
            await self.studies.note_mistake(here.user, tutoring.card(correction, text), SOURCE, here.at)
            for correction in corrected.corrections
        ]
        return Composition(corrected, tuple(kept))
