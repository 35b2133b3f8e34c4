"""Looking back, on screen: themes with their chart and a drill for each, and progress in pictures and in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import counted
from cogs.refusals import StalePress
from cogs.render import drills, streaks
from cogs.render.prompts import gapped
from cogs.ui.escape import clip, code, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button
from lessons.flows.reviewing import DAYS, FEW, SHOWN
from lessons.model import ProfileField
from lessons.summary import REACH, date_name, track_name
from lessons.themes import theme_name
from lessons.wording import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from discord.ui import Button, LayoutView

    from lessons.errors import DrillUnfinished
    from lessons.flows.reviewing import Progress, Review, ThemeDrill
    from lessons.model import Mistake, Theme
    from lessons.summary import Figures, Tally

THEME_CHART: Final = "themes.png"
DAY_CHART: Final = "days.png"
WEEK_CHART: Final = "weeks.png"
KIND_CHART: Final = "kinds.png"
THEME_LIMIT: Final = 620
"""Characters of one theme: five of them leave room for the rest of the message."""
AIM_LIMIT: Final = 120
"""Characters of the target, and of what is worked on now."""
ALT_LIMIT: Final = 1000
"""Characters of the words behind a picture; Discord takes 1,024."""

_AIMS: Final = {ProfileField.TARGET: "Target", ProfileField.FOCUS: "Of all you ever missed, working on"}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def review(shown: Review) -> LayoutView:
    """Show the themes with their chart, each with the mistake that stands for it and a drill."""
    if shown.exercises < FEW:
        return _too_few(shown)
    drawn = shown.themes[:SHOWN]
    container = card(Tone.CALM, [head(shown), "" if drawn else no_theme(shown)])
    if shown.chart:
        container.add_item(chart(drawn))
    for section in sections(shown):
        container.add_item(section)
    if below := foot(shown):
        container.add_item(discord.ui.TextDisplay(below))
    for row in rows(_onwards()):
        container.add_item(row)
    return layout(container)


def head(shown: Review) -> str:
    """The time, how much was missed in it, and what the learner works towards."""
    patterns = {0: "", 1: " · 1 theme"}.get(len(shown.themes), f" · {len(shown.themes)} themes")
    return f"### Your {lately(shown.days)}\n**{counted(shown.exercises, 'exercise')}** missed{patterns}{_aim(shown)}"


def no_theme(shown: Review) -> str:
    """Say that nothing in a review is alike."""
    return f"No two of the {shown.exercises} are alike: there is no pattern to drill."


def chart(drawn: tuple[Theme, ...]) -> discord.ui.MediaGallery[LayoutView]:
    """Show the picture of these themes."""
    return _gallery(THEME_CHART, "Themes by missed exercises: " + "; ".join(map(_alt, drawn)))


def sections(shown: Review, limit: int = THEME_LIMIT, run: int = 0) -> Iterator[discord.ui.Section[LayoutView]]:
    """Show each of the first themes with its drill; `run` names the post that they stand in, if it is one."""
    for number, theme in enumerate(shown.themes[:SHOWN], 1):
        where = (stamp(shown.made), theme.characteristic.id, 0, stamp(shown.since), run)
        drill = button("Drill this", "theme", *where, style=ButtonStyle.primary)
        yield discord.ui.Section(discord.ui.TextDisplay(_theme(number, theme, limit)), accessory=drill)


def foot(shown: Review) -> str:
    """What is left below the themes: smaller ones, one-offs, and how likeness was told."""
    return "\n".join(filter(None, [_rest(shown.themes[SHOWN:]), _one_offs(shown), _resort(shown.last_resort)]))


def lately(days: int) -> str:
    """The last days in words: last day, last 7 days."""
    return "last day" if days == 1 else f"last {days} days"


def progress(shown: Progress) -> LayoutView:
    """Show how far a learner has come, each picture with its figures in words."""
    found = shown.figures
    if shown.weeks is None and shown.days is None and not found.before.answered:
        return notice(f"No answers in the last {REACH} days, so there is nothing to draw yet. `/drill` begins.")
    streak = streaks.line(shown.streak)
    texts = [f"### Your progress\n{_days(found)}", f"{streak}\n{streaks.RULE}" if streak else ""]
    container = card(Tone.CALM, texts)
    if shown.days:
        container.add_item(_gallery(DAY_CHART, _day_by_day(found)))
    if shown.weeks:
        container.add_item(discord.ui.TextDisplay(_weeks(found)))
        container.add_item(_gallery(WEEK_CHART, _week_by_week(found)))
    if shown.kinds:
        container.add_item(discord.ui.TextDisplay(_kinds(found)))
        container.add_item(_gallery(KIND_CHART, f"Mistakes by kind: {_kind_by_kind(found)}"))
    for row in rows([button("My themes", "review", 0), button("My mistakes", "mistakes", 0, "", "")]):
        container.add_item(row)
    return layout(container)


def changed() -> LayoutView:
    """Say that a theme cannot be drilled any more."""
    return notice(
        "This theme is not what it was any more, or nothing of it can be drilled here. `/review` shows today's themes."
    )


def crossroads(unfinished: DrillUnfinished, ask: ThemeDrill, now: datetime) -> LayoutView:
    """Offer to go on with an open drill or to give it up for a theme."""
    since = stamp(ask.since) if ask.since else ""
    anew = button("Drill the theme", "theme", stamp(ask.made), ask.characteristic, 1, since, 0)
    return drills.either(unfinished.drill, anew, now)


def stamp(at: datetime) -> int:
    """Write a moment as a number that a custom id can hold, in milliseconds."""
    return (at - _EPOCH) // _MILLISECOND


def moment(number: int) -> datetime:
    """Read what `stamp` wrote. Raises StalePress."""
    try:
        return _EPOCH + number * _MILLISECOND
    except OverflowError:
        raise StalePress from None


def _too_few(shown: Review) -> LayoutView:
    if not shown.exercises:
        return notice(f"You have not missed anything in the last {DAYS} days, so there is no pattern to show. `/drill`")
    missed = "1 exercise" if shown.exercises == 1 else f"{shown.exercises} exercises"
    sentence = f"You missed {missed} in the last {DAYS} days: too few to call anything a pattern. From {FEW} on I look."
    return notice(f"{sentence}{_aim(shown)}", *_onwards())


def _onwards() -> list[Button[LayoutView]]:
    return [button("My mistakes", "mistakes", 0, "", ""), button("My progress", "progress", 0)]


def _aim(shown: Review) -> str:
    """What the learner works towards, from the profile; nothing where it is silent."""
    told = {line.field: line.text for line in shown.profile.lines}
    return "".join(f"\n-# {label}: {safe(told[field], AIM_LIMIT)}" for field, label in _AIMS.items() if told.get(field))


def _theme(number: int, theme: Theme, limit: int) -> str:
    """A theme in three lines: its name and count, the mistake that stands for it, what was written there."""
    mistake = theme.characteristic
    wrote = f"you wrote **{safe(mistake.card.typed, 40)}**, right is **{safe(mistake.card.reference, 40)}**"
    name = safe(theme_name(theme), 120)
    lines = (
        f"**{number} · {name}** · {len(theme.members)} exercises",
        f"> {_sentence(mistake)}",
        f"> -# {wrote} · {messages.when(mistake.at, 'D')}",
    )
    return clip("\n".join(lines), limit)


def _sentence(mistake: Mistake) -> str:
    return gapped(mistake.card.prompt, 90)


def _rest(rest: tuple[Theme, ...]) -> str:
    if not rest:
        return ""
    exercises = sum(len(theme.members) for theme in rest)
    return f"-# and {len(rest)} smaller {'theme' if len(rest) == 1 else 'themes'} with {exercises} exercises"


def _one_offs(shown: Review) -> str:
    if not shown.one_offs or not shown.themes:
        return ""
    alone = len(shown.one_offs)
    return f"-# {alone} more {'mistake fits' if alone == 1 else 'mistakes fit'} no theme"


def _resort(embedder: str) -> str:
    return f"-# Similar by spelling only: {code(embedder, 40)} is at work." if embedder else ""


def _alt(theme: Theme) -> str:
    return f"{theme_name(theme)}, {len(theme.members)}"


def _days(found: Figures) -> str:
    """The last days in words: how much, how right, and which track."""
    total, before = found.total, found.before
    earlier = f" The {DAYS} days before: {_right(before)}." if before.answered else ""
    if not total.answered:
        return f"No answers in the last {DAYS} days.{earlier}"
    tracks = " · ".join(f"{track_name(track)}: {_right(tally)}" for track, tally in found.tracks.items())
    days = f"on {found.active} of the last {DAYS} days" if found.active != 1 else f"on one of the last {DAYS} days"
    return f"**{_right(total)}** {days}.{earlier}\n-# {tracks}"


def _day_by_day(found: Figures) -> str:
    told = "; ".join(
        f"{date_name(day)}: {tally.right} of {tally.answered}" for day, tally in found.days if tally.answered
    )
    return f"Right answers by day. {told}"


def _weeks(found: Figures) -> str:
    """First tries in words, in all and week by week."""
    firsts = " · ".join(f"{track_name(track)}: {_right(tally)}" for track, tally in found.firsts.items())
    lately = f"last {DAYS} days: {firsts}" if firsts else f"none in the last {DAYS} days"
    return f"**First tries** (questions you had never answered before), {lately}\n-# {_week_by_week(found)}"


def _week_by_week(found: Figures) -> str:
    several = len({track for _, tallies in found.weeks for track in tallies}) > 1
    told = [
        f"{date_name(monday)}: {tally.percent:.0f} %" + (f" ({track_name(track)})" if several else "")
        for monday, tallies in found.weeks
        for track, tally in tallies.items()
    ]
    return f"right in the week from {', '.join(told)}"


def _kinds(found: Figures) -> str:
    """Mistakes by kind in words, with those of the days before."""
    return f"**Mistakes kept**, last {DAYS} days and the {DAYS} days before\n-# {_kind_by_kind(found)}"


def _kind_by_kind(found: Figures) -> str:
    return " · ".join(f"{KINDS[kind]} {now} (before: {before})" for kind, now, before in found.kinds)


def _right(tally: Tally) -> str:
    answers = "1 answer" if tally.answered == 1 else f"{tally.answered} answers"
    return f"{answers}, {tally.right} right ({tally.percent:.0f} %)"


def _gallery(file_name: str, words: str) -> discord.ui.MediaGallery[LayoutView]:
    """Show an attached picture, with words for those who cannot see it."""
    return discord.ui.MediaGallery(
        discord.MediaGalleryItem(f"attachment://{file_name}", description=clip(words, ALT_LIMIT))
    )
