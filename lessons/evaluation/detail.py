"""Labelled questions to goal and background documents of invented owners, with the pieces that answer each of them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import chunking
from lessons.model import DocumentKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lessons.ports import Embedder

TUNED: Final = "tuned"
HOLDOUT: Final = "holdout"
TURNS: Final = "turns"
"""Turns that ask for nothing, in talk with the holdout's owners."""
_BATCH: Final = 64


class Asks(StrEnum):
    """What a question is about. The last four are answered by no piece."""

    DIRECT = "direct"  # a fact, in the language of the document
    LATE = "late"  # a fact that stands behind the first piece of its paragraph
    CROSS = "cross"  # a fact, in another language than the document's
    ADDRESS = "address"  # a fact, and the persona is called by its name
    PROFILE = "profile"  # everything at once, which the profile answers: no piece is right or wrong
    VAGUE = "vague"  # a turn that names nothing
    NEGATIVE = "negative"  # the language that is learned
    FOREIGN = "foreign"  # a fact of the other owner


QUIET: Final = frozenset({Asks.VAGUE, Asks.NEGATIVE, Asks.FOREIGN})
"""Turns for which nothing may be recalled."""


class Query(StrEnum):
    """What of a conversation is embedded."""

    LATEST = "latest message"
    CALLED = "latest message with the persona's name"
    TOPIC = "topic and latest message"
    REWRITTEN = "rewritten by hand"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a document; `linked` says that the document belongs to the conversation."""

    owner: str
    document: str
    kind: DocumentKind
    linked: bool
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A message, what it could be embedded as, and the places of the pieces that answer it.

    `also` are pieces that are neither missed when they are left out, nor wrong when they are there.
    """

    owner: str
    asks: Asks
    language: str
    queries: Mapping[Query, str]
    facts: frozenset[int]
    also: frozenset[int]

    @property
    def message(self) -> str:
        """The message as it was typed."""
        return self.queries[Query.CALLED]


@dataclass(frozen=True, slots=True)
class Questions:
    """A set of owners: whole documents as (owner, name, kind, linked, text), their pieces, and the questions."""

    part: str
    documents: tuple[tuple[str, str, DocumentKind, bool, str], ...]
    pieces: tuple[Piece, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A set with the vectors of its pieces, framed and as they stand [n, d], and of its questions [m, d]."""

    of: Questions
    framed: NDArray[np.float32]
    plain: NDArray[np.float32]
    queries: Mapping[Query, NDArray[np.float32]]


def shipped(part: str) -> Questions:
    """Return the set of that name that comes with the program: TUNED, HOLDOUT or TURNS."""
    folder = resources.files("lessons") / "data" / "evaluation"
    return read((folder / "detail_documents.csv").read_bytes(), (folder / "detail_questions.csv").read_bytes(), part)


def read(documents: bytes, questions: bytes, part: str) -> Questions:
    """Read one part of a set. Raises ValueError when a fact does not stand in exactly one linked piece of its owner."""
    asked = [row for row in _rows(questions) if row["part"] == part]
    owners = {row["owner"] for row in asked}
    texts = tuple(
        (row["owner"], row["name"], DocumentKind(row["kind"]), row["linked"] == "1", row["text"])
        for row in _rows(documents)
        if row["owner"] in owners
    )
    pieces = tuple(
        Piece(owner, name, kind, linked, text)
        for owner, name, kind, linked, whole in texts
        for text in chunking.chunks(whole)
    )
    return Questions(part, texts, pieces, tuple(_question(row, pieces) for row in asked))


async def embed(questions: Questions, embedder: Embedder) -> Embedded:
    """Embed everything that is compared. Raises EmbedderUnavailable."""
    return Embedded(
        questions,
        await _vectors(embedder, [chunking.framed(piece.kind, piece.text) for piece in questions.pieces]),
        await _vectors(embedder, [piece.text for piece in questions.pieces]),
        {query: await _vectors(embedder, [one.queries[query] for one in questions.questions]) for query in Query},
    )


async def _vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return np.concatenate([await embedder.embed(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)])


def _rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))


def _question(row: Mapping[str, str], pieces: Sequence[Piece]) -> Question:
    message = row["message"]
    return Question(
        owner=row["owner"],
        asks=Asks(row["kind"]),
        language=row["language"],
        queries={
            Query.LATEST: chunking.query_of(message, row["names"].split("|")),
            Query.CALLED: message,
            Query.TOPIC: f"{row['topic']}\n{message}",
            Query.REWRITTEN: row["rewritten"],
        },
        facts=_places(row["facts"], row["owner"], pieces),
        also=_places(row["also"], row["owner"], pieces),
    )


def _places(quotes: str, owner: str, pieces: Sequence[Piece]) -> frozenset[int]:
    found = set()
    for quote in filter(None, quotes.split("|")):
        places = [place for place, one in enumerate(pieces) if one.linked and one.owner == owner and quote in one.text]
        if len(places) != 1:
            raise ValueError(f"a fact stands in {len(places)} pieces of {owner}: {quote}")
        found.add(places[0])
    return frozenset(found)
