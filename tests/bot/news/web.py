"""A web on the loopback interface: scripted answers by path, and whatever reached it."""

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from ipaddress import ip_network

from aiohttp.abc import AbstractResolver, ResolveResult

from bot.clients.news import Policy

Script = Callable[[], AsyncIterator[bytes]]


def answer(status: int = 200, body: bytes = b"", **headers: str) -> bytes:
    """A whole answer; `_` in a header's name stands for `-`."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", "Connection: close", *lines])
    return head.encode() + b"\r\n\r\n" + body


def zipped(body: bytes, **headers: str) -> bytes:
    return answer(200, gzip.compress(body), Content_Encoding="gzip", **headers)


@dataclass
class Web:
    """Answers by path: bytes at once, or a script that yields them."""

    answers: dict[str, bytes | Script] = field(default_factory=dict)
    host: str = "127.0.0.1"
    port: int = 0
    connections: int = 0
    requests: list[dict[str, str]] = field(default_factory=list)
    serving: set = field(default_factory=set)

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}:{self.port}{path}"

    @property
    def policy(self) -> Policy:
        """One that lets this server through, and nothing else that is not public."""
        return Policy(ports=frozenset({self.port}), exempt=(ip_network(f"{self.host}/32"),))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.serving.add(asyncio.current_task())
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self.say(await reader.readuntil(b"\r\n\r\n"), writer)
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()
            self.serving.discard(asyncio.current_task())

    async def say(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        lines = request.decode("latin-1").split("\r\n")
        path = lines[0].split()[1]
        self.requests.append({":path": path, **dict(line.split(": ", 1) for line in lines[1:] if line)})
        said = self.answers.get(path, answer(404))
        async for chunk in once(said) if isinstance(said, bytes) else said():
            writer.write(chunk)
            await writer.drain()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Web"]:
        server = await asyncio.start_server(self.serve, self.host, self.port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            serving = list(self.serving)
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)
            await asyncio.sleep(0)


async def once(said: bytes) -> AsyncIterator[bytes]:
    yield said


class Names(AbstractResolver):
    """Resolves every name to the next of its addresses, the last one for ever."""

    def __init__(self, **addresses: list[str]) -> None:
        self.addresses = {name.replace("_", "."): list(several) for name, several in addresses.items()}

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        several = self.addresses.get(host)
        if not several:
            raise OSError("no such name")
        address = several.pop(0) if len(several) > 1 else several[0]
        kind = 10 if ":" in address else 2
        return [{"hostname": host, "host": address, "port": port, "family": kind, "proto": 6, "flags": 0}]

    async def close(self) -> None:
        pass
