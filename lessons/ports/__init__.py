"""What the subject asks of the world around it, as protocols; stores take and give values, and every call names its owner."""

from __future__ import annotations

from lessons.ports.drills import Drills
from lessons.ports.memory import Memories, Memory
from lessons.ports.packs import Packs
from lessons.ports.people import Appeals, Learners, Mistakes
from lessons.ports.world import Charts, Clock, Embedder, Memberships, Tokenizer

__all__ = [
    "Appeals",
    "Charts",
    "Clock",
    "Drills",
    "Embedder",
    "Learners",
    "Memberships",
    "Memories",
    "Memory",
    "Mistakes",
    "Packs",
    "Tokenizer",
]
