"""Studies with their topics and turns, and what was recalled for them: one open study a channel, each for its owner alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from storage import beginning, codec, learners, recording

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import (
        ChannelId,
        MistakeCard,
        MistakeId,
        RecallEvent,
        Speaker,
        Study,
        StudyId,
        Topic,
        Turn,
        UserId,
    )
    from storage.connection import Database
    from storage.session import Value, Writing

_OPEN_OF: Final = """
    SELECT * FROM study WHERE user_id = ? AND state = 'open' ORDER BY started_at DESC, id DESC
"""

_END: Final = """
    UPDATE study SET state = 'ended', ended_at = ? WHERE id = ? AND user_id = ? AND state = 'open' RETURNING id
"""

_PROGRESS: Final = """
    INSERT INTO study_topic (study_id, position, title, reason, first_step, target, state, steps)
    SELECT id, :position, :title, :reason, :first_step, :target, :state, :steps
    FROM study WHERE id = :study AND user_id = :user
    ON CONFLICT (study_id, position) DO UPDATE SET state = excluded.state, steps = excluded.steps
"""

_SAY: Final = """
    INSERT INTO study_turn (study_id, user_id, speaker, text, source, at)
    SELECT :study, :user, :speaker, :text, :source, :at
    WHERE :study IS NULL OR EXISTS (SELECT 1 FROM study WHERE id = :study AND user_id = :user)
    ON CONFLICT DO NOTHING RETURNING *
"""

_TURNS: Final = "SELECT * FROM study_turn WHERE study_id = ? AND user_id = ? ORDER BY id DESC LIMIT ?"

_NOTE: Final = """
    INSERT INTO recall_event (user_id, at, surface, candidates, scores, admitted, silence)
    VALUES (:user, :at, :surface, :candidates, :scores, :admitted, :silence)
"""

_RECALLS: Final = "SELECT * FROM recall_event WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ?"

_PRUNE: Final = "DELETE FROM recall_event WHERE at < ? RETURNING id"


class StudyStore:
    """The Studies port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, study: Study, at: datetime) -> Study:
        """Start a study (its id is ignored) with its topics and linked documents, ending the learner's open one there.

        "There" is the channel, and all direct messages are one place; a study whose thread is not made yet is nowhere.
        Documents of others are not linked. Raises ValueError when another learner's study is open in the channel.
        """
        return await self._db.write(partial(beginning.begin, study=study, at=at))

    async def study(self, study: StudyId, user: UserId) -> Study | None:
        """One study of this learner, open or not."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all("SELECT * FROM study WHERE id = ? AND user_id = ?", (study, user))
            return next(iter(await beginning.whole(snapshot, rows)), None)

    async def in_channel(self, channel: ChannelId) -> Study | None:
        """Return the open study of a thread or a direct message, whoever's it is."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all("SELECT * FROM study WHERE channel_id = ? AND state = 'open'", (channel,))
            return next(iter(await beginning.whole(snapshot, rows)), None)

    async def open_of(self, user: UserId) -> list[Study]:
        """Open studies of this learner, newest first."""
        async with self._db.reading() as snapshot:
            return await beginning.whole(snapshot, await snapshot.all(_OPEN_OF, (user,)))

    async def place(self, study: StudyId, user: UserId, channel: ChannelId) -> None:
        """Note where a study takes place. Raises ValueError when another one is open there."""
        await self._db.write(partial(beginning.place, study=study, user=user, channel=channel))

    async def progress(self, study: StudyId, user: UserId, topics: Sequence[Topic]) -> None:
        """Keep where the topics of a study stand; one at a position that has none is added, the others keep their words."""
        rows = [{"study": study, "user": user, **beginning.topic_values(topic)} for topic in topics]
        await self._db.write(lambda transaction: transaction.many(_PROGRESS, rows))

    async def end(self, study: StudyId, user: UserId, at: datetime) -> bool:
        """End an open study; False when it was over."""
        values = (codec.to_ms(at), study, user)
        return await self._db.write(lambda transaction: transaction.one(_END, values)) is not None

    async def say(
        self, study: StudyId | None, user: UserId, speaker: Speaker, text: str, *, source: int, at: datetime
    ) -> Turn | None:
        """Keep a turn; `source` is the interaction or message it came by, and leaves a turn of each speaker at most.

        None when that one is kept already, or the study is not this learner's.
        """
        values: dict[str, Value] = {
            "study": study,
            "user": user,
            "speaker": speaker,
            "text": codec.storable(text),
            "source": source,
            "at": codec.to_ms(at),
        }

        async def work(transaction: Writing) -> Turn | None:
            if study is None:
                await learners.ensure(transaction, user, at)
            row = await transaction.one(_SAY, values)
            return codec.turn(row) if row else None

        return await self._db.write(work)

    async def turns(self, study: StudyId, user: UserId, limit: int) -> list[Turn]:
        """Return the newest turns of a study, oldest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_TURNS, (study, user, max(0, limit)))
        return [codec.turn(row) for row in reversed(rows)]

    async def note_recall(self, event: RecallEvent) -> None:
        """Keep what was recalled in a turn, for the operator."""
        values: dict[str, Value] = {
            "user": event.user,
            "at": codec.to_ms(event.at),
            "surface": event.surface,
            "candidates": event.candidates,
            "scores": codec.scores_to_json(event.scores),
            "admitted": event.admitted,
            "silence": event.silence,
        }

        async def work(transaction: Writing) -> None:
            await learners.ensure(transaction, event.user, event.at)
            await transaction.run(_NOTE, values)

        await self._db.write(work)

    async def recalls(self, since: datetime, limit: int) -> list[RecallEvent]:
        """What was recalled since then, newest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_RECALLS, (codec.to_ms(since), max(0, limit)))
        return [codec.recall(row) for row in rows]

    async def prune_recalls(self, before: datetime) -> int:
        """Forget what was recalled before then; how many events there were."""
        return len(await self._db.write(lambda transaction: transaction.all(_PRUNE, (codec.to_ms(before),))))

    async def note_mistake(self, user: UserId, card: MistakeCard, source: str, at: datetime) -> MistakeId:
        """Keep a mistake that no exercise left: `source` says where it was made, as a pack's name does."""

        async def work(transaction: Writing) -> MistakeId:
            await learners.ensure(transaction, user, at)
            return await recording.note(transaction, user, card, source, at)

        return await self._db.write(work)
