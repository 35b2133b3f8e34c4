"""SimCord's page, made to live: every room on one port, in real time, refreshed by itself, in Japanese letter shapes.

This is the one file that leans on SimCord's private names (3.2.1, pinned). Where one of them is missing, `open_pages`
gives `PlainPages` instead: SimCord's public Preview, one room at a time, with its own Refresh button.
"""
# ruff: noqa: SLF001 (the private names are what this file is for)

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import simcord
import simcord.preview
from aiohttp import web
from simcord import SetupError

from bot.demo.pages import PlainPages, catch_up, show
from bot.demo.world import rooms
from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

    from simcord import Env

    from bot.demo.pages import Faces, Pages
    from bot.demo.world import Room, World

    Action = Callable[[str | None, Mapping[str, object]], Awaitable[object]]
    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = logging.getLogger(__name__)

LOOKS: Final = 0.5
"""Seconds between two looks at what has happened."""
RELATIVE_TIMES: Final = timedelta(minutes=1)
"""How old "in five minutes" may grow on a page on which nothing happens."""
PATIENCE: Final = 2.0
"""Seconds that an answer under way may take when the pages close."""
LEASE: Final = 12 * 60 * 60.0
"""Seconds that a sleeping laptop's window stays known."""
HANDLERS: Final = ("_pages", "_delete_page", "_state", "_commands", "_action_result", "_action", "_asset")
CAPABILITY: Final = "X-Simcord-Capability"

HOME_LINK: Final = (
    '<a class="toolbar-button kizuki-home" href="{home}" aria-label="Kizuki demo: back to the lobby">'
    '<span aria-hidden="true">←</span> <b lang="ja">気づき</b> Lobby</a>'
)
ENDED: Final = "Preview session is unavailable. Reload the active Preview URL."
GONE: Final = "This window belongs to a demo that has ended: go back to the lobby."
AMENDMENTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "/": (
        ('<div class="preview-brand">', '$link<div class="preview-brand">'),
        ("<title>SimCord Preview</title>", "<title>Kizuki demo</title>"),
        ('id="preview-shell" class="preview-shell"', 'id="preview-shell" class="preview-shell messages-closed"'),
    ),
    # As on Discord, Enter sends a command whose options are all optional; the arrow keys go to its options.
    "/commands.js": (
        ("if (listItems.length) suggestionListbox", "if (listItems.length && !optional) suggestionListbox"),
    ),
    # The corner of the page speaks up when something is under way or went wrong, not when all is well.
    "/actions.js": (
        ('return labels[kind || ""] || "Action completed";', 'return "";'),
        ('ready ? "Preview ready" :', 'ready ? "" :'),
        (ENDED, GONE),
    ),
    # A room that is read at its end stays at its end, also when it is drawn twice at once; a command goes there.
    "/timeline.js": (
        ('if (!state.ready && state.scrollIntent?.policy === "target") return;', "if (!state.ready) return;"),
        (
            'state.ready = false;\n      if (state.scrollIntent?.policy !== "target")',
            'const drawn = state.ready;\n state.ready = false;\n if (drawn && state.scrollIntent?.policy !== "target")',
        ),
    ),
    "/app.js": (
        (
            'dispatch("run_command", body,',
            'ui.timeline.scrollTop = ui.timeline.scrollHeight;\n    dispatch("run_command", body,',
        ),
        (ENDED, GONE),
    ),
}
"""What is changed in SimCord's own files, by path: (what stands there, what shall stand there)."""


def begin_now(env: Env) -> bool:
    """Let the world begin now instead of on SimCord's own first day; False where its clock cannot be set."""
    clock: Any = env.backend.clock
    if not hasattr(clock, "_epoch"):
        return False
    clock._epoch = datetime.now(UTC)
    return True


@contextmanager
def fixed_ids(env: Env, first: int) -> Iterator[None]:
    """Number what is made meanwhile from `first` on, so that a kept data folder finds its people again."""
    backend: Any = env.backend
    backend.snowflake = count(first).__next__
    try:
        yield
    finally:
        del backend.snowflake


def forgive_refusals(env: Env) -> None:
    """Let what the bot refuses in words not count as a failure of the bot; before the environment starts."""
    record = getattr(env, "_record_error", None)
    if record is None:
        return

    def record_faults(error: BaseException) -> None:
        if not isinstance(getattr(error, "original", error), KizukiError):
            record(error)

    setattr(env, "_record_error", record_faults)  # noqa: B010 - a private name, which may be gone


def missing_names(env: Env) -> list[str]:
    """List the private names that live pages need and that this SimCord lacks."""
    server = getattr(getattr(simcord.preview, "_server", None), "PreviewServer", None)
    needed: list[tuple[object, tuple[str, ...]]] = [
        (server, ("start", "close", "_static", "_allowed_hosts", "_SECURITY_HEADERS", *HANDLERS)),
        (simcord.Preview, ("_action", "_open_page", "_close_page", "_MAX_PAGES", "_PAGE_LEASE_SECONDS")),
        (env, ("_preview", "errors_since", "error_cursor")),
        (env.backend, ("transcript", "clock")),
    ]
    return [name for owner, names in needed for name in names if not hasattr(owner, name)]


async def open_pages(env: Env, port: int, home: str, demo: World) -> Pages:
    """Open the best pages this SimCord can give. SetupError when the port is taken."""
    missing = missing_names(env)
    if missing:
        log.warning("This SimCord lacks %s: the page needs its Refresh button.", ", ".join(missing))
        return PlainPages(env, port, demo.faces)
    pages = LivePages(env, port, home, demo.faces)
    await pages.open(rooms(demo))
    return pages


def may_enter(room: Room) -> bool:
    """Tell whether this person may see this room now: a private thread is for its members."""
    try:
        return bool(
            simcord.backend.access.can_access_channel(room.viewer._env, room.channel.id, room.viewer, history=True)
        )
    except AttributeError:
        return room.kind != "thread"


class LivePages:
    """Every room open at once behind one port. A room's address holds a secret of its own, which names the room.

    One lock goes around each action of a page, each refresh and each advance of time: SimCord allows one operation at
    a time, and a page whose action met another one would wait for an answer for ever.
    """

    live = True

    def __init__(self, env: Env, port: int, home: str, faces: Faces) -> None:
        self.env = env
        self.port = port
        self.lock = asyncio.Lock()
        self._home = home
        self._faces = faces
        self._rooms: dict[str, simcord.Preview] = {}
        self._by_secret: dict[str, simcord.Preview] = {}
        self._server: Any = None
        self._seen = 0
        self._errors = 0
        self._refreshed = env.now()

    async def open(self, known: Iterable[Room]) -> None:
        """Listen on the port, and open the rooms known already so that nobody waits for them later.

        One server for all rooms: it reads the secret of a request and hands it to the room's own.
        """
        server: Any = simcord.preview._server.PreviewServer(None, self.port)  # type: ignore[arg-type]
        for name in HANDLERS:
            setattr(server, name, partial(self._hand_over, name))
        server._static = partial(self._static, server._static)
        await server.start()
        server.runner._shutdown_timeout = PATIENCE
        self._server, self.port = server, server.port
        for room in known:
            await self.address(room)

    async def close(self) -> None:
        """Close every room, then the port."""
        server, self._server = self._server, None
        for preview in tuple(self._rooms.values()):
            await preview.close()
        self._rooms.clear()
        self._by_secret.clear()
        if server is not None:
            await server.close()

    async def address(self, room: Room) -> str:
        """Give the address of the room, opening it the first time."""
        if room.key not in self._rooms:
            async with self.lock:
                if room.key not in self._rooms:
                    preview = self._rooms[room.key] = await self._enter(room)
                    self._by_secret[preview.capability] = preview
        return self._rooms[room.key].url

    def watched(self, room: Room) -> bool:
        """Tell whether a window shows this room right now."""
        preview = self._rooms.get(room.key)
        return preview is not None and len(preview._pages) > 1

    async def follow(self) -> None:
        """Twice a second: let the time that passed pass, and publish what happened."""
        while True:
            await asyncio.sleep(LOOKS)
            try:
                async with self.lock:
                    await catch_up(self.env)
                    await self._publish_news()
            except (TimeoutError, SetupError) as error:
                log.warning("The demo's world is busy: %s", error)
            self._report_errors()

    async def _enter(self, room: Room) -> simcord.Preview:
        """Open one room without a port of its own, and put the lock around what its windows do."""
        self.env._preview = None  # SimCord counts one Preview; the lock makes many safe
        preview: Any = show(self.env, room, self._faces)
        preview._PAGE_LEASE_SECONDS = LEASE
        preview._action = partial(self._act, preview, preview._action)
        preview._open_page = partial(self._open_window, preview, preview._open_page)
        door = preview._server

        async def start() -> None:
            door.port = self.port

        async def close() -> None:
            door.port = None

        door.start, door.close = start, close
        opened: simcord.Preview = await preview.__aenter__()
        return opened

    async def _act(
        self, preview: simcord.Preview, action: Action, context: str | None, body: Mapping[str, object]
    ) -> object:
        """Let one window do one thing. A press that crossed with a refresh counts as made on the page of now."""
        async with self.lock:
            self.env._preview = preview
            page = preview._pages.get(context or "")
            if page is not None and isinstance(body, dict) and body.get("sequence") == page.last_sequence + 1:
                body = {**body, "published_revision": page.revision}
            return await action(context, body)

    def _open_window(
        self, preview: simcord.Preview, opening: Callable[..., object], viewer: object = None, target: object = None
    ) -> object:
        """Open a window on the newest messages; the window unused for longest gives way when there are too many."""
        unseen: Any = preview._python
        unseen.target_id = unseen.window_end_id = None
        windows = [page for page in preview._pages.values() if page is not unseen]
        if len(windows) >= preview._MAX_PAGES:
            preview._close_page(min(windows, key=lambda page: page.last_activity).id)
        return opening(viewer, target)

    async def _publish_news(self) -> None:
        """Refresh the open windows when anything crossed the wire, and now and then for the sake of relative times."""
        crossed, now = len(self.env.backend.transcript), self.env.now()
        watched = [preview for preview in self._rooms.values() if len(preview._pages) > 1]
        unsure = any(page.status == "stale" for preview in watched for page in preview._pages.values())
        if crossed == self._seen and not unsure and now - self._refreshed < RELATIVE_TIMES:
            return
        for preview in watched:
            await preview.refresh()
        self._seen, self._refreshed = len(self.env.backend.transcript), now

    def _report_errors(self) -> None:
        """Log what the bot raised since the last look."""
        for error in self.env.errors_since(self._errors):
            log.error("The bot raised %s", type(error).__name__, exc_info=error)
        self._errors = self.env.error_cursor

    async def _hand_over(self, name: str, request: web.Request) -> web.StreamResponse:
        """Give a request to the server of the room that its secret names."""
        preview = self._by_secret.get(request.headers.get(CAPABILITY, ""))
        if preview is None:
            raise web.HTTPUnauthorized
        answer: Handler = getattr(preview._server, name)
        return await answer(request)

    async def _static(self, serve: Handler, request: web.Request) -> web.StreamResponse:
        """Serve the page's own files, with the Japanese style, the way back and a calmer manner."""
        response: Any = await serve(request)
        if request.path == "/preview.css":
            response.text += (Path(__file__).parent / "room.css").read_text(encoding="utf-8")
        elif request.path in AMENDMENTS:
            response.text = amend(request.path, response.text, self._home)
        answer: web.StreamResponse = response
        return answer


def amend(path: str, text: str, home: str) -> str:
    """Change one of the page's files; what a page of another make does not have is left alone."""
    for standing, wanted in AMENDMENTS.get(path, ()):
        text = text.replace(standing, wanted.replace("$link", HOME_LINK.format(home=home)))
    return text
