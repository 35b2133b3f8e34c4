"""Articles on screen: the form for one, what was made of it, the list, and the question before one goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, TextStyle
from discord.ui import Label, Modal, TextInput

from cogs import messages
from cogs.messages import counted, failure, language_name, trouble
from cogs.render.clippings import article_name
from cogs.ui.escape import code, link, plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id, modal
from lessons.errors import TextTooLong, UnreadableFile
from lessons.model import ReadTrouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import LayoutView

    from lessons.errors import KizukiError
    from lessons.model import Article

ARTICLES_A_PAGE: Final = 8
TITLE_LIMIT: Final = 100
URL_LIMIT: Final = 500
TEXT_LIMIT: Final = 4000
"""Characters of a long field; Discord takes no more."""
TITLE, LINK, TEXT = "title", "link", "text"


def form(action: str, title: str, url: str, language: str) -> Modal:
    """Ask for the text of an article, with its title and link where they are known."""
    fields: list[Label[Modal]] = [
        Label(
            text="Title",
            description="Without one the first line is the title",
            component=TextInput(custom_id=TITLE, required=False, max_length=TITLE_LIMIT, default=title or None),
        ),
        Label(
            text="Link",
            description="Learners see it with every exercise",
            component=TextInput(custom_id=LINK, required=False, max_length=URL_LIMIT, default=url or None),
        ),
        Label(
            text="Text",
            description="Up to 4,000 characters; a file may hold more",
            component=TextInput(custom_id=TEXT, style=TextStyle.paragraph, max_length=TEXT_LIMIT, required=True),
        ),
    ]
    return modal("An article for your server", action, language, fields=fields)


def added(article: Article, *, url: str = "") -> LayoutView:
    """Say what was made of an article; `url` is the link that was given with it."""
    made = f"**{counted(article.sentences, 'sentence')}**; each learner is asked one gap of each"
    texts = [
        f"### Added: {link(article.title, article.url)}",
        f"{made} · {language_name(article.language)}\nLearners find it under `/news`.",
        "-# The link is no http(s) address and was left out." if url and not article.url else "",
    ]
    buttons = [
        button("Try it", "news", article.id, 0, style=ButtonStyle.primary),
        button("Remove", "remove_article", article.id),
        button("All articles", "articles", 0),
    ]
    return layout(card(Tone.RIGHT, texts, *rows(buttons)))


def refused(error: KizukiError, file_name: str) -> LayoutView:
    """Say why a text or a file became no article."""
    about = f"{code(file_name)}: " if file_name else ""
    return notice(f"{about}{_why(error)}\n-# Nothing was added.", tone=Tone.ALMOST)


def _why(error: KizukiError) -> str:
    if isinstance(error, UnreadableFile):
        return trouble(ReadTrouble.GARBLED)
    if isinstance(error, TextTooLong):
        too_long = f"The text has {error.found:,} characters; at most {error.limit:,} are read."
        return f"{too_long} Shorten it, or send it as several articles."
    return failure(error)


def listing(articles: Sequence[Article], page: int) -> LayoutView:
    """List a page of the articles of a server, newest first, with a way to remove one."""
    if not articles:
        return notice("There are no articles here yet. `/article add` takes a text, `/feed add` brings them by itself.")
    pages = -(-len(articles) // ARTICLES_A_PAGE)
    page = min(max(page, 0), pages - 1)
    shown = articles[page * ARTICLES_A_PAGE : (page + 1) * ARTICLES_A_PAGE]
    options = [discord.SelectOption(label=plain(each.title, 100) or str(each.id), value=str(each.id)) for each in shown]
    turn = [
        button("◀", "articles", page - 1, disabled=page == 0),
        button("▶", "articles", page + 1, disabled=page + 1 >= pages),
    ]
    turned = f"-# page {page + 1} of {pages}" if pages > 1 else ""
    texts = ["### Articles, newest first", *map(_line, shown), turned]
    chosen = select(custom_id("article", page), "Remove an article", options)
    return layout(card(Tone.CALM, texts, chosen, *rows(turn if pages > 1 else [])))


def remove_question(article: Article) -> LayoutView:
    """Ask before an article goes."""
    sentence = (
        f"Remove **{safe(article.title, TITLE_LIMIT)}** ({counted(article.sentences, 'sentence')}) from this server? Nobody "
        "is asked about it any more. Learners keep what they answered."
    )
    return notice(
        sentence,
        button("Keep it", "article_kept", article.id, style=ButtonStyle.primary),
        button("Remove", "article_removed", article.id, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def removed(article: Article) -> LayoutView:
    """Say that an article is gone."""
    return notice(f"**{safe(article.title, TITLE_LIMIT)}** was removed. Learners keep what they answered.", _back())


def kept(article: Article) -> LayoutView:
    """Say that nothing was removed."""
    return notice(f"**{safe(article.title, TITLE_LIMIT)}** stays.", _back())


def _line(article: Article) -> str:
    facts = counted(article.sentences, "sentence")
    return f"- {article_name(article, source=True)} · {facts} · {messages.when(article.added_at, 'D')}"


def _back() -> discord.ui.Button[LayoutView]:
    return button("All articles", "articles", 0)
