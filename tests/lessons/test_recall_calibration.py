"""Calibrations: fitted from labels, judged on who was held out, stored as JSON and read back."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lessons import recall
from lessons.recall.fitting import NEVER, SAME_CONCEPT, SAME_KIND, UNRELATED, Labels, Pool
from tests.lessons.test_recall import Labelled, labelled, load, plain

__all__ = ["labelled", "plain"]


@pytest.fixture
def labels(labelled: Labelled) -> Labels:
    return recall.label(labelled.pool, labelled.concepts, labelled.given)


def test_what_is_shipped_is_what_the_labelled_set_gives(labelled: Labelled) -> None:
    first_tries = [row["concept"] if row["is_retry"] == "0" else "" for row in labelled.rows]
    labels = recall.label(labelled.pool, first_tries, labelled.given)
    fitted = recall.fit(labelled.pool, labels, embedder=labelled.name)
    assert fitted.weights == pytest.approx(labelled.calibration.weights, abs=0.02)
    assert fitted.threshold == pytest.approx(labelled.calibration.threshold, abs=0.02)
    assert fitted.figures["precision"] == pytest.approx(labelled.calibration.figures["precision"], abs=0.02)
    assert fitted.figures["precision"] > 0.7
    assert fitted.figures["recall"] > 0.45


def test_held_out_probabilities_beat_plain_cosine_on_the_pairs_that_were_read(
    labelled: Labelled, labels: Labels
) -> None:
    likely = recall.held_out(labelled.pool, labels)
    cards = labelled.pool.vectors[:, : labelled.dimension]
    cosine = (cards[labels.one] * cards[labels.other]).sum(axis=1)
    assert _chance_of_order(likely, labels) > 0.8
    assert _chance_of_order(cosine, labels) < 0.7


def _chance_of_order(scores: np.ndarray, labels: Labels) -> float:
    """How often a useful pair scores above one that is not (the area under the curve)."""
    good, bad = (scores[labels.read & (labels.useful == useful)] for useful in (1, 0))
    return float(np.mean(good[:, None] > bad) + np.mean(good[:, None] == bad) / 2)


def test_labels_join_other_exercises_of_one_learner_both_ways(plain: Labelled) -> None:
    labels = recall.label(plain.pool, plain.concepts, plain.given)
    assert np.array_equal(plain.pool.learners[labels.one], plain.pool.learners[labels.other])
    assert not np.any(plain.pool.items[labels.one] == plain.pool.items[labels.other])
    pairs = set(zip(labels.one.tolist(), labels.other.tolist(), strict=True))
    assert {(other, one) for one, other in pairs} == pairs
    assert labels.read.sum() == 2 * len(plain.given)
    assert set(labels.useful[~labels.read]) == {SAME_CONCEPT, SAME_KIND, UNRELATED}
    assert labels.useful.mean() < 0.1  # as in a history, not as among the pairs chosen to be read


def test_without_concepts_only_what_somebody_said_is_a_label(plain: Labelled) -> None:
    (pair, useful), *_ = plain.given.items()
    labels = recall.label(plain.pool, [""] * len(plain.rows), {pair: useful})
    assert sorted(zip(labels.one.tolist(), labels.other.tolist(), strict=True)) == sorted([pair, pair[::-1]])
    assert labels.useful.tolist() == [useful, useful]


def test_dismissals_lower_what_they_are_about(plain: Labelled) -> None:
    labels = recall.label(plain.pool, plain.concepts, plain.given)
    usual = recall.fit(plain.pool, labels, embedder="x")
    likely = recall.held_out(plain.pool, labels)
    shown = np.flatnonzero(likely >= usual.threshold)[:400]
    dismissed = {(int(labels.one[pair]), int(labels.other[pair])): False for pair in shown}
    stricter = recall.fit(plain.pool, recall.label(plain.pool, plain.concepts, plain.given | dismissed), embedder="x")
    assert stricter.share < usual.share
    assert stricter.figures["recall"] < usual.figures["recall"]


def test_one_learner_cannot_be_held_out(plain: Labelled) -> None:
    rows = plain.pool.learners == 0
    pool = Pool(plain.pool.vectors[rows], plain.pool.kinds[rows], plain.pool.learners[rows], plain.pool.items[rows])
    labels = recall.label(pool, ["a"] * int(rows.sum()), {})
    with pytest.raises(ValueError, match="held out"):
        recall.fit(pool, labels, embedder="x")


def test_no_precision_means_silence(plain: Labelled) -> None:
    labels = recall.label(plain.pool, [str(row) for row in range(len(plain.rows))], {})
    silent = recall.fit(plain.pool, labels, embedder="x")
    assert silent.threshold == NEVER
    assert silent.figures["recall"] == 0
    assert "precision" not in silent.figures
    memory = plain.memory(0)
    past = replace(memory, items=memory.items + 1_000)
    asked = recall.Query(0, 1, int(memory.kinds[0]), memory.vectors[0], 0.0)
    assert recall.recall(asked, past, silent, dimension=plain.dimension, now=0.0) is None


def test_labels_nobody_read_give_figures_all_the_same(plain: Labelled) -> None:
    figures = recall.fit(plain.pool, recall.label(plain.pool, plain.concepts, {}), embedder="x").figures
    assert figures["pairs read"] == 0
    assert "precision" in figures
    assert "precision read" not in figures


def test_learners_without_pairs_give_a_calibration_that_is_silent(plain: Labelled) -> None:
    pool = Pool(plain.pool.vectors[:2], plain.pool.kinds[:2], np.array([0, 1]), np.array([1, 2]))
    silent = recall.fit(pool, recall.label(pool, ["a", "a"], {}), embedder="x")
    assert silent.threshold == NEVER
    assert silent.figures["mistakes with a line"] == 0


def test_json_round_trip(labelled: Labelled) -> None:
    calibration = labelled.calibration
    assert recall.Calibration.from_json(calibration.to_json()) == calibration
    assert calibration.card_version == recall.CARD_VERSION
    assert len(calibration.centre) == 2 * labelled.dimension


@pytest.mark.parametrize("spoiled", ["", "[]", "null", "{}", '{"weights": {}}', "{", '"text"'])
def test_what_is_no_calibration_is_refused(spoiled: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        recall.Calibration.from_json(spoiled)


@pytest.mark.parametrize("name", ["weights", "centre", "share", "figures", "threshold"])
def test_a_calibration_without_one_of_its_values_is_refused(name: str) -> None:
    values = json.loads(load("hashed").calibration.to_json())
    for spoiled in ({key: value for key, value in values.items() if key != name}, values | {name: None}):
        with pytest.raises(ValueError, match="calibration"):
            recall.Calibration.from_json(json.dumps(spoiled))


def test_nothing_is_shipped_for_embedders_nobody_calibrated() -> None:
    assert recall.shipped("intfloat/multilingual-e5-base") is None
    assert recall.shipped("../../secrets") is None
    assert recall.shipped("") is None


def test_a_shipped_calibration_of_another_card_version_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    name = load("hashed").name
    monkeypatch.setattr("lessons.recall.calibration.CARD_VERSION", recall.CARD_VERSION + 1)
    assert recall.shipped(name) is None


def test_a_history_without_its_kind_keeps_the_usual_probability(plain: Labelled) -> None:
    memory = plain.memory(0)
    centre = np.asarray(plain.calibration.centre, np.float32)
    parts = recall.parts(memory.vectors[0], -1, memory, centre)
    assert np.array_equal(recall.probabilities(parts, plain.calibration), recall.chances(parts, plain.calibration))


def test_no_history_makes_a_mistake_likelier(plain: Labelled) -> None:
    memory = plain.memory(1)
    centre = np.asarray(plain.calibration.centre, np.float32)
    for row in range(len(memory.mistakes)):
        parts = recall.parts(memory.vectors[row], int(memory.kinds[row]), memory, centre)
        usual, here = recall.chances(parts, plain.calibration), recall.probabilities(parts, plain.calibration)
        assert np.all(here <= usual + 1e-6)
