"""What a learner chooses in the settings, checked before it is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lessons.calendar import zone_named, zones_like

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.arranging import Arranging
    from lessons.model import Learner, UserId
    from lessons.ports import Learners


@dataclass(frozen=True, slots=True)
class Choosing:
    """Reads and changes a learner's preferences."""

    learners: Learners
    arranging: Arranging

    async def learner(self, user: UserId) -> Learner:
        """Return the learner as stored, with the product's defaults where nothing was chosen."""
        return await self.learners.learner(user)

    async def set_zone(self, user: UserId, name: str, at: datetime) -> Learner:
        """Set the time zone by IANA name or city; what comes by itself moves with it. Raises UnknownTimeZone."""
        learner = await self.change(user, at, time_zone=zone_named(name))
        await self.arranging.move(user, learner.preferences.time_zone, at)
        return learner

    async def change(self, user: UserId, at: datetime, **chosen: str | int) -> Learner:
        """Change fields of Preferences by name and keep the others."""
        learner = await self.learners.learner(user)
        preferences = replace(learner.preferences, **chosen)  # type: ignore[arg-type] # checked by the callers' options
        zone_chosen = learner.zone_chosen or "time_zone" in chosen
        await self.learners.save_preferences(user, preferences, at, zone_chosen=zone_chosen)
        return replace(learner, preferences=preferences, zone_chosen=zone_chosen)

    def zones_like(self, text: str, limit: int) -> list[str]:
        """Time zone names to offer while somebody types."""
        return zones_like(text, limit)
