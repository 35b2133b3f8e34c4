"""Which embedder is taken, and what is said of those that are not."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys

import pytest

from bot.clients.embedders import KINDS, Embedder, EmbedderUnavailable, choose, usem3

from .loopback import surroundings
from .test_embedders_sentences import needs_torch
from .test_embedders_sentences import tiny as tiny  # noqa: PLC0414 - the fixture

NOWHERE = "kizuki/no-such-model"
HEAVY = ("torch", "transformers", "sentence_transformers", "huggingface_hub", "usem3", "sklearn")


async def chosen(kind: str, model: str) -> str:
    embedder = await choose(kind, model)
    port: Embedder = embedder
    assert len(await port.embed(["は"])) == 1
    embedder.close()
    return embedder.name


@needs_torch
async def test_auto_takes_the_sentence_transformer_that_is_here(tiny, caplog):
    caplog.set_level(logging.INFO, "bot")
    assert await chosen("auto", tiny) == tiny
    assert [record.message for record in caplog.records if record.name.startswith("bot")] == [
        f"embedder e5: {tiny}, 16 numbers a text"
    ]


@needs_torch
async def test_auto_passes_over_a_model_that_is_not_here(caplog):
    caplog.set_level(logging.INFO, "bot")
    assert (await chosen("auto", NOWHERE)).startswith("usem3 ")
    assert caplog.messages[0] == (
        f"embedder e5 is left out: {NOWHERE} is not on this machine; `kizuki fetch-model` downloads it"
    )
    assert not any(record.exc_info for record in caplog.records)


async def test_auto_ends_with_the_spelling_and_says_what_that_means(caplog, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "usem3", None)
    monkeypatch.setattr(usem3, "_PACKAGE", "no-such-package")
    caplog.set_level(logging.INFO, "bot")
    assert (await chosen("auto", NOWHERE)).startswith("hashed ")
    assert [record.levelname for record in caplog.records] == ["INFO", "INFO", "WARNING", "INFO"]
    assert caplog.messages[1] == "embedder usem3 is left out: the Python package usem3 is not installed"


@pytest.mark.parametrize("kind", ["usem3", "hashed"])
async def test_one_by_name_is_that_one(kind):
    assert (await chosen(kind, NOWHERE)).startswith(f"{kind} ")


@needs_torch
@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (NOWHERE, f"{NOWHERE} is not on this machine; `kizuki fetch-model` downloads it"),
        ("", "no model is named"),
        ("/no/such/folder", "/no/such/folder is neither a folder nor the name of a model"),
        ("a b c\n", "'a b c\\n' is neither a folder nor the name of a model"),
    ],
)
async def test_one_by_name_that_cannot_be_had_is_an_error_with_its_reason(model, reason):
    with pytest.raises(EmbedderUnavailable) as failed:
        await choose("e5", model)
    assert (failed.value.kind, failed.value.reason) == ("e5", reason)


async def test_an_unknown_kind_is_told_the_known_ones():
    with pytest.raises(EmbedderUnavailable) as failed:
        await choose("word2vec", NOWHERE)
    assert failed.value.reason == f"there is no such embedder; there are {', '.join(KINDS)}"


async def test_a_choice_that_is_cancelled_leaves_nothing_behind():
    choosing = asyncio.ensure_future(choose("usem3", NOWHERE))
    await asyncio.sleep(0.01)
    choosing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await choosing


def test_nothing_heavy_is_loaded_before_an_embedder_starts():
    script = (
        "import sys\n"
        "from bot.clients.embedders import HashedEmbedder, SentenceTransformerEmbedder, Usem3Embedder\n"
        "for made in (HashedEmbedder(), SentenceTransformerEmbedder('e5'), Usem3Embedder()): made.close()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=surroundings(), capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"
