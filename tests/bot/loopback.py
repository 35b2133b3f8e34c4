"""A Discord on the loopback interface that knows just enough to log a bot in, or to turn it away."""

import asyncio
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import WSMsgType, web

from bot.settings import SETTINGS

ROOT = Path(__file__).parents[2]

HELLO, IDENTIFY, HEARTBEAT, ACK = 10, 2, 1, 11
BOT = {"id": "123456789012345678", "username": "Kizuki", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    "id": BOT["id"],
    "name": "Kizuki",
    "icon": None,
    "description": "",
    "verify_key": "",
    "flags": 0,
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": BOT,
}

START = """
import sys, discord, yarl
discord.http.Route.BASE = sys.argv[1] + "/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv[1] + "/gateway")
from bot.__main__ import main
sys.exit(main(["run"]))
"""
"""The `kizuki run` of a process that takes the address given to it for Discord's."""


def surroundings(**environ: str) -> dict[str, str]:
    """The environment of a process: this one's without any setting, and what is given."""
    settings = {doc.name for doc in SETTINGS}
    inherited = {name: value for name, value in os.environ.items() if name not in settings and "KIZUKI_" not in name}
    return {**inherited, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]), **environ}


@dataclass
class Loopback:
    """What this Discord answers: to the token by `status`, to IDENTIFY with the close code, or READY when it is 0."""

    status: int = 200
    close_code: int = 0
    identified: list[dict] = field(default_factory=list)
    url: str = ""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def rest(self, request: web.Request) -> web.Response:
        answer: object = []
        if request.path.endswith("/users/@me"):
            answer = BOT
        elif request.path.endswith("/applications/@me"):
            answer = APPLICATION
        if self.status != 200:
            answer = {"code": 0, "message": f"{self.status}: no"}
        return web.Response(status=self.status, body=json.dumps(answer).encode(), content_type="application/json")

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            payload = message.json()
            if payload["op"] == HEARTBEAT:
                await socket.send_json({"op": ACK, "d": None, "s": None, "t": None})
            if payload["op"] == IDENTIFY:
                self.identified.append(payload["d"])
                self.arrived.set()
                if self.close_code:
                    await socket.close(code=self.close_code)
                else:
                    await socket.send_json({"op": 0, "t": "READY", "s": 1, "d": self._ready()})
        return socket

    def _ready(self) -> dict:
        return {
            "v": 10,
            "user": BOT,
            "guilds": [],
            "session_id": "one",
            "resume_gateway_url": f"{self.url}/gateway",
            "application": {"id": BOT["id"], "flags": 0},
        }


@pytest.fixture
async def loopback():
    """A Discord that listens until the test ends."""
    discord = Loopback()
    app = web.Application()
    app.router.add_get("/gateway", discord.gateway)
    app.router.add_get("/gateway/", discord.gateway)
    app.router.add_route("*", "/{path:.*}", discord.rest)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    discord.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield discord
    await runner.cleanup()
