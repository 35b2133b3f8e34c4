"""Sentences about feeds and articles: what an address gave instead of news, and what to do about it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from cogs import refusals
from cogs.messages.failures import failure
from cogs.messages.words import listed, when
from cogs.ui.escape import code, safe
from lessons import errors
from lessons.model import Away, FetchTrouble, ReadTrouble

LANGUAGES: Final = {
    "ja": "Japanese", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian",
    "pt": "Portuguese", "ko": "Korean",
}  # fmt: skip
"""Languages that news can be in, by their tag."""

BY_HAND: Final = "`/article add` takes the text by hand"

_FETCH: Final = {
    FetchTrouble.BAD_ADDRESS: "I do not open that address, or one it leads to: only public sites, on ports 80 and 443, by a "
    "name that is none of a private network, and without a user name or a password.",
    FetchTrouble.FORBIDDEN_ADDRESS: "That address, or one it leads to, is in a private network, and I open public ones only.",
    FetchTrouble.UNREACHABLE: "There is no such site, or it does not answer. Check the address, or try again later.",
    FetchTrouble.TOO_SLOW: "The site took too long to answer. Try again later.",
    FetchTrouble.TOO_LARGE: f"The site sends more than I read. Take a smaller feed, or a single article: {BY_HAND}.",
    FetchTrouble.REDIRECTS: "The site sends me on and on without end. Open the address in a browser and take the one it ends at.",
    FetchTrouble.GONE: "The site says that this is gone for good. Look for its new address there.",
    FetchTrouble.STATUS: "The site refuses or fails{status}. Check the address; if it works in a browser, the site blocks me: "
    f"{BY_HAND}.",
}

_READ: Final = {
    ReadTrouble.EMPTY: "There is no text in it.",
    ReadTrouble.NOT_A_FEED: "That is no feed (RSS or Atom), and names none. Look for a link called RSS or Feed on the site.",
    ReadTrouble.NO_ENTRIES: "That is a feed, but there is no entry in it yet. Try again once it has some.",
    ReadTrouble.NO_ARTICLE: f"I found no running text on that page: {BY_HAND}.",
    ReadTrouble.CONSENT: f"The site asks for consent, a log-in or a captcha instead of showing the text: {BY_HAND}.",
    ReadTrouble.GARBLED: "The characters come out garbled, whatever encoding I try. Save it as UTF-8, or paste the text.",
    ReadTrouble.NOT_TEXT: "That is no text (an image, an archive, a PDF …). Copy the text out of it and paste that.",
    ReadTrouble.TOO_MUCH: "That was too much to read at once. Hand in a shorter part of it.",
    ReadTrouble.NO_SENTENCE: "I found no sentence to make an exercise of: whole sentences of 8 to 80 characters work best, "
    "in one language, and none that this server has met before.",
    ReadTrouble.NEEDS_JUDGE: "Nothing in it can be asked without a language model, which the operator of this bot has to set: "
    "its gaps have several right fillers each. In other languages than Japanese that is always so.",
}

_PAGES: Final = {
    FetchTrouble.BAD_ADDRESS: "they, or pages they lead to, are at addresses that I do not open.",
    FetchTrouble.FORBIDDEN_ADDRESS: "they, or pages they lead to, are in a private network, and I open public ones only.",
    FetchTrouble.UNREACHABLE: "they are not there, or do not answer.",
    FetchTrouble.TOO_SLOW: "they take too long to answer.",
    FetchTrouble.TOO_LARGE: f"they are larger than I read; {BY_HAND}.",
    FetchTrouble.REDIRECTS: "they send me on and on without end.",
    FetchTrouble.GONE: "they are gone for good.",
    FetchTrouble.STATUS: f"the site refuses to show them, or fails. If it shows them in a browser, it blocks me: {BY_HAND}.",
    ReadTrouble.EMPTY: "there is no text on them.",
    ReadTrouble.NO_ARTICLE: f"I found no running text on them; {BY_HAND}.",
    ReadTrouble.CONSENT: f"they ask for consent, a log-in or a captcha instead of showing the text; {BY_HAND}.",
    ReadTrouble.GARBLED: f"their characters come out garbled; {BY_HAND}.",
    ReadTrouble.NOT_TEXT: "they are no text (images, PDFs …).",
    ReadTrouble.TOO_MUCH: f"they are too much to read at once; {BY_HAND}.",
    ReadTrouble.NO_SENTENCE: "there is no sentence on them that makes an exercise and that this server has not met before.",
    ReadTrouble.NEEDS_JUDGE: "nothing on them can be asked without a language model, which the operator of this bot has to "
    "set; in other languages than Japanese that is always so.",
}
"""What is the matter with the pages that a feed names; those that only a feed itself can have are missing."""

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+-]*):(?!\d)", re.IGNORECASE)
_PORTS: Final = frozenset({None, 80, 443})


def trouble(value: str, status: int = 0) -> str:
    """Say what is the matter with an address or its bytes, by a FetchTrouble's or ReadTrouble's value."""
    if value in set(ReadTrouble):
        return _READ[ReadTrouble(value)]
    if value in set(FetchTrouble):
        return _FETCH[FetchTrouble(value)].format(status=f" (it answers {status})" if status else "")
    return "The last look did not work."


def page_trouble(value: str) -> str:
    """Say why nothing could be made of the pages that a feed names, by the trouble of the last of them."""
    known = {kind.value: clause for kind, clause in _PAGES.items()}
    return f"Nothing could be made of its newest pages: {known.get(value, 'they could not be read.')}"


def unopened(url: str) -> str:
    """Say what it is about an address, as somebody typed it, that it is not opened."""
    given = url.strip()
    scheme = _SCHEME.match(given)
    if scheme is None:
        return "That is no address I can open. Write it in full, such as `https://news.example/feed.xml`."
    if scheme[1].lower() not in {"http", "https"}:
        return "I open web addresses only, those that begin with `https://` or `http://`."
    try:
        parts = urlsplit(given)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "That is no address I can open. Look for a slip in it."
    if "@" in parts.netloc:
        return "That address has a user name or a password in it, and I send none. Leave it out."
    if port not in _PORTS:
        return "That address names a port, and I open only the usual ones, 80 and 443."
    return (
        trouble(FetchTrouble.BAD_ADDRESS) if host else "That is no address I can open: the name of the site is missing."
    )


def language_name(tag: str) -> str:
    """Name a language by its tag; one without a name here by the tag itself, where it is one."""
    looks_right = tag.isascii() and tag.replace("-", "").isalnum()
    return LANGUAGES.get(tag) or (code(tag, 20) if looks_right else "language unknown")


@failure.register(errors.Unfetchable)
def _(error: errors.Unfetchable) -> str:
    again = f" It asks me to wait until {when(error.again, 't')}." if error.again else ""
    return f"{trouble(error.why, error.status)}{again}"


@failure.register(errors.UnreadableNews)
def _(error: errors.UnreadableNews) -> str:
    return trouble(error.why)


@failure.register(errors.FeedThere)
def _(error: errors.FeedThere) -> str:
    return f"This server has that feed already: **{safe(error.title, 100)}**. `/feed refresh` looks at it now."


@failure.register(errors.TooManyFeeds)
def _(error: errors.TooManyFeeds) -> str:
    return f"This server has {error.limit} feeds, and more than that I do not look at. `/feed remove` makes room."


@failure.register(errors.ArticleThere)
def _(error: errors.ArticleThere) -> str:
    if not error.title:
        return "This server has met this text before, and asks about each text once."
    return f"This server has this text or its link already, as **{safe(error.title, 100)}**."


@failure.register(errors.NoNews)
def _(error: errors.NoNews) -> str:
    if error.in_server:
        return "There is no news here yet. A moderator can add some with `/feed add` or `/article add`."
    return "There is no news for you yet: use me in a server with news, then it follows you here."


@failure.register(errors.NewsAllRead)
def _(error: errors.NewsAllRead) -> str:
    due = f" The first sentence comes back {when(error.next_due)}." if error.next_due else ""
    return f"You have answered every sentence of the news here.{due} New articles bring new ones."


@failure.register(errors.NewsNeedJudge)
def _(error: errors.NewsNeedJudge) -> str:
    due = f" The first sentence you missed comes back {when(error.next_due)}." if error.next_due else ""
    return (
        "What is left of the news here can be asked only with a language model, because its gaps have several right "
        "fillers, and there is none: the operator of this bot can set one. New articles may bring sentences that need none."
        f"{due}"
    )


@failure.register(errors.UnknownArticle)
def _(error: errors.UnknownArticle) -> str:
    return f"There is no article called {code(error.name)}. Pick one of the titles that appear while you type."


@failure.register(errors.ModelAway)
def _(error: errors.ModelAway) -> str:
    if error.why is Away.BUSY:
        return "I am still answering your last question. Nothing was lost; say this again once that answer stands."
    if error.why is Away.NO_MODEL:
        return "No language model is set up here. Everything that needs none works."
    if error.why is Away.NONSENSE:
        return "What the language model said made no sense, so nothing came of it. You can ask once more."
    again = f" Try again {when(error.until)}." if error.until else " Try again later."
    return f"The language model cannot be asked at this moment.{again} Everything that needs no model goes on working."


@failure.register(refusals.UnknownFeed)
def _(error: refusals.UnknownFeed) -> str:
    known = f" There are: {listed(error.known)}." if error.known else " There are no feeds here yet."
    return f"There is no feed called {code(error.name)}.{known}"
