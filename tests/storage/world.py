"""Packs, drills and answers to test with, small and alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from lessons.model import (
    BLANK,
    Accepted,
    Analysis,
    Attempt,
    DiffKind,
    DiffPart,
    ErrorType,
    Grade,
    GuildId,
    InteractionId,
    ItemKind,
    Learning,
    MistakeCard,
    PackHead,
    Prepared,
    Rating,
    Remark,
    Row,
    Space,
    Spacing,
    Track,
    UserId,
    Verdict,
    Word,
)
from storage.appeals import AppealStore
from storage.drills import DrillStore
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore
from storage.packs import PackStore

if TYPE_CHECKING:
    from lessons.model import AttemptId, Drill, Exercise, MistakeId, PackChange
    from lessons.ports import Appeals, Drills, Learners, Memories, Mistakes, Packs
    from storage.connection import Database

AT = datetime(2027, 3, 14, 9, 26, 53, 589_000, tzinfo=UTC)
AIKO, BEN, MOD = UserId(111_111_111_111_111_111), UserId(222_222_222_222_222_222), UserId(999_999_999_999_999_999)
HOME, AWAY = GuildId(10_000_000_000_000_001), GuildId(20_000_000_000_000_002)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
SPACE = Space("usem3", 1)

_interactions = count(1)


@dataclass(frozen=True, slots=True)
class Stores:
    db: Database
    learners: Learners
    packs: Packs
    drills: Drills
    mistakes: Mistakes
    appeals: Appeals
    memories: Memories


def stores(db: Database) -> Stores:
    return Stores(
        db, LearnerStore(db), PackStore(db), DrillStore(db), MistakeStore(db), AppealStore(db), MemoryStore(db)
    )


def word(text: str) -> Word:
    return Word(text, text, text, text, ("助詞", "格助詞"), known=True)


def accepted(text: str) -> Accepted:
    return Accepted(text, text.casefold(), (), Analysis(text, (word(text),)))


def prepared(
    number: int, *answers: str, prompt: str = "", lesson: str = "1", kind: ItemKind = ItemKind.CLOZE
) -> Prepared:
    """Row `number` of a pack; its answers are は and が unless given."""
    answers = answers or ("は", "が")
    row = Row(
        key=f"row {number}",
        line=number + 1,
        lesson=lesson,
        kind=kind,
        prompt=prompt or f"私{BLANK}学生です。{number}",
        answers=answers,
        reading="は|わ",
        meaning="I am a student.",
        hint="topic",
        explanation="は marks the topic.",
        skill=ErrorType.PARTICLE,
        tags=("genki", "l1"),
    )
    return Prepared(row, tuple(accepted(a) for a in answers), "助詞", "私(わたし)", "core 2026")


def rows(amount: int, lesson: str = "1") -> list[Prepared]:
    return [prepared(number, lesson=lesson) for number in range(1, amount + 1)]


async def save(
    to: Stores, name: str = "N5", guild: GuildId | None = HOME, items: list[Prepared] | None = None, at: datetime = AT
) -> PackChange:
    items = rows(3) if items is None else items
    return await to.packs.save(PackHead(name, guild, saved_by=MOD), items, at)


async def begin(
    to: Stores, user: UserId = AIKO, name: str = "N5", pack_guild: GuildId | None = HOME, guild: GuildId | None = HOME
) -> tuple[Drill, list[Exercise]]:
    """A drill of `user` in `guild` over all items of a pack that is there already."""
    pack = await to.packs.find(name, [pack_guild] if pack_guild else [])
    assert pack is not None
    items = [item.id for item in await to.packs.items(pack.id)]
    drill = await to.drills.begin(user, guild, Track.LESSON, "N5", items, AT)
    return drill, await to.drills.exercises(drill.id, user)


WRONG = Grade(
    Verdict.WRONG, "は", (Remark.VOICING,), (DiffPart(DiffKind.EXTRA, "ば"), DiffPart(DiffKind.MISSING, "は"))
)
EXACT = Grade(Verdict.EXACT, "は")
SPACING = Spacing(Learning.LEARNING, 0, 0.2172, 6.4133, AT + 10 * MINUTE, AT)
CARD = MistakeCard(Track.LESSON, f"私{BLANK}学生です。", "は", "ば", ErrorType.PARTICLE, "助詞", "Not this particle.")


def attempt(
    exercise: Exercise, user: UserId = AIKO, grade: Grade = WRONG, typed: str = "ば", at: datetime = AT
) -> Attempt:
    ratings = {Verdict.WRONG: Rating.AGAIN, Verdict.EXACT: Rating.GOOD, Verdict.EQUIVALENT: Rating.GOOD}
    return Attempt(
        user=user,
        exercise=exercise.id,
        interaction=InteractionId(next(_interactions)),
        typed=typed,
        grade=grade,
        hinted=False,
        at=at,
        rating=ratings.get(grade.verdict),
    )


async def miss(
    to: Stores, exercise: Exercise, user: UserId = AIKO, typed: str = "ば", at: datetime = AT
) -> tuple[AttemptId, MistakeId]:
    """Answer an exercise wrongly."""
    recorded = await to.drills.record(attempt(exercise, user, WRONG, typed, at), SPACING, replace(CARD, typed=typed))
    assert recorded is not None
    assert recorded[1] is not None
    return recorded[0], recorded[1]


async def hit(to: Stores, exercise: Exercise, user: UserId = AIKO, at: datetime = AT) -> AttemptId:
    """Answer an exercise rightly."""
    recorded = await to.drills.record(attempt(exercise, user, EXACT, "は", at), SPACING, None)
    assert recorded is not None
    return recorded[0]
