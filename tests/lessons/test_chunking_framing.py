"""What is embedded: pieces behind a frame, messages without the name they are addressed to."""

from __future__ import annotations

import pytest

from lessons.chunking import framed, query_of
from lessons.model import DocumentKind

NAMES = ("Socrates", "ソクラテス", "Hana")


def test_a_frame_stands_before_the_text_and_depends_on_the_kind_alone() -> None:
    assert framed(DocumentKind.BACKGROUND, "料理人です。") == (
        "Learner background: resume, skills, projects, prior experience. 料理人です。"
    )
    assert framed(DocumentKind.GOAL, "N2").startswith("Learner goal: target, exam, reason, deadline. ")


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Socrates, what do you know about me?", "what do you know about me?"),
        ("Socrates: what now", "what now"),
        ("hey Hana help me", "help me"),
        ("Hey, Hana! Help me", "Help me"),
        ("ソクラテス先生、私の目標は何でしたか。", "私の目標は何でしたか。"),
        ("ええと、ソクラテスさん、例文をください。", "例文をください。"),
        ("Hana-sensei, again please", "again please"),
        ("Hana先生、お願いします", "お願いします"),
        ("What did I say, Socrates?", "What did I say?"),
        ("分かりました。ソクラテス先生。", "分かりました。"),
        ("So tell me, Socrates, what is my goal?", "So tell me, what is my goal?"),
        ("Haha! Socrates, what is my goal?", "Haha! what is my goal?"),
        ("ところで Socrates, what is my goal?", "what is my goal?"),
        ("SOCRATES, what is my goal?", "what is my goal?"),
    ],
)
def test_a_name_as_an_address_is_taken_out(message: str, query: str) -> None:
    assert query_of(message, NAMES) == query


@pytest.mark.parametrize(
    "message",
    [
        "I read about Socrates, the philosopher.",
        "Socrates said that he knows nothing",
        "ソクラテスは誰ですか。",
        "My dog is called Hana.",
        "花見に行きました",
        "Hanako, my sister, lives in Kobe",
        "Socrates",
        "ソクラテス先生！",
        "What about Socrateses?",
    ],
)
def test_a_name_that_is_talked_about_stays_and_so_does_a_mere_call(message: str) -> None:
    assert query_of(message, NAMES) == message


@pytest.mark.parametrize("names", [(), ("",), (" ",)])
def test_without_names_the_message_is_the_query(names: tuple[str, ...]) -> None:
    assert query_of(" Socrates, hello ", names) == "Socrates, hello"


def test_a_name_is_no_pattern() -> None:
    assert query_of("K.(e)n, hello there", ("K.(e)n",)) == "hello there"
    assert query_of("Kxen, hello there", ("K.(e)n",)) == "Kxen, hello there"


@pytest.mark.parametrize("sign", [" ", ",", "Socrates,", "hey ", "hey,", "、", "Socrates"])
def test_a_long_message_of_one_kind_takes_no_time(sign: str) -> None:
    assert isinstance(query_of(sign * (4_000 // len(sign)), NAMES), str)
