"""Twenty learners with a mark in all that is theirs, who watches what reaches whom, and who tries all there is to press."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from simcord.backend.errors import BackendError

from tests.cogs.newsroom import BAKERY
from tests.conftest import World
from tests.messages.server import Seen
from tests.screen import components

WRITTEN: Final = "鳬鳰鴃鴆鴉鴒鴟鴣鴦鵐鴪鴫鴬鴻鴾鴿鵁鵄鵆鵈"
"""Each stands alone for one person, so that a piece of a text is found as well as the whole of it."""
NAMES: Final = "鮃鮇鮑鮓鮖鮗鮟鮠鮹鮱鮴鯀鯆鯊鯑鯒鯔鯡鯢鯤"
APPEALED: Final = "蚋蚌蚓蚣蚩蚪蚯蚰蛄蛉蛎蛔蠍蛞蛟蛩蛬蛯蛹蜆"
OWNERS: Final = {each: n for marks in (WRITTEN, NAMES, APPEALED) for n, each in enumerate(marks)}
MARKS: Final = re.compile(f"[{WRITTEN}{NAMES}{APPEALED}]")
DECIDED: Final = re.compile(
    rf"(wrote \*\*ぬ[{APPEALED}]ぬ\*\*; the answer there is)"
    rf"|(✓ \*\*ぬ[{APPEALED}]ぬ\*\* stays wrong)|(Taken back: \*\*ぬ[{APPEALED}]ぬ\*\* waits)"
)
"""What moderators see by design: the answer that they are asked to decide about, and nothing around it."""

DECISIONS: Final = "answers that a moderator decides about"

SKIPPED: Final = {
    "accept": "an accepted answer is the pack's from then on, and so everybody's",
    "show_name": "this one does not want to be named",
    "set_named": "this one does not want to be named",
    "mydata_erase": "nothing would be left to look for",
}
"""What nobody presses here, each with the reason."""

UNOFFERED: Final = frozenset(
    [
        "similar",
        "unlike",
        "unlike_here",
        "race_next",
        "race_stop",
        "hide_name",
        "own_resume",
        "unpause",
        "profile_accept",
        "study_direct",
        "news",
        "fresh_news",
        "problems",
        "feed",
        "feeds",
        "feed_kept",
        "feed_removed",
        "refresh_feed",
        "remove_article",
        "remove_feed",
    ]
)
"""Presses that no answer offers on this walk; tests/test_permissions.py tries each with what is another's."""

OPTIONS: Final[dict[str, list[dict[str, Any]]]] = {
    "ask": [{"question": "{words}?"}],
    "compose": [{"prompt": "{words}", "pack": "particles"}],
    "drill": [{}, {"pack": "particles", "lessons": "1", "count": 2}, {"pack": "{words}"}],
    "interview": [{"position": "{words}"}],
    "mistakes": [{}, {"search": "{words}"}, {"kind": "particle"}],
    "mydata about": [{}],
    "mydata delete": [{}],
    "mydata export": [{}],
    "news": [{}, {"article": "{words}"}],
    "profile background": [{}, {"text": "{words}"}],
    "profile correct": [{"field": "gaps"}],
    "profile forget": [{}],
    "profile goal": [{"file": ("goal.txt", "{words}")}],
    "profile view": [{}],
    "progress": [{}],
    "review": [{}],
    "roleplay": [{"scene": "{words}"}],
    "settings": [{}, {"review": "daily", "review_time": "10:00", "show_name": False}, {"time_zone": "{words}"}],
    "study end": [{}],
    "study list": [{}],
    "study start": [{"topic": "{words}"}],
    "race": [{"pack": "{words}"}],
    "article add": [{}, {"file": ("a.txt", BAKERY)}],
    "article list": [{}],
    "article remove": [{"article": "1"}],
    "feed add": [{"url": "http://127.0.0.1/feed"}],
    "feed list": [{}],
    "feed refresh": [{}],
    "feed remove": [{"feed": "1"}],
    "pack export": [{"name": "lesson"}],
    "pack list": [{}],
    "pack load": [{"file": ("lesson.csv", "prompt,answer\n[＿＿＿]です。,犬\n")}],
    "pack remove": [{"name": "lesson"}],
    "pack show": [{"name": "particles"}],
    "pack template": [{}],
    "queue": [{}],
    "schedule drill": [{"time": "9:00", "time_zone": "Asia/Tokyo", "pack": "particles"}],
    "schedule list": [{}],
    "schedule remove": [{"schedule": "1"}],
    "schedule review": [{"time": "9:00", "time_zone": "Asia/Tokyo"}],
}
"""Every command with the options it is tried with; {words} are the words of whoever tries."""


def marks(what: object) -> set[str]:
    """Find the marks in anything that was sent: bytes of a file, a payload, a text."""
    if isinstance(what, bytes):
        if what.startswith(b"\x89PNG"):
            return set()  # what is drawn is looked at before it is
        what = what.decode("utf-16" if what.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8", "replace")
    plain = what if isinstance(what, str) else json.dumps(what, ensure_ascii=False, default=repr)
    escaped = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), plain)
    return set(MARKS.findall(escaped))


def echo(seen: Seen) -> str | dict[str, Any]:
    """Say what a tutor could at worst: every mark that the request holds, wherever it came from."""
    held = "".join(sorted(marks(seen.body["messages"])))
    asked = (seen.schema or {}).get("properties", {})
    if seen.schema is None:
        return f"「に」 marks a goal, {held}."
    own = next((each for each in held if each in WRITTEN), "鳥")
    fix = {
        "quote": f"{own}で行きます", "occurrence": 1, "diagnosis": f"{held} takes に", "error_type": "particle",
        "part_of_speech": "particle", "right": f"{own}に行きます", "feedback": f"行く takes に, {held}.",
    }  # fmt: skip
    verdict = {"verdict": "incorrect", "confidence": "high"}
    told: dict[str, Any] = {
        "corrections": [fix], "comment": held, "strengths": [held], "points": [held], "next_steps": [held],
        "samples": [{"question": held, "answer": held}],
        "topics": [{"title": f"{held}に", "reason": held, "first_step": held, "target": "particle"}] * 2,
    }  # fmt: skip
    if "verdict" in asked:
        told = fix | verdict
    shapes = {name: [] if shape.get("type") == "array" else held for name, shape in asked.items()}
    return {name: told.get(name, shape) for name, shape in shapes.items()}


@dataclass
class Watch:
    """Everything that reached anybody, and every mark that reached somebody else than its owner."""

    world: World
    people: list[Any]
    unnamed: frozenset[int]
    leaks: list[tuple[str, str, str]] = field(default_factory=list)
    looked: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)

    def look(self, kind: str, audience: set[int] | None, what: Any) -> None:
        """Look at what these people see, None for everybody."""
        self.looked[kind] += 1
        found = marks(what)
        if audience == {self.world.aoki.id} and found:
            shown = DECIDED.sub(self._decided, json.dumps(what, ensure_ascii=False, default=repr))
            found = marks(shown)
        self.found[kind] += len(found)
        if audience is None:
            pointed = [each for each in self.unnamed if str(each) in repr(what)]
            self.leaks += [(kind, f"{self._name(each)} to everybody", repr(what)[:600]) for each in pointed]
        for each in found:
            owner = self.people[OWNERS[each]].id
            if audience is None or audience - {owner}:
                whom = "everybody" if audience is None else f"{[self._name(one) for one in audience - {owner}]}"
                self.leaks.append((kind, f"{each} of {self._name(owner)} to {whom}", repr(what)[:600]))

    def _decided(self, found: re.Match[str]) -> str:
        self.looked[DECISIONS] += 1
        return ""

    def _name(self, user: int) -> str:
        return self.world.env.backend.users[user].name

    def everything(self) -> None:
        """Look at all that was sent and all that stands now."""
        for entry in self.world.env.http_requests:
            kind, audience = self._sent(entry)
            if kind:
                self.look(kind, audience, [entry.json, entry.params, entry.reason])
        backend = self.world.env.backend
        for each in backend.interactions.values():
            if each.modal is not None:
                self.look("modal", {each.user_id}, each.modal)
            if each.autocomplete_choices is not None:
                self.look("choices", {each.user_id}, each.autocomplete_choices)
        for channel, stored in backend.messages.items():
            for message in stored.values():
                if (
                    message.author_id == backend.bot_user.id and message.type != 18
                ):  # Discord tells of public threads only
                    self._stands(channel, message)

    def _stands(self, channel: int, message: Any) -> None:
        audience, kind = self._room(channel)
        if audience is None and message.is_ephemeral:
            audience, kind = {one for one in self.world.env.backend.users if message.visible_to(one)}, "private reply"
        shown = [message.content, message.embeds, message.components, message.attachments]
        self.look(f"message: {kind}", audience, shown)
        for file in message.attachments:
            self.look(f"file: {kind}", audience, self.world.env.backend.cdn.get(file["url"]) or b"")

    def _room(self, channel: int) -> tuple[set[int] | None, str]:
        """Tell who reads what everybody in a channel sees."""
        backend = self.world.env.backend
        room = backend.channels.get(channel)
        if room is None or (room.guild_id is not None and not room.is_thread):
            return None, "public"
        if room.is_thread:
            members = {*room.thread_members} - {backend.bot_user.id}
            self.look("name of a thread", members, room.name)
            return members, "thread"
        return {user for user, dm in backend.dm_channels.items() if dm == channel}, "direct message"

    def _sent(self, entry: Any) -> tuple[str, set[int] | None]:
        """Tell what a request was, and who sees what it says; "" for what is no message."""
        backend, parts = self.world.env.backend, entry.path.strip("/").split("/")
        if parts[0] == "channels" and entry.method in {"POST", "PATCH", "PUT"}:
            if parts[2:] == ["threads"]:  # a private one: its name is looked at where its messages are
                assert entry.json["type"] == 12
                return "", None
            audience, kind = self._room(int(parts[1]))
            return f"request: {kind}", audience
        if parts[0] == "interactions":
            interaction = backend.interactions[int(parts[1])]
            kept = (entry.json or {}).get("data") or {}
            is_private = entry.json["type"] in {8, 9} or bool(kept.get("flags", 0) & 64) or not kept
            return self._answered(interaction, interaction.source_message_id, is_private)
        if parts[0] == "webhooks":
            interaction = backend.interactions[backend.interaction_tokens[parts[2]]]
            number = interaction.message_id if parts[-1] == "@original" else None
            is_private = bool((entry.json or {}).get("flags", 0) & 64)
            return self._answered(interaction, int(parts[-1]) if parts[-1].isdigit() else number, is_private)
        return "", None

    def _answered(self, interaction: Any, message: int | None, is_private: bool) -> tuple[str, set[int] | None]:
        audience, kind = self._room(interaction.channel_id)
        stored = self.world.env.backend.messages.get(interaction.channel_id, {}).get(message or 0)
        if audience is None and (is_private or (stored is not None and stored.is_ephemeral)):
            return "request: private reply", {interaction.user_id}
        return f"request: {kind} reply", audience


@dataclass
class Walk:
    """Somebody who tries every command, and everything that can be pressed in what it answers, each once."""

    watch: Watch
    who: Any
    channel: Any  # None: direct messages
    words: str
    skipped: frozenset[str]
    pressed: set[str] = field(default_factory=set)
    waiting: deque[tuple[Any, dict[str, Any], list[Any]]] = field(default_factory=deque)

    async def run(self, command: str, options: dict[str, Any]) -> None:
        """Run a command, and press what it offers."""
        place = [self.channel] if self.channel is not None else []
        await self._heard(await self.who.slash(*place, command, **options))
        await self.press()

    async def choices(self, command: str, option: str) -> None:
        """Look at what is offered for an option."""
        place = [self.channel] if self.channel is not None else []
        for typed in ("", "a"):
            await self.who.autocomplete(*place, command, option, typed)

    def offer(self, message: Any) -> None:
        """Put what a message offers in the line."""
        snapshot = copy.deepcopy(self._stored(message).components)
        for part in components(message):
            if part.get("custom_id") and not part.get("disabled") and part["type"] in {2, 3}:
                self.waiting.append((message, part, snapshot))

    async def press(self) -> None:
        """Press all that was not pressed before."""
        while self.waiting:
            message, part, snapshot = self.waiting.popleft()
            action = part["custom_id"].split(":")[1]
            if action in self.pressed or action in self.skipped:
                continue
            self.pressed.add(action)
            try:
                self._stored(message).components = copy.deepcopy(snapshot)
            except BackendError:
                continue  # it is gone
            if part["type"] == 2:
                result = await self.who.click(message, custom_id=part["custom_id"])
            else:
                chosen = part["options"][: max(1, part.get("min_values", 1))]
                result = await self.who.select(message, [each["value"] for each in chosen], custom_id=part["custom_id"])
            await self._heard(result)

    async def _heard(self, result: Any) -> None:
        assert result.acknowledged
        if result.modal is not None:
            self.pressed.add(result.modal["custom_id"].split(":")[1])
            if result.modal["custom_id"].split(":")[1] in self.skipped:
                return
            result = await self.who.submit_modal(result, dict(self._filled(result.modal)))
        for message in [result.response, *result.followups]:
            if message is None:
                continue
            for file in self._stored(message).attachments:
                content = self.watch.world.env.backend.cdn.get(file["url"]) or b""
                self.watch.look("file: as it was handed over", {self.who.id}, content)
            self.offer(message)

    def _stored(self, message: Any) -> Any:
        channel = message.channel_id if hasattr(message, "channel_id") else message.channel.id
        return self.watch.world.env.backend.get_message(channel, message.id)

    def _filled(self, modal: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for part in _parts(modal):
            if part.get("type") == 4:
                wanted = max(part.get("min_length", 0), len(self.words))
                yield part["custom_id"], (self.words * wanted)[: min(wanted, part.get("max_length", 4000))]


def _parts(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in [*node.get("components", ()), *([node["component"]] if "component" in node else ())]:
        yield child
        yield from _parts(child)
