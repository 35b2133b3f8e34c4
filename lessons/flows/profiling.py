"""The profile of a learner for every surface alike: read, analysed, accepted as shown, corrected, forgotten."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons.errors import Forgotten, Gone, PressLeadsNowhere
from lessons.model import RIGHT, DocumentKind, Origin, Profile, ProfileField, ProfileLine, Verdict
from lessons.profile import Statistics, analysis_call, build, difference, own_line, parse_analysis, summary
from lessons.profile import text as plain_text

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.consulting import Consulting
    from lessons.model import Document, Payer, UserId
    from lessons.ports import Documents, Drills, Mistakes, Profiles

REACH: Final = timedelta(days=180)
"""How far back mistakes and first tries count."""
HELD: Final = 1_000
"""Learners whose latest proposal is held until they accept it; a restart forgets them all."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A model's analysis as it was shown: what it would change, and the digest that accepts exactly this one."""

    digest: str
    lines: tuple[ProfileLine, ...]
    changes: tuple[tuple[ProfileField, str, str], ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """Everything that a profile is made of."""

    goals: list[Document]
    backgrounds: list[Document]
    counts: Statistics
    stored: list[ProfileLine]

    def built(self, stored: list[ProfileLine] | None = None) -> Profile:
        """Return the profile with what is stored, or with these lines instead."""
        plain = summary(self.goals, self.backgrounds, self.counts)
        return build(self.stored if stored is None else stored, plain)


@dataclass(frozen=True, slots=True)
class Profiling:
    """Tells who a learner is, in few words. A model may propose, only the learner changes anything."""

    profiles: Profiles
    documents: Documents
    mistakes: Mistakes
    drills: Drills
    consulting: Consulting
    held: OrderedDict[UserId, Proposal] = field(default_factory=OrderedDict)

    async def profile(self, user: UserId, at: datetime) -> Profile:
        """Return the profile as of now; without a document or an answer it is empty."""
        return (await self._known(user, at)).built()

    async def text(self, user: UserId, at: datetime) -> str:
        """Return the profile as plain lines of 1,200 characters at most: the same for every surface."""
        return plain_text(await self.profile(user, at))

    async def propose(self, user: UserId, language: str, payer: Payer, at: datetime) -> Proposal:
        """Let a model analyse the documents and show what that would change. Nothing is stored.

        Without a document nobody is asked, and nothing changes. Raises ModelAway, and Forgotten when the documents are
        gone by the time the model has read them.
        """
        known = await self._known(user, at)
        if not known.goals and not known.backgrounds:
            return Proposal("", (), ())
        call = analysis_call(known.goals, known.backgrounds, known.counts, language)
        lines = tuple(await self.consulting.consult(call, payer, at, parse_analysis))
        if not await self.documents.of_user(user):
            raise Forgotten
        own = [line for line in known.stored if line.origin is Origin.LEARNER]
        changes = tuple(difference(known.built(), known.built([*own, *lines])))
        proposal = Proposal(_digest(user, lines), lines, changes)
        self.held[user] = proposal
        self.held.move_to_end(user)
        while len(self.held) > HELD:
            self.held.popitem(last=False)
        return proposal

    async def accept(self, user: UserId, digest: str, at: datetime) -> Profile:
        """Put the proposal of that digest in the place of the analysis before it, and return the profile.

        Raises PressLeadsNowhere when it is not the learner's latest one.
        """
        proposal = self.held.get(user)
        if proposal is None or proposal.digest != digest:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        said = {line.field: line for line in proposal.lines}
        lines = [said.get(name, ProfileLine(name, "", Origin.ANALYSIS)) for name in ProfileField]
        await self.profiles.write(user, lines, at)
        self.held.pop(user, None)
        return await self.profile(user, at)

    async def correct(self, user: UserId, name: ProfileField, text: str, at: datetime) -> Profile:
        """Set the learner's own line, which stands above any other; an empty text takes it away again.

        A text without a letter or a digit, such as a dash, leaves the field out. Raises TextTooLong.
        """
        await self.profiles.write(user, [own_line(name, text)], at)
        return await self.profile(user, at)

    async def forget(self, user: UserId, name: ProfileField | None, at: datetime) -> Profile:
        """Forget what is stored of a field, or of all (None), and any proposal; what is counted and quoted stays."""
        self.held.pop(user, None)
        await self.profiles.forget(user, name)
        return await self.profile(user, at)

    def let_go(self, user: UserId) -> None:
        """Hold no proposal for this person any more."""
        self.held.pop(user, None)

    async def _known(self, user: UserId, at: datetime) -> _Known:
        documents = await self.documents.of_user(user)
        return _Known(
            goals=[each for each in documents if each.kind is DocumentKind.GOAL],
            backgrounds=[each for each in documents if each.kind is DocumentKind.BACKGROUND],
            counts=await self._counts(user, at),
            stored=await self.profiles.lines(user),
        )

    async def _counts(self, user: UserId, at: datetime) -> Statistics:
        cards = [mistake.card for mistake in await self.mistakes.since(user, at - REACH)]
        answers = await self.drills.daily(user, at - REACH)
        firsts = [each for each in answers if each.first_attempt and each.verdict in RIGHT | {Verdict.WRONG}]
        return Statistics(
            kinds=Counter(card.error_type for card in cards),
            pairs=Counter((card.error_type, card.reference, card.typed) for card in cards),
            first_tries=len(firsts),
            first_right=sum(each.verdict in RIGHT for each in firsts),
        )


def _digest(user: UserId, lines: tuple[ProfileLine, ...]) -> str:
    """Return 12 characters that stand for these lines of this learner."""
    told = "\0".join((str(user), *(f"{line.field}\1{line.text}" for line in lines)))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=6).hexdigest()
