"""The verdict on a typed answer: an accepted answer is right whatever else could be said, and doubt is never wrong."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lessons.grading.attempts import kana_scripts, stray_ending, unusable, wrong_script
from lessons.grading.forms import is_inflected
from lessons.grading.meanings import nearly, without_article
from lessons.grading.neighbours import typed_with_neighbours
from lessons.grading.readings import likeness
from lessons.grading.romaji import is_romaji, spells
from lessons.grading.slips import difference, named_slip, nearness
from lessons.grading.sounds import sounds_alike
from lessons.grading.spelling import all_accepted, bare, typed_spelling
from lessons.grading.spoken import is_spoken
from lessons.model import RIGHT, Analysis, AnswerKey, Grade, ItemKind, Remark, Verdict
from lessons.text import fold, has_japanese, is_latin, modern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.grading.spelling import Spelling

_PARTICLE: Final = "助詞"


def grade(key: AnswerKey, typed: Analysis) -> Grade:
    """Grade a typed answer: EXACT, EQUIVALENT, RETRY (no attempt, or in doubt) or WRONG.

    `typed.text` is the text as typed; without words, on either side, the comparison knows less and doubts more.
    """
    if same := _identical(key, typed.text):
        return same
    answer, accepted = typed_spelling(typed), all_accepted(key.accepted)
    if reason := unusable(answer, key.prompt):
        return _retry(key, reason)
    found = [one for spelling in accepted for one in _comparisons(key, answer, spelling)]
    right = next((one for verdict in Verdict for one in found if one.verdict is verdict and verdict in RIGHT), None)
    if right is None:
        return _not_right(key, answer, accepted, found)
    if key.strict_kana and _in_the_other_kana(answer, accepted):
        return _retry(key, Remark.OTHER_KANA, right.matched)
    return right


def as_wrong(grade: Grade, key: AnswerKey, typed: Analysis) -> Grade:
    """Settle a retry that is no longer free: WRONG with the same remarks and a diff.

    A blank answer stays a retry, since nothing was attempted; grades that are no retry stay as they are.
    """
    if grade.verdict is not Verdict.RETRY or Remark.BLANK_ANSWER in grade.remarks:
        return grade
    settled = _wrong(typed_spelling(typed), all_accepted(key.accepted))
    explained = Remark.SPOKEN_FORM in grade.remarks  # 増えてる is no slip of a vowel
    others = () if explained else tuple(remark for remark in settled.remarks if remark not in grade.remarks)
    return replace(settled, remarks=(*grade.remarks, *others))


def _identical(key: AnswerKey, typed: str) -> Grade | None:
    """Find the accepted answer that the text equals after folding; what folds to nothing must be the same signs."""
    text, signs = bare(typed, strict_kana=key.strict_kana), unicodedata.normalize("NFKC", typed).strip()
    for place, one in enumerate(key.accepted):
        expected = bare(one.text, strict_kana=key.strict_kana)
        if (text and text == expected) or (signs and signs == unicodedata.normalize("NFKC", one.text).strip()):
            return Grade(Verdict.EXACT, one.text, (Remark.OTHER_ANSWER,) if place else ())
    return None


def _comparisons(key: AnswerKey, typed: Spelling, accepted: Spelling) -> Iterator[Grade]:
    """Yield all that can be said for this accepted answer beyond plain equality."""
    if modern(typed.text) == modern(accepted.text):
        yield Grade(Verdict.EQUIVALENT, accepted.written, (Remark.USUAL_SPELLING,))
    if typed.text in map(bare, accepted.as_given):
        yield Grade(Verdict.EQUIVALENT, accepted.written, (Remark.IN_KANA,))
    if key.kind is ItemKind.CLOZE and typed_with_neighbours(typed, key.prompt, accepted):
        yield Grade(Verdict.EQUIVALENT, accepted.written, (Remark.WITH_NEIGHBOURS,))
    if key.language != "ja":
        return
    if key.kind is ItemKind.VOCAB and is_inflected(typed, accepted):
        yield Grade(Verdict.RETRY, accepted.written, (Remark.DICTIONARY_FORM,))
    if not is_latin(typed.text):
        if like := likeness(typed, accepted):
            yield Grade(like.verdict, accepted.written, (like.remark,))
    elif key.kind is ItemKind.VOCAB:
        yield from _in_romaji(typed, accepted) if has_japanese(accepted.text) else _as_meaning(key, typed, accepted)


def _in_romaji(typed: Spelling, accepted: Spelling) -> Iterator[Grade]:
    """Compare a reading typed in Latin letters; for a particle they are off, since ha and wa would both be は."""
    if _is_particle(accepted):
        return
    if any(spells(typed.text, reading) for reading in accepted.readings):
        exact = accepted.kana and spells(typed.text, accepted.text)
        yield Grade(Verdict.EXACT if exact else Verdict.EQUIVALENT, accepted.written, (Remark.IN_ROMAJI,))
    elif any(spells(typed.text, reading, loosely=True) for reading in accepted.readings):
        yield Grade(Verdict.RETRY, accepted.written, (Remark.WRONG_SCRIPT,))


def _as_meaning(key: AnswerKey, typed: Spelling, accepted: Spelling) -> Iterator[Grade]:
    """Compare a meaning; slips of typing are forgiven only where the text is nobody else's answer."""
    one, other = without_article(typed.text), without_article(accepted.text)
    if one == other:
        yield Grade(Verdict.EQUIVALENT, accepted.written, (Remark.USUAL_SPELLING,))
    elif not key.taken and not _is_sibling(key, typed) and nearly(one, other):
        yield Grade(Verdict.EQUIVALENT, accepted.written, (Remark.TYPO,))


def _not_right(key: AnswerKey, typed: Spelling, accepted: list[Spelling], found: list[Grade]) -> Grade:
    if named := _right_elsewhere(key, typed, accepted):
        return named
    doubt = next((one for one in found if one.verdict is Verdict.RETRY), None)
    if doubt:
        return doubt
    reason = wrong_script(typed, accepted)
    if reason and not (reason is Remark.WRONG_SCRIPT and _is_other_word_in_romaji(key, typed, accepted)):
        return _retry(key, reason)
    return _wrong(typed, accepted, tuple(remark for one in found for remark in one.remarks))


def _right_elsewhere(key: AnswerKey, typed: Spelling, accepted: list[Spelling]) -> Grade | None:
    """Find what earns a retry by its kind: another word or nuance, speech, or a key pressed once too often."""
    if _is_sibling(key, typed):
        return _retry(key, Remark.ANOTHER_WORD)
    if typed.text in map(bare, key.nuances):
        return _retry(key, Remark.OTHER_NUANCE)
    asks_form = key.kind is ItemKind.CLOZE and key.language == "ja"
    full = next((one.written for one in accepted if asks_form and is_spoken(typed, one)), "")
    if full:
        return _retry(key, Remark.SPOKEN_FORM, full)
    return _retry(key, Remark.MISTYPED_KANA) if stray_ending(typed, accepted) else None


def _wrong(typed: Spelling, accepted: Sequence[Spelling], remarks: tuple[Remark, ...] = ()) -> Grade:
    """Hold a wrong answer against the nearest accepted one, its reading when kana was typed."""
    targets = [
        (spelling, shown, bare(shown))
        for spelling in accepted
        for shown in (spelling.written, *(spelling.certain if typed.kana else ()))
    ]
    if not targets:
        return Grade(Verdict.WRONG, "")
    nearest, shown, text = max(targets, key=lambda target: nearness(typed.text, target[2]))
    slip = named_slip(typed.text, text) if typed.kana else None
    named = (slip,) if slip else ()
    return Grade(
        Verdict.WRONG, nearest.written, (*dict.fromkeys((*remarks, *named)),), difference(typed.written, shown)
    )


def _retry(key: AnswerKey, remark: Remark, matched: str = "") -> Grade:
    shown = matched or next((one.text for one in key.accepted), "")
    return Grade(Verdict.RETRY, shown, (remark,))


def _is_sibling(key: AnswerKey, typed: Spelling) -> bool:
    """Tell whether the text answers another item with the same prompt, as written or as it sounds."""
    siblings = {bare(sibling) for sibling in key.siblings}
    latin = is_latin(typed.text) and key.kind is ItemKind.VOCAB
    return (
        typed.text in siblings
        or any(sounds_alike(reading, sibling) for reading in typed.readings for sibling in siblings)
        or any(latin and spells(typed.text, sibling) for sibling in siblings)
    )


def _is_other_word_in_romaji(key: AnswerKey, typed: Spelling, accepted: list[Spelling]) -> bool:
    """Tell whether the text is clean romaji whose reading is surely none of the accepted ones."""
    sure = all(spelling.vouched and not _is_particle(spelling) for spelling in accepted)
    return sure and key.kind is ItemKind.VOCAB and key.language == "ja" and is_romaji(typed.text)


def _is_particle(accepted: Spelling) -> bool:
    return accepted.kana and bool(accepted.words) and all(word.pos[:1] == (_PARTICLE,) for word in accepted.words)


def _in_the_other_kana(typed: Spelling, accepted: list[Spelling]) -> bool:
    """Tell whether a right answer in kana uses hiragana or katakana where no accepted spelling or reading does."""
    used = kana_scripts(fold(typed.written, strict_kana=True))
    return typed.kana and not any(
        used <= kana_scripts(fold(text, strict_kana=True))
        for spelling in accepted
        for text in (spelling.written, *spelling.as_given)
    )
