"""What the subject asks of the world around it, as protocols; stores take and give values, and every call names its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import (
        Accepted,
        Analysis,
        Appeal,
        AppealId,
        Attempt,
        AttemptId,
        Chart,
        DayAnswer,
        Drill,
        DrillId,
        ErrorType,
        Exercise,
        ExerciseId,
        GuildId,
        Item,
        ItemId,
        Learner,
        Mistake,
        MistakeCard,
        MistakeFilter,
        MistakeId,
        Pack,
        PackChange,
        PackHead,
        PackId,
        Preferences,
        Prepared,
        Space,
        Spacing,
        Trace,
        Track,
        Upload,
        UploadId,
        UserId,
    )


class Clock(Protocol):
    """The time of day, as an argument."""

    def __call__(self) -> datetime:
        """Return the present moment, aware UTC."""
        ...


class Tokenizer(Protocol):
    """A Japanese dictionary. Work happens in the client's own thread."""

    @property
    def dictionary(self) -> str:
        """Name and version of the dictionary, stored with every reading taken from it."""
        ...

    async def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Cut each text into words; the result has the order and length of `texts`. Empty text gives no words."""
        ...


class Memberships(Protocol):
    """Who belongs to which server, asked of Discord."""

    async def is_member(self, guild: GuildId, user: UserId) -> bool | None:
        """Tell whether the person is in the server; None when Discord could not say."""
        ...


class Learners(Protocol):
    """People and what they chose."""

    async def learner(self, user: UserId) -> Learner:
        """Return the learner, with defaults when nothing is stored."""
        ...

    async def save_preferences(
        self, user: UserId, preferences: Preferences, at: datetime, *, zone_chosen: bool
    ) -> None:
        """Store what the learner chose."""
        ...

    async def note_visit(self, user: UserId, guild: GuildId, at: datetime) -> None:
        """Remember that this person used the bot in this server (their packs are offered in DMs)."""
        ...

    async def visited(self, user: UserId) -> list[tuple[GuildId, datetime]]:
        """Servers this person used the bot in, with the moment membership was last seen or checked."""
        ...

    async def forget_visit(self, user: UserId, guild: GuildId) -> None:
        """The person is no longer a member there."""
        ...


class Packs(Protocol):
    """Lesson packs and their items; packs belong to a server, starter packs (guild None) to everybody."""

    async def visible(self, guilds: Collection[GuildId]) -> list[Pack]:
        """Packs of these servers by name, then the starter packs in the order they were first saved."""
        ...

    async def find(self, name: str, guilds: Collection[GuildId]) -> Pack | None:
        """Return the pack of that name (case and width folded), a server's own before a starter pack."""
        ...

    async def by_id(self, pack: PackId) -> Pack | None:
        """Return a pack that is not removed."""
        ...

    async def removed(self, name: str, guild: GuildId) -> Pack | None:
        """Return the server's removed pack of that name, which saving brings back, with the rows it had."""
        ...

    async def save(self, head: PackHead, items: Sequence[Prepared], at: datetime) -> PackChange:
        """Make the pack, or bring it up to these rows in one transaction.

        Rows are matched by key and keep their item ids, so mistakes and spacing stay attached; rows that are gone
        are hidden, not deleted; answers accepted by moderators are kept. A removed pack of the name comes back.
        """
        ...

    async def items(self, pack: PackId) -> list[Item]:
        """All items of a pack in file order."""
        ...

    async def lessons(self, pack: PackId) -> list[str]:
        """The lessons of a pack's visible items, each once, in file order."""
        ...

    async def item(self, item: ItemId) -> Item | None:
        """One item, also of a removed pack."""
        ...

    async def remove(self, pack: PackId, at: datetime) -> None:
        """Hide the pack; mistakes and progress are kept, and loading it again brings it back."""
        ...

    async def siblings(self, item: ItemId) -> list[str]:
        """Accepted answers of the other visible items of the same pack, kind and prompt."""
        ...

    async def is_taken(self, item: ItemId, folded: str) -> bool:
        """Tell whether this folded text is an accepted answer of another visible item of the same pack."""
        ...

    async def hold_upload(self, upload: Upload) -> UploadId:
        """Keep a file until it is confirmed (the id in `upload` is ignored); drops uploads older than a day."""
        ...

    async def upload(self, upload: UploadId) -> Upload | None:
        """Return a held file."""
        ...

    async def drop_upload(self, upload: UploadId) -> bool:
        """Forget a held file; False when it was gone already (a second press)."""
        ...


class Drills(Protocol):
    """Drills, their exercises, attempts and spacing. An exercise is always asked for together with its owner."""

    async def open_drill(self, user: UserId, track: Track) -> Drill | None:
        """The learner's newest open drill."""
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


class Mistakes(Protocol):
    """What a learner missed."""

    async def page(self, user: UserId, only: MistakeFilter, offset: int, limit: int) -> list[Mistake]:
        """Mistakes of this learner, newest first."""
        ...

    async def count(self, user: UserId, only: MistakeFilter) -> int:
        """How many mistakes the filter selects."""
        ...

    async def counts(self, user: UserId) -> dict[ErrorType, int]:
        """Mistakes by error type."""
        ...

    async def since(self, user: UserId, since: datetime) -> list[Mistake]:
        """Mistakes of this learner since then, newest first."""
        ...

    async def items_of(self, mistakes: Sequence[MistakeId], user: UserId) -> list[ItemId]:
        """Items of these mistakes of this learner that can still be drilled, each once, in the order of `mistakes`."""
        ...

    async def mistake(self, mistake: MistakeId, user: UserId) -> Mistake | None:
        """One mistake of this learner."""
        ...

    async def relabel(self, mistake: MistakeId, user: UserId, error_type: ErrorType, at: datetime) -> bool:
        """Set the error type; False when there is no such mistake of this learner."""
        ...

    async def delete(self, mistake: MistakeId, user: UserId) -> bool:
        """Delete the card (the attempt stays in the tally); False when there is none."""
        ...


class Appeals(Protocol):
    """Every "I was right": what learners ask moderators to accept."""

    async def open_appeal(self, attempt: AttemptId, user: UserId, folded: str, at: datetime) -> bool:
        """File an appeal for a wrong attempt of this learner; False when one was filed before, or it is not wrong.

        It goes to the server that owns the pack, for a starter pack to the server the drill ran in (None: a DM).
        """
        ...

    async def waiting(self, guild: GuildId | None, limit: int) -> list[Appeal]:
        """Open appeals of a server, one per item and folded answer (`times` counts them), oldest first."""
        ...

    async def appeal(self, appeal: AppealId, guild: GuildId | None) -> Appeal | None:
        """One appeal of this server, in any state."""
        ...

    async def decide(
        self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime, answer: Accepted | None
    ) -> bool:
        """Decide an open appeal and the others of the same item and answer, in ONE transaction.

        With an `answer` they are accepted: the item takes it as a further accepted answer (for a starter pack in
        drills of this server alone), the attempts become EQUIVALENT and their mistake cards go. Without one they are
        declined. False when it was decided before.
        """
        ...

    async def reopen(self, appeal: AppealId, guild: GuildId | None, decided: datetime) -> bool:
        """Take back what was decided at `decided` about this appeal and the others with it, in ONE transaction.

        After an acceptance the attempts are wrong again, their mistake cards are back as they were, and the answer is
        no longer accepted, unless another decision accepted it too. False when there is no such decision any more.
        """
        ...


class Embedder(Protocol):
    """Turns texts into directions: the nearer two of them, the more alike the texts. Works in the client's own thread."""

    @property
    def name(self) -> str:
        """What is stored with every vector: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return [n, dimension] rows of length 1 in the order of `texts`, which may be empty.

        No text makes it raise, and a text with nothing to see in it has a row of its own. Few texts at once go ahead
        of many. Raises EmbedderUnavailable when the model failed or was closed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Memory:
    """One learner's mistakes of one track and space, aligned row by row; read-only, shared by whoever asks.

    `mistakes` and `items` int64 [n] (an item that is gone is 0 minus the mistake id, so that it equals no other),
    `at` float64 [n] in days since 1970 UTC, `kinds` int16 [n] (position in `list(ErrorType)`),
    `vectors` float32 [n, width] as recall laid them out.
    """

    mistakes: NDArray[np.int64]
    items: NDArray[np.int64]
    at: NDArray[np.float64]
    kinds: NDArray[np.int16]
    vectors: NDArray[np.float32]


class Memories(Protocol):
    """Vectors of mistake cards. Every call names the owner; a learner's matrix is cached until something changes it."""

    async def memory(self, user: UserId, tracks: Collection[Track], space: Space) -> Memory:
        """The learner's mistakes of these tracks that have a vector in this space, oldest first."""
        ...

    async def save(self, user: UserId, mistake: MistakeId, space: Space, vector: NDArray[np.float32]) -> bool:
        """Keep a vector (stored as float16), replacing one of another space; False when the mistake is gone."""
        ...

    async def save_many(self, space: Space, vectors: Sequence[tuple[UserId, MistakeId, NDArray[np.float32]]]) -> int:
        """Keep many vectors in one transaction; mistakes that are gone are passed over. The number kept."""
        ...

    async def without_vector(self, space: Space, limit: int) -> list[tuple[UserId, Trace]]:
        """Mistakes, oldest first, that have no vector in this space (none at all, or of another)."""
        ...

    async def coverage(self, space: Space) -> tuple[int, int]:
        """How many mistakes have a vector in this space, and how many mistakes there are."""
        ...

    async def dismiss(self, user: UserId, one: MistakeId, other: MistakeId, at: datetime) -> bool:
        """Remember that the learner says these two are not the same mistake, in either direction; False if unknown."""
        ...

    async def dismissed(self, user: UserId, mistake: MistakeId) -> frozenset[MistakeId]:
        """Mistakes the learner said are not like this one."""
        ...

    async def dismissals(self) -> list[tuple[UserId, Trace, Trace]]:
        """Every dismissal, for calibration by the operator."""
        ...

    async def calibration(self, space: Space) -> str | None:
        """The calibration stored for this space (JSON as recall writes it), or None."""
        ...

    async def save_calibration(self, space: Space, calibration: str, at: datetime) -> None:
        """Store the calibration of a space."""
        ...


class Charts(Protocol):
    """Draws charts. Works in the client's own thread."""

    async def draw(self, chart: Chart) -> bytes:
        """Return the chart as a PNG of 900 pixels across."""
        ...
