"""The same word in another spelling: kana for kanji, kanji for kana, a mixture, other okurigana, other kanji."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from lessons.grading.homographs import other_readings
from lessons.grading.slips import named_slip
from lessons.grading.sounds import could_read, sounds_alike
from lessons.grading.spelling import bare
from lessons.model import Remark, Verdict
from lessons.text import has_kanji, is_kana, kanji_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.grading.spelling import Spelling

_NUMERAL: Final = "数詞"
_FOREIGN: Final = regex.compile(r"[^\p{Han}〆\p{Hiragana}\p{Katakana}ー゛゜\p{N}\p{M}\p{Z}\p{Pi}\p{Pf}〜'\"]")
"""What is neither Japanese nor a number, a space or a quotation mark."""
_KANA_PER_KANJI = 3
"""Readings much longer than that (承る, 志) are rare enough to come with the pack."""


class Likeness(NamedTuple):
    """What a comparison found."""

    verdict: Verdict
    remark: Remark


IN_KANA = Likeness(Verdict.EQUIVALENT, Remark.IN_KANA)
SPELLED_OTHERWISE = Likeness(Verdict.EQUIVALENT, Remark.USUAL_SPELLING)
UNSURE = Likeness(Verdict.RETRY, Remark.UNSURE_SPELLING)
OTHER_READING = Likeness(Verdict.RETRY, Remark.OTHER_READING)
UNSURE_READING = Likeness(Verdict.RETRY, Remark.UNSURE_READING)
SLIP = Likeness(Verdict.WRONG, Remark.KANJI_SLIP)


def likeness(typed: Spelling, accepted: Spelling) -> Likeness | None:
    """Compare by sound and by the dictionary's normalised form; None when nothing speaks for the same word.

    Both are already known to be written differently. Readings are compared with readings, so that the time grows
    with the length and not with the number of possible spellings. Letters and signs beyond those of the answer say
    more than it does, and count: not 鍵, 鍵=ok, 鍵×.
    """
    found = _same_word(typed, accepted)
    beyond = Counter(_FOREIGN.findall(typed.text)) - Counter(accepted.text)
    if found is None or not beyond or _is_heard_whole(typed, accepted):
        return found
    if any(map(str.isalpha, beyond)):
        return None
    return found if found is SLIP else UNSURE


def _is_heard_whole(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether the letters in a text are part of how it sounds: Tシャツ for ティーシャツ."""
    heard = bare("".join(word.surface for word in typed.words)) == typed.text
    return heard and _any_alike(typed.guessed, accepted.readings)


def _same_word(typed: Spelling, accepted: Spelling) -> Likeness | None:
    if typed.kana:
        return _kana_for_kana(typed, accepted) if accepted.kana else _kana_for_kanji(typed, accepted)
    return _kanji_for_kana(typed, accepted) if accepted.kana else _kanji_for_kanji(typed, accepted)


def _kana_for_kana(typed: Spelling, accepted: Spelling) -> Likeness | None:
    """Compare kana; a loan word may drop its last ー (コンピュータ), other forms of one entry are in doubt (なん, なに).

    A slip with a name is one all the same: the dictionary files ばな under 花, as in 生け花.
    """
    if _any_alike(typed.text, accepted.vouched):
        return SPELLED_OTHERWISE
    slip = named_slip(typed.text, accepted.text)
    if not _same_entry(typed, accepted) or slip in {Remark.SMALL_KANA, Remark.VOICING}:
        return None
    drops_a_mark = slip is Remark.LONG_VOWEL and "ー" in typed.text + accepted.text
    return SPELLED_OTHERWISE if drops_a_mark else OTHER_READING


def _kana_for_kanji(typed: Spelling, accepted: Spelling) -> Likeness | None:
    if _any_alike(typed.text, accepted.vouched):
        return IN_KANA
    in_dictionary = sounds_alike(typed.text, accepted.guessed) or _same_entry(typed, accepted)
    if accepted.vouched:
        return OTHER_READING if in_dictionary or _is_other_reading(typed, accepted) else None
    if in_dictionary:
        return IN_KANA
    return UNSURE_READING if _may_be_read(typed, accepted) else None


def _is_other_reading(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether kana is a reading of the word besides those given: いちにん for 一人, しちにち for 七日.

    A number put together regularly is one as well: よんにん for 四人, いちさつ for 一冊.
    """
    put_together = bare("".join(word.reading for word in accepted.words))
    others = (other for reading in accepted.readings for other in other_readings(accepted.text, reading))
    uninflected = all(word.pos[4:5] in ((), ("*",)) for word in typed.words)
    return _any_alike(typed.text, (put_together, *others)) or (uninflected and "".join(typed.entries) == accepted.text)


def _may_be_read(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether kana may be a reading that the dictionary just did not choose: ついたち for 一日, うち for 家."""
    counted = any(_NUMERAL in word.pos for word in accepted.words)  # いっさつ, where the dictionary adds いち and さつ
    sure_slip = not counted and named_slip(typed.text, accepted.guessed) in {Remark.SMALL_KANA, Remark.LONG_VOWEL}
    return (
        has_kanji(accepted.text)
        and _is_plausible(typed.text, accepted.text)
        and not sure_slip
        and (not accepted.beside_given or _is_other_reading(typed, accepted))
        and not _names_another_word(typed, accepted)
        and could_read(accepted.text, typed.text)
    )


def _names_another_word(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether the dictionary hears other words of the same build: いきます beside 来ます, がっこう beside 会社.

    Anything less is no evidence, since it cuts kana up at random (とりにく becomes 取り + 難く).
    """
    same_build = [word.pos[:1] for word in typed.words] == [word.pos[:1] for word in accepted.words]
    others = set(kanji_of("".join(typed.entries))) - set(accepted.kanji)
    return same_build and bool(others) and (typed.plain or len(typed.words) > 1)


def _is_plausible(reading: str, spelling: str) -> bool:
    """Tell whether a reading is not too long for the kanji of a spelling."""
    return len(reading) <= len(spelling) + (_KANA_PER_KANJI - 1) * len(kanji_of(spelling))


def _kanji_for_kana(typed: Spelling, accepted: Spelling) -> Likeness | None:
    alike = _any_alike(typed.guessed, accepted.vouched)
    otherwise = _any_alike_otherwise(typed, accepted.vouched)
    inflects = is_kana(typed.text[-1:])  # a noun stays in doubt: 家 is not the うち of 降らないうちに
    if _same_entry(typed, accepted) or (alike and _same_normalized(typed, accepted)) or (otherwise and inflects):
        return SPELLED_OTHERWISE
    guesswork = any(not word.known and has_kanji(word.surface) and _NUMERAL not in word.pos for word in typed.words)
    could_be = guesswork and _is_plausible(accepted.text, typed.text) and could_read(typed.text, accepted.text)
    return UNSURE if alike or otherwise or could_be else None


def _kanji_for_kanji(typed: Spelling, accepted: Spelling) -> Likeness | None:
    alike = _any_alike(typed.guessed, accepted.readings) or _any_alike_otherwise(typed, accepted.readings)
    if _same_entry(typed, accepted) or (alike and _same_normalized(typed, accepted)):
        return SPELLED_OTHERWISE
    in_order = _in_order(typed.kanji, accepted.kanji)
    if alike:
        return SPELLED_OTHERWISE if in_order else SLIP
    return _by_shape(typed, accepted) if in_order and typed.kanji and _trades_kana(typed, accepted) else None


def _by_shape(typed: Spelling, accepted: Spelling) -> Likeness | None:
    """Judge kanji in the right order when the dictionary does not hear the same reading.

    It misreads spellings it cuts up (詰らない becomes なじらない), so there the kana decide. One word that it knows
    whole is another word (上る is not 上がる): doubt.
    """
    if not any(could_read(typed.text, reading) for reading in accepted.certain or (typed.text,)):
        return None
    if typed.words:
        cut_up = len(typed.words) > 1 and all(word.known for word in typed.words)
        sure = cut_up and typed.kanji == accepted.kanji
    else:
        sure = len(typed.kanji) < len(accepted.kanji)
    return SPELLED_OTHERWISE if sure and accepted.certain else UNSURE


def _same_normalized(typed: Spelling, accepted: Spelling) -> bool:
    return "".join(typed.entries) == "".join(accepted.entries) != ""


def _same_entry(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether both are the same entries of the dictionary, uninflected: ゆく and 行く, not くます and 来ます.

    A potential verb shares the entry of its verb but not the way it inflects (もらえる, もらう).
    """
    return (
        typed.plain
        and accepted.plain
        and typed.entries == accepted.entries != ()
        and [word.pos[4:5] for word in typed.words] == [word.pos[4:5] for word in accepted.words]
    )


def _any_alike(reading: str, others: Iterable[str]) -> bool:
    return reading != "" and any(sounds_alike(reading, other) for other in others)


def _any_alike_otherwise(typed: Spelling, others: tuple[str, ...]) -> bool:
    """Tell whether kanji that the dictionary reads in one way may be read as one of these: 止めろ as やめろ."""
    return any(_any_alike(reading, others) for reading in other_readings(typed.text, typed.guessed))


def _in_order(typed: str, accepted: str) -> bool:
    """Tell whether the kanji of the side that has fewer all stand in the other one, in order."""
    fewer, more = sorted((typed, accepted), key=len)
    rest = iter(more)
    return (fewer != "" or typed == "") and all(char in rest for char in fewer)


def _trades_kana(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether kana make up for the kanji that one side lacks: 友だち may stand for 友達, 友 may not."""
    kanji = len(typed.kanji) - len(accepted.kanji)
    kana = sum(map(is_kana, typed.text)) - sum(map(is_kana, accepted.text))
    return kanji == 0 or kanji * kana < 0
