"""`kizuki evaluate detail`: evidence that the tutor recalls what a message asks for, and nothing of anybody else's."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from bot.clients.embedders import choose
from bot.commands import faults, sayings
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.commands.progress import Progress
from bot.wiring import now, open_database
from lessons import chunking
from lessons.evaluation import detail, detail_fitting
from lessons.evaluation.detail_measuring import Arm, answers
from lessons.evaluation.detail_report import Smoke, measure, report
from lessons.evaluation.figures import to_json
from lessons.flows.documenting import Documenting, Message
from lessons.model import DocumentId, Origin, ProfileField, ProfileLine, Surface, UserId
from storage.documents import DocumentStore
from storage.profiles import ProfileStore

if TYPE_CHECKING:
    from bot.settings import Settings
    from lessons.evaluation.detail import Embedded, Questions
    from lessons.evaluation.detail_measuring import Answered
    from lessons.evaluation.detail_report import Detail
    from lessons.ports import Embedder

_UNHURRIED: Final = 60.0
"""Seconds a question may take: the machine may be busy, and no learner waits."""


def evaluate_detail(settings: Settings, json: Path | None, out: Path | None) -> Exit:
    """Measure on the shipped questions, and write report and figures to where they are wanted, or the report to stdout."""
    return conclude(_evaluate(settings, json, out))


async def _evaluate(settings: Settings, json: Path | None, out: Path | None) -> Exit:
    progress = Progress()
    embedder = await choose(settings.embedder, settings.embedding_model)
    try:
        sets = []
        for number, part in enumerate((detail.TUNED, detail.HOLDOUT, detail.TURNS)):
            progress("embedding", number, 3)
            sets.append(await detail.embed(detail.shipped(part), embedder))
        progress("embedding", 3, 3)
        tuned, holdout, turns = sets
        guard = chunking.shipped(embedder.name) or detail_fitting.fit(tuned, embedder.name)
        with TemporaryDirectory(prefix="kizuki-detail-") as folder:
            smoke = await smoke_run(Path(folder), holdout, embedder, guard)
    finally:
        embedder.close()
    return _deliver(measure(tuned, (holdout, turns), guard, smoke), json, out)


def _deliver(found: Detail, json: Path | None, out: Path | None) -> Exit:
    """Write everything; without a folder the report alone, to stdout."""
    try:
        if json:
            json.write_text(to_json(found), encoding="utf-8")
        if out is None:
            sys.stdout.write(report(found))
            return Exit.OK
        out.mkdir(parents=True, exist_ok=True)
        (out / "detail.md").write_text(report(found), encoding="utf-8")
        (out / "detail.json").write_text(to_json(found), encoding="utf-8")
    except OSError as error:
        sayings.say(faults.unwritable(out or json, error.strerror or "unknown reason"))  # type: ignore[arg-type]
        return Exit.CANNOT_START
    sayings.say(f"The report is {out / 'detail'}.md, with the figures beside it.")
    return Exit.OK


@dataclass(frozen=True, slots=True)
class _Owners:
    """The owners of a set as learners: ids, and the documents of all of them, the linked ones only or not."""

    users: dict[str, UserId]
    linked: tuple[DocumentId, ...]


async def smoke_run(folder: Path, embedded: Embedded, embedder: Embedder, guard: chunking.Guard) -> Smoke:
    """Play the questions of a set in a database of its own in `folder`, and remove every row of its owners again."""
    async with open_database(folder) as database:
        documents, profiles = DocumentStore(database), ProfileStore(database)
        documenting = Documenting(documents, embedder, guard, budget=_UNHURRIED)
        owners = await _hand_over(documenting, profiles, embedded.of)
        while await documenting.fill_in():
            pass
        foreign, same = 0, 0
        for answered in answers(embedded, guard, Arm()):
            seen, alike = await _ask(documenting, owners, answered, embedded.of)
            foreign, same = foreign + seen, same + alike
        left = await _remove(documents, profiles, owners, documenting)
    return Smoke(len(owners.users), len(embedded.of.questions), foreign, same, left)


async def _hand_over(documenting: Documenting, profiles: ProfileStore, questions: Questions) -> _Owners:
    """Make the owners: ids that Discord gives nobody, with their documents and a line of a profile."""
    users = {
        owner: UserId(number) for number, owner in enumerate(dict.fromkeys(row[0] for row in questions.documents), 1)
    }
    linked = []
    for owner, name, kind, is_linked, text in questions.documents:
        kept = await documenting.save(users[owner], kind, name, text, now())
        if is_linked:
            linked.append(kept.id)
    for owner, user in users.items():
        await profiles.write(user, [ProfileLine(ProfileField.OVERVIEW, owner, Origin.LEARNER)], now())
    return _Owners(users, tuple(linked))


async def _ask(documenting: Documenting, owners: _Owners, answered: Answered, questions: Questions) -> tuple[int, bool]:
    """Ask one question with everybody's documents linked: rows of others that were seen, and whether it is as measured."""
    question = answered.question
    user = owners.users[question.owner]
    message = Message(user, Surface.ASK, question.queries[detail.Query.LATEST], (), owners.linked)
    texts, event = await documenting.details(message, now())
    chunks, _ = await documenting.documents.candidates(user, owners.linked, documenting.space)
    own = {piece.text for piece in questions.pieces if piece.owner == question.owner and piece.linked}
    foreign = sum(chunk.text not in own for chunk in chunks) + sum(text not in own for text in texts)
    counted = event.candidates == len(own) and event.admitted == len(texts)
    return foreign, counted and set(texts) == {questions.pieces[place].text for place in answered.admitted}


async def _remove(documents: DocumentStore, profiles: ProfileStore, owners: _Owners, documenting: Documenting) -> int:
    """Remove everything of the owners; how many rows are left."""
    left = 0
    for user in owners.users.values():
        theirs = await documents.of_user(user)
        for document in theirs:
            await documents.remove(document.id, user)
        await profiles.forget(user, None)
        ids = [document.id for document in theirs]
        left += len(await documents.of_user(user)) + len(await documents.chunks_of(user, ids))
        left += len(await profiles.lines(user)) + len((await documents.candidates(user, ids, documenting.space))[0])
    return left
