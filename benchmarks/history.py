"""Days of practice written in bulk, row for row what the flow would have left, so that a year takes minutes."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count, islice
from typing import TYPE_CHECKING

import numpy as np

from lessons import cards, grading, recall
from lessons.model import AnswerKey, Grade, PackHead, Prepared, Space, Track, Verdict
from storage import codec, vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from bot.app import Services
    from lessons.model import GuildId, Item, MistakeCard, UserId

NEW = 10  # items that a learner meets for the first time in a day
MISSES = 0.2
SESSION = 10  # answers
ASIDE = 4  # vectors of one card, each a little aside

DRILL = "INSERT INTO drill (id, user_id, guild_id, track, title, state, started_at, ended_at) VALUES (?,?,?,?,?,?,?,?)"
EXERCISE = "INSERT INTO exercise (id, drill_id, position, item_id) VALUES (?,?,?,?)"
ATTEMPT = """
    INSERT INTO attempt (id, exercise_id, user_id, item_id, interaction_id, track, typed, verdict, grade, hinted, rating, at)
    VALUES (?,?,?,?,?,'lesson',?,?,?,0,?,?)
"""
MISTAKE = """
    INSERT INTO mistake (id, user_id, attempt_id, item_id, track, prompt, reference, typed, error_type, part_of_speech,
                         feedback, level, pack_name, at)
    VALUES (?,?,?,?,'lesson',?,?,?,?,?,?,?,?,?)
"""
VECTOR = """
    INSERT INTO mistake_vector (id, mistake_id, user_id, embedder, card_version, width, vector) VALUES (?,?,?,?,?,?,?)
"""
SPACING = """
    INSERT INTO spacing (user_id, item_id, learning, step, stability, difficulty, due, last_review)
    VALUES (?,?,'review',NULL,20.0,5.0,?,?)
    ON CONFLICT DO UPDATE SET due = excluded.due, last_review = excluded.last_review
"""
DAY = "INSERT OR IGNORE INTO study_day (user_id, day) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class Question:
    """An item, what is typed for it when it goes wrong, what is kept of that, and which question it is a copy of."""

    item: Item
    wrong: str
    right_grade: str
    wrong_grade: str
    card: MistakeCard | None
    copy_of: int


@dataclass(frozen=True, slots=True)
class Course:
    """A pack of so many questions, each a copy of one of the first `period`, with stored vectors of what goes wrong in these."""

    name: str
    questions: list[Question]
    space: Space
    width: int
    period: int
    blobs: dict[int, list[bytes]]


async def course(services: Services, guild: GuildId, size: int, at: datetime) -> Course:
    """Save a pack of so many items for a server: the starter items again and again, each sentence a little different."""
    packs, tokenizer = services.delivering.packs, services.answering.tokenizer
    starters = [item for pack in await packs.visible([]) for item in await packs.items(pack.id)]
    random.Random(1).shuffle(starters)
    made = [_copy(starters[number % len(starters)], number) for number in range(size)]
    change = await packs.save(PackHead("Course", guild), made, at)
    items = await packs.items(change.pack.id)
    wrong = _confusions(items, len(starters))
    questions = []
    for number, (item, typed, analysis) in enumerate(zip(items, wrong, await tokenizer.analyse(wrong), strict=True)):
        key = AnswerKey(item.row.kind, item.row.prompt, item.accepted)
        grade = grading.as_wrong(grading.grade(key, analysis), key, analysis)
        card = cards.mistake_card(item, typed, grade, Track.LESSON)
        right = codec.grade_to_json(Grade(Verdict.EXACT, item.answer))
        questions.append(Question(item, typed, right, codec.grade_to_json(grade), card, number % len(starters)))
    return await _with_vectors(services, questions, "Course", len(starters))


def _copy(item: Item, number: int) -> Prepared:
    row = replace(
        item.row, key=f"{number}", line=number + 2, lesson=f"{number // 50}", prompt=f"{item.row.prompt}（{number}）"
    )
    return Prepared(row, item.accepted, item.part_of_speech, "", "")


def _confusions(items: Sequence[Item], period: int) -> list[str]:
    """For each item the answer of another one of its skill; the same for the items that are copies of one."""
    by_skill: dict[object, list[str]] = {}
    for item in items:
        by_skill.setdefault(item.row.skill or item.part_of_speech, []).append(item.answer)
    chance = random.Random(2)
    found = []
    for item in items[:period]:
        others = [text for text in by_skill[item.row.skill or item.part_of_speech] if text != item.answer]
        found.append(chance.choice(others) if others else f"{item.answer}でした")
    return [found[number % period] for number in range(len(items))]


async def _with_vectors(services: Services, questions: list[Question], name: str, period: int) -> Course:
    """Embed what goes wrong in the first `period` questions, of which the others are copies; each in a few places aside."""
    recalling = services.reviewing.recalling
    places, known = [], []
    for number, question in enumerate(questions[:period]):
        if question.card is not None:
            places.append(number)
            known.append(question.card)
    texts = [cards.card_text(card) for card in known], [cards.pair_text(card) for card in known]
    both = [
        np.concatenate([await recalling.embedder.embed(part[at : at + 64]) for at in range(0, len(part), 64)])
        for part in texts
    ]
    base = recall.layout(both[0], both[1], known)
    chance = np.random.default_rng(1)
    aside = chance.normal(scale=0.3 / np.sqrt(recalling.embedder.dimension), size=(ASIDE, *base.shape))
    drawn = (base + aside).astype(np.float32)
    blobs = {place: [vectors.to_blob(drawn[way, row]) for way in range(ASIDE)] for row, place in enumerate(places)}
    return Course(name, questions, recalling.space, base.shape[1], period, blobs)


class Past:
    """Writes day after day into a closed database's file, for learners who meet `NEW` items a day and repeat the others."""

    def __init__(self, file: Path, guild: GuildId, of: Course) -> None:
        self._conn = sqlite3.connect(file, isolation_level=None)
        for pragma in ("synchronous = OFF", "cache_size = -400000", "secure_delete = ON", "wal_autocheckpoint = 20000"):
            self._conn.execute(f"PRAGMA {pragma}")
        self._guild = guild
        self._of = of
        self._chance = random.Random(3)
        self._drills, self._exercises, self._attempts = (self._free(t) for t in ("drill", "exercise", "attempt"))
        self._shelf: dict[int, Iterator[int]] = {}

    def _free(self, table: str) -> Iterator[int]:
        (last,) = self._conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        return count(last + 1)

    def _numbers(self, user: UserId) -> Iterator[int]:
        """Numbers of the learner's vectors, behind those that are there."""
        if user not in self._shelf:
            found = self._conn.execute("SELECT max(id) FROM mistake_vector WHERE user_id = ?", (user,)).fetchone()[0]
            (top,) = self._conn.execute("SELECT coalesce(max(id), 0) FROM mistake_vector").fetchone()
            self._shelf[user] = count(found + 1 if found else ((top >> 24) + 1 + user) << 24)
        return self._shelf[user]

    def day(self, users: Sequence[UserId], number: int, answers: int, at: datetime) -> None:
        """Write a day, the `number`th of each of these learners, in one transaction."""
        self._conn.execute("BEGIN")
        for start in range(0, answers, SESSION):
            for user in users:
                self._session(user, number, start, min(SESSION, answers - start), at + timedelta(minutes=start))
        self._conn.executemany(DAY, [(user, int(at.timestamp()) // 86400) for user in users])
        self._conn.execute("COMMIT")

    def _session(self, user: UserId, number: int, start: int, answers: int, at: datetime) -> None:
        drill, moment = next(self._drills), codec.to_ms(at)
        exercises = list(islice(self._exercises, answers))
        attempts = list(islice(self._attempts, answers))
        asked = [self._asked(number, start + place) for place in range(answers)]
        wrong = [self._chance.random() < MISSES for _ in asked]
        done = (drill, user, self._guild, "lesson", "", "finished", moment, moment + 60_000)
        self._conn.execute(DRILL, done)
        rows = list(zip(exercises, attempts, asked, wrong, strict=True))
        self._conn.executemany(EXERCISE, [(e, drill, n, q.item.id) for n, (e, _, q, _) in enumerate(rows, 1)])
        self._conn.executemany(
            ATTEMPT, [self._attempt((e, a, q), user, moment, missed=missed) for e, a, q, missed in rows]
        )
        self._missed(user, [(a, q) for _, a, q, missed in rows if missed], moment)

    def _asked(self, number: int, place: int) -> Question:
        """New items first, as many as a day brings, then some of those that were met before."""
        met = number * NEW
        chosen = met + place if place < NEW else self._chance.randrange(max(met, NEW))
        return self._of.questions[chosen % len(self._of.questions)]

    def _attempt(
        self, row: tuple[int, int, Question], user: UserId, moment: int, *, missed: bool
    ) -> tuple[object, ...]:
        exercise, attempt, question = row
        typed, verdict = (question.wrong, "wrong") if missed else (question.item.answer, "exact")
        grade = question.wrong_grade if missed else question.right_grade
        rating = "again" if missed else "good"
        return (attempt, exercise, user, question.item.id, 10**9 + attempt, typed, verdict, grade, rating, moment)

    def _missed(self, user: UserId, missed: list[tuple[int, Question]], moment: int) -> None:
        kept = [(attempt, question, question.card) for attempt, question in missed if question.card is not None]
        self._conn.executemany(
            MISTAKE,
            [
                (
                    *(attempt, user, attempt, question.item.id, card.prompt, card.reference, card.typed),
                    *(card.error_type, card.part_of_speech, card.feedback, card.level, self._of.name, moment),
                )
                for attempt, question, card in kept
            ],
        )
        space, numbers = self._of.space, self._numbers(user)
        kind = (user, space.embedder, space.card_version, self._of.width)
        rows = [
            (next(numbers), attempt, *kind, self._chance.choice(self._of.blobs[question.copy_of]))
            for attempt, question, _ in kept
        ]
        self._conn.executemany(VECTOR, rows)

    def finish(self, users: Sequence[UserId], days: int, at: datetime) -> None:
        """Space every item that was met, due over the weeks to come, and close the file."""
        moment, day = codec.to_ms(at), 86_400_000
        met = self._of.questions[: days * NEW]
        with contextlib.closing(self._conn):
            self._conn.execute("BEGIN")
            for user in users:
                rows = [
                    (user, question.item.id, moment + self._chance.randrange(-day, 30 * day), moment - day)
                    for question in met
                ]
                self._conn.executemany(SPACING, rows)
            self._conn.execute("COMMIT")
            self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
