"""Every sentence of the command line that is not help: what is wrong at start-up, and what to do about it."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bot.health import HealthPortTaken
    from bot.settings import Problem
    from lessons.errors import AlteredDatabase, DamagedDatabase, DataFolderTaken, EmbedderUnavailable, NewerDatabase
    from lessons.model import Erased, Holdings, UserId
    from storage.restoring import DatabaseThere, NoBackup, Restored, UnusableBackup

LOGIN_REFUSED: Final = (
    "Discord refused the token in DISCORD_TOKEN: it was reset or belongs to nothing; "
    "copy the present one (developer portal, your application, Bot, Reset Token)."
)
INTENT_REFUSED: Final = (
    "Discord did not grant the message content intent: turn it on (developer portal, your application, Bot, "
    "Message Content Intent), or set MESSAGE_CONTENT=off."
)
DISCORD_UNREACHABLE: Final = (
    "Discord cannot be reached: check the network, the proxy and the clock of this machine, then start again."
)
DISCORD_TROUBLED: Final = "Discord is in trouble or turned this machine away for now: start again in a few minutes."
DATABASE_BUSY: Final = "The database is busy: another program holds it; try again in a moment."
DISK_FULL: Final = "The disk of the data folder is full: make room, then start again; nothing stored is lost."
SPELLING_ONLY: Final = "No model is on this disk, so similar mistakes are found by their spelling alone"
NO_DICTIONARY: Final = (
    "The Japanese dictionary does not load: install Kizuki anew, with SudachiPy and SudachiDict-core "
    "(pip install --force-reinstall .)."
)
ANOTHER_FOLDER: Final = "choose another folder (KIZUKI_DATA; for the demo --keep)"
ENVIRONMENT_FILE: Final = ".env"
NO_INTENT_NEEDED: Final = "intents: none that Discord has to grant"
INTENT_NEEDED: Final = (
    "intents: MESSAGE_CONTENT is on, so Message Content Intent must be on as well "
    "(developer portal, your application, Bot); only Discord knows whether it is"
)
UNEXPECTED: Final = "Kizuki stopped because of a fault of its own; the lines above tell where. Nothing stored is lost."
STOPPING: Final = "Stopping: answers under way get {seconds} seconds to finish; a second signal ends at once."
STOPPED: Final = "Stopped."
NO_HEALTH_PORT: Final = "There is no health page: set HEALTH_PORT, for example to 8642, and start the bot with it."

NO_JUDGE: Final = (
    "judge: none, since ANTHROPIC_API_KEY is not set: the rules decide, and /news asks what one filler fits"
)


def say(sentence: str) -> None:
    """Tell the person at the terminal; in the log it would drown."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def settings_wrong(problems: Sequence[Problem]) -> str:
    """List every problem of the settings."""
    head = "One setting cannot be used:" if len(problems) == 1 else f"{len(problems)} settings cannot be used:"
    more = "`kizuki check` looks at everything else, too."
    unread = any(problem.name == ENVIRONMENT_FILE for problem in problems)  # check cannot get past that either
    return "\n".join([head, *(f"  {problem}" for problem in problems), *([] if unread else [more])])


def embedder_unavailable(error: EmbedderUnavailable) -> str:
    """Say why an embedder cannot be used, and what else there is."""
    absent = "kizuki[e5]" in error.reason
    remedy = "`pip install '.[e5]'` brings it" if absent else "`kizuki fetch-model` downloads the model"
    remedy += "; with EMBEDDER=auto the best embedder on this disk is taken."
    return f"The embedder {error.kind} cannot be used, because {error.reason}: {remedy}"


def folder_taken(error: DataFolderTaken) -> str:
    """Name the process that works there."""
    who = f"process {error.pid}" if error.pid else "another process"
    return f"The data folder {error.path} is in use by {who}: stop it first, or {ANOTHER_FOLDER}."


def folder_read_only(path: Path | str) -> str:
    """Say that nothing can be written there."""
    return f"The data folder {path} cannot be written: give this user the right to, or {ANOTHER_FOLDER}."


def folder_unusable(path: Path | str, reason: str) -> str:
    """Say why there cannot be a folder there."""
    return f"The data folder {path} cannot be used ({reason}): fix that, or {ANOTHER_FOLDER}."


def folder_no_folder(path: Path | str) -> str:
    """Say that there is a file where the folder should be."""
    return f"{path} is a file where a folder should be: move it away, or {ANOTHER_FOLDER}."


def folder_unmakeable(path: Path | str) -> str:
    """Say that there cannot be a folder of that name."""
    return f"The data folder {path} cannot be made there: {ANOTHER_FOLDER}."


def database_newer(error: NewerDatabase) -> str:
    """Refuse to touch the database of a newer release."""
    return (
        f"The database {error.path} was written by a newer Kizuki (version {error.found}, this one knows {error.known}): "
        "install that release again, or put back a backup from before (`kizuki restore FILE --replace`)."
    )


def database_damaged(error: DamagedDatabase, sound: str) -> str:
    """Name the damage and the way back; `sound` is the newest backup that passes its check, "" when none does."""
    remedy = _way_back(error.backups, sound)
    return f"The database {error.path} is damaged ({error.finding}): {remedy}; nothing was changed."


def database_altered(error: AlteredDatabase, sound: str) -> str:
    """Name both ways out of a change that nobody here made; `sound` as above."""
    return (
        f"The database {error.path} is not as Kizuki left it: something changed bytes of it since then, though its "
        f"structure is sound. If that was you, remove {error.seal} and start again; if not, the disk may be failing: "
        f"{_way_back(error.backups, sound)}; nothing was changed."
    )


def _way_back(backups: Sequence[str], sound: str) -> str:
    if not sound:
        none = f"none of the {len(backups)} backups of it passes its check" if backups else "there is no backup of it"
        return f"move it away to start anew ({none})"
    return (
        f"`kizuki restore {sound} --replace` puts back the newest backup that is sound, and sets the present file aside"
    )


def port_taken(error: HealthPortTaken) -> str:
    """Name the setting that chooses another port."""
    return f"Port {error.port} of 127.0.0.1 is in use: choose another with HEALTH_PORT, or leave it out."


def no_backup(error: NoBackup) -> str:
    """Say that there is nothing to put back, and perhaps that the folder is a wrong one."""
    nor = "" if error.database else ", and no database in the data folder"
    return f"There is no backup at {error.path}{nor}: name a file, or choose the data folder with KIZUKI_DATA."


def backup_unusable(error: UnusableBackup) -> str:
    """Say why a file is not put back."""
    other = f"`kizuki restore {error.instead} --replace` puts back the newest that is sound" if error.instead else ""
    return (
        f"{error.path} is not put back, because {error.finding}: {other or 'name another backup'}; nothing was changed."
    )


def database_there(error: DatabaseThere) -> str:
    """Say how to replace what is there."""
    return (
        f"There is a database already, {error.path}: with --replace it is set aside, not lost, and the backup takes its "
        "place; nothing was changed."
    )


def backed_up(path: Path, size: int, seconds: float) -> str:
    """Name the copy."""
    return f"Backed up, checked and sealed in {seconds:.1f} s: {path} ({size:,} bytes)."


def restored(what: Restored, held: str) -> str:
    """Say what was done; `held` is the moment that the backup holds, "" when its name does not tell."""
    lines = [f"Put back: {what.source}" + (f", which holds {held}" if held else "") + f" (version {what.version})."]
    if what.aside is not None:
        lines.append(f"The database that was there is now {what.aside}; remove it once you do not need it any more.")
    lines.append(
        "Learners who erased their data after that moment are in this backup again: erase them anew. "
        "Next: `kizuki check`, then `kizuki run`."
    )
    return "\n".join(lines)


def nobody(user: UserId) -> str:
    """Say that there is nothing to erase."""
    return f"Nothing is kept of user {user}."


def would_forget(user: UserId, held: Holdings) -> str:
    """Tell what would go, and how."""
    return f"Of user {user} there are: {_listed(held)}. With --yes all of it is erased for good; nothing was changed."


def forgotten(user: UserId, erased: Erased, backups: int) -> str:
    """Tell what went, and where something of it may still be."""
    lines = [f"Erased of user {user}: {_listed(erased.held)}."]
    if erased.rooms or erased.cards:
        lines.append(
            f"What stands in Discord was not touched: {len(erased.rooms)} threads of open studies, and "
            f"{len(erased.cards)} cards on which the name may stand; remove there what should go."
        )
    if backups:
        lines.append(f"The backups that are there ({backups}) hold it still, until newer ones have taken their place.")
    return "\n".join(lines)


def _listed(held: Holdings) -> str:
    """List what there is of a person; what merely names them stays with its server, without them."""
    counted = {field.name: getattr(held, field.name) for field in fields(held)}
    words = {"profile_lines": "profile lines", "turns": "tutor messages", "traces": "rows of servers that name them"}
    return ", ".join(f"{words.get(name, name)} ({number:,})" for name, number in counted.items() if number)


def no_simulator(module: str) -> str:
    """Name the way to the packages that a plain installation leaves out."""
    return f"The demo needs packages of its own ({module} is missing): use `make demo`, or pip install '.[demo]'."


def disk_short(free: int, needed: int) -> str:
    """Say how much room is missing; both in MiB."""
    return (
        f"The disk of the data folder has {free} MiB free where {needed} MiB should be: "
        "make room, or set KIZUKI_DATA to a folder on another disk."
    )


def checked(wrong: int) -> str:
    """Sum up a check."""
    if not wrong:
        return "Nothing stands in the way of `kizuki run`."
    return f"{wrong} thing{'s' if wrong > 1 else ''} to fix before `kizuki run`."


def behind(version: int, known: int) -> str:
    """Say that a database has to be brought up to date before it can be reported on."""
    return (
        f"The database is of an earlier release (version {version}, this one works with {known}): "
        "start the bot once, which brings it up to date."
    )


def spent_today(spent: float, budget: float, *, near: bool) -> str:
    """Say how much of today's budget is spent, both in dollars."""
    part = f"{100 * spent / budget:.0f} %" if budget else "no budget"
    head = f"today (UTC): ${spent:,.2f} of ${budget:,.2f} (KIZUKI_BOT_CENTS), {part}"
    return f"{head}: nearly spent; at the limit the rules decide" if near else head


def judge_off(why: str) -> str:
    """Say which setting keeps the model from judging, though there may be a key."""
    return f"judge: off, since {why}: the rules decide"


def no_health(port: int) -> str:
    """Say that nobody answers for the bot."""
    return f"No bot answers on port {port} of 127.0.0.1 (HEALTH_PORT): it does not run, starts, or is stuck."


def no_database(folder: Path | str) -> str:
    """Say that nothing was ever kept in a folder."""
    return (
        f"There is no database in {folder} (KIZUKI_DATA): name the data folder; the bot makes one at its first start."
    )


def judge(model: str, cents: int) -> str:
    """Say who judges, and for how much."""
    return f"judge: {model}, for ${cents / 100:.2f} a day at most; only its provider knows whether the key is valid"
