"""Sentences that are put together from facts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cogs.messages import counted, failure, language_name, lessons_named, page_trouble, past, trouble, unopened
from lessons.errors import (
    ArticleThere,
    BadRange,
    FeedThere,
    ModelAway,
    NewsAllRead,
    NewsNeedJudge,
    NoNews,
    NothingMatches,
    Refusal,
    TooManyFeeds,
    Unfetchable,
    UnknownArticle,
    UnreadableFile,
    UnreadableNews,
    UnusableName,
)
from lessons.model import Away, FetchTrouble, ReadTrouble
from tests.conftest import BEGINNING


def test_one_is_no_plural() -> None:
    assert [counted(number, "row") for number in (0, 1, 2, 10_000)] == ["0 rows", "1 row", "2 rows", "10,000 rows"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (tuple(map(str, range(1, 13))), "1 to 12"),
        (("10", "9", "8", "2", "1"), "1, 2, 8 to 10"),
        (("", "3"), "3"),
        (("Genki 3", "Genki 4", "Genki 5", "て-form", "1", "2", "3"), "1 to 3, `Genki 3` to `Genki 5`, `て-form`"),
        (("N5", "N4", "05", "006"), "05, 006, `N4`, `N5`"),
        (("第1課", "1234567"), "1234567, `第1課`"),
        (
            tuple(f"{letter}-form" for letter in "abcdefghij"),
            ", ".join(f"`{c}-form`" for c in "abcdefgh") + " and 2 more",
        ),
    ],
)
def test_lessons_in_a_row_are_named_by_the_first_and_the_last(names: tuple[str, ...], said: str) -> None:
    assert lessons_named(names) == said


def test_a_range_that_finds_nothing_names_what_there_is() -> None:
    error = NothingMatches("particles", "abc", tuple(map(str, range(1, 13))))
    assert failure(error) == "Nothing matches `abc`. There are lessons 1 to 12."
    assert failure(NothingMatches("particles", "abc", ("",))) == "Nothing matches `abc`."
    assert failure(NothingMatches("particles", "abc", ("7", ""))) == "Nothing matches `abc`. There is only lesson 7."


def test_a_long_range_is_told_from_one_that_cannot_be_read() -> None:
    assert failure(BadRange("1-100000000", too_long=True)).startswith("That range is too long. Write lessons like")
    assert failure(BadRange("%%")).startswith("I cannot read `%%` as lessons. Write lessons like")


def test_a_file_of_one_column_is_shown_how_it_begins() -> None:
    said = failure(UnreadableFile(Refusal.NOT_A_TABLE, "@everyone"))
    assert "one with the question and one with the answer" in said
    assert "it begins `@\u2060everyone`" in said


def test_a_name_of_nothing_is_not_shown() -> None:
    assert "` `" not in failure(UnusableName("", 60))


@pytest.mark.parametrize("why", list(FetchTrouble))
def test_every_address_that_gives_nothing_has_a_sentence(why: FetchTrouble) -> None:
    assert failure(Unfetchable(why)) == trouble(why.value)
    assert "{" not in trouble(why.value)
    assert failure(Unfetchable(why, 451, BEGINNING)).endswith("It asks me to wait until <t:1796029200:t>.")


@pytest.mark.parametrize("why", list(ReadTrouble))
def test_everything_that_is_no_news_has_a_sentence(why: ReadTrouble) -> None:
    assert failure(UnreadableNews(why, "https://a.example")) == trouble(why.value)
    assert "{" not in trouble(why.value)


def test_no_two_troubles_read_alike() -> None:
    said = [trouble(why.value) for why in (*FetchTrouble, *ReadTrouble)]
    assert len(set(said)) == len(said)
    assert trouble("of_a_later_release") == "The last look did not work."


@pytest.mark.parametrize(
    "why", [FetchTrouble.STATUS, FetchTrouble.TOO_LARGE, ReadTrouble.CONSENT, ReadTrouble.NO_ARTICLE]
)
def test_where_a_site_does_not_let_itself_be_read_there_is_another_way(why: FetchTrouble | ReadTrouble) -> None:
    assert "`/article add` takes the text by hand" in trouble(why.value)
    assert "(it answers 403)" in trouble("status", 403)


def test_an_address_where_nothing_is_may_be_a_slip() -> None:
    assert "(it answers 404). Check the address" in failure(Unfetchable(FetchTrouble.STATUS, 404))


def test_what_is_the_matter_with_pages_speaks_of_pages_and_each_in_its_own_words() -> None:
    of_feeds = {ReadTrouble.NOT_A_FEED, ReadTrouble.NO_ENTRIES}
    said = {page_trouble(why.value) for why in (*FetchTrouble, *ReadTrouble) if why not in of_feeds}
    assert len(said) == len(FetchTrouble) + len(ReadTrouble) - len(of_feeds)
    for sentence in said | {page_trouble("of_a_later_release")}:
        assert sentence.startswith("Nothing could be made of its newest pages: ")
        assert sentence.endswith(".")
        assert "feed" not in sentence
        assert "{" not in sentence


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("news", "Write it in full"),
        ("news.example/feed.xml", "Write it in full"),
        ("localhost:8080/feed", "Write it in full"),
        ("//news.example/feed", "Write it in full"),
        ("ftp://news.example/feed", "web addresses only"),
        ("javascript:alert(1)", "web addresses only"),
        ("https://a:b@news.example/", "a user name or a password"),
        ("https://@news.example/", "a user name or a password"),
        ("https://news.example:8443/", "a port"),
        ("http://news.example:0/", "a port"),
        ("https://news.example:port/", "Look for a slip"),
        ("https://[::1/", "Look for a slip"),
        ("https:///feed", "the name of the site is missing"),
        (" HTTPS://news.example:443/feed ", "or one it leads to"),
        ("http://2130706433/", "or one it leads to"),
    ],
)
def test_an_address_that_is_not_opened_is_told_by_its_reason(url: str, reason: str) -> None:
    assert reason in unopened(url)
    assert ("Write it in full" in unopened(url)) is ("Write it" in reason)


@pytest.mark.parametrize("why", [FetchTrouble.BAD_ADDRESS, FetchTrouble.FORBIDDEN_ADDRESS])
def test_an_address_may_be_refused_for_the_one_it_leads_to(why: FetchTrouble) -> None:
    assert "that address, or one it leads to" in trouble(why.value).lower()


def test_a_moment_that_is_hardly_over_is_told_in_a_word() -> None:
    for seconds in (-60, 0, 119):
        assert past(BEGINNING, BEGINNING + timedelta(seconds=seconds)) == "just now"
    assert past(BEGINNING, BEGINNING + timedelta(seconds=120)) == "<t:1796029200:R>"


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (FeedThere("](x) @everyone"), "\\](x) @\u2060everyone"),
        (TooManyFeeds(50), "has 50 feeds"),
        (ArticleThere(""), "has met this text before, and asks about each text once."),
        (ArticleThere("題"), "has this text or its link already, as **題**."),
        (NewsNeedJudge(), "only with a language model"),
        (NoNews(in_server=True), "`/feed add` or `/article add`"),
        (NoNews(in_server=False), "use me in a server with news"),
        (NewsAllRead(), "every sentence of the news here. New"),
        (NewsAllRead(BEGINNING), "comes back <t:1796029200:R>."),
        (UnknownArticle("@everyone"), "`@\u2060everyone`"),
        (ModelAway(Away.KEY), "Try again later."),
        (ModelAway(Away.DOWN, BEGINNING), "Try again <t:1796029200:R>."),
    ],
)
def test_news_fails_in_words(error: Exception, part: str) -> None:
    assert part in failure(error)


@pytest.mark.parametrize(
    ("tag", "name"),
    [("ja", "Japanese"), ("sv", "`sv`"), ("", "language unknown"), ("](http://e.co)", "language unknown")],
)
def test_a_language_is_named(tag: str, name: str) -> None:
    assert language_name(tag) == name
