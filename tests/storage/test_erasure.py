"""Who is forgotten leaves no row and no byte, and everybody else is as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from lessons.model import (
    Booking,
    Caps,
    Confidence,
    ErrorType,
    Grade,
    GradeSource,
    Judgement,
    Opinion,
    Origin,
    Payer,
    ProfileField,
    ProfileLine,
    Purpose,
    RecallEvent,
    Silence,
    Speaker,
    Surface,
    Topic,
    Verdict,
)
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    CARD,
    HOME,
    MOD,
    SPACE,
    SPACING,
    Stores,
    accepted,
    attempt,
    begin,
    hand_over,
    hit,
    items_of,
    miss,
    publish,
    read_news,
    rows,
    save,
    study,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lessons.model import UserId


async def leave_traces_of_a_tutor(to: Stores, user: UserId, told: str, vector: NDArray[np.float32]) -> None:
    """A document with a vector, lines of a profile, a study with all its parts, a question, an event and a mistake."""
    document = await hand_over(to, user, (f"{told} goal",))
    (chunk,) = await to.documents.chunks_of(user, [document.id])
    await to.documents.save_vectors(SPACE, [(user, chunk.id, vector)])
    lines = [ProfileLine(field, told, origin) for field in ProfileField for origin in (Origin.LEARNER, Origin.ANALYSIS)]
    await to.profiles.write(user, lines, AT)
    topic = Topic(1, told, told, told, None)
    wanted = replace(study(user), subject=told, persona=told, lesson=told, topics=(topic,), documents=(document.id,))
    begun = await to.studies.begin(wanted, AT)
    for speaker in Speaker:
        await to.studies.say(begun.id, user, speaker, told, source=user, at=AT)
        await to.studies.say(None, user, speaker, told, source=user + 1, at=AT)
    await to.studies.note_recall(RecallEvent(user, AT, Surface.ASK, 1, ((chunk.id, 0.5),), 1, Silence.NONE))
    await to.studies.note_mistake(user, replace(CARD, prompt=told, typed=told), told, AT)


async def leave_traces_of_a_judge(to: Stores, user: UserId, typed: str) -> None:
    """An answer that waits, one that was decided and not told, a judgement kept, and its cost."""
    article = await publish(to, user)
    exercises = await read_news(to, await items_of(to, article.id), user)
    said = Judgement(Opinion.INCORRECT, ErrorType.PARTICLE, typed, typed, typed, Confidence.HIGH)
    await to.judgements.keep(exercises[0].item.id, typed, "en", said, by=user, at=AT)
    for exercise in exercises[:2]:
        answer = replace(attempt(exercise, user, Grade(Verdict.PENDING, "が"), typed), language="en")
        recorded = await to.drills.record(answer, None, None)
        assert recorded is not None
    judged = replace(answer, grade=Grade(Verdict.WRONG, "が", source=GradeSource.JUDGE, judgement=said))
    await to.judgements.decide(recorded[0], judged, SPACING, replace(CARD, typed=typed, feedback=typed))
    await to.usage.reserve(Booking(Payer(user, HOME), Purpose.GRADE, "judge", 50, AT), Caps())


async def test_forgetting_a_learner_leaves_no_row_and_no_byte(to: Stores, file: Path) -> None:
    marker = "かなりあ-canary-7731"
    patterns = {AIKO: np.linspace(-1, 1, 32, dtype=np.float32), BEN: np.full(32, 0.25, np.float32)}
    told = {AIKO: np.linspace(-2, 3, 32, dtype=np.float32), BEN: np.full(32, 0.75, np.float32)}
    await save(to, items=rows(6))
    await to.learners.note_visit(AIKO, HOME, AT)
    for user in (AIKO, BEN):
        for _ in range(3):
            _, exercises = await begin(to, user)
            missed, mistake = await miss(to, exercises[0], user, marker if user == AIKO else "ばば")
            await to.appeals.open_appeal(missed, user, marker if user == AIKO else "ばば", AT)
            _, other = await miss(to, exercises[1], user, marker if user == AIKO else "ばば")
            await to.memories.save_many(SPACE, [(user, kept, patterns[user]) for kept in (mistake, other)])
            await to.memories.dismiss(user, mistake, other, AT)
            for exercise in exercises[2:]:
                await hit(to, exercise, user)
        await leave_traces_of_a_judge(to, user, marker if user == AIKO else "ばば")
        await leave_traces_of_a_tutor(to, user, marker if user == AIKO else "ばば", told[user])
    waiting = next(w for w in await to.appeals.waiting(HOME, 9) if w.typed != marker)
    await to.appeals.decide(waiting.id, HOME, MOD, AT, accepted("ばば"))
    bill = await to.usage.bill(AT.date())

    async def counted(user: int) -> dict[str, int]:
        async with to.db.reading() as snapshot:
            names = await snapshot.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%user_id%'")
            return {
                name["name"]: len(await snapshot.all(f"SELECT 1 FROM {name['name']} WHERE user_id = ?", (user,)))
                for name in names
            }

    before = await counted(BEN)
    had = await counted(AIKO)
    assert {"mistake_vector", "dismissal", "model_usage", "judgement", "waiting_judgement"} < set(had)
    assert {"document", "chunk", "chunk_vector", "profile_line", "study", "study_turn", "recall_event"} < set(had)

    held = (await to.records.erase(AIKO, lambda: AT)).held
    assert (held.answers, held.documents, held.servers, held.traces) == (had["attempt"], 1, 1, 0)
    assert set((await counted(AIKO)).values()) == {0}
    assert await counted(BEN) == before
    assert await to.usage.bill(AT.date()) == bill
    assert bill[0].calls == 2
    async with to.db.reading() as snapshot:
        orphans = await snapshot.all("SELECT 1 FROM exercise WHERE drill_id NOT IN (SELECT id FROM drill)")
        for part in ("study_topic", "study_document"):
            orphans += await snapshot.all(f"SELECT 1 FROM {part} WHERE study_id NOT IN (SELECT id FROM study)")
            assert len(await snapshot.all(f"SELECT 1 FROM {part}")) == 1
        assert orphans == await snapshot.all("PRAGMA foreign_key_check") == []
    assert file.with_name(f"{file.name}-wal").stat().st_size == 0
    left = b"".join(part.read_bytes() for part in (file, file.with_name(f"{file.name}-wal")))
    assert marker.encode() not in left
    assert patterns[AIKO].astype("<f2").tobytes() not in left
    assert told[AIKO].astype("<f2").tobytes() not in left
    assert patterns[BEN].astype("<f2").tobytes() in left
    assert told[BEN].astype("<f2").tobytes() in left
