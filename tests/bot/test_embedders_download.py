"""Bringing a model here, from a hub on the loopback interface: whole, in part, not at all; then loading it without one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.clients.embedders import EmbedderUnavailable, choose, fetch_model

from .loopback import surroundings
from .test_embedders_sentences import TINY_DIMENSION, make_tiny_model, needs_torch

MODEL = "kizuki/tiny-e5"
COMMIT = "c0ffee" * 6 + "c0de"
CLOSED = "http://127.0.0.1:9"
FETCH = """
import sys
from bot.clients.embedders import EmbedderUnavailable, fetch_model
try: fetch_model(sys.argv[1], print)
except EmbedderUnavailable as error: print("because", error.reason)
"""
LOAD = """
import asyncio, sys
from bot.clients.embedders import EmbedderUnavailable, choose
try: asyncio.run(choose("e5", sys.argv[1]))
except EmbedderUnavailable as error: print("because", error.reason)
"""


class Hub(ThreadingHTTPServer):
    """Knows one model, the files of a folder, and refuses those named in `broken`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.folder = folder
        self.broken: set[str] = set()
        self.served: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def files(self) -> list[dict]:
        return [
            {"type": "file", "path": str(path.relative_to(self.folder)), "size": path.stat().st_size, "oid": etag(path)}
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        ]


def etag(path: Path) -> str:
    return sha1(path.read_bytes()).hexdigest()


class Answer(BaseHTTPRequestHandler):
    """What the hub says to one request."""

    server: Hub

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == f"/api/models/{MODEL}/revision/main":
            self.say(json.dumps({"id": MODEL, "sha": COMMIT, "siblings": []}).encode())
        elif path == f"/api/models/{MODEL}/tree/{COMMIT}":
            self.say(json.dumps(self.server.files()).encode())
        elif path.startswith(f"/{MODEL}/resolve/{COMMIT}/"):
            self.send_file(path.removeprefix(f"/{MODEL}/resolve/{COMMIT}/"))
        else:
            self.say(b"{}", 404, {"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET  # noqa: N815 - the base class's name

    def send_file(self, name: str) -> None:
        file = self.server.folder / name
        if self.command == "GET":
            self.server.served.append(name)
        if self.command == "GET" and name in self.server.broken:
            self.say(b"{}", 403)
        else:
            self.say(file.read_bytes(), 200, {"ETag": f'"{etag(file)}"', "X-Repo-Commit": COMMIT})

    def say(self, body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Hub]:
    with Hub(folder) as hub:
        thread = threading.Thread(target=hub.serve_forever)
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    """The tiny model as a hub has it: with weights in other forms, which nobody wants."""
    folder = make_tiny_model(tmp_path_factory.mktemp("hub") / "tiny")
    (folder / "onnx").mkdir()
    for name in ("onnx/model.onnx", "onnx/config.json", "pytorch_model.bin", "README.md"):
        (folder / name).write_bytes(b"unwanted")
    return folder


def said(script: str, home: Path, hub: str, **environ: str) -> list[str]:
    """The lines a process prints that runs this script with its own cache."""
    around = surroundings(HF_HOME=str(home), HF_ENDPOINT=hub, NO_PROXY="127.0.0.1", **environ)
    around.pop("HF_HUB_CACHE", None)
    line = [sys.executable, "-c", script, MODEL]
    done = subprocess.run(line, env=around, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def settle(monkeypatch, tmp_path):
    """Point the library, which reads its environment when it is imported, to a hub and to a cache of the test's own."""
    from huggingface_hub import constants

    def settle_on(url: str, *, offline: bool = False) -> None:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
        monkeypatch.setattr(constants, "ENDPOINT", url)
        files = constants.HUGGINGFACE_CO_URL_TEMPLATE.partition("/{repo_id}")[1:]
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", url + "".join(files))
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", offline)

    return settle_on


def fetched(model: str = MODEL) -> list[str]:
    """What is told on the way, and the reason when it leads nowhere."""
    lines: list[str] = []
    try:
        fetch_model(model, lines.append)
    except EmbedderUnavailable as error:
        lines.append(f"because {error.reason}")
    return lines


def missing(model: str = MODEL) -> str:
    """Why the model cannot be loaded."""
    with pytest.raises(EmbedderUnavailable) as failed:
        asyncio.run(choose("e5", model))
    return failed.value.reason


async def embed_one() -> None:
    embedder = await choose("e5", MODEL)
    assert (embedder.name, (await embedder.embed(["は"])).shape) == (MODEL, (1, TINY_DIMENSION))
    embedder.close()


@needs_torch
class TestFetching:
    def test_brings_what_is_needed_and_nothing_else(self, published, settle, tmp_path):
        with serving(published) as hub:
            settle(hub.url)
            first, *files, last = fetched()
            assert first == f"{MODEL}: 7 files, 0.0 MB of 0.0 MB to fetch"
            assert sorted(line.strip().split(",")[0] for line in files) == sorted(hub.served)
            assert {"model.safetensors", "1_Pooling/config.json"} <= set(hub.served)
            assert not {"onnx/model.onnx", "onnx/config.json", "pytorch_model.bin"} & set(hub.served)
            assert last.startswith(f"{MODEL} is here: {tmp_path}")

    def test_twice_is_once_and_then_nobody_is_asked(self, published, settle):
        with serving(published) as hub:
            settle(hub.url)
            fetched()
            hub.served.clear()
            assert (len(fetched()), hub.served) == (2, [])
        settle(CLOSED)
        asyncio.run(embed_one())

    def test_that_broke_off_is_told_and_can_be_completed(self, published, settle):
        with serving(published) as hub:
            settle(hub.url)
            hub.broken = {"model.safetensors"}
            assert fetched()[-1].startswith(f"because {MODEL} could not be downloaded: the hub did not answer as it")
            assert missing() == f"the download of {MODEL} broke off; `kizuki fetch-model` completes it"
            hub.broken = set()
            assert fetched()[-1].startswith(f"{MODEL} is here")
        settle(CLOSED)
        asyncio.run(embed_one())

    def test_of_a_model_of_another_kind_says_so(self, published, settle, tmp_path):
        (other := tmp_path / "other").mkdir()
        (other / "config.json").write_text("{}")
        with serving(other) as hub:
            settle(hub.url)
            assert fetched()[-1] == f"because {MODEL} is no sentence-transformers model: modules.json is missing"

    @pytest.mark.parametrize(
        ("model", "reason"),
        [
            ("kizuki/tiny-e6", "the hub has no public model of that name"),
            ("no name", "that is no name of a model"),
        ],
    )
    def test_of_what_the_hub_does_not_know(self, model, reason, published, settle):
        with serving(published) as hub:
            settle(hub.url)
            assert fetched(model) == [f"because {model} could not be downloaded: {reason}"]

    def test_where_it_is_forbidden_says_by_what(self, settle):
        settle(CLOSED, offline=True)
        assert fetched() == [f"because {MODEL} could not be downloaded: HF_HUB_OFFLINE is set"]

    def test_without_a_hub_says_so_and_so_does_loading(self, tmp_path):
        why = "the hub cannot be reached (ConnectionRefusedError: [Errno 111] Connection refused)"
        assert said(FETCH, tmp_path, CLOSED) == [f"because {MODEL} could not be downloaded: {why}"]
        assert said(LOAD, tmp_path, CLOSED) == [
            f"because {MODEL} is not on this machine; `kizuki fetch-model` downloads it"
        ]


def test_fetching_without_the_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(EmbedderUnavailable, match="is not installed"):
        fetch_model(MODEL, print)
