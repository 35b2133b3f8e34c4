"""A group's review on screen: figures, patterns and a chart of many, and a way to one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.ui.escape import clip, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.letters import Letter, attached
from cogs.ui.presses import button
from lessons.flows.surveying import theme_title
from lessons.groups import LEAST, LONGEST
from lessons.model import Track

if TYPE_CHECKING:
    from discord.ui import Button, Item, LayoutView

    from lessons.flows.surveying import GroupReview, TooFewCounted
    from lessons.groups import GroupTheme, GroupTotal

CHART: Final = "group.png"
ALT_LIMIT: Final = 1000
"""Characters of the words behind a picture; Discord takes 1,024."""
BETWEEN: Final = "|"
"""What the right answers in a button are separated by."""
TRACKS: Final = {Track.LESSON: "Lessons", Track.EXERCISE: "News"}
RULE: Final = (
    f"-# Counted are only people who chose to be, and only where {LEAST} or more of them are behind a line. Figures are "
    "rounded down to fives, nobody counts more than five times in a theme, and no sentence or name is ever shown."
)


def review(post: GroupReview) -> LayoutView:
    """Show what a group mixed up, with a chart and a drill for each theme."""
    when = f"{messages.when(post.since, 'd')} – {messages.when(post.until, 'd')}"
    totals = "\n".join(map(_total, post.totals))
    none = "" if post.themes else f"There is no kind of mistake that {LEAST} of us made, so no pattern to show."
    container = card(Tone.CALM, [f"### What we mixed up · {when}\n{totals}", none])
    if post.chart:
        container.add_item(_gallery(post))
    for number, theme in enumerate(post.themes, 1):
        container.add_item(_theme(post, number, theme))
    container.add_item(discord.ui.TextDisplay(RULE))
    for row in rows(_deeds()):
        container.add_item(row)
    return layout(container)


def review_letter(post: GroupReview) -> Letter:
    """Make what is posted of a review."""
    return Letter(review(post), attached({CHART: post.chart}))


def too_few_letter(post: TooFewCounted) -> Letter:
    """Make what is posted where too few are counted."""
    return Letter(too_few(post))


def too_few(_: TooFewCounted) -> LayoutView:
    """Say once that too few are counted, and how to be."""
    sentence = (
        "### What we mix up\n"
        f"A review of the group needs {LEAST} people who practise here and let themselves be counted. There are fewer than "
        f"{LEAST} so far, so nothing is shown.\n"
        "Press **Count me in** if you like: then your answers here count, without your name and your sentences. The review "
        "comes when there are enough."
    )
    return layout(card(Tone.CALM, [sentence], *rows(_deeds(few=True))))


def counted_in(*, anew: bool) -> LayoutView:
    """Say privately that a person is counted, and how to stop it."""
    first = "You are counted." if anew else "You are counted already, and stay so."
    return notice(
        f"**{first}** A review looks back to the one before it, 30 days at most, and your answers in drills of that server "
        f"count towards the group's figures. Nobody sees your name, your sentences, or that you are counted; a mix-up is named "
        f"only where {LEAST} people or more wrote the same. This holds in every server where you use me, and `/settings` "
        "shows it too.",
        button("Don't count me", "count_out", 0),
        tone=Tone.RIGHT,
    )


def counted_out(*, anew: bool) -> LayoutView:
    """Say privately that a person is not counted."""
    first = "You are not counted any more, from the next review on." if anew else "You are not counted."
    return notice(f"**{first}** Your own `/review` stays as it is.", button("Count me in", "count_in", 0))


def together_begun() -> LayoutView:
    """Say privately that a drill began in the channel."""
    return notice("It begins below, for everybody in this channel.", tone=Tone.RIGHT)


def _deeds(*, few: bool = False) -> list[Button[LayoutView]]:
    """What can be done with a review; where too few are counted, being counted comes first."""
    mine = button("Show mine", "group_mine", 0, style=ButtonStyle.secondary if few else ButtonStyle.primary)
    joining = button("Count me in", "count_in", 0, style=ButtonStyle.primary if few else ButtonStyle.secondary)
    return [joining, mine] if few else [mine, joining]


def _total(total: GroupTotal) -> str:
    """The figures of a track: Lessons: 10+ people, 120+ answers, about 75 % right at the first try."""
    parts = [
        f"**{total.learners}+ people**",
        f"{total.answered:,}+ answers" if total.answered is not None else "",
        f"about {total.firsts_percent} % right at the first try" if total.firsts_percent is not None else "",
    ]
    return f"{TRACKS[total.track]}: {', '.join(filter(None, parts))}"


def _theme(post: GroupReview, number: int, theme: GroupTheme) -> Item[LayoutView]:
    """A theme with its confusions, and a drill where there is something to drill."""
    pairs = ", ".join(
        f"**{safe(right, LONGEST)}** written as **{safe(written, LONGEST)}**" for right, written in theme.pairs
    )
    told = f"**{number} · {theme_title(theme)}** · {theme.exercises}+ exercises" + (f"\n> {pairs}" if pairs else "")
    text: discord.ui.TextDisplay[LayoutView] = discord.ui.TextDisplay(told)
    if theme.error_type not in post.drillable:
        return text
    references = BETWEEN.join(dict.fromkeys(right for right, _ in theme.pairs if BETWEEN not in right))
    drill = button("Drill this together", "together", theme.error_type, post.run, number, references)
    return discord.ui.Section(text, accessory=drill)


def _gallery(post: GroupReview) -> discord.ui.MediaGallery[LayoutView]:
    words = "; ".join(f"{theme_title(theme)}, {theme.exercises} or more" for theme in post.themes)
    alt = clip(f"Kinds of mistakes by exercises: {words}", ALT_LIMIT)
    return discord.ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{CHART}", description=alt))
