"""What goes to and from Discord is counted, late acknowledgements and invalid requests among it."""

from __future__ import annotations

import logging

import aiohttp
import pytest
from aiohttp import web

from cogs.traffic import WORRYING, Outcome, Traffic
from tests.cogs.drilling import start
from tests.conftest import World


class Watch:
    """A clock of seconds that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_acknowledgement_after_a_second_is_late() -> None:
    watch = Watch()
    traffic = Traffic(watch)
    for number, seconds in ((1, 0.2), (2, 1.4)):
        traffic.came(number)
        watch.now += seconds
        traffic.answered(f"/api/v10/interactions/{number}/aToken/callback", 204)
        traffic.ended(number, Outcome.DONE)
    traffic.answered("/api/v10/interactions/77/aToken/callback", 404)  # of nobody who came
    assert traffic.taken() == {"interactions": 2, "requests": 3, "done": 2, "acks_late": 1}
    assert traffic.taken() == {}


def test_invalid_requests_are_those_of_ten_minutes_and_warned_of_once(caplog) -> None:
    watch = Watch()
    traffic = Traffic(watch)
    for status in (401, 403, 429, 200, 404, 500):
        traffic.answered("/x", status)
    traffic.answered("/x", 429, shared=True)
    assert traffic.invalid == 3
    assert traffic.taken() == {"requests": 7, "limited": 2, "discord_errors": 1}
    for _ in range(2 * WORRYING):
        traffic.answered("/x", 403)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "1000 requests invalid" in caplog.text
    watch.now += 601
    assert traffic.invalid == 0
    for _ in range(WORRYING):
        traffic.answered("/x", 403)
    assert len(caplog.records) == 2


async def test_requests_of_a_session_are_counted_by_its_trace() -> None:
    async def limited(_request: web.Request) -> web.Response:
        return web.Response(status=429, headers={"X-RateLimit-Scope": "shared"})

    async def fine(_request: web.Request) -> web.Response:
        return web.Response()

    traffic = Traffic()
    app = web.Application()
    app.router.add_get("/limited", limited)
    app.router.add_get("/fine", fine)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with aiohttp.ClientSession(trace_configs=[traffic.trace()]) as session:
        for path in ("fine", "limited"):
            async with session.get(f"{address}/{path}"):
                pass
    await runner.cleanup()
    assert traffic.taken() == {"requests": 2, "limited": 1}
    assert traffic.invalid == 0


async def test_interactions_are_counted_by_how_they_ended(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = world.services.traffic
    message = await start(world)
    assert traffic.taken() == {"interactions": 1, "done": 1}
    await world.aoki.slash(world.study, "settings", time_zone="Nowhere/At All")
    assert traffic.taken() == {"interactions": 1, "refused": 1}
    world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await world.mika.click(message, label="Skip")
    assert traffic.taken() == {"interactions": 1, "lost": 1}

    async def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(world.services.delivering.drills), "exercise", broken)
    with monkeypatch.context() as patch:
        patch.setattr(logging.getLogger("cogs.failures"), "error", logging.getLogger("cogs.failures").info)
        await world.mika.click(message, label="Skip")
    assert traffic.taken() == {"interactions": 1, "failed": 1}
    await world.bot.drain(1)
    await world.mika.click(message, label="Skip")
    assert traffic.taken() == {"interactions": 1, "restarting": 1}
