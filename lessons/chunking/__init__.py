"""Documents of a learner as the tutor recalls them: cut into whole sentences, framed, asked for, and admitted or not."""

from __future__ import annotations

from lessons.chunking.cutting import LONGEST, SIZE, chunks, sentences
from lessons.chunking.framing import FRAME_VERSION, framed, query_of
from lessons.chunking.guarding import MOST, PARTS, Guard, admitted, file_name, parts, scores, shipped

__all__ = [
    "FRAME_VERSION",
    "LONGEST",
    "MOST",
    "PARTS",
    "SIZE",
    "Guard",
    "admitted",
    "chunks",
    "file_name",
    "framed",
    "parts",
    "query_of",
    "scores",
    "sentences",
    "shipped",
]
