"""One process a data folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from lessons.errors import DataFolderTaken, StorageReadOnly
from storage.folder import LOCK, DataFolder

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys, pathlib
from storage.folder import DataFolder
with DataFolder(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

TRY = """
import sys, pathlib
from storage.folder import DataFolder
from lessons.errors import DataFolderTaken
try:
    DataFolder(pathlib.Path(sys.argv[1])).__enter__()
except DataFolderTaken as error:
    print(error.path, error.pid)
"""


def test_a_second_process_is_told_which_one_holds_the_folder_and_a_dead_one_frees_it(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DataFolderTaken) as caught:
            DataFolder(data).__enter__()
        assert (caught.value.path, caught.value.pid) == (str(data), holder.pid)
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    with DataFolder(data) as folder:
        assert (data / LOCK).read_text() == f"{os.getpid()}\n"
        second = subprocess.run([sys.executable, "-c", TRY, str(data)], capture_output=True, text=True, check=True)
        assert second.stdout == f"{data} {os.getpid()}\n"
        assert folder.path == data


def test_a_lock_is_free_after_its_end_and_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with DataFolder(tmp_path), pytest.raises(DataFolderTaken):
            DataFolder(tmp_path).__enter__()
    folder = DataFolder(tmp_path)
    folder.__exit__(None, None, None)  # never entered


def test_a_lock_file_without_a_number_still_counts(tmp_path: Path) -> None:
    with DataFolder(tmp_path):
        (tmp_path / LOCK).write_text("half a li")
        with pytest.raises(DataFolderTaken) as caught:
            DataFolder(tmp_path).__enter__()
        assert caught.value.pid is None


def test_a_folder_that_cannot_be_made_or_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "data" / LOCK).mkdir(parents=True)
    for path in (tmp_path / "file", tmp_path / "file" / "data", tmp_path / "data"):
        with pytest.raises(StorageReadOnly) as caught:
            DataFolder(path).__enter__()
        assert caught.value.path == str(path)


def test_a_lock_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / LOCK).symlink_to("/dev/full")
    with pytest.raises(StorageReadOnly):
        DataFolder(tmp_path).__enter__()
