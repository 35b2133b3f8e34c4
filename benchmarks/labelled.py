"""A learner's history of any length, made of the labelled mistakes again and again, each vector a little aside."""

from __future__ import annotations

import contextlib
import csv
import io
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from bot.clients.embedders import Usem3Embedder, choose
from lessons import cards, recall
from lessons.model import ErrorType, MistakeCard, Space, Track, UserId

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

AT = datetime(2027, 3, 14, tzinfo=UTC)
USER = UserId(1)
TENTH_OF_A_DAY = 8_640_000  # milliseconds


@dataclass
class World:
    """Labelled mistakes with their vectors, to be repeated until there are enough."""

    space: Space
    dimension: int
    calibration: recall.Calibration
    cards: list[MistakeCard]
    vectors: NDArray[np.float32]

    def drawn(self, amount: int) -> NDArray[np.float32]:
        """Vectors [amount, width]: the labelled ones again and again, each a little aside."""
        chance = np.random.default_rng(1)
        drawn = self.vectors[np.arange(amount) % len(self.vectors)]
        drawn += chance.normal(scale=0.3 / np.sqrt(self.dimension), size=drawn.shape).astype(np.float32)
        return drawn


async def world(kind: str = Usem3Embedder.kind, most: int | None = None) -> World:
    """Embed the labelled set, or the first of it, with the embedder of a fresh machine."""
    embedder = await choose(kind, "")
    text = files("lessons").joinpath("data/evaluation/mistakes.csv").read_text("utf-8")
    rows = [row for row in csv.DictReader(io.StringIO(text, newline="")) if row["is_junk"] == "0"][:most]
    made = [
        MistakeCard(
            Track.LESSON,
            row["cloze"],
            row["reference"],
            row["user_answer"],
            ErrorType(row["error_type"]),
            row["pos"],
            row["feedback"],
        )
        for row in rows
    ]
    both = [await embedder.embed([text(card) for card in made]) for text in (cards.card_text, cards.pair_text)]
    name, dimension = embedder.name, embedder.dimension
    embedder.close()
    calibration = recall.shipped(name)
    assert calibration is not None
    space = Space(name, recall.CARD_VERSION)
    return World(space, dimension, calibration, made, recall.layout(both[0], both[1], made))


def write_mistakes(file: Path, of: World, amount: int) -> None:
    """A learner's mistakes over a quarter as many exercises, ten a day."""
    exercises = max(1, amount // 4)
    with contextlib.closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("INSERT INTO learner (user_id, created_at, updated_at) VALUES (?, 0, 0)", (USER,))
        conn.execute(
            "INSERT INTO pack (id, name, folded, language, strict_kana, created_at, updated_at) VALUES (1, 'N5', 'n5', 'ja', 0, 0, 0)"
        )
        conn.executemany(
            "INSERT INTO item (id, pack_id, row_key, position, line, lesson, kind, prompt, reading, meaning, hint, "
            "explanation, tags, part_of_speech, furigana, dictionary) "
            "VALUES (?, 1, ?1, ?1, 1, '', 'cloze', 'p', '', '', '', '', '', '', '', '')",
            ((number,) for number in range(1, exercises + 1)),
        )
        now = int(AT.timestamp() * 1000)
        conn.executemany(
            "INSERT INTO mistake (id, user_id, item_id, track, prompt, reference, typed, error_type, part_of_speech, "
            "feedback, level, pack_name, at) VALUES (?, ?, ?, 'lesson', ?, ?, ?, ?, ?, ?, '', '', ?)",
            (
                (
                    *(number + 1, USER, number % exercises + 1, card.prompt, card.reference, card.typed),
                    *(card.error_type, card.part_of_speech, card.feedback, now - (amount - number) * TENTH_OF_A_DAY),
                )
                for number, card in ((number, of.cards[number % len(of.cards)]) for number in range(amount))
            ),
        )
