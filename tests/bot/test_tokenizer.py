"""The dictionary client: readings, thread, odd texts, late loading."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib.metadata import version

import pytest
import pytest_asyncio

from bot.clients.tokenizer import SudachiTokenizer


@pytest_asyncio.fixture(loop_scope="function")
async def tokenizer():
    client = SudachiTokenizer()
    yield client
    client.close()


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("", ""),
        ("学校へ行く", "がっこうへいく"),
        ("これは", "これは"),
        ("ヴァイオリン", "ゔぁいおりん"),
        ("友達。", "ともだち。"),
        ("〜時", "〜じ"),
        ("々", "々"),
        ("Tシャツ", "てぃーしゃつ"),
        ("a", "a"),
        ("彁", "彁"),
        ("😀", "😀"),
        ("　", "　"),
    ],
)
async def test_readings_are_hiragana_and_kana_stays_as_written(tokenizer, text, reading):
    [analysis] = await tokenizer.analyse([text])
    assert (analysis.text, analysis.reading) == (text, reading)


async def test_words_carry_the_dictionary_s_view(tokenizer):
    [analysis] = await tokenizer.analyse(["食べました"])
    first = analysis.words[0]
    assert (first.surface, first.dictionary_form, first.normalized, first.pos[0]) == (
        "食べ",
        "食べる",
        "食べる",
        "動詞",
    )
    assert first.known


async def test_unknown_words_say_so(tokenizer):
    [analysis] = await tokenizer.analyse(["彁"])
    assert [word.known for word in analysis.words] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "い\x00ぬ",
        "\ud800",
        "犬\udfff",
        "a" * 60_000,
        "あ" * 60_000,
        "😀" * 30_000,
        "犬だ。" * 9_000,
        "犬だ\n" * 9_000,
    ],
)
async def test_no_text_makes_it_raise(tokenizer, text):
    [analysis] = await tokenizer.analyse([text])
    assert analysis.text == text
    assert len("".join(word.surface for word in analysis.words)) == len(text)


async def test_results_keep_the_order_of_the_texts(tokenizer):
    texts = ["犬", "", "猫", "犬"]
    assert [analysis.text for analysis in await tokenizer.analyse(texts)] == texts
    assert await tokenizer.analyse([]) == []


async def test_it_works_in_one_thread_of_its_own(tokenizer):
    before = set(threading.enumerate())
    await tokenizer.start()
    await tokenizer.analyse(["犬"])
    assert [thread.name for thread in threading.enumerate() if thread not in before] == ["dictionary_0"]


def test_the_dictionary_is_named_with_its_version():
    assert SudachiTokenizer().dictionary == f"sudachidict_core {version('sudachidict_core')}"


def test_importing_it_loads_no_dictionary():
    code = "import sys, bot.clients.tokenizer; sys.exit('sudachipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
