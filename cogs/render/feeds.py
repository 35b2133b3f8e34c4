"""Feeds on screen: what a look brought, the list, one feed, and the question before one goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import counted, language_name, page_trouble, trouble
from cogs.render.clippings import SHORT, article_name
from cogs.ui.escape import code, link, plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id
from lessons.model import FeedState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discord.ui import Button, LayoutView

    from lessons.flows.gathering import Look
    from lessons.model import Article, Feed

FEEDS_A_PAGE: Final = 8
TITLE_LIMIT: Final = 60
NEXT: Final = (
    "-# I look at it about every hour and take up to five new articles each time. Learners find them under `/news`."
)


def looking(name: str, place: str = "") -> LayoutView:
    """Say that a look is under way; it may take a minute."""
    return notice(f"🔎 Looking at {code(name, 120)}{place} … this may take a minute.")


def added(look: Look) -> LayoutView:
    """Say what a new feed brought."""
    feed = look.feed
    texts = [
        f"### Added: {_name(feed)}",
        f"Language: {language_name(feed.language)}"
        if feed.language
        else "Its language is found out with the first article.",
        *_brought(look),
        NEXT,
    ]
    return layout(card(Tone.RIGHT if look.added else Tone.ALMOST, texts, *rows(_deeds(feed, look.added))))


def refreshed(look: Look) -> LayoutView:
    """Say what a look at a feed brought."""
    texts = [f"### {_name(look.feed)}", *_brought(look), f"-# {_times(look.feed)}"]
    tone = Tone.WRONG if look.feed.trouble else Tone.CALM
    return layout(card(tone, texts, *rows(_deeds(look.feed, look.added))))


def several(looks: Sequence[Look], waiting: Sequence[Feed], *, now: Feed | None = None) -> LayoutView:
    """Say what looks at several feeds brought, a line each; `now` is looked at, `waiting` are those not reached."""
    texts = [
        "### Looking at the feeds …" if now else "### The feeds of this server",
        "\n".join(_result(look) for look in looks),
        f"🔎 {_name(now)}, and {len(waiting)} to go" if now else "",
        f"-# {counted(len(waiting), 'feed')} not reached this time; `/feed refresh` goes on with the rest."
        if waiting and not now
        else "",
    ]
    return layout(card(Tone.CALM, texts))


def listing(feeds: Sequence[Feed], page: int) -> LayoutView:
    """List a page of the feeds of a server, with a way to each of them."""
    if not feeds:
        return notice("There are no feeds here yet. `/feed add` takes the address of one, or of a site that has one.")
    pages = -(-len(feeds) // FEEDS_A_PAGE)
    page = min(max(page, 0), pages - 1)
    shown = feeds[page * FEEDS_A_PAGE : (page + 1) * FEEDS_A_PAGE]
    turn = [
        button("◀", "feeds", page - 1, disabled=page == 0),
        button("▶", "feeds", page + 1, disabled=page + 1 >= pages),
    ]
    options = [discord.SelectOption(label=plain(each.title, 100) or str(each.id), value=str(each.id)) for each in shown]
    turned = f"-# page {page + 1} of {pages}" if pages > 1 else ""
    texts = [f"### Feeds of this server · {len(feeds)}", *map(_line, shown), turned]
    chosen = select(custom_id("feed", page), "Refresh or remove a feed", options)
    return layout(card(Tone.CALM, texts, chosen, *rows(turn if pages > 1 else [])))


def feed(shown: Feed) -> LayoutView:
    """Show one feed and what can be done with it."""
    texts = [
        f"### {_name(shown)}",
        f"{code(shown.url, 200)}\n{_language(shown)} · {counted(shown.articles, 'article')}",
        _state(shown),
        f"-# {_times(shown)}",
    ]
    return layout(card(Tone.CALM, texts, *rows(_deeds(shown))))


def remove_question(shown: Feed) -> LayoutView:
    """Ask before a feed goes, and whether its articles go with it."""
    sentence = (
        f"Remove **{safe(shown.title, TITLE_LIMIT)}**? I look at it no more. Its {counted(shown.articles, 'article')} can "
        "stay under `/news`, or go with it. What learners answered stays theirs in either case."
    )
    return notice(
        sentence,
        button("Keep it", "feed_kept", shown.id, style=ButtonStyle.primary),
        button("Remove the feed only", "feed_removed", shown.id, 0, style=ButtonStyle.danger),
        button("Remove it with its articles", "feed_removed", shown.id, 1, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def removed(gone: Feed, *, articles: bool) -> LayoutView:
    """Say that a feed is gone, and what became of its articles."""
    rest = "and so are its articles" if articles else "its articles stay"
    return notice(f"**{safe(gone.title, TITLE_LIMIT)}** was removed, {rest}.", _back())


def _name(shown: Feed) -> str:
    return link(shown.title or shown.url, shown.url, TITLE_LIMIT, SHORT)


def _language(shown: Feed) -> str:
    return language_name(shown.language) if shown.language else "language not known yet"


def _line(shown: Feed) -> str:
    facts = f"{_language(shown)} · {counted(shown.articles, 'article')} · {_times(shown)}"
    return "\n".join(filter(None, [f"- {_name(shown)}\n-# {facts}", _state(shown)]))


def _state(shown: Feed) -> str:
    """What is the matter with a feed; nothing when all is well."""
    if shown.state is FeedState.PAUSED:
        why = trouble(shown.trouble) if shown.trouble else ""
        return f"⏸ Paused: I do not look at it any more. {why} **Refresh** tries it again.".replace("  ", " ")
    if not shown.trouble:
        return ""
    if not shown.failures:
        return f"⚠️ {page_trouble(shown.trouble)}"
    times = f", {shown.failures} times in a row" if shown.failures > 1 else ""
    return f"⚠️ The last look failed{times}. {trouble(shown.trouble)}"


def _times(shown: Feed) -> str:
    looked = f"looked at {messages.when(shown.checked_at)}" if shown.checked_at else "never looked at"
    return looked if shown.state is FeedState.PAUSED else f"{looked}, next {messages.when(shown.next_check)}"


def _brought(look: Look) -> list[str]:
    """What a look brought: articles with their exercises, what came of the other entries, or why there is nothing."""
    if look.feed.failures:
        return [_state(look.feed)]
    if look.added:
        found = [f"**{counted(len(look.added), 'new article')}**", *(f"- {_article(each)}" for each in look.added)]
        return ["\n".join(found), *_others(look)]
    if look.passed or look.repeats:
        return [_state(look.feed), *_others(look)]
    nothing = "Nothing new since the last look." if look.unchanged else "There are no new articles in it."
    return [nothing, _state(look.feed)]


def _others(look: Look) -> list[str]:
    """What came of entries that became no article: those that could not be used, and those that were there already."""
    more = " more" if look.added else ""
    why = ": no text that I could read or make exercises of" if look.added else ""  # else the trouble says it
    passed = f"{_entries(look.passed, more)} passed over{why}."
    verb = "is" if look.repeats == 1 else "are"
    repeats = f"{_entries(look.repeats, more)} {verb} here already, under another address."
    return [f"-# {passed}" if look.passed else "", f"-# {repeats}" if look.repeats else ""]


def _entries(number: int, more: str) -> str:
    return f"{number}{more} new {'entry' if number == 1 else 'entries'}"


def _article(shown: Article) -> str:
    return f"{article_name(shown)} · {counted(shown.sentences, 'sentence')}"


def _result(look: Look) -> str:
    title = safe(look.feed.title, TITLE_LIMIT)
    if look.feed.trouble:
        why = trouble(look.feed.trouble) if look.feed.failures else page_trouble(look.feed.trouble)
        return f"- ⚠️ {title}: {why}"
    parts = [
        counted(len(look.added), "new article") if look.added else "nothing new",
        f"{look.passed} passed over" if look.passed else "",
        f"{look.repeats} here already" if look.repeats else "",
    ]
    return f"- ✅ {title}: {', '.join(filter(None, parts))}"


def _deeds(shown: Feed, articles: Iterable[Article] = ()) -> list[Button[LayoutView]]:
    tries = [button("Try it", "news", each.id, 0, style=ButtonStyle.primary) for each in list(articles)[:1]]
    return [
        *tries,
        button("Refresh", "refresh_feed", shown.id),
        button("Remove", "remove_feed", shown.id),
        _back(),
    ]


def _back() -> Button[LayoutView]:
    return button("All feeds", "feeds", 0)
