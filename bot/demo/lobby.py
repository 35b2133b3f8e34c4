"""The lobby: the first page of the demo, which says what to try, lists the rooms person by person, and opens them."""

from __future__ import annotations

import secrets
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final

from aiohttp import web
from simcord import SetupError

from bot.demo import preview, world

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from bot.demo.pages import Pages
    from bot.demo.world import Person, Room, World

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HERE: Final = Path(__file__).parent
HOST: Final = "127.0.0.1"
NAMES: Final = ("127.0.0.1", "localhost")
PATIENCE: Final = 2.0
"""Seconds that an answer under way may take when the lobby closes."""
MARKS: Final = {"channel": "#", "thread": "↳", "dm": "✉"}
LIVE: Final = "Rooms refresh by themselves. Open two of them side by side: what Mika gets privately, Tom cannot see."
PLAIN: Final = "One room at a time; press Refresh preview there to see what others did."


class Lobby:
    """The page on a port of its own; it only ever listens on this computer."""

    def __init__(self, demo: World, port: int) -> None:
        self.port = port
        self._world = demo
        self._pages: Pages | None = None
        self._runner: web.AppRunner | None = None
        self._read: dict[str, int] = {}
        self._page = Template((HERE / "lobby.html").read_text(encoding="utf-8"))

    @property
    def url(self) -> str:
        """Where the lobby is, once it is open."""
        return f"http://{HOST}:{self.port}/"

    async def open(self) -> None:
        """Listen. OSError when the port is taken; until `show` is called the page asks to wait."""
        app = web.Application(middlewares=[self._at_home])
        app.router.add_get("/", self._front)
        app.router.add_get("/rooms", self._list)
        app.router.add_get("/rooms/{key}", self._enter)
        app.router.add_get("/lobby.css", self._style)
        app.router.add_get(f"/{world.SAMPLE_PACK_NAME}", self._sample)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=PATIENCE)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, self.port).start()
        self.port = self._runner.addresses[0][1]

    def show(self, pages: Pages) -> None:
        """Let people into the rooms of these pages."""
        self._pages = pages

    async def close(self) -> None:
        """Stop listening; safe to call twice."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    @web.middleware
    async def _at_home(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer only people on this computer who asked for it by its own name."""
        if request.host.rpartition(":")[0] not in NAMES and request.host not in NAMES:
            raise web.HTTPForbidden
        response = await handler(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        return response

    async def _front(self, _request: web.Request) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        live = self._pages is not None and self._pages.live
        text = self._page.substitute(
            nonce=nonce,
            server=escape(world.SERVER_NAME),
            note=escape(LIVE if live else PLAIN),
            sample=escape(world.SAMPLE_PACK_NAME),
            rooms=self._rooms(),
        )
        policy = (
            "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
            f"form-action 'none'; frame-ancestors 'none'; script-src 'nonce-{nonce}'"
        )
        return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": policy})

    async def _list(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._rooms(), content_type="text/html")

    async def _style(self, _request: web.Request) -> web.Response:
        return web.Response(text=(HERE / "lobby.css").read_text(encoding="utf-8"), content_type="text/css")

    async def _sample(self, _request: web.Request) -> web.Response:
        name = world.SAMPLE_PACK_NAME
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return web.Response(body=world.SAMPLE_PACK.encode("utf-8-sig"), content_type="text/csv", headers=headers)

    async def _enter(self, request: web.Request) -> web.Response:
        """Open the room and go there; back to the lobby when it is gone."""
        room = next((room for room in self._open_rooms() if room.key == request.match_info["key"]), None)
        if room is None or self._pages is None:
            raise web.HTTPSeeOther("/")
        try:
            address = await self._pages.address(room)
        except SetupError:
            raise web.HTTPSeeOther("/") from None
        self._read[room.key] = _newest(room)
        raise web.HTTPSeeOther(address)

    def _open_rooms(self) -> list[Room]:
        return [room for room in world.rooms(self._world) if preview.may_enter(room)]

    def _rooms(self) -> str:
        """Draw the people with their rooms."""
        if self._pages is None:
            return '<p class="wait" role="status">The café is opening …</p>'
        groups = groupby(self._open_rooms(), key=lambda room: room.person)
        return "\n".join(self._person(person, rooms) for person, rooms in groups)

    def _person(self, person: Person, rooms: Iterable[Room]) -> str:
        doors = "\n".join(self._door(room) for room in rooms)
        return (
            f'<section class="person {escape(person.key)}" aria-labelledby="p-{escape(person.key)}">'
            f'<div class="who"><span class="face" aria-hidden="true">{escape(person.name[0])}</span>'
            f'<div><h3 id="p-{escape(person.key)}">{escape(person.name)}</h3><p>{escape(person.about)}</p></div></div>'
            f"<ul>{doors}</ul></section>"
        )

    def _door(self, room: Room) -> str:
        if self._pages is not None and self._pages.watched(room):
            self._read[room.key] = _newest(room)
            news = '<span class="tag">open</span>'
        else:
            count = _news(room, self._read.get(room.key, 0))
            news = f'<span class="tag new">{count} new</span>' if count else ""
        title = room.title.removeprefix("#")
        return (
            f'<li><a class="door {room.kind}" id="room-{escape(room.key)}" href="/rooms/{escape(room.key)}">'
            f'<span class="mark" aria-hidden="true">{MARKS[room.kind]}</span>'
            f'<span class="title">{escape(title)}</span>'
            f'<span class="hidden"> as {escape(room.person.name)}</span>{news}'
            f'<span class="go" aria-hidden="true">→</span></a></li>'
        )


def _newest(room: Room) -> int:
    """Give the id of the newest message that this person can see, 0 for none."""
    return max((message.id for message in room.channel.history(viewer=room.viewer)), default=0)


def _news(room: Room, read: int) -> int:
    """Count what others said in the room since message `read`."""
    said = room.channel.history(viewer=room.viewer)
    return sum(message.id > read and message.author.id != room.viewer.id for message in said)
