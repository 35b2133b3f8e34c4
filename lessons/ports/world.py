"""The world outside: time, dictionary, Discord's members, embedder, charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import Analysis, Chart, GuildId, UserId


class Clock(Protocol):
    """The time of day, as an argument."""

    def __call__(self) -> datetime:
        """Return the present moment, aware UTC."""
        ...


class Tokenizer(Protocol):
    """A Japanese dictionary. Work happens in the client's own thread."""

    @property
    def dictionary(self) -> str:
        """Name and version of the dictionary, stored with every reading taken from it."""
        ...

    async def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Cut each text into words; the result has the order and length of `texts`. Empty text gives no words."""
        ...


class Memberships(Protocol):
    """Who belongs to which server, asked of Discord."""

    async def is_member(self, guild: GuildId, user: UserId) -> bool | None:
        """Tell whether the person is in the server; None when Discord could not say."""
        ...

    async def present(self) -> frozenset[GuildId] | None:
        """Return the servers the bot is in; None while Discord has not said."""
        ...


class Embedder(Protocol):
    """Turns texts into directions: the nearer two of them, the more alike the texts. Works in the client's own thread."""

    @property
    def name(self) -> str:
        """What is stored with every vector: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return [n, dimension] rows of length 1 in the order of `texts`, which may be empty.

        No text makes it raise, and a text with nothing to see in it has a row of its own. Few texts at once go ahead
        of many. Raises EmbedderUnavailable when the model failed or was closed.
        """
        ...


class Charts(Protocol):
    """Draws charts. Works in the client's own thread."""

    async def draw(self, chart: Chart) -> bytes:
        """Return the chart as a PNG of 900 pixels across."""
        ...
