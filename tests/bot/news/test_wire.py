"""What goes between the bot and its reading process."""

import io
import json
from datetime import UTC, datetime

import pytest

from bot.clients.news import wire, worker
from lessons.errors import UnreadableNews
from lessons.model import Entry, FeedPage, Prose, ReadTrouble

PROSE = Prose("題\U0001f600", ("一。", "二。"), (("一", "いち"),), "ja", "新聞", datetime(2026, 11, 30, 9, tzinfo=UTC))
FEED = FeedPage("紙", "https://news.example/", "ja", (Entry("1", "", PROSE), Entry("2", "https://a", Prose("", ()))))
ASKED = {"what": "page", "type": "text/html", "url": "", "seconds": 1}


@pytest.mark.parametrize("found", [PROSE, FEED, Prose("", ()), FeedPage("", "", "", ())])
def test_what_was_found_arrives_as_it_was(found):
    assert wire.read_answer(wire.FIT + wire.answer(found)) == found


@pytest.mark.parametrize("why", ReadTrouble)
def test_why_it_cannot_be_read_arrives_as_it_was(why):
    with pytest.raises(UnreadableNews) as caught:
        wire.read_answer(wire.FIT + wire.trouble(UnreadableNews(why, "a PDF")))
    assert (caught.value.why, caught.value.detail) == (why, "a PDF")


def test_half_a_character_does_not_break_the_answer():
    assert wire.read_answer(wire.FIT + wire.answer(Prose("\ud800", ()))) == Prose("?", ())


@pytest.mark.parametrize(
    ("fault", "what", "why", "fit"),
    [
        (UnreadableNews(ReadTrouble.CONSENT), "page", ReadTrouble.CONSENT, wire.FIT),
        (MemoryError(), "page", ReadTrouble.TOO_MUCH, wire.SPENT),
        (RecursionError(), "feed", ReadTrouble.TOO_MUCH, wire.SPENT),
        (KeyError("secret"), "page", ReadTrouble.NO_ARTICLE, wire.SPENT),
        (ValueError("secret"), "feed", ReadTrouble.NOT_A_FEED, wire.SPENT),
    ],
)
def test_every_fault_of_a_parser_is_an_answer_that_quotes_nothing(fault, what, why, fit):
    def fails(*_):
        raise fault

    said = worker._answer({what: fails}, {**ASKED, "what": what}, b"")
    assert said.startswith(fit)
    assert json.loads(said[1:])["why"] == why.value
    assert b"secret" not in said


def test_an_input_that_ends_early_is_no_question():
    assert worker._take(io.BytesIO(b"")) is None
    assert worker._take(io.BytesIO(b"\x00\x00")) is None
    assert worker._take(io.BytesIO(wire.frame(b"abc")[:-1])) is None
    assert worker._take(io.BytesIO(wire.frame(b"abc"))) == b"abc"
