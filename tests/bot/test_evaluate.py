"""`kizuki evaluate`, `calibrate`, `reembed` and `fetch-model`: real folders, real files, every trouble in words."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pytest

from bot.__main__ import main
from bot.clients import embedders, extras
from bot.commands import faults, memory, shelf
from bot.commands.exits import Exit
from bot.commands.progress import Progress
from bot.settings import EMBEDDERS
from lessons.evaluation.records import COLUMNS, Fault, FaultKind, UnusableRecords
from lessons.model import Space
from lessons.recall import CARD_VERSION, Calibration
from storage import migrate
from storage.connection import Database
from storage.folder import DataFolder
from tests.storage.world import AIKO, AT, BEN, CARD, MINUTE, SPACING, UserId, attempt, begin, rows, save, stores

Kizuki = Callable[..., tuple[int, str, str]]

ANSWERS = ("が", "を", "に", "で", "へ", "も", "と", "や", "から", "まで", "より", "の")


@pytest.fixture
def kizuki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kizuki:
    """Run the command on a folder, with the embedder that needs no weights; the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDER", "hashed")
    monkeypatch.setenv("KIZUKI_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("bot.logs.configure", lambda _level, *, as_json: None)

    def run(*line: object) -> tuple[int, str, str]:
        code = main([str(part) for part in line])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


async def _answer_wrongly(folder: Path, users: tuple[UserId, ...], dismissals: int) -> None:
    async with Database(migrate.prepare(folder, at=AT)) as db:
        to = stores(db)
        await save(to, items=rows(len(ANSWERS)))
        for user in users:
            _, exercises = await begin(to, user)
            made = []
            for exercise, typed in zip(exercises, ANSWERS, strict=True):
                at = AT + exercise.position * MINUTE
                card = replace(CARD, typed=typed, reference="は", feedback=f"particle は, not {typed}")
                recorded = await to.drills.record(attempt(exercise, user, typed=typed, at=at), SPACING, card)
                assert recorded
                assert recorded[1]
                made.append(recorded[1])
            for one, other in islice(combinations(made, 2), dismissals):
                await to.memories.dismiss(user, one, other, AT)


def with_mistakes(tmp_path: Path, *users: UserId, dismissals: int = 0) -> Path:
    folder = tmp_path / "data"
    asyncio.run(_answer_wrongly(folder, users or (AIKO,), dismissals))
    return folder


def labelled(tmp_path: Path, count: int = 12, **changed: str) -> Path:
    """A file of labelled mistakes."""
    file = tmp_path / "mine.csv"
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS)
    table.writeheader()
    for number in range(count):
        row = dict.fromkeys(COLUMNS, "0") | {
            "learner": "mika",
            "exercise_id": f"e{number}",
            "cloze": "雨[＿＿＿]降る。",
            "reference": "が",
            "user_answer": ANSWERS[number % len(ANSWERS)],
            "error_type": "particle" if number % 2 else "tense",
            "pos": "助詞",
            "concept": "",
            "feedback": "one particle",
            "date": f"2026-05-{1 + number:02}",
        }
        table.writerow(row | changed)
    file.write_text(out.getvalue(), encoding="utf-8")
    return file


class TestEvaluate:
    def test_a_file_is_evaluated_into_a_folder(self, kizuki: Kizuki, tmp_path: Path) -> None:
        code, out, err = kizuki("evaluate", "retrieval", "--data", labelled(tmp_path), "--out", tmp_path / "a" / "b")
        assert (code, out) == (Exit.OK, "")
        assert "card variants: 28 of 28" in err
        folder = tmp_path / "a" / "b"
        report = (folder / "retrieval.md").read_text(encoding="utf-8")
        assert "Data: mine.csv." in report
        assert json.loads((folder / "retrieval.json").read_text(encoding="utf-8"))["rows"]["rows"] == 12
        for picture in folder.glob("*.png"):
            assert f"({picture.name})" in report
        assert (folder / "cosines.png").exists()
        assert not (tmp_path / "data").exists()

    def test_without_a_folder_the_report_goes_to_stdout(self, kizuki: Kizuki, tmp_path: Path) -> None:
        figures = tmp_path / "figures.json"
        code, out, _ = kizuki("evaluate", "themes", "--data", labelled(tmp_path), "--json", figures)
        assert code == Exit.OK
        assert out.startswith("# Themes\n")
        assert ".png" not in out
        assert json.loads(figures.read_text(encoding="utf-8"))["methods"]

    def test_the_data_folder_is_evaluated_without_names(self, kizuki: Kizuki, tmp_path: Path) -> None:
        with_mistakes(tmp_path, AIKO, BEN)
        code, out, err = kizuki("evaluate", "retrieval")
        assert code == Exit.OK
        assert "24 mistakes of 2 learners" in out
        assert "| learner 1 |" in out
        assert str(AIKO) not in out
        assert "keep it where their answers may be read" in err

    def test_an_empty_folder_gives_the_shipped_set(self, kizuki: Kizuki, tmp_path: Path) -> None:
        code, out, err = kizuki("evaluate", "themes")
        assert code == Exit.OK
        assert "no mistakes yet" in err
        assert "the shipped set" in out
        assert not (tmp_path / "data").exists()

    def test_so_does_a_folder_where_nobody_missed_anything(self, kizuki: Kizuki, tmp_path: Path) -> None:
        migrate.prepare(tmp_path / "data", at=AT)
        assert "no mistakes yet" in kizuki("evaluate", "themes")[2]

    def test_too_few_are_refused(self, kizuki: Kizuki, tmp_path: Path) -> None:
        code, _, err = kizuki("evaluate", "retrieval", "--data", labelled(tmp_path, 3))
        assert code == Exit.CANNOT_START
        assert "3 usable mistakes on different exercises are too few" in err

    def test_a_folder_in_use_is_told(self, kizuki: Kizuki, tmp_path: Path) -> None:
        with DataFolder(with_mistakes(tmp_path)):
            code, _, err = kizuki("evaluate", "retrieval")
        assert code == Exit.CANNOT_START
        assert "is in use by process" in err

    @pytest.mark.parametrize("command", [("evaluate", "themes"), ("calibrate",)])
    def test_a_bad_file_is_told_in_words(self, kizuki: Kizuki, tmp_path: Path, command: tuple[str, ...]) -> None:
        file = labelled(tmp_path, error_type="grammar", date="May")
        code, _, err = kizuki(*command, "--data", file)
        assert code == Exit.BAD_SETTINGS
        assert "line 2: error_type is 'grammar'. Write one of particle, conjugation" in err
        assert "line 2: date is 'May'. Write a date such as 2026-05-11." in err
        assert "… and 12 more like these." in err
        code, _, err = kizuki(*command, "--data", tmp_path / "nowhere.csv")
        assert code == Exit.BAD_SETTINGS
        assert "nowhere.csv cannot be read (No such file or directory)" in err
        assert "Traceback" not in err

    def test_a_place_that_cannot_be_written_is_told(self, kizuki: Kizuki, tmp_path: Path) -> None:
        file = labelled(tmp_path)
        code, _, err = kizuki("evaluate", "themes", "--data", file, "--out", file / "below")
        assert code == Exit.CANNOT_START
        assert "cannot be written (Not a directory)" in err
        code, _, err = kizuki("evaluate", "themes", "--data", file, "--json", tmp_path)
        assert code == Exit.CANNOT_START
        assert "cannot be written (Is a directory)" in err

    def test_an_embedder_that_is_not_there_is_told(
        self, kizuki: Kizuki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("EMBEDDER", "e5")
        monkeypatch.setenv("EMBEDDING_MODEL", str(tmp_path))
        code, _, err = kizuki("evaluate", "themes", "--shipped")
        assert code == Exit.IN_VAIN
        assert "The embedder e5 cannot be used, because" in err

    @pytest.mark.errors_expected
    def test_a_fault_of_its_own_is_logged(self, kizuki: Kizuki, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shelf, "shipped_source", lambda: 1 / 0)
        code, _, err = kizuki("evaluate", "themes", "--shipped")
        assert code == Exit.CANNOT_START
        assert "a fault of its own" in err


@pytest.mark.parametrize("command", ["calibrate", "reembed"])
def test_a_mistyped_folder_is_told_and_not_made(kizuki: Kizuki, tmp_path: Path, command: str) -> None:
    code, out, err = kizuki(command)
    assert (code, out) == (Exit.IN_VAIN, "")
    assert err.startswith(f"There is no database in {tmp_path / 'data'} (KIZUKI_DATA)")
    assert not (tmp_path / "data").exists()


class TestCalibrate:
    def test_it_is_stored_and_printed(self, kizuki: Kizuki, tmp_path: Path) -> None:
        migrate.prepare(tmp_path / "data", at=AT)
        code, out, _ = kizuki("calibrate", "--data", labelled(tmp_path))
        assert code == Exit.OK
        assert "dismissals by learners: 0 (did not take part; 20 are the least)" in out
        assert "    precision: 0." in out

        async def stored() -> str | None:
            async with shelf.opened(tmp_path / "data") as stores_:
                space = Space("hashed 512 v1", CARD_VERSION)
                return await stores_.memories.calibration(space)

        text = asyncio.run(stored())
        assert text
        assert Calibration.from_json(text).figures["learners"] == 9

    def test_dismissals_take_part_once_there_are_enough(self, kizuki: Kizuki, tmp_path: Path) -> None:
        with_mistakes(tmp_path, dismissals=memory.ENOUGH_DISMISSALS)
        code, out, _ = kizuki("calibrate")
        assert code == Exit.OK
        assert "dismissals by learners: 20 (took part)" in out
        assert "pairs read: 466" in out


class TestReembed:
    def test_every_mistake_gets_a_vector_once(self, kizuki: Kizuki, tmp_path: Path) -> None:
        with_mistakes(tmp_path, AIKO, BEN)
        code, out, err = kizuki("reembed")
        assert (code, out) == (Exit.OK, "hashed 512 v1: 24 mistakes embedded, 0 had their vector already.\n")
        assert "mistakes: 24 of 24" in err
        assert kizuki("reembed")[1] == "hashed 512 v1: 0 mistakes embedded, 24 had their vector already.\n"

    def test_what_is_done_stays_done(self, kizuki: Kizuki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with_mistakes(tmp_path)
        monkeypatch.setattr(memory, "_BATCH", 5)
        told = []

        def stopped(_self: Progress, _what: str, done: int, _of: int) -> None:
            told.append(done)
            if done >= 10:
                raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(Progress, "__call__", stopped)
            assert kizuki("reembed")[0] == Exit.INTERRUPTED
        assert told == [5, 10]
        assert "2 mistakes embedded, 10 had" in kizuki("reembed")[1]


def test_fetch_model_says_what_stands_in_its_way_or_what_comes_next(
    kizuki: Kizuki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", " ")
    monkeypatch.setattr(memory, "fetch_model", lambda model, progress: progress(f"{model} is here"))
    code, _, err = kizuki("fetch-model")
    assert code == Exit.OK
    assert "intfloat/multilingual-e5-base is here\nNext, with the bot stopped: `kizuki calibrate`" in err


def test_every_fault_has_its_words() -> None:
    said = faults.unusable(UnusableRecords(tuple(Fault(kind, 7, "pos", "x" * 60) for kind in FaultKind)))
    assert len(said.splitlines()) == len(FaultKind) + 2
    assert "{" not in said
    assert "x" * 50 not in said.replace("line 7 has " + "x" * 60, "")


def test_the_settings_know_every_embedder() -> None:
    assert embedders.KINDS == EMBEDDERS


class TestProgress:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    def test_a_bar_moves_on_a_terminal_and_ends_its_line(self) -> None:
        screen = self.Screen()
        progress = Progress(screen)
        for done in range(5):
            progress("cards", done, 4)
        drawn = screen.getvalue().split("\r")
        assert drawn[1].startswith("·" * 28 + "   0 %  cards")
        assert drawn[-1] == "█" * 28 + " 100 %  cards\033[K\n"

    def test_elsewhere_the_quarters_are_told_once(self) -> None:
        out = io.StringIO()
        progress = Progress(out)
        for done in range(9):
            progress("cards", done, 8)
        progress("fitting", 0, 1)
        progress("fitting", 1, 1)
        assert out.getvalue() == "cards: 2 of 8\ncards: 4 of 8\ncards: 6 of 8\ncards: 8 of 8\nfitting: done\n"


class TestExtras:
    def test_they_are_none_where_they_are_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(extras, "find_spec", lambda _name: None)
        assert extras.umap() is None
        assert extras.hdbscan() is None

    def test_too_few_points_are_noise(self) -> None:
        assert extras._hdbscan(np.zeros((2, 2)), 3) == [-1, -1]

    @pytest.mark.filterwarnings("ignore")
    def test_hdbscan_finds_two_heaps_and_noise(self) -> None:
        pytest.importorskip("sklearn")
        places = np.array([0, 0.1, 0.2, 0.3, 5, 5.1, 5.2, 5.3, 30])
        cut = extras.hdbscan()
        assert cut
        labels = cut(np.abs(places[:, None] - places[None, :]), 3)
        assert len({*labels[:4]}) == len({*labels[4:8]}) == 1
        assert labels[0] != labels[4]
        assert labels[8] == -1

    @pytest.mark.filterwarnings("ignore")
    def test_umap_makes_a_map(self) -> None:
        pytest.importorskip("umap")
        flatten = extras.umap()
        assert flatten
        assert flatten(np.random.default_rng(1).random((30, 8), np.float32)).shape == (30, 2)
