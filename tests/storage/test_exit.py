"""A process ends, whatever happened to its connections: their threads would keep it alive for ever."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

START = """
import asyncio, sys
from pathlib import Path
from storage.connection import Database

async def one(transaction):
    return await transaction.one("SELECT 1")
"""

CASES = {
    "closed after use": (
        0,
        """
async def main(file):
    async with Database(file) as db:
        await db.write(one)
        async with db.reading() as snapshot:
            await one(snapshot)
""",
    ),
    "never opened": (
        0,
        """
async def main(file):
    await Database(file).close()
""",
    ),
    "an error while writes wait": (
        3,
        """
async def main(file):
    async with Database(file) as db:
        writes = [asyncio.create_task(db.write(one)) for _ in range(500)]
        await asyncio.sleep(0)
        raise SystemExit(3)
""",
    ),
    "damaged at opening": (
        1,
        """
async def main(file):
    file.write_bytes(b"no database" * 1000)
    await Database(file).open()
""",
    ),
    "interrupted while writing": (
        (-2, 0),  # the last commit may be quicker than the interruption
        """
async def main(file):
    import os, signal
    async with Database(file) as db:
        writes = [asyncio.create_task(db.write(one)) for _ in range(500)]
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.gather(*writes)
""",
    ),
    "closed while reading": (
        0,
        """
import sqlite3

async def read(db):
    async with db.reading() as snapshot:
        await snapshot.all(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT sum(i) FROM n"
        )

async def main(file):
    async with Database(file) as db:
        reads = [asyncio.create_task(read(db)) for _ in range(5)]
        while not db._idle.empty():
            await asyncio.sleep(0)
        reads[0].cancel()
    for ended in await asyncio.gather(*reads, return_exceptions=True):
        assert ended is None or isinstance(
            ended, (asyncio.CancelledError, RuntimeError, ValueError, sqlite3.ProgrammingError)  # ValueError: closed
        ), ended
""",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_process_ends(tmp_path: Path, case: str) -> None:
    code, body = CASES[case]
    script = f"{START}{body}\nasyncio.run(main(Path(sys.argv[1])))"
    command = [sys.executable, "-W", "error::ResourceWarning", "-c", script, str(tmp_path / "kizuki.db")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # else TimeoutExpired
    assert ended.returncode in (code if isinstance(code, tuple) else (code,)), ended.stderr
    for sign in ("ResourceWarning", "never retrieved", "destroyed but it is pending"):
        assert sign not in ended.stderr
