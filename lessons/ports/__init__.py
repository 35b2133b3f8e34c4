"""What the subject asks of the world around it, as protocols; stores take and give values, and every call names its owner."""

from __future__ import annotations

from lessons.ports.drills import Drills
from lessons.ports.groups import Groups
from lessons.ports.memory import Memories, Memory
from lessons.ports.model import Judgements, LanguageModel, Usage
from lessons.ports.news import Articles, Feeds, Fetcher, Reader, Stoplists
from lessons.ports.packs import Packs
from lessons.ports.people import Appeals, Learners, Mistakes
from lessons.ports.schedules import Outbox, Schedules
from lessons.ports.tutoring import Documents, Profiles, Studies
from lessons.ports.world import Charts, Clock, Embedder, Memberships, Tokenizer

__all__ = [
    "Appeals",
    "Articles",
    "Charts",
    "Clock",
    "Documents",
    "Drills",
    "Embedder",
    "Feeds",
    "Fetcher",
    "Groups",
    "Judgements",
    "LanguageModel",
    "Learners",
    "Memberships",
    "Memories",
    "Memory",
    "Mistakes",
    "Outbox",
    "Packs",
    "Profiles",
    "Reader",
    "Schedules",
    "Stoplists",
    "Studies",
    "Tokenizer",
    "Usage",
]
