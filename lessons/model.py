"""The words of the house: the values that rooms hand to one another, all frozen, none with behaviour of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NewType

if TYPE_CHECKING:
    from datetime import datetime

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
InteractionId = NewType("InteractionId", int)
PackId = NewType("PackId", int)
ItemId = NewType("ItemId", int)
DrillId = NewType("DrillId", int)
ExerciseId = NewType("ExerciseId", int)
AttemptId = NewType("AttemptId", int)
MistakeId = NewType("MistakeId", int)
UploadId = NewType("UploadId", int)
AppealId = NewType("AppealId", int)

BLANK: Final = "[＿＿＿]"
"""How a blank stands in every prompt, whatever the file it came from wrote."""


class Track(StrEnum):
    """The two pools that are never mixed: lesson packs with ground truth, and generated material."""

    LESSON = "lesson"
    EXERCISE = "exercise"


class ItemKind(StrEnum):
    """What an item asks: the filler of a blank, or a word."""

    CLOZE = "cloze"
    VOCAB = "vocab"


class ErrorType(StrEnum):
    """The kind of a mistake, in the terms that teachers use."""

    PARTICLE = "particle"
    CONJUGATION = "conjugation"
    VOCABULARY = "vocabulary"
    WORD_ORDER = "word_order"
    TENSE = "tense"
    POLITENESS = "politeness"
    KANJI_KANA = "kanji_kana"
    MISSING = "missing"
    OTHER = "other"


class Verdict(StrEnum):
    """What became of a typed answer; only WRONG may become a mistake."""

    EXACT = "exact"
    EQUIVALENT = "equivalent"
    RETRY = "retry"
    WRONG = "wrong"
    SKIPPED = "skipped"
    TIMEOUT = "timeout"
    PENDING = "pending"


RIGHT: Final = frozenset({Verdict.EXACT, Verdict.EQUIVALENT})
"""The verdicts that count as right."""


class Remark(StrEnum):
    """What the matcher noticed about an answer; a verdict carries any number of them."""

    USUAL_SPELLING = "usual_spelling"  # right, usually written as `Grade.matched`
    OTHER_ANSWER = "other_answer"  # right: a further accepted answer, not the first one
    IN_KANA = "in_kana"  # right: the reading of the accepted answer
    IN_ROMAJI = "in_romaji"  # right: the reading, typed in Latin letters
    WITH_NEIGHBOURS = "with_neighbours"  # right, with visible text around the blank typed again
    TYPO = "typo"  # right but for small slips in Latin script
    BLANK_ANSWER = "blank_answer"  # retry: nothing left after trimming
    WRONG_SCRIPT = "wrong_script"  # retry: Latin letters where Japanese is asked, or the other way round
    TYPED_BACK = "typed_back"  # retry: the question itself
    MISTYPED_KANA = "mistyped_kana"  # retry: a half-converted input such as たb or k
    ODD_CHARACTERS = "odd_characters"  # retry: characters no answer can hold
    ANOTHER_WORD = "another_word"  # retry: right for another item with the same prompt
    UNSURE_SPELLING = "unsure_spelling"  # retry: sounds right, but the kanji could be another word
    SMALL_KANA = "small_kana"  # wrong: っ, ゃ, ゅ, ょ missing, added or full-sized
    VOICING = "voicing"  # wrong: a voicing mark missing or added
    LONG_VOWEL = "long_vowel"  # wrong: a long vowel short, or a short one long
    KANJI_SLIP = "kanji_slip"  # wrong: the same reading in other kanji


class DiffKind(StrEnum):
    """One stretch of a character diff, seen from the typed answer."""

    SAME = "same"
    EXTRA = "extra"  # typed, not expected
    MISSING = "missing"  # expected, not typed


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A stretch of characters of one kind, in reading order."""

    kind: DiffKind
    text: str


@dataclass(frozen=True, slots=True)
class Grade:
    """A verdict with its grounds.

    `matched` is the accepted answer the typed one was held against (the nearest one when wrong), as the pack writes it.
    `diff` is empty unless the answer is wrong and close.
    """

    verdict: Verdict
    matched: str
    remarks: tuple[Remark, ...] = ()
    diff: tuple[DiffPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """One morpheme of an analysed text; `reading` in hiragana, `pos` the dictionary's part-of-speech levels."""

    surface: str
    reading: str
    normalized: str
    dictionary_form: str
    pos: tuple[str, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text cut into words by the dictionary."""

    text: str
    words: tuple[Word, ...] = ()

    @property
    def reading(self) -> str:
        """The whole text in hiragana, as the dictionary reads it (a guess where a word has several readings)."""
        return "".join(word.reading for word in self.words)


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted answer: as written, folded for look-up, the readings the pack gives it, and the dictionary's words."""

    text: str
    folded: str = ""
    readings: tuple[str, ...] = ()
    analysis: Analysis = field(default_factory=lambda: Analysis(""))


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """All that grading one item needs, as values.

    `siblings` are answers of other items with the same prompt (another word with the same meaning); `taken` says
    that the typed text, folded, is an accepted answer of another item of the pack (then no typing tolerance).
    """

    kind: ItemKind
    prompt: str
    accepted: tuple[Accepted, ...]
    language: str = "ja"
    strict_kana: bool = False
    siblings: tuple[str, ...] = ()
    taken: bool = False


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
    """A stored row: the thing that is drilled, spaced and remembered."""

    id: ItemId
    pack_id: PackId
    row: Row
    accepted: tuple[Accepted, ...]
    part_of_speech: str = ""
    furigana: str = ""

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


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a learner chose in /settings; the defaults are the product's."""

    time_zone: str = "UTC"
    language: str = ""  # of feedback; "" follows the Discord locale
    new_per_day: int = 10
    reviews_per_day: int = 100
    drill_length: int = 10
    furigana: bool = True


@dataclass(frozen=True, slots=True)
class Learner:
    """A person who uses the bot. `zone_chosen` tells a default time zone from a chosen one."""

    id: UserId
    preferences: Preferences = field(default_factory=Preferences)
    zone_chosen: bool = False


class DrillState(StrEnum):
    """Where a drill stands. STOPPED keeps everything and cannot be answered any more."""

    OPEN = "open"
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Drill:
    """One round of exercises of one learner, with its tally so far; `answered` does not count what was skipped."""

    id: DrillId
    user_id: UserId
    guild_id: GuildId | None
    track: Track
    title: str
    state: DrillState
    started_at: datetime
    total: int
    answered: int = 0
    right: int = 0
    skipped: int = 0
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Exercise:
    """One item inside one drill; `position` counts from 1. `verdict` and `typed` are None until it is settled."""

    id: ExerciseId
    drill_id: DrillId
    position: int
    item: Item
    hinted: bool = False
    retried: bool = False
    verdict: Verdict | None = None
    typed: str | None = None
    grade: Grade | None = None
    attempt_id: AttemptId | None = None
    appealed: bool = False


class Rating(StrEnum):
    """What a review tells the spacing: wrong, right after a hint, right."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"


class Learning(StrEnum):
    """FSRS's card states."""

    LEARNING = "learning"
    REVIEW = "review"
    RELEARNING = "relearning"


@dataclass(frozen=True, slots=True)
class Spacing:
    """FSRS's memory of one item for one learner. `stability` in days, `difficulty` 1 to 10, times aware UTC."""

    learning: Learning
    step: int | None
    stability: float | None
    difficulty: float | None
    due: datetime
    last_review: datetime | None


@dataclass(frozen=True, slots=True)
class Submission:
    """A typed answer on its way in; `interaction` makes a repeated delivery harmless."""

    user: UserId
    exercise: ExerciseId
    text: str
    at: datetime
    interaction: InteractionId


@dataclass(frozen=True, slots=True)
class Attempt:
    """A settled answer (or skip) as it is stored."""

    user: UserId
    exercise: ExerciseId
    interaction: InteractionId
    typed: str
    grade: Grade
    hinted: bool
    at: datetime
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class MistakeCard:
    """What is remembered of one wrong answer, self-contained: it survives its pack. `feedback` is canonical English."""

    track: Track
    prompt: str
    reference: str
    typed: str
    error_type: ErrorType
    part_of_speech: str
    feedback: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A stored mistake card. `relabelled` says that the learner set the error type."""

    id: MistakeId
    user_id: UserId
    item_id: ItemId | None
    card: MistakeCard
    at: datetime
    pack_name: str = ""
    relabelled: bool = False


@dataclass(frozen=True, slots=True)
class MistakeFilter:
    """Which mistakes to list; None means all."""

    error_type: ErrorType | None = None
    track: Track | None = None
    contains: str = ""


class AppealState(StrEnum):
    """What became of "I was right"."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Appeal:
    """A learner's "I was right" about one attempt, for the moderators of `guild_id` (None: for the operator)."""

    id: AppealId
    attempt_id: AttemptId
    item_id: ItemId
    guild_id: GuildId | None
    state: AppealState
    prompt: str
    typed: str
    reference: str
    pack_name: str
    at: datetime
    times: int = 1  # how many learners typed this for this item
