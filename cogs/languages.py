"""In which language the tutor explains: as chosen in the settings, else as the person's Discord speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.flows.judging import feedback_language

if TYPE_CHECKING:
    from lessons.model import UserId
    from lessons.ports import Learners


async def language_for(learners: Learners, user: UserId, locale: str) -> str:
    """Return the language tag that this person is spoken to in."""
    return feedback_language((await learners.learner(user)).preferences.language, locale)
