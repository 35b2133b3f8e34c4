"""How words are read where the dictionary names one reading of several, or puts a number together wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.text import is_kana

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE: Final = """
止め とめ やめ|行 い ゆ|開 あ ひら|空 あ す|辛 から つら|抱 だ いだ|汚 よご けが|避け さけ よけ|退 しりぞ ど の ひ|怒 おこ いか
描 か えが|脅か おどか おびやか|埋め うめ うずめ|注 そそ つ|弾 ひ はず はじ|被 かぶ こうむ|通 とお かよ|寂し さび さみ|温か あたたか あったか
暖か あたたか あったか|良 よ い|言 い ゆ|一人 ひとり いちにん|二人 ふたり ににん|一日 いちにち ついたち いちじつ|二日 ふつか|三日 みっか
四日 よっか|五日 いつか|六日 むいか|七日 なのか なぬか|八日 ようか|九日 ここのか|十日 とおか|二十日 はつか にじゅうにち|十四日 じゅうよっか
二十四日 にじゅうよっか|四人 よにん|四時 よじ|七時 しちじ|九時 くじ|四月 しがつ|七月 しちがつ|九月 くがつ|四年 よねん
二十歳 はたち にじゅっさい にじっさい|一月 いちがつ ひとつき|十分 じゅうぶん じゅっぷん じっぷん|今日 きょう こんにち|明日 あした あす みょうにち
昨日 きのう さくじつ|一昨日 おととい おとつい いっさくじつ|明後日 あさって みょうごにち|今年 ことし こんねん|昨夜 さくや ゆうべ|今朝 けさ こんちょう
夜中 よなか やちゅう|日本 にほん にっぽん|私 わたし わたくし あたし|何 なに なん|家 いえ うち|他 ほか た|後 あと のち うしろ ご|間 あいだ ま
方 ほう かた|中 なか ちゅう じゅう|金 かね きん|角 かど つの|都 みやこ と|上手 じょうず うわて かみて|下手 へた したて しもて
大人 おとな だいにん|人気 にんき ひとけ|市場 いちば しじょう|大家 おおや たいか|生物 せいぶつ なまもの|寒気 さむけ かんき|工場 こうじょう こうば
洗濯機 せんたくき せんたっき|梅雨 つゆ ばいう|米 こめ べい|箱 はこ ばこ|鶏肉 とりにく けいにく|草原 そうげん くさはら|牧場 ぼくじょう まきば
博士 はかせ はくし
"""
_READINGS: Final[dict[str, tuple[str, ...]]] = {
    spelling: tuple(readings)
    for spelling, *readings in (entry.split() for line in _TABLE.strip().splitlines() for entry in line.split("|"))
}
"""Spellings of nouns and of the stems of verbs and adjectives, each with its readings."""
_LONGEST: Final = max(map(len, _READINGS))


def likely_reading(spelling: str, reading: str) -> str:
    """Return the dictionary's reading of a folded spelling, the usual one where it is none: 十日 is not とうか."""
    known = _READINGS.get(spelling, (reading,))
    return reading if reading in known or not reading else known[0]


def other_readings(spelling: str, reading: str) -> Iterator[str]:
    """Yield the readings of a folded spelling besides the given one; kana may follow the word: 止めろ, やめろ."""
    for end in range(1, min(_LONGEST, len(spelling)) + 1):
        head, tail = spelling[:end], spelling[end:]
        known = _READINGS.get(head, ()) if not tail or is_kana(tail) else ()
        if any(one + tail == reading for one in known):
            yield from (one + tail for one in known if one + tail != reading)
