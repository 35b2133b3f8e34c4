"""A backup comes back whole, what was there is set aside, and a change behind everybody's back is found."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.wiring import open_database
from lessons.errors import (
    AlteredDatabase,
    DamagedDatabase,
    DataFolderTaken,
    StorageFull,
    StorageReadOnly,
)
from storage import backup, inspection, migrate, restoring, seals
from storage.backup import back_up, made_at, newest_first
from storage.connection import Database
from storage.folder import DataFolder
from storage.restoring import DatabaseThere, NoBackup, UnusableBackup, restore
from storage.safekeeping import Safekeeping, copied
from tests.storage.world import AT, DAY, begin, hit, rows, save, stores

if TYPE_CHECKING:
    from pathlib import Path

FLIP = 4096


def content(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return conn.execute("SELECT * FROM attempt ORDER BY 1").fetchall()


async def answered(file: Path, times: int) -> None:
    async with Database(file) as db:
        to = stores(db)
        if not content(file):
            await save(to, items=rows(40))
        for _ in range(times):
            _, exercises = await begin(to)
            for exercise in exercises[:3]:
                await hit(to, exercise)


async def used(folder: Path) -> Path:
    """A sealed database with answers, and with free pages in it."""
    async with open_database(folder, lambda: AT) as db:
        await save(stores(db), items=rows(40))

        async def grow(transaction) -> None:
            await transaction.run("CREATE TABLE big (number INTEGER PRIMARY KEY, data BLOB)")
            for number in range(60):
                await transaction.run("INSERT INTO big VALUES (?, randomblob(20000))", (number,))

        await db.write(grow)
        await db.write(lambda transaction: transaction.run("DELETE FROM big WHERE number % 3 = 0"))
    return folder / migrate.FILE


class TestRestoring:
    async def test_the_newest_backup_comes_back_and_what_was_there_is_set_aside(self, file: Path) -> None:
        await answered(file, 1)
        then = content(file)
        copy = back_up(file, at=AT)
        await answered(file, 2)
        later = content(file)
        done = restore(file.parent, None, at=AT + DAY, replace=True)
        assert (done.source, done.version) == (copy, inspection.known())
        assert content(file) == then
        assert done.aside is not None
        assert content(done.aside) == later
        assert content(copy) == then
        assert seals.seal_of(file).read_bytes() == seals.seal_of(copy).read_bytes()
        assert migrate.prepare(file.parent, at=AT) == file

    def test_a_copy_that_did_not_arrive_whole_is_found_at_the_next_start(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def with_a_flip(source: Path, to: Path) -> None:
            sound = source.read_bytes()
            to.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))

        copy = back_up(file, at=AT)
        monkeypatch.setattr("shutil.copyfile", with_a_flip)
        restore(file.parent, copy, at=AT, replace=True)
        with pytest.raises((AlteredDatabase, DamagedDatabase)):
            migrate.prepare(file.parent, at=AT)

    def test_a_backup_without_a_seal_gets_one_in_its_new_place(self, file: Path) -> None:
        copy = back_up(file, at=AT)
        seals.take_off(copy)
        restore(file.parent, copy, at=AT, replace=True)
        assert seals.seal_of(file).exists()
        assert not seals.is_broken(file)

    async def test_what_is_not_yet_in_the_main_file_is_set_aside_with_it(self, file: Path) -> None:
        copy = back_up(file, at=AT)
        crashed = file.parent.parent / "crashed"
        async with Database(file) as db:
            await save(stores(db), items=rows(40))
            shutil.copytree(file.parent, crashed)  # as a process leaves it that is killed
        assert (crashed / "kizuki.db-wal").stat().st_size > 0
        done = restore(crashed, copy, at=AT, replace=True)
        assert done.aside is not None
        with closing(sqlite3.connect(done.aside)) as conn:
            assert conn.execute("SELECT count(*) FROM item").fetchone() == (40,)
        with closing(sqlite3.connect(crashed / migrate.FILE)) as conn:
            assert conn.execute("SELECT count(*) FROM item").fetchone() == (0,)

    def test_an_empty_folder_gets_it_without_a_question(self, file: Path, tmp_path: Path) -> None:
        copy = back_up(file, at=AT)
        done = restore(tmp_path / "new" / "data", copy, at=AT, replace=False)
        assert done.aside is None
        assert inspection.database(tmp_path / "new" / "data") is not None

    def test_nothing_is_replaced_unless_asked(self, file: Path) -> None:
        back_up(file, at=AT)
        before = file.read_bytes()
        with pytest.raises(DatabaseThere):
            restore(file.parent, None, at=AT, replace=False)
        assert file.read_bytes() == before
        assert not (file.parent / restoring.ASIDE).exists()

    def test_not_while_the_bot_runs(self, file: Path) -> None:
        back_up(file, at=AT)
        with DataFolder(file.parent), pytest.raises(DataFolderTaken):
            restore(file.parent, None, at=AT, replace=True)

    @pytest.mark.parametrize("name", ["nothing.db", "."])
    def test_a_backup_that_is_not_there(self, file: Path, name: str) -> None:
        with pytest.raises(NoBackup):
            restore(file.parent, file.parent / name, at=AT, replace=True)
        with pytest.raises(NoBackup):
            restore(file.parent, None, at=AT, replace=True)

    @pytest.mark.parametrize("what", ["cut", "foreign", "empty", "flipped", "another program's"])
    def test_a_bad_backup_is_refused_and_nothing_changes(self, file: Path, what: str) -> None:
        copy = back_up(file, at=AT)
        sound, before = copy.read_bytes(), file.read_bytes()
        match what:
            case "cut":
                copy.write_bytes(sound[: len(sound) // 2])
            case "foreign":
                copy.write_bytes(b"PK\x03\x04" * 5000)
            case "empty":
                copy.write_bytes(b"")
            case "flipped":
                copy.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
            case _:
                copy.unlink()
                with closing(sqlite3.connect(copy)) as conn:
                    conn.execute("CREATE TABLE t (x)")
        with pytest.raises(UnusableBackup):
            restore(file.parent, copy, at=AT, replace=True)
        if what != "flipped":
            seals.seal_of(copy).unlink()
            with pytest.raises(UnusableBackup):
                restore(file.parent, copy, at=AT, replace=True)
        assert file.read_bytes() == before

    def test_a_backup_of_a_newer_release_is_refused(self, file: Path) -> None:
        known = back_up(file, at=AT)
        copy = back_up(file, at=AT + DAY)
        seals.take_off(copy)
        with closing(sqlite3.connect(copy)) as conn:
            conn.execute("PRAGMA user_version = 999")
        with pytest.raises(UnusableBackup) as caught:
            restore(file.parent, None, at=AT, replace=True)
        assert "newer Kizuki (version 999, this one knows" in caught.value.finding
        assert caught.value.instead == str(known)

    def test_a_disk_without_second_names_gets_a_copy(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        back_up(file, at=AT)
        before = file.read_bytes()
        monkeypatch.setattr("os.link", refuse)
        done = restore(file.parent, None, at=AT, replace=True)
        assert done.aside is not None
        assert done.aside.read_bytes() == before

    @pytest.mark.parametrize("step", range(1, 9))
    async def test_cut_off_anywhere_there_is_one_database_or_the_other(
        self, file: Path, step: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            """As by a power cut."""

        await answered(file, 1)
        copy, then = back_up(file, at=AT), content(file)
        await answered(file, 1)
        later, calls, sync = content(file), [0], seals.sync

        def cut(path: Path) -> None:
            calls[0] += 1
            if calls[0] == step:
                raise Killed
            sync(path)

        monkeypatch.setattr(seals, "sync", cut)
        try:
            restore(file.parent, copy, at=AT, replace=True)
            assert step > calls[0]
        except Killed:
            pass
        monkeypatch.undo()
        assert content(file) in (then, later)
        assert migrate.prepare(file.parent, at=AT) == file
        kept = list((file.parent / restoring.ASIDE).glob("*.db")) if content(file) == then else [file]
        assert later in [content(aside) for aside in kept]

    def test_no_room_changes_nothing(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        back_up(file, at=AT)
        before = file.read_bytes()
        monkeypatch.setattr("shutil.copyfile", full)
        monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 0, "total": 1}))
        with pytest.raises(StorageFull):
            restore(file.parent, None, at=AT, replace=True)
        assert file.read_bytes() == before


class TestSeals:
    async def test_four_kibibytes_flipped_anywhere_are_found_at_start(self, tmp_path: Path) -> None:
        file = await used(tmp_path)
        seal = seals.seal_of(file).read_bytes()
        sound, chance = file.read_bytes(), random.Random(7)
        found = 0
        for _ in range(20):
            start = chance.randrange(len(sound) - FLIP)
            file.write_bytes(
                sound[:start] + bytes(byte ^ 0xFF for byte in sound[start : start + FLIP]) + sound[start + FLIP :]
            )
            with pytest.raises((AlteredDatabase, DamagedDatabase)):
                inspection.database(tmp_path)
            with pytest.raises((AlteredDatabase, DamagedDatabase)):
                migrate.prepare(tmp_path, at=AT)
            assert seals.seal_of(file).read_bytes() == seal
            found += 1
        assert found == 20
        file.write_bytes(sound)
        migrate.prepare(tmp_path, at=AT)

    async def test_one_bit_in_a_page_that_is_not_used_is_found_and_can_be_accepted(self, tmp_path: Path) -> None:
        file = await used(tmp_path)
        copy = back_up(file, at=AT)
        sound = file.read_bytes()
        with closing(sqlite3.connect(file)) as conn:
            assert conn.execute("PRAGMA freelist_count").fetchone()[0] > 10
        place = sound.rindex(sound[-100:])
        file.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        with pytest.raises(AlteredDatabase) as caught:
            migrate.prepare(tmp_path, at=AT)
        assert caught.value.backups == (str(copy),)
        seals.seal_of(file).unlink()
        assert migrate.prepare(tmp_path, at=AT) == file

    async def test_an_open_database_has_no_seal_and_a_closed_one_has(self, tmp_path: Path) -> None:
        seal = seals.seal_of(tmp_path / migrate.FILE)
        for _ in range(2):
            async with open_database(tmp_path, lambda: AT):
                assert not seal.exists()
            assert seal.exists()
        shutil.copytree(tmp_path, tmp_path / "moved" / "house")
        async with open_database(tmp_path / "moved" / "house", lambda: AT):
            pass

    async def test_a_database_that_others_still_read_is_not_sealed(self, tmp_path: Path) -> None:
        async with open_database(tmp_path, lambda: AT):
            conn = sqlite3.connect(tmp_path / migrate.FILE)
            conn.execute("SELECT count(*) FROM item").fetchone()
        assert not seals.seal_of(tmp_path / migrate.FILE).exists()
        conn.close()

    def test_a_start_meanwhile_breaks_no_seal(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        seals.put_on(file)
        digest = seals._digest

        def started(path: Path) -> str:
            seals.take_off(path)
            path.write_bytes(path.read_bytes() + b"x")
            return digest(path)

        monkeypatch.setattr(seals, "_digest", started)
        assert not seals.is_broken(file)

    def test_a_seal_that_cannot_be_read_as_one_is_broken(self, file: Path) -> None:
        assert not seals.is_broken(file)
        seals.seal_of(file).write_bytes(b"\xff\x00")
        assert seals.is_broken(file)
        seals.put_on(file)
        assert not seals.is_broken(file)


class TestBackups:
    def test_those_before_an_upgrade_are_counted_apart_and_go_after_a_month(self, file: Path) -> None:
        kept = back_up(file, at=AT, before=5)
        for number in range(9):
            back_up(file, at=AT + number * DAY)
        names = [copy.name for copy in newest_first(file.parent)]
        assert len(names) == 8
        assert kept.name in names
        assert kept.name.endswith("Z-before-5.db")
        back_up(file, at=AT + 31 * DAY)
        assert not kept.exists()
        assert not seals.seal_of(kept).exists()
        assert len(newest_first(file.parent)) == 7

    def test_a_name_tells_the_moment(self, file: Path) -> None:
        assert made_at(back_up(file, at=AT)) == AT.replace(microsecond=AT.microsecond)
        assert made_at(back_up(file, at=AT + DAY, before=3)) == AT + DAY
        assert made_at(file) is None

    def test_a_copy_leaves_room_for_answers(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        room = file.stat().st_size + backup.SPARE - 1
        monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": room}))
        with pytest.raises(StorageFull):
            back_up(file, at=AT)
        assert newest_first(file.parent) == []

    async def test_copies_made_at_once_do_not_disturb_one_another(self, file: Path) -> None:
        moments = [AT + timedelta(seconds=number) for number in range(4)]
        copies = await asyncio.gather(*(asyncio.to_thread(copied, file, at) for at in moments))
        assert newest_first(file.parent) == copies[::-1]
        assert not any(seals.is_broken(copy) for copy in copies)


class TestSafekeeping:
    async def test_a_sound_file_is_copied_while_it_is_written(self, db: Database, file: Path) -> None:
        keeping = Safekeeping(db)
        assert keeping.newest() is None
        assert await keeping.check() == ""
        assert await keeping.back_up(AT) == newest_first(file.parent)[0].stat().st_size
        assert keeping.newest() == AT
        assert keeping.size() == inspection.size(file.parent) > 0
        assert keeping.free() > 0

    @pytest.mark.errors_expected
    async def test_from_a_finding_on_nothing_is_written_any_more(self, tmp_path: Path) -> None:
        file = await used(tmp_path)
        seals.take_off(file)
        async with Database(file) as db:
            content = bytearray(file.read_bytes())
            for start in range(8192 * 4, len(content), 8192 * 4):
                content[start : start + 200] = b"\xff" * 200
            file.write_bytes(content)
            keeping = Safekeeping(db)
            assert await keeping.check() == keeping.damage != ""
            with pytest.raises(DamagedDatabase):
                await db.write(lambda transaction: transaction.run("CREATE TABLE more (x)"))
            with pytest.raises(DamagedDatabase):
                await keeping.back_up(AT)
        assert newest_first(tmp_path) == []

    async def test_a_file_that_cannot_be_opened_is_told_in_words(self, tmp_path: Path) -> None:
        (tmp_path / "kizuki.db").mkdir()
        with pytest.raises(StorageReadOnly):
            copied(tmp_path / "kizuki.db", AT)
