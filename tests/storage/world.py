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
    Blank,
    Cutting,
    DiffKind,
    DiffPart,
    Document,
    DocumentId,
    DocumentKind,
    ErrorType,
    Feed,
    FeedId,
    FeedState,
    Grade,
    GuildId,
    InteractionId,
    ItemKind,
    Learning,
    MistakeCard,
    Mode,
    NewArticle,
    PackHead,
    Prepared,
    Rating,
    Remark,
    Row,
    Space,
    Spacing,
    Study,
    StudyId,
    StudyState,
    Topic,
    Track,
    Unit,
    UserId,
    Verdict,
    Word,
)
from storage.appeals import AppealStore
from storage.articles import ArticleStore
from storage.documents import DocumentStore
from storage.drills import DrillStore
from storage.feeds import FeedStore
from storage.groups import GroupStore
from storage.judgements import JudgementStore
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore
from storage.packs import PackStore
from storage.profiles import ProfileStore
from storage.schedules import ScheduleStore
from storage.studies import StudyStore
from storage.usage import UsageStore

if TYPE_CHECKING:
    from lessons.model import Article, AttemptId, ChannelId, Drill, Exercise, ItemId, MistakeId, PackChange, PackId
    from lessons.ports import (
        Appeals,
        Articles,
        Documents,
        Drills,
        Feeds,
        Groups,
        Judgements,
        Learners,
        Memories,
        Mistakes,
        Packs,
        Profiles,
        Schedules,
        Studies,
        Usage,
    )
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
    feeds: Feeds
    articles: Articles
    usage: Usage
    judgements: Judgements
    documents: Documents
    profiles: Profiles
    studies: Studies
    schedules: Schedules
    groups: Groups


def stores(db: Database) -> Stores:
    return Stores(
        db,
        LearnerStore(db),
        PackStore(db),
        DrillStore(db),
        MistakeStore(db),
        AppealStore(db),
        MemoryStore(db),
        FeedStore(db),
        ArticleStore(db),
        UsageStore(db),
        JudgementStore(db),
        DocumentStore(db),
        ProfileStore(db),
        StudyStore(db),
        ScheduleStore(db),
        GroupStore(db),
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
        day=None if grade.verdict is Verdict.SKIPPED else at.date(),
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


def feed(number: int = 1, guild: GuildId = HOME) -> Feed:
    return Feed(
        FeedId(0), guild, f"https://news.example/{number}.xml", f"News {number}", "ja", FeedState.ACTIVE, AT, etag='"1"'
    )


def cutting(sentence: int, place: int, answer: str = "が") -> Cutting:
    """One of several blanks of a sentence."""
    blank = Blank(
        place, place + 1, answer, "", Unit.PARTICLE, "助詞", ErrorType.PARTICLE, 0.75, closed=place == 0, level="N4"
    )
    row = Row(
        key=f"{sentence} {place}",
        line=sentence,
        lesson="",
        kind=ItemKind.CLOZE,
        prompt=f"雨{BLANK}降った。{sentence} {place}",
        answers=(answer,),
        skill=ErrorType.PARTICLE,
    )
    return Cutting(sentence, blank, Prepared(row, (accepted(answer),), "助詞", "雨(あめ)", "core 2026"))


def article(number: int = 1, guild: GuildId = HOME, sentences: int = 2, blanks: int = 3) -> NewArticle:
    """An article of so many sentences with so many blanks each."""
    return NewArticle(
        guild_id=guild,
        title=f"大雨 {number}",
        source="きょうのニュース",
        url=f"https://news.example/{number}",
        language="ja",
        keys=(f"guid {number}", f"text {number}"),
        cuttings=tuple(cutting(sentence, place) for sentence in range(sentences) for place in range(blanks)),
        published=AT - DAY,
        added_by=MOD,
    )


async def publish(to: Stores, number: int = 1, guild: GuildId = HOME, at: datetime = AT) -> Article:
    """Keep an article of two sentences with three blanks each."""
    kept = await to.articles.save(article(number, guild), at)
    assert kept is not None
    return kept


async def items_of(to: Stores, pack: PackId) -> list[ItemId]:
    return [item.id for item in await to.packs.items(pack)]


async def read_news(
    to: Stores, items: list[ItemId], user: UserId = AIKO, guild: GuildId | None = HOME
) -> list[Exercise]:
    """A news drill over these items."""
    drill = await to.drills.begin(user, guild, Track.EXERCISE, "News", items, AT)
    return await to.drills.exercises(drill.id, user)


GOAL = ("I want to pass N3 in July.", "My hotel in Kyoto needs polite Japanese.")


async def hand_over(
    to: Stores,
    user: UserId = AIKO,
    chunks: tuple[str, ...] = GOAL,
    kind: DocumentKind = DocumentKind.GOAL,
    at: datetime = AT,
) -> Document:
    """Keep a document of these chunks."""
    text = " ".join(chunks)
    return await to.documents.save(Document(DocumentId(0), user, kind, f"{kind}.txt", text, at), chunks)


TOPICS = (
    Topic(1, "Polite requests", "The hotel", "Ask a guest to wait.", ErrorType.POLITENESS),
    Topic(2, "Counting guests", "The reception", "Say how many.", None),
)


def study(
    user: UserId = AIKO, channel: ChannelId | None = None, guild: GuildId | None = HOME, mode: Mode = Mode.STUDY
) -> Study:
    return Study(StudyId(0), user, guild, channel, mode, "Requests", "a patient teacher", StudyState.OPEN, AT)
