"""How a study starts where no other is open, and how its parts are put together again."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from storage import codec, learners

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import ChannelId, Study, StudyId, Topic, UserId
    from storage.session import Reading, Value, Writing

_END_THERE: Final = """
    UPDATE study SET state = 'ended', ended_at = :at
    WHERE user_id = :user AND state = 'open' AND (channel_id = :channel OR :guild IS NULL AND guild_id IS NULL)
"""

_TAKEN: Final = "SELECT 1 FROM study WHERE channel_id = ? AND state = 'open' AND id <> ?"

_BEGIN: Final = """
    INSERT INTO study (user_id, guild_id, channel_id, mode, subject, persona, state, pack_id, lesson, started_at)
    VALUES (:user, :guild, :channel, :mode, :subject, :persona, 'open', (SELECT id FROM pack WHERE id = :pack), :lesson,
            :at)
    RETURNING *
"""

_TOPIC: Final = """
    INSERT INTO study_topic (study_id, position, title, reason, first_step, target, state, steps)
    VALUES (:study, :position, :title, :reason, :first_step, :target, :state, :steps)
"""

_LINK: Final = """
    INSERT INTO study_document (study_id, document_id)
    SELECT :study, document.id
    FROM json_each(:documents) AS wanted CROSS JOIN document ON document.id = wanted.value AND document.user_id = :user
"""

_PLACE: Final = "UPDATE study SET channel_id = ? WHERE id = ? AND user_id = ?"

_TOPICS: Final = """
    SELECT * FROM study_topic WHERE study_id IN (SELECT value FROM json_each(?)) ORDER BY study_id, position
"""

# the owner of a linked document is asked for once more
_DOCUMENTS: Final = """
    SELECT study_document.*
    FROM study_document
    JOIN study ON study.id = study_document.study_id
    JOIN document ON document.id = study_document.document_id AND document.user_id = study.user_id
    WHERE study_document.study_id IN (SELECT value FROM json_each(?))
    ORDER BY study_document.study_id, study_document.document_id
"""

NOWHERE: Final = 0
"""The id of no study."""


async def begin(transaction: Writing, study: Study, at: datetime) -> Study:
    """Start a study with its topics and documents, ending the learner's open one there."""
    values = _values(study, at)
    await learners.ensure(transaction, study.user, at)
    await transaction.run(_END_THERE, values)
    await _require_free(transaction, study.channel, NOWHERE)
    (row,) = await transaction.all(_BEGIN, values)
    begun = {"study": row["id"], "user": study.user, "documents": codec.ids(study.documents)}
    await transaction.many(_TOPIC, [begun | topic_values(topic) for topic in study.topics])
    await transaction.run(_LINK, begun)
    (whole_study,) = await whole(transaction, [row])
    return whole_study


async def place(transaction: Writing, study: StudyId, user: UserId, channel: ChannelId) -> None:
    """Note where a study of this learner takes place; nothing happens to another's."""
    state = await transaction.one("SELECT state FROM study WHERE id = ? AND user_id = ?", (study, user))
    if state is not None and state["state"] == "open":
        await _require_free(transaction, channel, study)
    await transaction.run(_PLACE, (channel, study, user))


async def whole(snapshot: Reading, rows: Sequence[sqlite3.Row]) -> list[Study]:
    """Studies from their rows, in their order, with topics and documents."""
    if not rows:
        return []
    ids = codec.ids(row["id"] for row in rows)
    topics, documents = (
        _by_study(await snapshot.all(_TOPICS, (ids,))),
        _by_study(await snapshot.all(_DOCUMENTS, (ids,))),
    )
    return [codec.study(row, topics[row["id"]], documents[row["id"]]) for row in rows]


def topic_values(topic: Topic) -> dict[str, Value]:
    """Columns of a topic by name."""
    return {
        "position": topic.position,
        "title": codec.storable(topic.title),
        "reason": codec.storable(topic.reason),
        "first_step": codec.storable(topic.first_step),
        "target": topic.target,
        "state": topic.state,
        "steps": topic.steps,
    }


async def _require_free(transaction: Writing, channel: ChannelId | None, but: int) -> None:
    if await transaction.one(_TAKEN, (channel, but)) is not None:
        raise ValueError(f"another study is open in channel {channel}")


def _by_study(rows: Sequence[sqlite3.Row]) -> defaultdict[int, list[sqlite3.Row]]:
    found: defaultdict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        found[row["study_id"]].append(row)
    return found


def _values(study: Study, at: datetime) -> dict[str, Value]:
    return {
        "user": study.user,
        "guild": study.guild,
        "channel": study.channel,
        "mode": study.mode,
        "subject": codec.storable(study.subject),
        "persona": codec.storable(study.persona),
        "pack": study.pack,
        "lesson": codec.storable(study.lesson),
        "at": codec.to_ms(at),
    }
