"""The store of drills, exercises, attempts and spacing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, datetime

    from lessons.model import (
        Attempt,
        AttemptId,
        DayAnswer,
        Drill,
        DrillId,
        Exercise,
        ExerciseId,
        GuildId,
        ItemId,
        MistakeCard,
        MistakeId,
        PackId,
        Spacing,
        Track,
        UserId,
    )


class Drills(Protocol):
    """Drills, their exercises, attempts and spacing. An exercise is always asked for together with its owner."""

    async def open_drill(self, user: UserId, track: Track) -> Drill | None:
        """The learner's newest open drill."""
        ...

    async def last_titled(self, user: UserId, title: str) -> Drill | None:
        """The learner's newest drill of that title, in any state."""
        ...

    async def drill(self, drill: DrillId, user: UserId) -> Drill | None:
        """A drill of this learner."""
        ...

    async def owner(self, exercise: ExerciseId) -> UserId | None:
        """Whose exercise this is; None when there is no such exercise."""
        ...

    async def drill_owner(self, drill: DrillId) -> UserId | None:
        """Whose drill this is; None when there is no such drill."""
        ...

    async def due(
        self, user: UserId, packs: Collection[PackId], at: datetime, limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items of these packs (and lessons, unless None) due at `at`, the longest overdue first."""
        ...

    async def fresh(
        self, user: UserId, packs: Sequence[PackId], limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items this learner never answered (no spacing row), in the order of `packs`, then of the file."""
        ...

    async def ahead(
        self, user: UserId, packs: Collection[PackId], at: datetime, limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items of these packs (and lessons) that fall due after `at`, the soonest first."""
        ...

    async def next_due(self, user: UserId, packs: Collection[PackId]) -> datetime | None:
        """The earliest due time over the visible items of these packs."""
        ...

    async def reviewed_since(self, user: UserId, track: Track, since: datetime) -> tuple[int, int]:
        """Items answered for the first time ever since then, and items reviewed again since then."""
        ...

    async def last_pack(self, user: UserId) -> PackId | None:
        """The pack of the learner's latest attempt."""
        ...

    async def begin(
        self, user: UserId, guild: GuildId | None, track: Track, title: str, items: Sequence[ItemId], at: datetime
    ) -> Drill:
        """Start a drill over these items and stop the learner's other open drills of the track, in one transaction."""
        ...

    async def exercise(self, exercise: ExerciseId, user: UserId) -> Exercise | None:
        """One exercise of this learner, with its item as this drill's server accepts it."""
        ...

    async def exercises(self, drill: DrillId, user: UserId) -> list[Exercise]:
        """All exercises of a drill of this learner, by position."""
        ...

    async def spacing(self, user: UserId, item: ItemId) -> Spacing | None:
        """FSRS's memory of this item for this learner."""
        ...

    async def record(
        self, attempt: Attempt, spacing: Spacing | None, card: MistakeCard | None
    ) -> tuple[AttemptId, MistakeId | None] | None:
        """Settle an exercise: attempt, spacing and mistake card in ONE transaction, unique on exercise and interaction.

        When it was the last open exercise the drill becomes FINISHED. None when the exercise was settled before, or
        its drill is no longer open: then nothing is written.
        """
        ...

    async def mark_hinted(self, exercise: ExerciseId, user: UserId) -> None:
        """The hint of this exercise was shown."""
        ...

    async def mark_retried(self, exercise: ExerciseId, user: UserId, interaction: int) -> bool:
        """Use up the free retry of this exercise; True when it was free, or when this interaction used it."""
        ...

    async def stop(self, drill: DrillId, user: UserId, at: datetime) -> bool:
        """Stop an open drill; False when it was not open."""
        ...

    async def daily(self, user: UserId, since: datetime) -> list[DayAnswer]:
        """Settled exercises since then, oldest first, of the 400 days before the learner's latest one at most."""
        ...

    async def practised(self, user: UserId) -> list[date]:
        """The days with an answer, each as the learner lived it, rising."""
        ...

    async def latest_answers(
        self, user: UserId, items: Collection[ItemId], since: datetime, until: datetime
    ) -> dict[ItemId, bool]:
        """Those of these items that were answered after `since` and by `until`: whether the latest answer was right."""
        ...
