"""The little Discord of the demo: one server, two channels, three people, and the rooms they can be seen in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import discord

from bot.app import KizukiBot
from bot.demo import faces
from bot.demo.news import bring_news
from bot.demo.past import give_past, give_review
from lessons.model import GuildId, UserId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simcord import ChannelHandle, Env, GuildHandle, MemberActor, UserHandle

BOT_NAME: Final = "Kizuki"
FIRST_ID: Final = 1_000_000_000_000_000_001
"""Where the ids of the server, its channels and its people begin: the same in every demo."""
SERVER_NAME: Final = "日本語カフェ Study Café"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone of the demo: `key` for addresses, `name` as shown, `about` a line for the lobby."""

    key: str
    name: str
    about: str
    moderates: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A text channel of the demo's server."""

    name: str
    topic: str


PEOPLE: Final = (
    Person("mika", "Mika", "Learner. Mixes up は and が, and knows it."),
    Person("tom", "Tom", "Learner, in the same study group."),
    Person("aoki", "Sensei Aoki", "Moderator with Manage Server: loads packs, decides appeals.", moderates=True),
)
STUDY: Final = Place("study", "日本語の練習 · drills, and quiet notes on mistakes")
GENERAL: Final = Place("general", "おしゃべり · everything else")

WELCOME: Final = (
    "ようこそ、日本語カフェへ！ Type `/drill` and press Enter: only you see your drill and your mistakes.\n"
    "間違いは宝物です。 One sentence at a time, no hurry."
)

SAMPLE_PACK_NAME: Final = "kizuki-sample-pack.csv"
SAMPLE_PACK: Final = """\
lesson,type,prompt,answer,also_ok,reading,meaning,hint,explanation,skill,tags
1,cloze,私は毎朝コーヒー[＿＿＿]飲みます。,を,,,I drink coffee every morning.,The thing you drink,を marks what the action is done to.,particle,cafe
1,cloze,図書館[＿＿＿]勉強します。,で,,,I study at the library.,Where you do it,で marks the place where something is done.,particle,cafe
1,cloze,机の上に本[＿＿＿]あります。,が,,,There is a book on the desk.,What is there,が marks what exists.,particle,cafe
2,cloze,昨日、友だちに[＿＿＿]。,会いました,あいました,あいました,I met a friend yesterday.,会う in the polite past,The polite past of 会う is 会いました.,conjugation,cafe
2,cloze,雨が[＿＿＿]から、行きません。,降っています,ふっています|降っている,ふっています,It is raining so I will not go.,降る as it goes on,〜ています tells what is going on now.,conjugation,cafe
2,vocab,約束,promise,appointment,やくそく,promise; appointment,,約束 is a promise or an appointment.,vocabulary,cafe
"""


class Inhabitant(NamedTuple):
    """A person who has moved in: as a member of the server, and as the owner of a line to the bot."""

    person: Person
    member: MemberActor
    user: UserHandle


@dataclass(frozen=True, slots=True)
class World:
    """The demo's server as it stands in one simulated Discord."""

    guild: GuildHandle
    study: ChannelHandle
    general: ChannelHandle
    people: tuple[Inhabitant, ...]
    faces: dict[str, tuple[str, bytes]]
    """Pictures by the address a page would fetch them from: (file name, PNG)."""

    def who(self, key: str) -> Inhabitant:
        """Give the person of that key; KeyError when nobody has it."""
        for inhabitant in self.people:
            if inhabitant.person.key == key:
                return inhabitant
        raise KeyError(key)


@dataclass(frozen=True, slots=True)
class Room:
    """One channel through one person's eyes: what a browser window shows. `key` is stable for the life of the demo."""

    key: str
    title: str
    kind: Literal["channel", "thread", "dm"]
    person: Person
    channel: ChannelHandle
    viewer: MemberActor | UserHandle


def build(env: Env) -> World:
    """Raise the server and move everyone in; the bot must have started."""
    guild = env.create_guild(SERVER_NAME)
    moderator = guild.create_role("Moderator", permissions=discord.Permissions(manage_guild=True), color=0x3BA58B)
    learner = guild.create_role("Learner", color=0xE0A458)
    general = guild.create_text_channel(GENERAL.name, topic=GENERAL.topic)
    study = guild.create_text_channel(STUDY.name, topic=STUDY.topic)
    people = []
    for person in PEOPLE:
        user = env.create_user(person.key, global_name=person.name, avatar=person.key)
        member = guild.add_member(user, roles=[moderator if person.moderates else learner])
        people.append(Inhabitant(person, member, user))
    named = {person.key: (user.id, person.name) for person, _, user in people}
    return World(guild, study, general, tuple(people), faces.gallery(env.backend.bot_user.id, named))


async def populate(env: Env, world: World) -> None:
    """Give the world a past to look at, before anyone may look: the place for everything that has happened already."""
    await world.who("aoki").member.send(world.study, WELCOME)
    if isinstance(env.bot, KizukiBot):
        services = env.bot.services
        mika = UserId(world.who("mika").user.id)
        await give_past(services, mika, services.clock())
        await give_review(services, mika, services.clock())
        await services.posting.tick(services.clock)
        await bring_news(services, GuildId(world.guild.id), UserId(world.who("aoki").user.id), services.clock())


def rooms(world: World) -> Iterator[Room]:
    """Give every room there is right now, person by person: channels, their threads, the line to the bot.

    A thread is given for everybody; whether someone may enter it is for the page to say.
    """
    for person, member, user in world.people:
        for channel in (world.study, world.general):
            yield Room(f"{channel.name}-{person.key}", f"#{channel.name}", "channel", person, channel, member)
            for thread in channel.threads:
                yield Room(
                    f"thread-{thread.id}-{person.key}", thread.name or "thread", "thread", person, thread, member
                )
        yield Room(f"dm-{person.key}", f"Messages with {BOT_NAME}", "dm", person, user.dm_channel, user)
