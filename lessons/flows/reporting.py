"""The review that comes by itself: a learner's themes since the one before, and what has become of those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from lessons import summary
from lessons.flows.reviewing import DAYS, FEW, SHOWN
from lessons.model import Pause, Post, Skip, Track

if TYPE_CHECKING:
    from lessons.flows.reviewing import Review, Reviewing
    from lessons.model import MessageId, Run, RunId, Theme, UserId
    from lessons.ports import Drills, Schedules
    from lessons.summary import Tally

ENOUGH: Final = 10
"""First tries on each side from which a share of right ones says anything."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A theme of the review before: how many of its exercises were answered since, and how many are right by now."""

    theme: Theme
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class FirstTries:
    """First tries of a track in the time of the review before, and since then."""

    track: Track
    then: Tally
    now: Tally


@dataclass(frozen=True, slots=True)
class Span:
    """The time that a review looks back over."""

    since: datetime
    made: datetime


@dataclass(frozen=True, slots=True)
class ReviewPost(Post):
    """A review with what came of the one before (None: this is the first)."""

    run: RunId
    review: Review
    before: Span | None = None
    returned: tuple[Returned, ...] = ()
    firsts: tuple[FirstTries, ...] = ()

    @property
    def is_worth_it(self) -> bool:
        """Tell whether there is something to say: misses enough for a pattern, or something that went better."""
        better = any(each.now.percent > each.then.percent for each in self.firsts)
        return self.review.exercises >= FEW or better or any(each.right for each in self.returned)

    @property
    def note(self) -> str:
        """The span of this review, then that of the one before: what the next one begins from."""
        spans = (Span(self.review.since, self.review.made), *([self.before] if self.before else []))
        return " ".join(f"{span.since.isoformat()}/{span.made.isoformat()}" for span in spans)


@dataclass(frozen=True, slots=True)
class Reporting:
    """Composes learners' own reviews. All of it is counted anew from what is stored, so it can be checked at any time."""

    schedules: Schedules
    reviewing: Reviewing
    drills: Drills

    async def compose(self, run: Run, at: datetime) -> ReviewPost | Skip | Pause:
        """Make the review that is due; none while the one before is unanswered, or when there is nothing to say."""
        user = run.schedule.made_by
        latest = await self.schedules.latest_sent(run.schedule.id)
        if latest and not await self.schedules.is_answered(latest[0]):
            return Pause.UNANSWERED
        before = _before(run, latest[2]) if latest else None
        first = at - timedelta(days=DAYS)
        review = await self.reviewing.review(user, at, SHOWN, max(first, before.made) if before else first)
        post = ReviewPost(run.id, review)
        if before:
            returned = await self._returned(user, before, review.made)
            post = replace(post, before=before, returned=returned, firsts=await self._firsts(user, before, review.made))
        return post if post.is_worth_it else Skip.NOTHING

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """Nothing is noted beside the run itself."""

    async def _returned(self, user: UserId, before: Span, now: datetime) -> tuple[Returned, ...]:
        """Tell what became of the themes that the review before showed; those nobody came back to are left out."""
        shown = (await self.reviewing.themes_of(user, before.since, before.made))[:SHOWN]
        items = {member.item_id for theme in shown for member in theme.members if member.item_id is not None}
        right = await self.drills.latest_answers(user, items, before.made, now)
        found = []
        for theme in shown:
            answered = [right[each.item_id] for each in theme.members if each.item_id in right]
            if answered:
                found.append(Returned(theme, len(answered), sum(answered)))
        return tuple(found)

    async def _firsts(self, user: UserId, before: Span, now: datetime) -> tuple[FirstTries, ...]:
        """Hold first tries since the review before against those of its own time, where there are ENOUGH of both."""
        answers = await self.drills.daily(user, before.since)
        then = summary.first_tries(answers, before.since, before.made)
        lately = summary.first_tries(answers, before.made, now)
        both = [FirstTries(track, then[track], lately[track]) for track in Track if track in then and track in lately]
        return tuple(each for each in both if min(each.then.answered, each.now.answered) >= ENOUGH)


def _before(run: Run, why: str) -> Span | None:
    """Return the review that this one goes on from, out of the note of the latest one sent.

    One on a day that the rule does not name was put off to there: it stands in the place of the latest, and goes on
    from where that did.
    """
    spans = [Span(*map(datetime.fromisoformat, span.split("/"))) for span in why.split()]
    put_off = run.slot.day.weekday() not in run.schedule.rule.weekdays
    return next(iter(spans[1:] if put_off else spans), None)
