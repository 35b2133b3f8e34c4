"""Lesson files and what becomes of them: rows, problems, items, packs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import Accepted, ErrorType, ItemKind
    from lessons.model.ids import GuildId, ItemId, PackId, UploadId, UserId
    from lessons.model.news import Clipping


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a lesson file, cleaned: the blank stands as BLANK, `answers[0]` is the one shown.

    `key` is the row's identity inside its pack: its own id where the file has one, else prompt and answer.
    `reading` is the kana reading of the answer ("" when the file gives none; several are joined by "|").
    """

    key: str
    line: int
    lesson: str
    kind: ItemKind
    prompt: str
    answers: tuple[str, ...]
    reading: str = ""
    meaning: str = ""
    hint: str = ""
    explanation: str = ""
    skill: ErrorType | None = None
    tags: tuple[str, ...] = ()


class ProblemKind(StrEnum):
    """Why a row of a lesson file cannot be used, or what the moderator should know about it."""

    NO_PROMPT = "no_prompt"
    NO_ANSWER = "no_answer"
    NO_BLANK = "no_blank"
    SEVERAL_BLANKS = "several_blanks"
    ANSWER_NOT_IN_SENTENCE = "answer_not_in_sentence"
    PROMPT_TOO_LONG = "prompt_too_long"
    CELL_TOO_LONG = "cell_too_long"
    TOO_MANY_ANSWERS = "too_many_answers"
    UNKNOWN_TYPE = "unknown_type"
    UNKNOWN_SKILL = "unknown_skill"
    DUPLICATE = "duplicate"
    CONTROL_CHARACTER = "control_character"
    EXTRA_CELLS = "extra_cells"
    UNBALANCED_QUOTE = "unbalanced_quote"
    PROMPT_SHOWS_ANSWER = "prompt_shows_answer"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a lesson file, where it is (1-based line, column name) and the facts its sentence needs."""

    line: int
    column: str
    kind: ProblemKind
    found: str = ""
    limit: int = 0
    fatal: bool = True  # the row is left out; otherwise it is kept and this is a warning


class Source(StrEnum):
    """The shape a lesson file was recognised as."""

    NATIVE = "native"
    KOTOBA = "kotoba"
    ANKI = "anki"
    JLPT = "jlpt"
    WORD_LIST = "word_list"
    SENTENCES = "sentences"
    PAIRS = "pairs"
    GUESSED = "guessed"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the reader made of one file. `guessed` says that the header was unknown, so the columns need a look."""

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    source: Source
    encoding: str
    delimiter: str
    columns: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A row with what the dictionary adds, ready to be stored. `furigana` is the prompt as 漢字(かんじ), or ""."""

    row: Row
    accepted: tuple[Accepted, ...]
    part_of_speech: str = ""
    furigana: str = ""
    dictionary: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A stored row: the thing that is drilled, spaced and remembered. One made from news has its `clipping`."""

    id: ItemId
    pack_id: PackId
    row: Row
    accepted: tuple[Accepted, ...]
    part_of_speech: str = ""
    furigana: str = ""
    clipping: Clipping | None = None

    @property
    def answer(self) -> str:
        """The accepted answer that is shown."""
        return self.row.answers[0]


@dataclass(frozen=True, slots=True)
class PackHead:
    """What is said of a pack as a whole when it is saved. `digest` names the state of a shipped file, "" otherwise."""

    name: str
    guild_id: GuildId | None
    language: str = "ja"
    strict_kana: bool = False
    title: str = ""
    digest: str = ""
    saved_by: UserId | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A lesson pack. `guild_id` is None for a starter pack, which everybody has. Times are aware UTC."""

    id: PackId
    name: str
    guild_id: GuildId | None
    language: str
    strict_kana: bool
    items: int
    updated_at: datetime
    title: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class PackChange:
    """What loading a file did to a pack, in rows."""

    pack: Pack
    added: int
    updated: int
    unchanged: int
    removed: int


@dataclass(frozen=True, slots=True)
class Upload:
    """A file a moderator sent, held until it is confirmed or cancelled."""

    id: UploadId
    guild_id: GuildId
    user_id: UserId
    pack_name: str
    language: str
    strict_kana: bool
    file_name: str
    data: bytes
    at: datetime
