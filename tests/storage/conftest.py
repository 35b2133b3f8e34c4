"""A real file in a folder of its own for every test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage import migrate
from storage.connection import Database
from tests.storage.world import AT, Stores, stores

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return migrate.prepare(tmp_path / "data", at=AT)


@pytest.fixture
async def db(file: Path) -> AsyncIterator[Database]:
    async with Database(file) as database:
        yield database


@pytest.fixture
def to(db: Database) -> Stores:
    return stores(db)


@pytest.fixture
async def notes(db: Database) -> Database:
    """The database with one plain table."""
    await db.write(lambda transaction: transaction.run("CREATE TABLE note (number INTEGER NOT NULL UNIQUE) STRICT"))
    return db
