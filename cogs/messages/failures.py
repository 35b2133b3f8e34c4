"""What went wrong, in a sentence that says what to do about it."""

from __future__ import annotations

from functools import singledispatch
from typing import Final

from cogs import refusals
from cogs.messages.words import lessons_named, listed, when
from cogs.ui.escape import code, safe
from lessons import errors
from lessons.errors import Gone, Refusal

_GONE: Final = {
    Gone.UNKNOWN: "That is no longer here, and nothing was changed. `/drill` starts a new drill.",
    Gone.FOREIGN: "This belongs to somebody else. Start your own with `/drill`.",
    Gone.STOPPED: "This drill was stopped {when}. Everything you did is kept; `/drill` starts a new one.",
    Gone.FINISHED: "This drill was finished {when}. `/drill` starts a new one.",
    Gone.ANSWERED: "You answered this one already, and that answer counts. Press **Next** on the drill, or type `/drill`.",
    Gone.DECIDED: "That was done already; nothing was changed by this press.",
    Gone.SCHEDULE: "That schedule is gone; `/schedule list` shows those that are there.",
    Gone.TIME_UP: "The time for this question was up before that, so nothing was recorded. The race goes on below.",
    Gone.ASKED_ANEW: "This question is asked once more in a moment. Answer it there.",
    Gone.RACE_OVER: "This race is over. `/race` begins a new one.",
    Gone.RACE_UNDER_WAY: "This race is still under way. Press that again when it is over.",
}

_REFUSED: Final = {
    Refusal.TOO_LARGE: "The file has {found:,} bytes; at most {limit:,} are read. Split it into several packs.",
    Refusal.TOO_MANY_ROWS: "The file has more than {limit:,} rows. Split it into several packs.",
    Refusal.TOO_MANY_COLUMNS: "The file has {found} columns; at most {limit} are read. Delete those that are not needed.",
    Refusal.EMPTY: "The file is empty.",
    Refusal.NUL_BYTES: "The file holds NUL bytes, so it is no text file. Save it as CSV (UTF-8) and send it again.",
    Refusal.UNKNOWN_ENCODING: "The text could not be read. Tried: {detail}. Save the file as CSV UTF-8 and send it again.",
    Refusal.MOJIBAKE: "The text comes out garbled (tried: {detail}). Save the file as CSV UTF-8 and send it again.",
    Refusal.ARCHIVE: "This is {detail}, not a CSV file. Export the notes or the sheet as CSV or as plain text first.",
    Refusal.NOT_A_TABLE: "A pack needs two columns, one with the question and one with the answer, separated by commas, "
    "tabs or semicolons. This file has one column; it begins {detail}. `/pack template` shows what a pack looks like.",
    Refusal.MISSING_COLUMNS: "A pack needs two columns, one with the question and one with the answer. Found here: {detail}. "
    "`/pack template` shows what a pack looks like.",
    Refusal.UNBALANCED_QUOTE: "A quotation mark opened in line {found} is never closed. Close it and send the file again.",
    Refusal.NO_ROWS: "There are no rows below the header. `/pack template` shows what a pack looks like.",
}


NOT_TAKEN: Final = (
    "Discord did not take my reply just now. What you answered is kept; press once more, or begin with `/drill` again, "
    "and you will see it."
)
"""A reply that was ready, and that Discord did not show."""


def unexpected(reference: str) -> str:
    """Say that something broke on our side."""
    return (
        "Something went wrong on my side. What you did before is kept; please try once more. "
        f"If it happens again, tell the operator this reference: `{reference}`."
    )


@singledispatch
def failure(error: Exception) -> str:
    """Say what an error means for the person and what to do about it."""
    return f"That did not work ({type(error).__name__})."


@failure.register
def _(_: errors.DamagedDatabase) -> str:
    return (
        "My notebook is damaged, so I write nothing into it until the operator has mended it. What you did before is "
        "in a backup; what you sent just now was not kept."
    )


@failure.register
def _(error: errors.PressLeadsNowhere) -> str:
    return _GONE[error.why].format(when=when(error.at) if error.at else "earlier")


@failure.register
def _(_: errors.RaceUnderWay) -> str:
    return (
        "A race is under way in this channel. Join it with **Answer**, or begin one in another channel.\n"
        "**Next** goes on in one without a time limit, for whoever answered. **Stop** ends it, for whoever began it or "
        "may manage messages or this server."
    )


@failure.register
def _(error: errors.NotTheirRace) -> str:
    if error.stop:
        return "Only the one who began this race, or somebody who may manage messages here or this server, can stop it."
    return (
        "The next question comes when somebody who answered this one asks for it. Answer it first, then press **Next**."
    )


@failure.register
def _(error: errors.NothingMissed) -> str:
    if error.took_part:
        return "You missed nothing in this race. That leaves nothing to drill; `/drill` has more."
    return (
        "You did not answer in this race, so there is nothing of yours to drill. `/drill` starts a drill of your own."
    )


@failure.register
def _(error: errors.UnreadableFile) -> str:
    quoted = error.reason in {Refusal.NOT_A_TABLE, Refusal.MISSING_COLUMNS}
    detail = code(error.detail, 100) if quoted else safe(error.detail, 200)
    sentence = _REFUSED[error.reason].format(detail=detail, found=error.found, limit=error.limit)
    return f"{sentence}\n-# Nothing was loaded."


@failure.register
def _(error: errors.EmptyPack) -> str:
    return f"Not one row of {code(error.file_name)} can be used. Nothing was loaded."


@failure.register
def _(error: errors.UnknownPack) -> str:
    known = f" There are: {listed(error.known)}." if error.known else " There are no packs of that kind here yet."
    return f"There is no pack called {code(error.name)}.{known}"


@failure.register
def _(error: errors.StarterPack) -> str:
    return f"Starter packs cannot be removed, and {code(error.name)} is one. Nothing was changed."


@failure.register
def _(error: errors.NothingMatches) -> str:
    named = lessons_named(error.known)
    there = "There is only lesson" if len(list(filter(None, error.known))) == 1 else "There are lessons"
    known = f" {there} {named}." if named else ""
    return f"Nothing matches {code(error.lessons)}.{known}" if error.lessons else "This pack has nothing to drill."


@failure.register
def _(error: errors.BadRange) -> str:
    trouble = "That range is too long." if error.too_long else f"I cannot read {code(error.text)} as lessons."
    return f"{trouble} Write lessons like `34-38`, `3, 5-7`, or by their name."


@failure.register
def _(error: errors.NoPacks) -> str:
    return "There is nothing to drill here yet. A moderator can load a pack with `/pack load`."


@failure.register
def _(error: errors.UnknownTimeZone) -> str:
    near = f" Did you mean {listed(error.near)}?" if error.near else ""
    return (
        f"I do not know the time zone {code(error.name)}.{near} "
        "Write the name of a big city, `Asia/Tokyo`, or an offset such as `UTC+9`."
    )


@failure.register
def _(_: errors.PostRefused) -> str:
    return "I may not post there. Let me see the channel, send messages and attach files in it; then try again."


@failure.register
def _(_: errors.PostFailed) -> str:
    return "Discord did not take that just now. Nothing is lost; please try again in a minute."


@failure.register
def _(error: errors.UnknownTime) -> str:
    return f"I cannot read {code(error.text, 40)} as a time of day. Write it like `7:30`, `19:00` or `7pm`."


@failure.register
def _(_: errors.NothingWritten) -> str:
    return "There is nothing to read in that. Write a word or more, and send it again."


@failure.register
def _(error: errors.TextTooLong) -> str:
    return f"That has {error.found:,} characters; at most {error.limit:,} fit. Nothing was saved."


@failure.register
def _(error: errors.UnusableName) -> str:
    if not error.name:
        return f"A pack's name needs 1 to {error.limit} characters. Nothing was loaded."
    return f"A pack's name needs 1 to {error.limit} characters; {code(error.name, 80)} has {len(error.name)}."


@failure.register
def _(_: errors.Forgotten) -> str:
    return (
        "This was begun before you had me delete everything of yours, so nothing of it was kept. `/drill` starts anew."
    )


@failure.register
def _(_: errors.StorageFull) -> str:
    return "Saving failed because the disk is full. Nothing you did before is lost; please try again in a few minutes."


@failure.register
def _(_: errors.StorageBusy) -> str:
    return "Too much is being saved at this moment. Nothing is lost; please try again in a few seconds."


@failure.register
def _(_: errors.StorageReadOnly) -> str:
    return "Saving failed because the data folder cannot be written. Nothing is lost; the operator needs to look at it."


@failure.register
def _(_: refusals.StalePress) -> str:
    return "This is from an older version of me and does nothing any more. Start again with `/drill`."


@failure.register
def _(error: refusals.NotAllowed) -> str:
    return f"You need the permission **{error.needed}** in this server for that. Nothing was changed."


@failure.register
def _(_: refusals.AnothersData) -> str:
    return "This card is somebody else's, and nothing was deleted. `/mydata delete` asks about your own data."


@failure.register
def _(_: refusals.ServerOnly) -> str:
    return "That works in a server only, since packs, feeds and articles belong to a server."


@failure.register
def _(error: refusals.NoRoomForRace) -> str:
    missing = " and ".join(f"**{name}**" for name in error.missing)
    return f"I cannot hold a race here: I lack {missing} in this channel. Ask a moderator, or try another channel."


@failure.register
def _(_: refusals.Restarting) -> str:
    return "I am restarting. Everything is kept; please press again in half a minute."


@failure.register
def _(error: refusals.AttachmentTooLarge) -> str:
    return f"The file has {error.found:,} bytes; at most {error.limit:,} are read. Split it into several. Nothing was loaded."


@failure.register
def _(_: refusals.AttachmentLost) -> str:
    return "Discord did not hand over the file. Nothing was loaded; please send it again."
