"""How the bot is, part by part: each part that breaks is named, and the page answers whatever the database does."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from bot import health
from bot.commands.exits import Exit
from bot.commands.health import asked
from bot.commands.health import health as command
from bot.health import HealthPortTaken, Part, Vitals, serving
from bot.settings import Settings
from lessons.errors import DamagedDatabase, StorageFull
from storage import migrate
from storage.connection import Database
from storage.safekeeping import Safekeeping
from tests.conftest import BEGINNING, World


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Bot:
    silence: float | None = 1.0


class House:
    """A database with everything that is felt, and a watch that is moved by hand."""

    def __init__(self, database: Database) -> None:
        self.now, self.loaded, self.bot = 1000.0, True, Bot()
        self.database = database
        self.keeping = Safekeeping(database)
        self.vitals = Vitals(database, self.keeping, lambda: self.loaded, lambda: self.now)
        self.vitals.attach(self.bot)

    async def unwell(self) -> list[str]:
        return [name for name, part in (await self.vitals.parts()).items() if not part.is_well]


@pytest.fixture
async def house(tmp_path) -> AsyncIterator[House]:
    async with Database(migrate.prepare(tmp_path / "data", at=BEGINNING)) as database:
        yield House(database)


class TestParts:
    async def test_all_is_well(self, house):
        parts = await house.vitals.parts()
        assert list(parts) == ["gateway", "database", "clock", "disk", "embedder"]
        assert all(part.is_well for part in parts.values())
        assert parts["database"].numbers["waiting"] == 0

    @pytest.mark.parametrize("silence", [None, 91.0])
    async def test_a_connection_that_is_gone_or_silent(self, house, silence):
        house.bot.silence = silence
        assert await house.unwell() == ["gateway"]

    async def test_before_there_is_a_bot(self, house):
        assert not (await Vitals(house.database, house.keeping, lambda: True).parts())["gateway"].is_well

    async def test_a_clock_that_stands_still(self, house):
        house.now += 151
        assert await house.unwell() == ["clock"]
        house.vitals.tick()
        assert await house.unwell() == []

    async def test_a_disk_without_room(self, house, monkeypatch):
        monkeypatch.setattr(Safekeeping, "free", lambda _: 1024)
        assert await house.unwell() == ["disk"]

    async def test_a_disk_that_is_gone(self, house, monkeypatch):
        def gone(_: object) -> int:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(Safekeeping, "free", gone)
        assert await house.unwell() == ["disk"]

    async def test_an_embedder_that_is_not_loaded(self, house):
        house.loaded = False
        assert await house.unwell() == ["embedder"]

    @pytest.mark.errors_expected
    async def test_a_damaged_database(self, house):
        house.database.condemn(DamagedDatabase("/k.db", "odd"))
        parts = await house.vitals.parts()
        assert not parts["database"].is_well
        assert "kizuki restore" in parts["database"].said

    async def test_a_writer_that_is_busy_is_named_and_the_page_answers(self, house, monkeypatch):
        monkeypatch.setattr(health, "ROUND_TRIP", 0.02)
        release = asyncio.Event()

        async def long(_transaction: object) -> None:
            await release.wait()

        writing = asyncio.create_task(house.database.write(long))
        await asyncio.sleep(0)
        async with page(house) as port:
            status, told = await read(port)
        assert (status, told["unwell"]) == (503, ["database"])
        assert "no answer" in told["parts"]["database"]["said"]
        release.set()
        await writing
        monkeypatch.undo()
        assert await house.unwell() == []

    async def test_a_full_disk_shows_until_a_write_succeeds(self, house):
        async def capped(transaction) -> None:
            (row,) = await transaction.all("PRAGMA page_count")
            await transaction.all(f"PRAGMA max_page_count = {row['page_count']}")

        async def more(transaction) -> None:
            await transaction.run("CREATE TABLE more (data BLOB)")
            await transaction.run("INSERT INTO more VALUES (zeroblob(100000))")

        await house.database.write(capped)
        with pytest.raises(StorageFull):
            await house.database.write(more)
        parts = await house.vitals.parts()
        assert (parts["database"].is_well, parts["database"].said) == (False, "a write failed just now (StorageFull)")
        await house.database.write(lambda transaction: transaction.all("PRAGMA max_page_count = 100000"))
        await house.database.write(more)
        assert await house.unwell() == []

    async def test_a_closed_database(self, house):
        await house.database.close()
        assert await house.unwell() == ["database"]


@asynccontextmanager
async def page(house: House) -> AsyncIterator[int]:
    async with serving(free_port(), house.vitals.parts) as port:
        yield port


async def read(port: int, path: str = "/healthz") -> tuple[int, dict]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as response,
    ):
        return response.status, json.loads(await response.text()) if response.status != 404 else {}


class TestPage:
    async def test_it_says_200_with_every_part(self, house):
        async with page(house) as port:
            status, told = await read(port)
            assert (await read(port, "/"))[0] == 404
        assert (status, told["ok"], told["unwell"]) == (200, True, [])
        assert set(told["parts"]) == {"gateway", "database", "clock", "disk", "embedder"}

    async def test_many_who_ask_at_once_cost_one_look(self, house, monkeypatch):
        looks = []
        parts = house.vitals.parts

        async def look() -> dict[str, Part]:
            looks.append(1)
            await asyncio.sleep(0.01)
            return await parts()

        monkeypatch.setattr(house.vitals, "parts", look)
        async with page(house) as port:
            answers = await asyncio.gather(*(read(port) for _ in range(20)))
        assert {status for status, _ in answers} == {200}
        assert len(looks) < 20

    async def test_no_port_no_page(self, house):
        async with serving(0, house.vitals.parts) as port:
            assert port == 0

    async def test_a_port_in_use_is_told(self, house):
        async with page(house) as port:
            with pytest.raises(HealthPortTaken):
                async with serving(port, house.vitals.parts):
                    pass

    async def test_it_is_for_this_machine_alone(self, house):
        async with page(house) as port, aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.ClientConnectionError):
                await session.get(f"http://127.0.0.2:{port}/healthz")


class TestCommand:
    async def test_a_line_for_each_part(self, house, capsys):
        async with page(house) as port:
            assert await asyncio.to_thread(command, Settings(health_port=port)) is Exit.OK
            house.loaded = False
            assert await asyncio.to_thread(command, Settings(health_port=port)) is Exit.CANNOT_START
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 10
        assert lines[4] == "✓ embedder: loaded"
        assert lines[9] == "✗ embedder: not loaded"
        assert lines[0] == "✓ gateway: connected (heartbeat_seconds 1.0)"

    def test_nobody_answers(self, capsys):
        assert command(Settings(health_port=free_port())) is Exit.CANNOT_START
        assert "does not run, starts, or is stuck" in capsys.readouterr().err

    def test_no_port_is_set(self, capsys):
        assert command(Settings()) is Exit.BAD_SETTINGS
        assert "set HEALTH_PORT" in capsys.readouterr().err

    @pytest.mark.parametrize("body", ["", "[]", "{}", '{"parts": [1]}', '{"parts": {"a": 1}}', "no"])
    async def test_another_program_on_the_port(self, body):
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        assert await asyncio.to_thread(command, Settings(health_port=port)) is Exit.CANNOT_START
        with pytest.raises(ValueError, match=r"Expecting value|no health page"):
            await asyncio.to_thread(asked, port)
        server.close()


async def test_the_bot_knows_its_connection(world: World) -> None:
    assert world.bot.silence == 0.0
    await world.bot.on_disconnect()
    assert world.bot.silence is None
    await world.bot.on_resumed()
    assert world.bot.silence == 0.0
    await world.bot.on_disconnect()
    await world.bot.on_connect()
    assert world.bot.silence == 0.0
