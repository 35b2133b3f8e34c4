"""What reaches outside the process, or works in a thread or a process of its own: opened together, closed together."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.clients.charts import MatplotlibCharts
from bot.clients.embedders import choose
from bot.clients.model import ClaudeModel
from bot.clients.news import HttpFetcher, ProcessReader
from bot.clients.tokenizer import SudachiTokenizer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.clients.embedders import LocalEmbedder
    from bot.clients.news.addresses import Policy
    from bot.settings import Settings
    from lessons.ports import Clock


@dataclass(frozen=True, slots=True)
class Clients:
    """What reaches outside the process, or works in a thread or a process of its own."""

    tokenizer: SudachiTokenizer
    embedder: LocalEmbedder
    charts: MatplotlibCharts
    fetcher: HttpFetcher
    reader: ProcessReader
    model: ClaudeModel | None


@asynccontextmanager
async def open_clients(settings: Settings, clock: Clock, policy: Policy | None) -> AsyncIterator[Clients]:
    """Open what works beside the database; heavy things are loaded now, so that no learner waits for them."""
    async with AsyncExitStack() as stack:
        tokenizer = SudachiTokenizer()
        stack.callback(tokenizer.close)
        await tokenizer.start()
        embedder = await choose(settings.embedder, settings.embedding_model)
        stack.callback(embedder.close)
        charts = MatplotlibCharts()
        stack.callback(charts.close)
        fetcher = HttpFetcher(settings.contact, policy, clock=clock)
        stack.push_async_callback(fetcher.close)
        reader = ProcessReader()
        stack.push_async_callback(reader.close)
        model = model_of(settings, clock)
        if model is not None:
            stack.push_async_callback(model.close)
            await model.start()
        yield Clients(tokenizer, embedder, charts, fetcher, reader, model)


def model_of(settings: Settings, clock: Clock) -> ClaudeModel | None:
    """Return the client of the language model, None where none is set up or allowed."""
    if not (settings.llm_enabled and settings.api_key):
        return None
    return ClaudeModel(
        settings.api_key,
        base_url=settings.api_url,
        grader=settings.grader_model,
        tutor=settings.tutor_model,
        clock=clock,
    )
