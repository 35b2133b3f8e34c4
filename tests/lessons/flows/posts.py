"""A learner's schedules falling due, and their posts going out, without a Discord."""

from __future__ import annotations

from datetime import datetime

from bot.app import Services
from lessons.calendar import plan
from lessons.flows.reporting import ReviewPost
from lessons.model import MessageId, Post, Run, RunState, ScheduleKind, Skip
from lessons.model import Pause as Paused


async def due(services: Services, at: datetime) -> list[Run]:
    """Take up what is due."""
    schedules = services.reporting.schedules
    return await schedules.claim(at, 10, lambda each: plan(each.rule, each.upcoming, at, each.last_day))  # type: ignore[arg-type]


async def posted(services: Services, at: datetime) -> list[Post | Skip | Paused]:
    """Compose what is due, and let it go out."""
    schedules = services.reporting.schedules
    made: list[Post | Skip | Paused] = []
    for run in await due(services, at):
        is_review = run.schedule.kind is ScheduleKind.REVIEW
        flow = services.reporting if is_review else services.reminding
        found = await flow.compose(run, at)
        made.append(found)
        if isinstance(found, Post):
            await schedules.trying(run.id, at)
            await schedules.settle(run.id, RunState.SENT, at, why=found.note, message=MessageId(run.id))
            await flow.posted(run, found, MessageId(run.id), at)
        elif isinstance(found, Paused):
            await schedules.settle(run.id, RunState.SKIPPED, at, why=found)
            await schedules.pause(run.schedule.id, found, at)
        else:
            await schedules.settle(run.id, RunState.SKIPPED, at, why=found)
    return made


async def review(services: Services, at: datetime) -> ReviewPost:
    """Compose the one review that is due, and let it go out."""
    (post,) = await posted(services, at)
    assert isinstance(post, ReviewPost), post
    return post
