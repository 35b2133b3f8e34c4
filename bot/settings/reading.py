"""One pass over an environment: usable values, and everything that is wrong with those given, without a secret in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING, Final

from bot.settings.values import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX: Final = "KIZUKI_"
PROVIDER: Final = "ANTHROPIC_"
_ALIKE: Final = 0.65
"""From here on a name is taken for a slip: KEY for API_KEY is 0.67, and of the library's own names the nearest 0.59."""
_SWITCHES: Final = {
    "on": True,
    "yes": True,
    "true": True,
    "1": True,
    "off": False,
    "no": False,
    "false": False,
    "0": False,
}
_KEY_SHAPE: Final = re.compile(r"(?<![a-z0-9])sk-(?:ant|proj|[\w-]{16})", re.IGNORECASE)
_USER: Final = re.compile(r"[^/?#]*//[^/]*@")
"""An address with a user name or a password in it."""
_MODEL: Final = re.compile(r"[\w.:/@-]+", re.ASCII)
_ADDRESS: Final = re.compile(
    r"https?://[a-z0-9._-]+(:[0-9]{1,5})?(/[\w./~-]*)?|https?://\[[0-9a-f:.]+\](:[0-9]{1,5})?(/[\w./~-]*)?", re.I | re.A
)
_VERSION: Final = re.compile(r"/v1(/messages)?/*$")
TOKEN_SHAPE: Final = re.compile(r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{20,}", re.ASCII)
_RESET: Final = "Copy the token again (developer portal, your application, Bot, Reset Token)."
_SECRET_LENGTH: Final = 24
_SECRET_FILE_LIMIT: Final = 4096


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: the variable, what was found (of a secret its shape alone), and what to do."""

    name: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.name}: {self.found}. {self.remedy}"


class Reading:
    """One pass over an environment: each question returns a usable value and notes what was wrong with the one given."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.problems: list[Problem] = []

    def note(self, name: str, found: str, remedy: str) -> None:
        """Note one thing that is wrong."""
        self.problems.append(Problem(name, found, remedy))

    def _given(self, name: str) -> str:
        return self._environ.get(name, "").strip()

    def switch(self, name: str, *, usual: bool) -> bool:
        """Return whether something is on."""
        given = self._given(name)
        if given and given.lower() not in _SWITCHES:
            self.note(name, f"found {shown(given)}", "Write on or off.")
        return _SWITCHES.get(given.lower(), usual)

    def choice(self, name: str, choices: tuple[str, ...], usual: str) -> str:
        """Return one of several words, however it is capitalised."""
        given = {choice.lower(): choice for choice in choices}.get(self._given(name).lower(), "")
        if given:
            return given
        if self._given(name):
            self.note(name, f"found {shown(self._given(name))}", f"Write one of {', '.join(choices)}.")
        return usual

    def number(self, name: str, allowed: range, usual: int) -> int:
        """Return a whole number within bounds."""
        given = self._given(name)
        if not given:
            return usual
        if re.fullmatch(r"[0-9]{1,18}", given) and int(given) in allowed:
            return int(given)
        self.note(
            name, f"found {shown(given)}", f"Write a whole number from {allowed[0]} to {allowed[-1]}, digits only."
        )
        return usual

    def line(self, name: str, limit: int) -> str:
        """Return one line of text, "" where none is given."""
        given = self._given(name)
        if is_secret(given):
            self.note(name, f"looks like a key or a token: found {shape(given)}", "Take it out, it belongs elsewhere.")
            return ""
        if len(given) <= limit and len(given.splitlines()) <= 1:
            return given
        self.note(
            name,
            f"found {_counted(len(given), 'character')} on {_counted(len(given.splitlines()), 'line')}",
            f"Write one line of at most {limit} characters.",
        )
        return ""

    def folder(self, name: str, usual: Path) -> Path:
        """Return a folder, which need not be there yet."""
        given = self._given(name)
        if not given:
            return usual
        if is_secret(given) or "://" in given:
            self.note(name, f"looks like an address, a key or a token: found {shape(given)}", "Name a folder.")
            return usual
        try:
            folder = Path(given).expanduser()
            if S_ISDIR(folder.stat().st_mode):
                return folder
            found = "is a file"
        except FileNotFoundError:
            return folder
        except (OSError, RuntimeError, ValueError):
            found = "cannot be a folder"
        self.note(name, f"{shown(given)} {found}", "Name a folder that exists, or that can be made.")
        return usual

    def token(self) -> str:
        """Return the bot's token, from the variable or the file that another names."""
        given, origin = self._secret("DISCORD_TOKEN", needed=True)
        if not given or TOKEN_SHAPE.fullmatch(given):
            return given
        self.note(origin, f"does not look like a bot token: found {shape(given)}", _token_remedy(given))
        return ""

    def key(self, name: str) -> str:
        """Return an API key, "" where none is set."""
        given, origin = self._secret(name, needed=False)
        if re.fullmatch(r"[!-~]*", given) and not given.startswith(('"', "'")):
            return given
        self.note(origin, f"does not look like a key: found {shape(given)}", "Copy the key again, alone on its line.")
        return ""

    def model(self, name: str, limit: int, usual: str) -> str:
        """Return the name of a language model."""
        given = self._given(name)
        if not given:
            return usual
        if is_secret(given) or given.lower().startswith("sk-"):
            self.note(name, f"looks like a key: found {shape(given)}", f"Write a model such as {usual} there.")
        elif len(given) > limit or not _MODEL.fullmatch(given):
            self.note(
                name, f"is no name of a model: found {shape(given)}", f"Write one such as {usual}, without spaces."
            )
        else:
            return given
        return usual

    def address(self, name: str) -> str:
        """Return the address of a server, "" where none is set. Whatever is wrong about one, none of it is repeated."""
        given = self._given(name)
        if not given:
            return ""
        if _USER.match(given):
            found, remedy = "has a user name or a password in it", "Write the address without a user name."
        elif is_secret(given) or given.lower().startswith("sk-"):
            found, remedy = (
                "has a key in it",
                "Write the address of a server alone; the key goes into ANTHROPIC_API_KEY.",
            )
        elif not _ADDRESS.fullmatch(given):
            found, remedy = "is no address of a server", "Write one such as https://example.org, without a user name."
        elif version := _VERSION.search(given):
            found, remedy = (
                f"ends in {version[0].rstrip('/')}",
                f"Leave out {version[0].rstrip('/')}, which is added by itself.",
            )
        else:
            return given
        self.note(name, f"{found} ({shape(given)})", remedy)
        return ""

    def _secret(self, name: str, *, needed: bool) -> tuple[str, str]:
        """Return a secret and the variable it came from; "" with a problem noted when there is none to be had."""
        path = self._given(f"{name}_FILE")
        if path and self._given(name):
            self.note(name, f"both {name} and {name}_FILE are set", "Keep one of the two.")
            return "", name
        if path:
            return self._secret_file(f"{name}_FILE", path), f"{name}_FILE"
        if needed and not self._given(name):
            others = [other for other in ("DISCORD_BOT_TOKEN", "BOT_TOKEN", "TOKEN") if self._given(other)]
            hint = (
                f"Rename {others[0]} to {name}."
                if others
                else f"Put {name}=... into .env or the environment, or name a file with {name}_FILE; `kizuki demo` needs none."
            )
            self.note(name, "not set", hint)
        return self._given(name), name

    def _secret_file(self, name: str, path: str) -> str:
        kind = "token" if "TOKEN" in name else "key"
        try:
            with Path(path).expanduser().open(encoding="utf-8-sig") as file:
                content = file.read(_SECRET_FILE_LIMIT).strip()
        except (OSError, RuntimeError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else "") or "not a readable text file"
            self.note(
                name,
                f"{shown(path)} cannot be read ({reason})",
                f"Name a text file that holds nothing but the {kind} and that this user may read.",
            )
            return ""
        if not content:
            self.note(name, f"{shown(path)} is empty", f"Put the {kind} into that file, alone on its line.")
        return content

    def misspelt(self) -> None:
        """Note the variables that were surely meant for Kizuki and that it does not know."""
        known = {doc.name.removeprefix(PREFIX): doc.name for doc in SETTINGS}
        for name in sorted(self._environ):
            bare = name.upper().removeprefix(PREFIX)
            if name in known.values():
                continue
            if bare != name.upper():
                near = get_close_matches(bare, known, n=1)
                remedy = (
                    f"Did you mean {known[near[0]]}?" if near else "Remove it; `kizuki check --help` lists them all."
                )
                self.note(name, "no such setting", remedy)
            elif meant := _meant(name.upper()):
                self.note(name, "no such setting", f"Did you mean {meant}?")


def _meant(name: str) -> str:
    """Return the setting of the model that a name is a slip of; "" for the others that the model's library knows.

    Those end as ours do, with the name of a cloud before it: ANTHROPIC_VERTEX_BASE_URL.
    """
    bare = name.removeprefix(PROVIDER)
    ours = {doc.name.removeprefix(PROVIDER): doc.name for doc in SETTINGS if doc.name.startswith(PROVIDER)}
    if bare == name or bare.endswith(tuple(f"_{own}" for own in ours)):
        return ""
    joined = {own.replace("_", ""): full for own, full in ours.items()}
    near = get_close_matches(bare.replace("_", ""), joined, n=1, cutoff=_ALIKE)
    return joined[near[0]] if near else ""


def shape(secret: str) -> str:
    """Describe a secret without a character of it: its length, its dots, and what surely does not belong into it."""
    dots = secret.count(".")
    parts = [_counted(len(secret), "character"), _counted(dots, "dot") if dots else "no dots"]
    if any(character.isspace() for character in secret):
        parts.append("with spaces or line breaks")
    if any(character in "\"'" for character in secret):
        parts.append("with quotation marks")
    return ", ".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def is_secret(value: str) -> bool:
    """Tell whether a bot token or an API key stands anywhere in a value."""
    return bool(TOKEN_SHAPE.search(value) or _KEY_SHAPE.search(value))


def shown(value: str) -> str:
    """Quote a value, or give its shape where it may be, or hold, a secret that landed in the wrong variable."""
    hides = is_secret(value) or "@" in value or any(map(_is_dense, value.split("/")))
    return f"({shape(value)})" if hides or (len(value) >= _SECRET_LENGTH and "/" not in value) else repr(value)


def _is_dense(part: str) -> bool:
    """Tell whether a part of a path is as long and as mixed as secrets are."""
    mixed = any(character.isdigit() for character in part) or part.lower() not in {part, part.upper()}
    return len(part) >= _SECRET_LENGTH and mixed


def _token_remedy(given: str) -> str:
    """Say what was probably pasted instead of the token."""
    if given.lower().startswith("bot "):
        return "Leave out the word Bot in front."
    if given[0] in "\"'":
        return "Leave out the quotation marks around it."
    if given.isdecimal():
        return f"This is the application's id. {_RESET}"
    if re.fullmatch(r"[0-9a-f]{64}", given):
        return f"This is the application's public key. {_RESET}"
    if re.fullmatch(r"[\w-]{32}", given):
        return f"This is probably the client secret. {_RESET}"
    return f"A token has three parts with dots between them. {_RESET}"
