"""Sentences about what learners hand the tutor, and about what stands in the way of a study."""

from __future__ import annotations

from typing import Final

from cogs import refusals
from cogs.messages.failures import failure
from cogs.messages.words import listed, when
from cogs.ui.escape import code, safe
from lessons.flows.documenting import EmptyDocument, TooManyDocuments

TEXT_ALONE: Final = "I can read text here and nothing else. Write it out, or copy the text of the file."


def document_name(name: str, limit: int) -> str:
    """Say that a document needs a shorter name."""
    return f"A document's name has at most {limit} characters; {code(name, 60)} has {len(name)}. Nothing was saved."


@failure.register(EmptyDocument)
def _(_: EmptyDocument) -> str:
    return "There is not a word in it, so nothing was saved. Write a few sentences, or send a text file (.txt, .md)."


@failure.register(TooManyDocuments)
def _(error: TooManyDocuments) -> str:
    return f"You have {error.limit} documents, and that is as many as I keep. `/profile forget` makes room; nothing was saved."


@failure.register(refusals.NotATextFile)
def _(error: refusals.NotATextFile) -> str:
    return (
        f"I cannot read {code(error.name)} as a .txt or .md file. Save it as plain text (UTF-8), or paste the text. "
        "Nothing was saved."
    )


@failure.register(refusals.NoRoomForThread)
def _(error: refusals.NoRoomForThread) -> str:
    missing = f" I lack {listed(error.missing)} in this channel." if error.missing else ""
    return f"I cannot open a private thread here.{missing} In direct messages it works without."


@failure.register(refusals.StudyOver)
def _(error: refusals.StudyOver) -> str:
    ended = when(error.at) if error.at else "earlier"
    sentence = f"That study ended {ended}. What came of it is kept; `/study start` begins another."
    return (
        f"{sentence}\n\nYou had written:\n{safe(error.typed, 1500, one_line=False)}"
        if error.typed.strip()
        else sentence
    )


@failure.register(refusals.NoModelHere)
def _(_: refusals.NoModelHere) -> str:
    return (
        "A role-play needs a language model, and this bot has none. `/study start` and `/interview` work without one."
    )


@failure.register(refusals.ClosedMessages)
def _(_: refusals.ClosedMessages) -> str:
    return (
        "I cannot write to you directly: your privacy settings for this server do not let me. Allow direct messages "
        "from its members, or start in a channel where I may open private threads. Nothing was started."
    )
