"""Schedules: rules that make posts fall due, a learner's own or those of a channel, and why one is paused."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons.model import Pause
from storage import codec, learners
from storage.runs import Runs

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import (
        ChannelId,
        GuildId,
        NewSchedule,
        Rule,
        Schedule,
        ScheduleId,
        ScheduleKind,
        Slot,
        UserId,
    )
    from storage.session import Value, Writing

DRAFTS_KEPT: Final = timedelta(days=1)

_DRAFT: Final = """
    INSERT INTO schedule (kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, pack_id, lessons, news,
                          count, state, paused_why, made_at)
    VALUES (:kind, :guild, :channel, :made_by, :time_zone, :minute, :weekdays, :pack, :lessons, :news, :count,
            'draft', '', :at)
    RETURNING id
"""

_OLD_DRAFTS: Final = "DELETE FROM schedule WHERE state = 'draft' AND made_at < ?"

_SET_OWN: Final = """
    INSERT INTO schedule (kind, user_id, made_by, time_zone, minute, weekdays, pack_id, lessons, news, count,
                          state, next_due, next_day, paused_why, made_at)
    VALUES (:kind, :user, :made_by, :time_zone, :minute, :weekdays, :pack, :lessons, :news, :count,
            'active', :next_due, :next_day, '', :at)
    ON CONFLICT (user_id, kind) DO UPDATE SET
        time_zone = excluded.time_zone, minute = excluded.minute, weekdays = excluded.weekdays,
        pack_id = excluded.pack_id, lessons = excluded.lessons, news = excluded.news, count = excluded.count,
        state = 'active', next_due = excluded.next_due, next_day = excluded.next_day,
        paused_why = '', paused_at = NULL, told_at = NULL
    RETURNING *
"""

_ACTIVATE: Final = """
    UPDATE schedule SET state = 'active', next_due = :next_due, next_day = :next_day,
                        paused_why = '', paused_at = NULL, told_at = NULL
    WHERE id = :schedule AND guild_id = :guild AND state <> 'active' RETURNING id
"""

_RESUME_OWN: Final = """
    UPDATE schedule SET state = 'active', next_due = :next_due, next_day = :next_day,
                        paused_why = '', paused_at = NULL, told_at = NULL
    WHERE user_id = :user AND kind = :kind AND state = 'paused' RETURNING id
"""

_PAUSE: Final = """
    UPDATE schedule SET state = 'paused', next_due = NULL, next_day = NULL, paused_why = :why, paused_at = :at,
                        told_at = :told
    WHERE id = :schedule AND state = 'active' RETURNING id
"""

_PAUSE_SERVER: Final = """
    UPDATE schedule SET state = 'paused', next_due = NULL, next_day = NULL, paused_why = :why, paused_at = :at,
                        told_at = :told
    WHERE guild_id = :guild AND (:channel IS NULL OR channel_id = :channel) AND state = 'active' RETURNING id
"""

_DROP_UNTRIED: Final = """
    UPDATE run SET state = 'skipped', why = ?, settled_at = ?
    WHERE state = 'claimed' AND tried_at IS NULL AND schedule_id IN (SELECT value FROM json_each(?))
"""

_RESET: Final = """
    UPDATE schedule SET time_zone = :time_zone, minute = :minute, weekdays = :weekdays,
                        next_due = CASE state WHEN 'active' THEN :next_due END,
                        next_day = CASE state WHEN 'active' THEN :next_day END
    WHERE id = :schedule
"""

_UNTOLD: Final = "SELECT * FROM schedule WHERE made_by = ? AND state = 'paused' AND told_at IS NULL ORDER BY id"

_TOLD: Final = "UPDATE schedule SET told_at = ? WHERE made_by = ? AND state = 'paused' AND told_at IS NULL"

_WAITING: Final = """
    SELECT * FROM schedule
    WHERE state = 'paused' AND paused_why IN ('no_dm', 'no_channel', 'no_access', 'no_server') ORDER BY made_by
"""

_WAITING_SERVER: Final = """
    SELECT * FROM schedule
    WHERE guild_id = ? AND state = 'paused' AND paused_why IN ('no_channel', 'no_access', 'no_server') ORDER BY id
"""

_WAITING_OWN: Final = """
    SELECT * FROM schedule WHERE user_id = ? AND state = 'paused' AND paused_why = 'no_dm' ORDER BY id
"""


class ScheduleStore(Runs):
    """The Schedules port."""

    async def draft(self, new: NewSchedule, at: datetime) -> ScheduleId:
        """Keep a channel's schedule that waits to be confirmed; drafts of more than a day ago go."""
        values = codec.schedule_to_columns(new) | {"at": codec.to_ms(at)}

        async def work(transaction: Writing) -> ScheduleId:
            await transaction.run(_OLD_DRAFTS, (codec.to_ms(at - DRAFTS_KEPT),))
            (row,) = await transaction.all(_DRAFT, values)
            return codec.schedule_id(row)

        return await self._db.write(work)

    async def own(self, user: UserId, kind: ScheduleKind) -> Schedule | None:
        """Return a learner's own schedule of that kind."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM schedule WHERE user_id = ? AND kind = ?", (user, kind))
        return codec.schedule(row) if row else None

    async def set_own(self, new: NewSchedule, upcoming: Slot, at: datetime) -> Schedule:
        """Make a learner's own schedule active with this rule, in the place of the one before (its last day is kept)."""
        if new.user is None:
            raise ValueError("a learner's own schedule names the learner")
        user = new.user
        values = codec.schedule_to_columns(new) | codec.slot_to_columns(upcoming) | {"at": codec.to_ms(at)}

        async def work(transaction: Writing) -> Schedule:
            await learners.ensure(transaction, user, at)
            (row,) = await transaction.all(_SET_OWN, values)
            return codec.schedule(row)

        return await self._db.write(work)

    async def schedule(self, schedule: ScheduleId, guild: GuildId) -> Schedule | None:
        """Return a schedule of this server."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM schedule WHERE id = ? AND guild_id = ?", (schedule, guild))
        return codec.schedule(row) if row else None

    async def of_server(self, guild: GuildId) -> list[Schedule]:
        """Return the schedules of a server but for drafts, oldest first."""
        return await self._found("SELECT * FROM schedule WHERE guild_id = ? AND state <> 'draft' ORDER BY id", (guild,))

    async def activate(self, schedule: ScheduleId, guild: GuildId, upcoming: Slot) -> bool:
        """Confirm a draft or resume a paused schedule of this server; False when it is neither."""
        return await self._did(_ACTIVATE, {"schedule": schedule, "guild": guild, **codec.slot_to_columns(upcoming)})

    async def resume_own(self, user: UserId, kind: ScheduleKind, upcoming: Slot) -> bool:
        """Resume a learner's own paused schedule; False when it is not paused."""
        return await self._did(_RESUME_OWN, {"user": user, "kind": kind, **codec.slot_to_columns(upcoming)})

    async def pause(self, schedule: ScheduleId, why: Pause, at: datetime) -> None:
        """Pause an active schedule; its maker still has to be told, unless they ASKED for it.

        A post of it that is claimed and was not handed to Discord yet is dropped.
        """
        await self._pause(_PAUSE, {"schedule": schedule}, why, at)

    async def remove(self, schedule: ScheduleId, guild: GuildId) -> bool:
        """Remove a schedule of this server with its runs; False when there is none."""
        return await self._did("DELETE FROM schedule WHERE id = ? AND guild_id = ? RETURNING id", (schedule, guild))

    async def remove_own(self, user: UserId, kind: ScheduleKind) -> bool:
        """Remove a learner's own schedule with its runs; False when there is none."""
        return await self._did("DELETE FROM schedule WHERE user_id = ? AND kind = ? RETURNING id", (user, kind))

    async def reset(self, schedule: ScheduleId, rule: Rule, upcoming: Slot) -> None:
        """Give an active schedule another rule, or another next time; one that is not active takes the rule alone."""
        values = {"schedule": schedule, **codec.rule_to_columns(rule), **codec.slot_to_columns(upcoming)}
        await self._db.write(lambda transaction: transaction.run(_RESET, values))

    async def active(self) -> list[Schedule]:
        """Return every active schedule, for a look at whether its next time still holds."""
        return await self._found("SELECT * FROM schedule WHERE state = 'active' ORDER BY next_due", ())

    async def untold(self, user: UserId) -> list[Schedule]:
        """Return paused schedules that this person made and was not told of."""
        return await self._found(_UNTOLD, (user,))

    async def told(self, user: UserId, at: datetime) -> None:
        """Note that this person was told of every pause."""
        values = (codec.to_ms(at), user)
        await self._db.write(lambda transaction: transaction.run(_TOLD, values))

    async def pause_server(self, guild: GuildId, why: Pause, at: datetime, channel: ChannelId | None = None) -> int:
        """Pause the active schedules of a server, or of one channel; the number."""
        return await self._pause(_PAUSE_SERVER, {"guild": guild, "channel": channel}, why, at)

    async def waiting_for_access(self, guild: GuildId | None = None, user: UserId | None = None) -> list[Schedule]:
        """Return schedules paused for want of access: of a server, of a learner, or all."""
        if guild is not None:
            return await self._found(_WAITING_SERVER, (guild,))
        return await self._found(_WAITING_OWN, (user,)) if user is not None else await self._found(_WAITING, ())

    async def _pause(self, sql: str, which: dict[str, Value], why: Pause, at: datetime) -> int:
        told = codec.to_ms(at) if why is Pause.ASKED else None
        values = {**which, "why": why, "at": codec.to_ms(at), "told": told}

        async def work(transaction: Writing) -> int:
            paused = [codec.schedule_id(row) for row in await transaction.all(sql, values)]
            if paused:
                await transaction.run(_DROP_UNTRIED, (why, codec.to_ms(at), codec.ids(paused)))
            return len(paused)

        return await self._db.write(work)
