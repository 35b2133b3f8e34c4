"""Conversations with a plan: a study along its roadmap, a role-play held to a lesson, an interview with its report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons import tutoring
from lessons.errors import Gone, ModelAway, PressLeadsNowhere
from lessons.flows.conversing import Place, Saying
from lessons.model import DocumentKind, Mode, Speaker, Study, StudyId, StudyState, Surface
from lessons.tutoring import Asked, Event

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from datetime import datetime

    from lessons.flows.asking import Asking
    from lessons.flows.conversing import Conversing
    from lessons.flows.delivering import Step
    from lessons.model import (
        ChannelId,
        Document,
        DocumentId,
        GuildId,
        MistakeId,
        PackId,
        Topic,
        Turn,
        UserId,
    )
    from lessons.ports import Documents, Studies
    from lessons.tutoring import Report

SURFACES: Final = {Mode.STUDY: Surface.STUDY, Mode.ROLEPLAY: Surface.ROLEPLAY, Mode.INTERVIEW: Surface.INTERVIEW}
REMEMBERED: Final = 40
"""Turns of a study that go with the next one."""
WHOLE: Final = 400
"""Turns that a closing report looks at."""
POINTS: Final = 8
"""Explanations of a lesson that a role-play is held to."""
OPENING: Final = "(The learner has just come in.)"
NEXT: Final = "(The learner asks for the next topic.)"
SCENE: Final = 12
"""Lines of the other person after which a scene comes to its end."""


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """What a learner asked for: what it is about, with whom, which documents may be looked into, which lesson holds."""

    user: UserId
    guild: GuildId | None
    mode: Mode
    subject: str
    persona: str
    language: str
    documents: tuple[DocumentId, ...] = ()
    pack: PackId | None = None
    lesson: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """How a study ended: its report in words, the topics as they stand, and the mistakes that were kept of it."""

    study: Study
    report: Report | None
    counted: str
    kept: tuple[MistakeId, ...]


@dataclass(frozen=True, slots=True)
class Studying:
    """Leads studies. What was said, and where it stands, is kept: it goes on after any restart."""

    conversing: Conversing
    asking: Asking
    studies: Studies
    documents: Documents

    async def begin(self, ask: StudyRequest, at: datetime) -> Study:
        """Start a study with its roadmap, drawn by a model where there is one, else from goal and gaps."""
        documents = [each for each in await self.documents.of_user(ask.user) if each.id in ask.documents]
        topics = await self._roadmap(ask, documents, at) if ask.mode is Mode.STUDY else ()
        study = Study(
            id=StudyId(0),
            user=ask.user,
            guild=ask.guild,
            channel=None,
            mode=ask.mode,
            subject=ask.subject,
            persona=ask.persona,
            state=StudyState.OPEN,
            started_at=at,
            pack=ask.pack,
            lesson=ask.lesson,
            topics=topics,
            documents=tuple(document.id for document in documents),
        )
        return await self.studies.begin(study, at)

    async def found(self, channel: ChannelId, user: UserId) -> Study | None:
        """Return the open study of a channel, if it is this learner's."""
        study = await self.studies.in_channel(channel)
        return study if study is not None and study.user == user else None

    async def owned(self, study: StudyId, user: UserId) -> Study:
        """Return an open study of this learner. Raises PressLeadsNowhere."""
        found = await self.studies.study(study, user)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if found.state is StudyState.ENDED:
            raise PressLeadsNowhere(Gone.FINISHED, found.ended_at)
        return found

    async def open(self, study: Study, language: str, source: int, at: datetime) -> AsyncGenerator[Saying, None]:
        """Yield the tutor's first words as they grow."""
        async for saying in self._turn(study, OPENING, Event.OPENED, self._place(study, language, at), source):
            yield saying

    async def say(
        self, study: Study, text: str, language: str, source: int, at: datetime
    ) -> AsyncGenerator[Saying, None]:
        """Keep what the learner says and yield the reply as it grows; a message that came before yields nothing."""
        if await self.studies.say(study.id, study.user, Speaker.LEARNER, text, source=source, at=at) is None:
            return
        event = await self._event(study)
        async for saying in self._turn(study, text, event, self._place(study, language, at), source):
            yield saying

    async def go_on(self, study: Study, language: str, source: int, at: datetime) -> AsyncGenerator[Saying, None]:
        """Leave the topic at hand for the next one, and yield the tutor's words on it."""
        async for saying in self._turn(study, NEXT, Event.NEXT_WANTED, self._place(study, language, at), source):
            yield saying

    async def exercise(self, study: Study, at: datetime) -> Step | None:
        """Begin a real drill on the topic at hand; None when there is nothing of its kind here."""
        topics, _ = tutoring.advance(study.topics, Event.EXERCISE_WANTED)
        await self.studies.progress(study.id, study.user, topics)
        topic = tutoring.current(topics)
        target = topic.target if topic else None
        return await self.asking.drill(self._place(study, "", at), target, drill_title(topic), 3)

    async def end(self, study: StudyId, user: UserId, language: str, at: datetime) -> Closing:
        """End a study: what it came to, and what the tutor corrected kept as mistakes. Raises PressLeadsNowhere."""
        found = await self.owned(study, user)
        if not await self.studies.end(study, user, at):
            raise PressLeadsNowhere(Gone.DECIDED)
        place, turns = self._place(found, language, at), await self.studies.turns(study, user, WHOLE)
        report = await self._report(turns, place) if found.mode is Mode.INTERVIEW else None
        kept = await self._corrected(found, turns, place)
        counts = await self.conversing.counts(user)
        counted = tutoring.study_report(found.topics, *await self._tally(found), counts)
        return Closing(found, report, counted, kept)

    async def _turn(
        self, study: Study, message: str, event: Event, place: Place, source: int
    ) -> AsyncGenerator[Saying, None]:
        turns = await self.studies.turns(study.id, study.user, REMEMBERED)
        history = (
            turns[:-1] if turns and turns[-1].speaker is Speaker.LEARNER and message not in {OPENING, NEXT} else turns
        )
        topics, instruction = self._instruction(study, event, history)
        if topics != study.topics:
            await self.studies.progress(study.id, study.user, topics)
        asked = await self.conversing.prepared(await self._asked(study, topics, history, message, instruction), place)
        look_up = await self._look_up(replace(study, topics=topics), history, asked, place)
        last = Saying("")
        async for last in self.conversing.say(asked, place, look_up):
            yield last
        await self.studies.say(study.id, study.user, Speaker.TUTOR, last.text, source=source, at=place.at)

    def _instruction(self, study: Study, event: Event, history: Sequence[Turn]) -> tuple[tuple[Topic, ...], str]:
        said = sum(turn.speaker is Speaker.TUTOR for turn in history)
        if study.mode is Mode.INTERVIEW:
            return study.topics, tutoring.interview_instruction(said)
        if study.mode is Mode.ROLEPLAY:
            return study.topics, tutoring.roleplay_instruction(said, closing=said >= SCENE)
        return tutoring.advance(study.topics, event)

    async def _asked(
        self, study: Study, topics: tuple[Topic, ...], history: Sequence[Turn], message: str, instruction: str
    ) -> Asked:
        topic = tutoring.current(topics)
        return Asked(
            surface=SURFACES[study.mode],
            message=message,
            persona=tutoring.persona(study.persona),
            history=history,
            subject=study.subject,
            topic=topic.title if topic else "",
            instruction=instruction,
            grammar=await self._grammar(study),
        )

    async def _look_up(self, study: Study, history: Sequence[Turn], asked: Asked, place: Place) -> Callable[[], str]:
        """Return what is said where no model speaks."""
        said = sum(turn.speaker is Speaker.TUTOR for turn in history)
        if study.mode is Mode.INTERVIEW:
            return lambda: tutoring.interview_question(said)
        if study.mode is Mode.ROLEPLAY:
            return lambda: tutoring.NO_SCENE
        topic = tutoring.current(study.topics)
        points = tutoring.points_in(f"{study.subject} {asked.message}")
        found = await self.conversing.explanations(place, points)
        items = await self.conversing.exercise_items(place, topic.target if topic else None, 1)
        exercise = items[0].row.prompt if items else ""
        return lambda: tutoring.study_turn(study.topics, asked.mistakes, found, exercise)

    async def _event(self, study: Study) -> Event:
        """Tell what happened since the tutor spoke last: an exercise answered, or talk."""
        topic = tutoring.current(study.topics)
        drill = await self.asking.drills.last_titled(study.user, drill_title(topic)) if topic else None
        turns = await self.studies.turns(study.id, study.user, 2)
        spoke = next((turn.at for turn in reversed(turns) if turn.speaker is Speaker.TUTOR), study.started_at)
        if drill is None or drill.ended_at is None or drill.ended_at < spoke or not drill.answered:
            return Event.TALKED
        return Event.EXERCISE_RIGHT if drill.right == drill.answered else Event.EXERCISE_WRONG

    async def _tally(self, study: Study) -> tuple[int, int]:
        """Return right and wrong answers of the drills of a study's topics."""
        drills = [await self.asking.drills.last_titled(study.user, drill_title(topic)) for topic in study.topics]
        mine = [drill for drill in drills if drill is not None and drill.started_at >= study.started_at]
        right = sum(drill.right for drill in mine)
        return right, sum(drill.answered for drill in mine) - right

    async def _roadmap(self, ask: StudyRequest, documents: Sequence[Document], at: datetime) -> tuple[Topic, ...]:
        goals = [document.text for document in documents if document.kind is DocumentKind.GOAL]
        profile = await self.conversing.profiling.profile(ask.user, at)
        counts = await self.conversing.counts(ask.user)
        place = Place(ask.user, ask.guild, Surface.STUDY, ask.language, at)
        text = await self.conversing.profiling.text(ask.user, at)
        call = tutoring.roadmap_call(ask.subject, goals, text, counts, ask.language)
        try:
            return await self.conversing.consulting.consult(call, place.payer, at, tutoring.parse_roadmap)
        except ModelAway:
            return tutoring.roadmap(ask.subject, goals, profile.lines, counts)

    async def _report(self, turns: Sequence[Turn], place: Place) -> Report:
        profile = await self.conversing.profiling.text(place.user, place.at)
        call = tutoring.report_call(turns, profile, place.language)
        try:
            return await self.conversing.consulting.consult(call, place.payer, place.at, tutoring.parse_report)
        except ModelAway:
            return tutoring.report_by_counts(turns, await self.conversing.counts(place.user))

    async def _corrected(self, study: Study, turns: Sequence[Turn], place: Place) -> tuple[MistakeId, ...]:
        """Keep what a model corrects in what the learner said; nothing without one."""
        text = tutoring.said(turns)
        if not text.strip():
            return ()
        call = tutoring.corrections_call(turns, place.language)
        try:
            corrected = await self.conversing.consulting.consult(
                call, place.payer, place.at, lambda reply: tutoring.parse_composition(reply, text)
            )
        except ModelAway:
            return ()
        cards = [tutoring.card(correction, text) for correction in corrected.corrections]
        return tuple(
            [await self.studies.note_mistake(study.user, card, SOURCES[study.mode], place.at) for card in cards]
        )

    async def _grammar(self, study: Study) -> str:
        """Return what a lesson explains, a line a point: what a role-play is held to."""
        if study.pack is None:
            return ""
        items = await self.conversing.packs.items(study.pack)
        lines = [item.row.explanation for item in items if item.row.lesson == study.lesson or not study.lesson]
        return "\n".join(list(dict.fromkeys(filter(None, lines)))[:POINTS])

    def _place(self, study: Study, language: str, at: datetime) -> Place:
        return Place(study.user, study.guild, SURFACES[study.mode], language, at, study.documents)


SOURCES: Final = {Mode.STUDY: "Your study", Mode.ROLEPLAY: "Your role-play", Mode.INTERVIEW: "Your interview"}
"""Where a mistake is said to come from."""


def drill_title(topic: Topic | None) -> str:
    """Return what the drill of a topic is called."""
    return f"Study: {topic.title}" if topic else "Study"
