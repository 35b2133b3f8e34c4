"""The blank typed together with the visible text around it: 食べ[＿＿＿] answered with べます or the whole sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.grading.sounds import could_read
from lessons.grading.spelling import bare
from lessons.model import BLANK
from lessons.text import fold, has_japanese, has_kanji, is_kana, kanji_of, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.grading.spelling import Spelling

_LAST_WORD: Final = regex.compile(r"[\p{Han}々]+\p{Hiragana}*$")
_SURE: Final = 2  # characters: a single one must also end where the script changes


def typed_with_neighbours(typed: Spelling, prompt: str, accepted: Spelling) -> bool:
    """Tell whether the typed text is an accepted answer with text right next to the blank typed again.

    What stands before and after the answer must be literally the text next to the blank. A single character counts
    only where the script changes beside it: とは is not と before はなした, but it is before は学校.
    """
    before, found, after = prompt.partition(BLANK)
    if not found or len(typed.text) > len(prompt) + len(accepted.text) + sum(map(len, accepted.readings)):
        return False
    return any(
        _stands(head, before, -1) and _stands(tail, after, 1)
        for head, tail in _remainders(typed.text, (accepted.text, *accepted.certain))
    ) or _read_out(typed, before, accepted)


def _remainders(typed: str, answers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield what is left and right of every place where an answer stands inside the typed text."""
    for answer in answers:
        at = typed.find(answer)
        while answer and at >= 0:
            yield typed[:at], typed[at + len(answer) :]
            at = typed.find(answer, at + 1)


def _stands(extra: str, neighbour: str, side: int) -> bool:
    """Tell whether `extra` is the text that touches the blank on that side (-1 before it, 1 after it)."""
    if not extra:
        return True
    visible = squeeze(fold(neighbour))
    if not has_japanese(visible):
        words, wanted = visible.split(), extra.split()
        touching = words[-len(wanted) :] if side < 0 else words[: len(wanted)]
        return touching == wanted and extra[-1 if side < 0 else 0] == " "
    touching_text = visible.endswith(extra) if side < 0 else visible.startswith(extra)
    return touching_text and (len(extra) >= _SURE or extra == visible or _script_changes(neighbour, side))


def _script_changes(neighbour: str, side: int) -> bool:
    """Tell whether the character next to the blank is a stretch of its own: another script or a mark follows."""
    text = fold(neighbour, strict_kana=True)[::side]
    return text[0] != "ー" and _script(text[0]) != _script(text[1])


def _script(char: str) -> str:
    if has_kanji(char):
        return "kanji"
    if is_kana(char):
        return "hiragana" if fold(char) == char else "katakana"
    return char if char.isspace() else "other"


def _read_out(typed: Spelling, before: str, accepted: Spelling) -> bool:
    """Tell whether the word before the blank was typed again in kana: たべます after 食べ, がっこうへ after 学校."""
    word = _LAST_WORD.search(fold(before))
    if word is None or not typed.kana:
        return False
    return any(
        typed.text.endswith(answer) and _reads(typed.text.removesuffix(answer), word[0], typed)
        for answer in (accepted.text, *accepted.certain)
    )


def _reads(head: str, word: str, typed: Spelling) -> bool:
    """Tell whether the dictionary knows the kana `head`, at the start of the typed text, as the end of `word`."""
    covered, meant = "", ""
    for morpheme in typed.words:
        if covered == head:
            break
        covered += bare(morpheme.surface)
        meant += kanji_of(morpheme.normalized)
    starts = (at for at in range(len(word)) if has_kanji(word[at]))
    return covered == head != "" and any(kanji_of(word[at:]) == meant and could_read(word[at:], head) for at in starts)
