"""Whole evaluations over real texts of the labelled set, with the one embedder that needs no weights."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from importlib import resources

import pytest

from bot.clients.embedders import HashedEmbedder
from lessons.evaluation import calibrating, records
from lessons.flows.evaluating import MOST, Evaluating, Extras, Report, Source, TooFew
from lessons.model import ChartKind, ErrorType
from lessons.recall import Calibration, shipped

SHIPPED = resources.files("lessons") / "data" / "evaluation"


def silent(_what: str, _done: int, _of: int) -> None:
    pass


def of_learners(*names: str) -> Source:
    """The shipped set of these learners alone."""
    found = records.read((SHIPPED / "mistakes.csv").read_bytes())
    kept = tuple(record for record in found if record.learner in names)
    return Source("three learners", kept, records.read_pairs((SHIPPED / "pairs.csv").read_bytes(), kept))


def unnamed(source: Source) -> Source:
    """The same mistakes, as the data folder has them: nobody named a concept."""
    return Source("own", tuple(replace(record, concept="") for record in source.records))


@pytest.fixture(scope="module")
def embedder() -> Iterator[HashedEmbedder]:
    made = HashedEmbedder()
    asyncio.run(made.start())
    yield made
    made.close()


@pytest.fixture(scope="module")
def told() -> list[tuple[str, int, int]]:
    return []


@pytest.fixture(scope="module")
def report(embedder: HashedEmbedder, told: list[tuple[str, int, int]]) -> Report:
    extras = Extras(umap=lambda vectors: vectors[:, :2])
    evaluating = Evaluating(embedder, None, lambda *step: told.append(step), extras)
    found = asyncio.run(evaluating.retrieval(of_learners("emma", "wei", "jisoo")))
    assert isinstance(found, Report)
    return found


class TestRetrieval:
    def test_learners_are_held_out(self) -> None:
        source = of_learners("emma", "wei", "jisoo").kept()
        kept = [source.records[place] for place in calibrating.without(source.records, "emma")]
        met = {record.exercise for record in source.records if record.learner == "emma"}
        assert {record.learner for record in kept} == {"wei", "jisoo"}
        assert not met & {record.exercise for record in kept}

    def test_the_figures_are_json_without_a_nan(self, report: Report) -> None:
        figures = json.loads(report.figures)
        assert len(figures["ablations"]) == 28
        assert figures["rows"]["junk"] == 13
        assert figures["held_out"]["by_folds"] is True
        assert figures["crowding"]["exclusion_on"] == 0
        assert figures["crowding"]["scorer_own"] == 0
        assert all(len(row["embedded"]["concept"]) == 10 for row in figures["ablations"])

    def test_the_scorer_beats_chance_and_is_silent_on_nothing(self, report: Report) -> None:
        held_out = json.loads(report.figures)["held_out"]
        scorers = {row["name"]: row for row in held_out["scorers"]}
        assert scorers["recall's scorer"]["concept"] > scorers["plain cosine, clean card"]["concept"]
        assert scorers["plain cosine, clean card"]["concept"] > scorers["random"]["concept"]
        assert held_out["silence"]["vectors"] < 0.05
        assert held_out["growth"][-1]["added"] == 10_000

    def test_the_report_names_every_chart(self, report: Report) -> None:
        assert report.markdown.startswith("# Retrieval\n")
        for name, _ in report.charts:
            assert f"({name}.png)" in report.markdown
        assert {"map_pca", "map_umap"} <= {name for name, _ in report.charts}
        assert "nan" not in report.markdown
        for heading in ("On held-out learners", "Card variants", "Cosines", "Own exercise", "Clean hits", "Recency"):
            assert f"## {heading}" in report.markdown

    def test_tables_are_whole(self, report: Report) -> None:
        lines = report.markdown.splitlines()
        for number, line in enumerate(lines):
            if line.startswith("|---"):
                columns = line.count("|")
                body = lines[number - 1 : number + 2]
                assert {row.replace(r"\|", "").count("|") for row in body} == {columns}

    def test_it_tells_its_progress(self, report: Report, told: list[tuple[str, int, int]]) -> None:
        assert report
        assert {"card variants", "cards", "pairs", "calibrating by folds", "measuring"} == {what for what, _, _ in told}
        assert ("card variants", 28, 28) in told

    async def test_one_learner_is_scored_by_the_present_calibration(self, embedder: HashedEmbedder) -> None:
        present = shipped(embedder.name)
        assert isinstance(present, Calibration)
        found = await Evaluating(embedder, present, silent).retrieval(unnamed(of_learners("emma")))
        assert isinstance(found, Report)
        assert "## With the present calibration" in found.markdown
        assert "### Useful or not" not in found.markdown
        assert "umap-learn is not installed" in found.markdown
        learners = dict(found.charts)["learners"]
        assert "error type" in learners.title
        assert json.loads(found.figures)["held_out"]["admission"]["possible_lines"] is None

    async def test_without_any_calibration_the_cosine_is_measured_alone(self, embedder: HashedEmbedder) -> None:
        source = unnamed(of_learners("emma"))
        alike = tuple(
            replace(record, card=replace(record.card, error_type=ErrorType.OTHER)) for record in source.records[:20]
        )
        evaluating = Evaluating(embedder, None, silent, illustrated=False)
        found = await evaluating.retrieval(Source("own", alike))
        assert isinstance(found, Report)
        assert "There is no calibration for this embedder" in found.markdown
        assert json.loads(found.figures)["held_out"] is None
        assert "scorers" not in dict(found.charts)
        assert "p = –" in found.markdown
        assert ".png" not in found.markdown

    async def test_a_calibration_that_never_speaks(self, embedder: HashedEmbedder) -> None:
        present = shipped(embedder.name)
        assert present is not None
        source = of_learners("emma")
        source = Source(
            "quiet", source.records[:24], records.read_pairs((SHIPPED / "pairs.csv").read_bytes(), source.records[:24])
        )
        found = await Evaluating(embedder, replace(present, threshold=2.0), silent).retrieval(source)
        assert isinstance(found, Report)
        held_out = json.loads(found.figures)["held_out"]
        assert held_out["admission"]["lines"] == 0
        assert held_out["admission"]["pair_precision"] is None
        assert held_out["useful"][-1]["admitted"] == 0

    async def test_too_few_are_refused(self, embedder: HashedEmbedder) -> None:
        evaluating = Evaluating(embedder, None, silent)
        source = Source("few", of_learners("emma").records[:3])
        assert await evaluating.retrieval(source) == TooFew(3)
        assert await evaluating.themes(source) == TooFew(3)


class TestThemes:
    async def test_methods_side_by_side(self, embedder: HashedEmbedder) -> None:
        extras = Extras(hdbscan=lambda distances, _smallest: [0] * len(distances))
        found = await Evaluating(embedder, None, silent, extras).themes(of_learners("emma", "wei", "jisoo"))
        assert isinstance(found, Report)
        rows = {row["method"]: row for row in json.loads(found.figures)["methods"]}
        assert len(rows) == 11
        default = next(row for name, row in rows.items() if "(default)" in name)
        assert default["pair_precision"] > rows["Louvain in type, by lot"]["pair_precision"]
        ((name, chart),) = found.charts
        assert (name, chart.kind) == ("themes", ChartKind.ROWS)
        assert "left out" not in found.markdown.replace("(left out)", "")

    async def test_what_is_left_out_is_said(self, embedder: HashedEmbedder) -> None:
        found = await Evaluating(embedder, None, silent).themes(unnamed(of_learners("emma")))
        assert isinstance(found, Report)
        assert "HDBSCAN was left out" in found.markdown
        assert "Recall's score was left out" in found.markdown
        assert "No concept is named" in found.markdown


class TestCalibrating:
    async def test_a_calibration_is_of_this_embedder_and_finds_something(self, embedder: HashedEmbedder) -> None:
        found = await Evaluating(embedder, None, silent).calibrate(of_learners("emma", "wei", "jisoo"))
        assert found.embedder == embedder.name
        assert found.figures["learners"] == 3
        assert found.figures["pairs read"] > 0
        assert found.threshold < 1


class TestSources:
    def test_junk_goes_the_newest_stay_and_pairs_follow(self) -> None:
        first = of_learners("emma").records[0]
        many = tuple(replace(first, exercise=f"e{n}", at=first.at + timedelta(hours=n)) for n in range(MOST + 2))
        junk = replace(first, junk=True)
        source = Source("many", (junk, *many), (records.Judged(1, 2, True), records.Judged(4, 5, False)))
        kept = source.kept()
        assert len(kept.records) == MOST
        assert kept.records[0].exercise == "e2"
        assert kept.judged == (records.Judged(1, 2, useful=False),)
