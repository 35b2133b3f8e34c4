"""News from the web: fetched from public addresses, read in a process of its own; loads no parser itself."""

from __future__ import annotations

from bot.clients.news.addresses import Policy
from bot.clients.news.fetcher import HttpFetcher, Limits
from bot.clients.news.reader import ProcessReader
from bot.clients.news.stoplists import JustextStoplists

__all__ = ["HttpFetcher", "JustextStoplists", "Limits", "Policy", "ProcessReader"]
