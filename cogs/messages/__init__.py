"""Every sentence of the interface, in English; facts from people and files go through `safe` on their way in."""

from __future__ import annotations

from cogs.messages.failures import NOT_TAKEN, failure, unexpected
from cogs.messages.greetings import PRACTICE_NOTE, greeting
from cogs.messages.news import LANGUAGES, language_name, page_trouble, trouble, unopened
from cogs.messages.pauses import paused, resumed
from cogs.messages.schedules import days_named, latest_named, pause_named, rule_named
from cogs.messages.tutoring import TEXT_ALONE, document_name  # its sentences join those of `failure`
from cogs.messages.words import counted, lacking, lessons_named, listed, past, permission, when

__all__ = [
    "LANGUAGES",
    "NOT_TAKEN",
    "PRACTICE_NOTE",
    "TEXT_ALONE",
    "counted",
    "days_named",
    "document_name",
    "failure",
    "greeting",
    "lacking",
    "language_name",
    "latest_named",
    "lessons_named",
    "listed",
    "page_trouble",
    "past",
    "pause_named",
    "paused",
    "permission",
    "resumed",
    "rule_named",
    "trouble",
    "unexpected",
    "unopened",
    "when",
]
