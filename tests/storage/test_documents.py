"""Documents that learners handed over: theirs alone, in order, with vectors that come later or never."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import ChunkId, Document, DocumentId, DocumentKind, Space
from tests.storage.world import AIKO, AT, BEN, DAY, GOAL, SPACE, Stores, hand_over, study

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lessons.model import Chunk, UserId

OTHER = Space("e5", 1)


def ray(place: int, width: int = 8) -> NDArray[np.float32]:
    """A vector that float16 holds exactly."""
    vector = np.zeros(width, np.float32)
    vector[place % width] = 1
    return vector


async def embed(to: Stores, user: UserId, document: Document, space: Space = SPACE) -> list[Chunk]:
    chunks = await to.documents.chunks_of(user, [document.id])
    rows = [(user, chunk.id, ray(chunk.position)) for chunk in chunks]
    assert await to.documents.save_vectors(space, rows) == len(chunks)
    return chunks


async def test_a_document_comes_back_as_it_was(to: Stores) -> None:
    written = Document(DocumentId(77), AIKO, DocumentKind.BACKGROUND, "me .md", "  A\r\n\n\0B 𠮷野家", AT, in_ask=True)
    kept = await to.documents.save(written, ["  A\r\n\n", "\0B 𠮷野家"])
    assert kept == replace(written, id=kept.id)
    assert await to.documents.document(kept.id, AIKO) == kept
    chunks = await to.documents.chunks_of(AIKO, [kept.id])
    assert [(chunk.position, chunk.text) for chunk in chunks] == [(0, "  A\r\n\n"), (1, "\0B 𠮷野家")]
    assert {(chunk.document, chunk.kind) for chunk in chunks} == {(kept.id, DocumentKind.BACKGROUND)}


async def test_half_a_surrogate_pair_is_kept_as_a_question_mark(to: Stores) -> None:
    kept = await hand_over(to, AIKO, ("a\ud83d",))
    assert kept.text == "a?"
    assert (await to.documents.chunks_of(AIKO, [kept.id]))[0].text == "a?"


async def test_a_document_without_a_chunk_is_a_document(to: Stores) -> None:
    kept = await hand_over(to, AIKO, ())
    assert await to.documents.of_user(AIKO) == [kept]
    assert await to.documents.chunks_of(AIKO, [kept.id]) == []


async def test_a_document_is_kept_with_all_its_chunks_or_not_at_all(to: Stores) -> None:
    written = Document(DocumentId(0), AIKO, DocumentKind.GOAL, "", "a b", AT)
    with pytest.raises(AttributeError):
        await to.documents.save(written, ["a", None])  # type: ignore[list-item]
    assert await to.documents.of_user(AIKO) == await to.documents.without_vector(SPACE, 9) == []


async def test_documents_are_listed_newest_first(to: Stores) -> None:
    later = await hand_over(to, AIKO, at=AT + DAY)
    first, second = await hand_over(to), await hand_over(to)
    assert await to.documents.of_user(AIKO) == [later, second, first]
    assert await to.documents.of_user(BEN) == []


async def test_chunks_stand_in_the_order_that_was_asked_for(to: Stores) -> None:
    one, two = await hand_over(to), await hand_over(to, chunks=("c", "d"))
    texts = [chunk.text for chunk in await to.documents.chunks_of(AIKO, [two.id, one.id, two.id])]
    assert texts == ["c", "d", *GOAL]
    assert await to.documents.chunks_of(AIKO, []) == []
    await embed(to, AIKO, one)
    await embed(to, AIKO, two)
    found, vectors = await to.documents.candidates(AIKO, (two.id, one.id), SPACE)
    assert [chunk.text for chunk in found] == texts
    assert vectors.tolist() == [ray(0).tolist(), ray(1).tolist()] * 2


async def test_ask_looks_into_what_was_linked_until_it_is_not(to: Stores) -> None:
    kept = await hand_over(to)
    assert not kept.in_ask
    for linked in (True, True, False):
        assert await to.documents.link_to_ask(kept.id, AIKO, linked=linked)
        assert await to.documents.document(kept.id, AIKO) == replace(kept, in_ask=linked)


async def test_nobody_touches_the_document_of_another(to: Stores) -> None:
    kept = await hand_over(to)
    (chunk, _) = await embed(to, AIKO, kept)
    assert await to.documents.document(kept.id, BEN) is None
    assert not await to.documents.link_to_ask(kept.id, BEN, linked=True)
    assert not await to.documents.remove(kept.id, BEN)
    assert await to.documents.chunks_of(BEN, [kept.id]) == []
    assert await to.documents.save_vectors(SPACE, [(BEN, chunk.id, ray(7))]) == 0
    assert await to.documents.document(kept.id, AIKO) == kept
    assert (await to.documents.candidates(AIKO, [kept.id], SPACE))[1][0].tolist() == ray(0).tolist()


async def test_a_forgotten_document_is_found_nowhere(to: Stores) -> None:
    kept, other = await hand_over(to), await hand_over(to)
    await embed(to, AIKO, kept)
    begun = await to.studies.begin(replace(study(), documents=(other.id, kept.id)), AT)
    assert begun.documents == (kept.id, other.id)
    assert await to.documents.remove(kept.id, AIKO)
    assert not await to.documents.remove(kept.id, AIKO)
    assert await to.documents.of_user(AIKO) == [other]
    assert await to.documents.chunks_of(AIKO, [kept.id]) == []
    assert (await to.documents.candidates(AIKO, [kept.id], SPACE))[0] == []
    found = await to.studies.study(begun.id, AIKO)
    assert found is not None
    assert found.documents == (other.id,)


async def test_a_vector_on_its_way_to_a_forgotten_chunk_lands_on_no_other(to: Stores) -> None:
    kept = await hand_over(to)
    lost = await to.documents.chunks_of(AIKO, [kept.id])
    await to.documents.remove(kept.id, AIKO)
    corrected = await hand_over(to)
    assert corrected.id > kept.id
    assert await to.documents.save_vectors(SPACE, [(AIKO, chunk.id, ray(5)) for chunk in lost]) == 0
    assert (await to.documents.candidates(AIKO, [corrected.id], SPACE))[0] == []


async def test_without_a_candidate_there_is_no_row_and_no_width(to: Stores) -> None:
    kept = await hand_over(to)
    for documents in ([], [kept.id], [DocumentId(999)]):
        chunks, vectors = await to.documents.candidates(AIKO, documents, SPACE)
        assert (chunks, vectors.shape, vectors.dtype) == ([], (0, 0), np.float32)


async def test_candidates_are_those_with_a_vector_in_the_space(to: Stores) -> None:
    kept = await hand_over(to)
    first, second = await embed(to, AIKO, kept)
    assert await to.documents.save_vectors(OTHER, [(AIKO, second.id, ray(0, 4))]) == 1
    found, vectors = await to.documents.candidates(AIKO, [kept.id], SPACE)
    assert found == [first]
    assert vectors.tolist() == [ray(0).tolist()]
    assert not vectors.flags.writeable
    found, vectors = await to.documents.candidates(AIKO, [kept.id], OTHER)
    assert (found, vectors.shape) == ([second], (1, 4))
    assert (await to.documents.candidates(AIKO, [kept.id], replace(SPACE, card_version=2)))[0] == []


async def test_what_lacks_a_vector_is_told_oldest_first_with_its_owner(to: Stores) -> None:
    kept = await hand_over(to, kind=DocumentKind.BACKGROUND)
    theirs = await hand_over(to, BEN, ("c",))
    lacking = await to.documents.without_vector(SPACE, 10)
    assert [(user, chunk.text) for user, chunk in lacking] == [(AIKO, GOAL[0]), (AIKO, GOAL[1]), (BEN, "c")]
    assert [chunk.kind for _, chunk in lacking] == [DocumentKind.BACKGROUND] * 2 + [DocumentKind.GOAL]
    assert await to.documents.without_vector(SPACE, 1) == lacking[:1]
    assert await to.documents.without_vector(SPACE, -1) == []
    await embed(to, AIKO, kept)
    assert [chunk.document for _, chunk in await to.documents.without_vector(SPACE, 10)] == [theirs.id]
    assert await to.documents.without_vector(OTHER, 10) == lacking


async def test_vectors_of_chunks_that_are_gone_are_passed_over(to: Stores) -> None:
    kept = await hand_over(to)
    first, second = await to.documents.chunks_of(AIKO, [kept.id])
    rows = [(AIKO, first.id, ray(0)), (AIKO, ChunkId(999), ray(1)), (AIKO, second.id, ray(2)), (BEN, first.id, ray(3))]
    assert await to.documents.save_vectors(SPACE, rows) == 2
    assert await to.documents.save_vectors(SPACE, []) == 0


async def test_a_vector_that_cannot_be_kept_is_refused_with_all_that_came_with_it(to: Stores) -> None:
    kept = await hand_over(to)
    first, second = await to.documents.chunks_of(AIKO, [kept.id])
    for bad in (ray(0, 4), np.full(8, np.nan, np.float32), np.full(8, 1e9, np.float32), np.zeros(0, np.float32)):
        with pytest.raises(ValueError, match="vector"):
            await to.documents.save_vectors(SPACE, [(AIKO, first.id, ray(0)), (AIKO, second.id, bad)])
    assert len(await to.documents.without_vector(SPACE, 9)) == 2
    await to.documents.save_vectors(SPACE, [(AIKO, first.id, ray(0))])
    with pytest.raises(ValueError, match="several widths"):
        await to.documents.save_vectors(SPACE, [(AIKO, second.id, ray(0, 4))])


async def test_of_two_learners_with_the_same_texts_each_finds_their_own(to: Stores) -> None:
    """A thousand questions with every mix of ids, those of the other among them."""
    texts = [tuple(f"text {number} {place}" for place in range(3)) for number in range(4)]
    mine: dict[UserId, set[DocumentId]] = {}
    for user in (AIKO, BEN):
        for kind in DocumentKind:
            for chunks in texts:
                document = await hand_over(to, user, chunks, kind)
                mine.setdefault(user, set()).add(document.id)
                await embed(to, user, document)
    chance = random.Random(7)
    every = sorted(mine[AIKO] | mine[BEN])
    foreign = 0
    for _ in range(1000):
        user = chance.choice((AIKO, BEN))
        asked = chance.sample(every, chance.randrange(1, len(every) + 1))
        found, vectors = await to.documents.candidates(user, asked, SPACE)
        foreign += sum(chunk.document not in mine[user] for chunk in found)
        assert len(found) == len(vectors) == 3 * len(mine[user] & set(asked))
        plain = await to.documents.chunks_of(user, asked)
        foreign += sum(chunk.document not in mine[user] for chunk in plain)
        assert plain == found
    assert foreign == 0


@pytest.mark.parametrize("table", ["document", "chunk", "chunk_vector"])
async def test_one_row_with_the_wrong_owner_shows_nobody_anything(to: Stores, file: Path, table: str) -> None:
    """The schema refuses such a row; a hand in the file does not ask it."""
    kept = await hand_over(to)
    await embed(to, AIKO, kept)
    await hand_over(to, BEN)
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute(f"UPDATE {table} SET user_id = ? WHERE user_id = ?", (BEN, AIKO))
    for user in (AIKO, BEN):
        assert (await to.documents.candidates(user, [kept.id], SPACE))[0] == []
    if table != "chunk_vector":
        assert await to.documents.chunks_of(BEN, [kept.id]) == await to.documents.chunks_of(AIKO, [kept.id]) == []
