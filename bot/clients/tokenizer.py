"""The Japanese dictionary: SudachiPy behind the Tokenizer port, in one thread of its own, loaded before login."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

import jaconv

from lessons.model import Analysis, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import sudachipy  # type: ignore[import-untyped]

_DICTIONARY: Final = "sudachidict_core"
_SIGNS: Final = frozenset({"補助記号", "空白", "記号"})
_STRETCH: Final = 12_000
"""Characters analysed at once: SudachiPy refuses more than 49,149 bytes of UTF-8, four bytes a character at most."""

_KANA: Final = re.compile(r"[ぁ-ゖァ-ヶーゝゞヽヾ・]+")
_KANA_READING: Final = re.compile(r"[ァ-ヶー]+")
_LATIN: Final = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ]")  # one letter alone is read by chance (a is アール, are)
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class SudachiTokenizer:
    """Cuts text into words of split mode C.

    SudachiPy's tokenizer must not be shared between threads and its dictionary takes a while to load, so both live in
    one worker thread: `start` loads them, or the first `analyse` does. No text makes it raise.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dictionary")
        self._loaded: sudachipy.Tokenizer | None = None

    @property
    def dictionary(self) -> str:
        """Name and version of the dictionary, such as "sudachidict_core 20261015"."""
        return f"{_DICTIONARY} {version(_DICTIONARY)}"

    async def start(self) -> None:
        """Load the dictionary now, so that no learner waits for it."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self._tokenizer)

    async def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Cut each text into words; the result has the order and length of `texts`."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._analyse_all, tuple(texts))

    def close(self) -> None:
        """Let the worker thread end; work that has begun is finished first."""
        self._worker.shutdown()

    def _analyse_all(self, texts: tuple[str, ...]) -> list[Analysis]:
        return [Analysis(text, tuple(self._words(text))) for text in texts]

    def _words(self, text: str) -> Iterator[Word]:
        tokenizer = self._tokenizer()
        for stretch in _stretches(_SURROGATE.sub("\ufffd", text)):
            yield from (_word(morpheme) for morpheme in tokenizer.tokenize(stretch))

    def _tokenizer(self) -> sudachipy.Tokenizer:
        if self._loaded is None:
            from sudachipy import Dictionary, SplitMode  # noqa: PLC0415 - heavy, and only this thread may hold it

            self._loaded = Dictionary(dict="core").tokenizer(mode=SplitMode.C)
        return self._loaded


def _stretches(text: str) -> Iterator[str]:
    """Yield the text in pieces the dictionary can take, cut after a sentence or a line where there is one."""
    while len(text) > _STRETCH:
        cut = max(text.rfind(mark, 0, _STRETCH) for mark in "。\n") + 1 or _STRETCH
        yield text[:cut]
        text = text[cut:]
    if text:
        yield text


def _word(morpheme: sudachipy.Morpheme) -> Word:
    return Word(
        surface=morpheme.surface(),
        reading=_reading(morpheme),
        normalized=morpheme.normalized_form(),
        dictionary_form=morpheme.dictionary_form(),
        pos=tuple(morpheme.part_of_speech()),
        known=not morpheme.is_oov(),
    )


def _reading(morpheme: sudachipy.Morpheme) -> str:
    """Return the reading in hiragana: kana as written, and the text itself where the dictionary names a sign."""
    surface, reading = morpheme.surface(), morpheme.reading_form()
    as_written = (
        _KANA.fullmatch(surface)
        or _LATIN.fullmatch(surface)
        or morpheme.part_of_speech()[0] in _SIGNS
        or not _KANA_READING.fullmatch(reading)
    )
    return jaconv.kata2hira(surface if as_written else reading)
