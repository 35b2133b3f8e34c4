"""The contract of answer-matching.md, row by row, with the real dictionary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.grading import as_wrong, grade
from lessons.model import Accepted, Analysis, AnswerKey, DiffKind, ItemKind, Remark, Verdict

EXACT, EQUIVALENT, RETRY, WRONG = Verdict.EXACT, Verdict.EQUIVALENT, Verdict.RETRY, Verdict.WRONG

MUST_PASS = [
    *(("がいこく", typed, EXACT, None) for typed in ("ガイコク", "ｶﾞｲｺｸ", "がいこく。", "　がいこく")),
    ("外国/がいこく", "がいこく", EQUIVALENT, Remark.IN_KANA),
    ("友だち", "友達", EQUIVALENT, Remark.USUAL_SPELLING),
    ("友だち", "ともだち", EQUIVALENT, Remark.IN_KANA),
    ("おいしい", "美味しい", EQUIVALENT, Remark.USUAL_SPELLING),
    ("テレビ", "てれび", EXACT, None),
    ("ページ", "ぺージ", EXACT, None),
    ("ページ", "ぺーじ", EXACT, None),
    ("〜時/じ", "じ", EQUIVALENT, Remark.IN_KANA),
    ("〜時/じ", "時", EXACT, None),
    ("〜時/じ", "～時", EXACT, None),
    ("も", "は", WRONG, None),
    ("は", "ば", WRONG, None),
    ("きって", "きて", WRONG, Remark.SMALL_KANA),
    ("test, test", "test, test", EXACT, None),
    ("kündigen", "kündigen", EXACT, None),
    ("きんえん", "kin'en", EXACT, Remark.IN_ROMAJI),
    ("きんえん", "kinnen", EXACT, Remark.IN_ROMAJI),
    ("きんえん", "kinen", RETRY, Remark.WRONG_SCRIPT),
    ("まいとし;まいねん", "まいねん", EXACT, Remark.OTHER_ANSWER),
    ("ようがん", "ようか\u3099ん", EXACT, None),
]
FOLDING = [
    ("がいこく", "が い こ く", EXACT, None),
    ("友達", "||友達||", EXACT, None),
    ("友達", "「友達」", EXACT, None),
    ("友達", "友\u200b達\ufeff", EXACT, None),
    ("食べる", "食[た]べる", EXACT, None),
    ("食べる", "<ruby>食<rt>た</rt></ruby>べる", EXACT, None),
    ("コーヒー", "コ-ヒ-", EXACT, None),
    ("コーヒー", "コ—ヒ―", EXACT, None),
    ("コーヒー", "コ一ヒ一", EXACT, None),
    ("コーヒー", "ｺｰﾋｰ", EXACT, None),
    ("もう一つ", "もう一つ", EXACT, None),
    ("〜から", "から", EXACT, None),
    ("お〜", "お", EXACT, None),
    ("CD", "ｃｄ", EXACT, None),
    ("ヘリ", "へり", EXACT, None),
    ("わたしは、学生です。", "わたしは学生です", EXACT, None),
    ("アイス・クリーム", "アイスクリーム", EXACT, None),
    ("1.5キロ", "15キロ", WRONG, None),
    ("はな", "ばな", WRONG, Remark.VOICING),
    ("。", "．", RETRY, Remark.BLANK_ANSWER),
    ("！", "!", EXACT, None),
]
LONG_VOWELS = [
    ("おねえさん", "おねーさん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("おねえさん", "おねいさん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("おねーさん", "おねいさん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("おねーさん", "おねえさん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("お姉さん/おねえさん", "おねーさん", EQUIVALENT, Remark.IN_KANA),
    ("おばさん", "おばあさん", WRONG, Remark.LONG_VOWEL),
    ("おばあさん", "おばさん", WRONG, Remark.LONG_VOWEL),
    ("おばーさん", "おばあさん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("ラーメン", "らあめん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("こおり", "こうり", WRONG, Remark.LONG_VOWEL),
    ("がっこう", "がっこー", EQUIVALENT, Remark.USUAL_SPELLING),
    ("かー", "かい", WRONG, None),
    ("らーーめん", "らーーめん", EXACT, None),
    ("らあーめん", "らーーめん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("えーえ", "えええ", EQUIVALENT, Remark.USUAL_SPELLING),
]
SPELLINGS = [
    ("行う", "行なう", EQUIVALENT, Remark.USUAL_SPELLING),
    ("行なう", "行う", EQUIVALENT, Remark.USUAL_SPELLING),
    ("表す", "表わす", EQUIVALENT, Remark.USUAL_SPELLING),
    ("詰まらない/つまらない", "詰らない", EQUIVALENT, Remark.USUAL_SPELLING),
    ("詰まらない", "詰らない", EQUIVALENT, Remark.USUAL_SPELLING),
    ("入口/いりぐち", "入り口", EQUIVALENT, Remark.USUAL_SPELLING),
    ("取り引き", "取引", EQUIVALENT, Remark.USUAL_SPELLING),
    ("生まれる", "生れる", EQUIVALENT, Remark.USUAL_SPELLING),
    ("友達/ともだち", "友だち", EQUIVALENT, Remark.USUAL_SPELLING),
    ("子供", "子ども", EQUIVALENT, Remark.USUAL_SPELLING),
    ("食べ物", "食べもの", EQUIVALENT, Remark.USUAL_SPELLING),
    ("1月/いちがつ", "一月", EQUIVALENT, Remark.USUAL_SPELLING),
    ("一月/いちがつ", "1がつ", EQUIVALENT, Remark.USUAL_SPELLING),
    ("聞く", "聴く", EQUIVALENT, Remark.USUAL_SPELLING),
    ("わたし", "私", EQUIVALENT, Remark.USUAL_SPELLING),
    ("行く", "ゆく", EQUIVALENT, Remark.IN_KANA),
    ("明日/あした", "あした", EQUIVALENT, Remark.IN_KANA),
    ("明日/あした", "あす", RETRY, Remark.OTHER_READING),
    ("日本/にほん|にっぽん", "にっぽん", EQUIVALENT, Remark.IN_KANA),
    ("日本/にほん", "にっぽん", RETRY, Remark.OTHER_READING),
    ("一日", "ついたち", RETRY, Remark.UNSURE_READING),
    ("一日/ついたち", "いちにち", RETRY, Remark.OTHER_READING),
    ("ついたち", "一日", RETRY, Remark.UNSURE_SPELLING),
    ("家", "うち", RETRY, Remark.UNSURE_READING),
    ("来ます", "きます", EQUIVALENT, Remark.IN_KANA),
    ("来ます", "いきます", WRONG, None),
    ("来ます", "くます", RETRY, Remark.UNSURE_READING),
    ("来ます/きます", "くます", WRONG, None),
    ("会社", "がっこう", WRONG, None),
    ("会社/かいしゃ", "がっこう", WRONG, None),
    ("病院", "びよういん", WRONG, Remark.SMALL_KANA),
    ("病院/びょういん", "びよういん", WRONG, Remark.SMALL_KANA),
    ("三階", "さんかい", EQUIVALENT, Remark.IN_KANA),
    ("早い/はやい", "速い", WRONG, Remark.KANJI_SLIP),
    ("橋/はし", "箸", WRONG, Remark.KANJI_SLIP),
    ("川", "皮", WRONG, Remark.KANJI_SLIP),
    ("は", "葉", RETRY, Remark.UNSURE_SPELLING),
    ("きって", "切手", RETRY, Remark.UNSURE_SPELLING),
    ("友達", "友", WRONG, None),
    ("友達", "友たち", WRONG, None),
    ("上がる/あがる", "上る", RETRY, Remark.UNSURE_SPELLING),
    ("食べる", "食る", RETRY, Remark.UNSURE_SPELLING),
    ("食べ物/たべもの", "食もの", RETRY, Remark.UNSURE_SPELLING),
    ("食べた", "食べる", WRONG, None),
    ("行って", "行きて", WRONG, None),
    ("行って", "いって", EQUIVALENT, Remark.IN_KANA),
    ("十円/じゅうえん", "10円", EQUIVALENT, Remark.USUAL_SPELLING),
    ("Tシャツ", "T社津", WRONG, None),
    ("犬", "猫", WRONG, None),
    ("犬/いぬ", "寿司", WRONG, None),
    ("けっこん (する)", "けっこん", EQUIVALENT, Remark.USUAL_SPELLING),
    ("けっこん (する)", "けっこんする", EQUIVALENT, Remark.IN_KANA),
    ("結婚 (する)/けっこん (する)", "けっこん", EQUIVALENT, Remark.IN_KANA),
    ("結婚/けっこん (する)", "けっこん", EQUIVALENT, Remark.IN_KANA),
    ("結婚/けっこん (する)", "けっこん (する)", EQUIVALENT, Remark.IN_KANA),
    ("十/(〜を) とお", "とお", EQUIVALENT, Remark.IN_KANA),
    ("けっこん () 。", "けっこん", EQUIVALENT, Remark.IN_KANA),
    ("米", "こめ", RETRY, Remark.UNSURE_READING),
    ("鶏肉", "とりにく", RETRY, Remark.UNSURE_READING),
    ("オートバイ", "十", WRONG, None),
    ("コンピューター", "コンピュータ", EQUIVALENT, Remark.USUAL_SPELLING),
    ("なに", "なん", RETRY, Remark.OTHER_READING),
    ("新聞を毎日読みます", "しんぶんをまいにちよみます", EQUIVALENT, Remark.IN_KANA),
]
OTHER_READINGS = [
    ("一人/ひとり;1人;一名;1名", "いちにん", RETRY, Remark.OTHER_READING),
    ("七日/なのか;7日", "しちにち", RETRY, Remark.OTHER_READING),
    ("七日/なのか", "なぬか", RETRY, Remark.OTHER_READING),
    ("四人/よにん;4人", "よんにん", RETRY, Remark.OTHER_READING),
    ("九時/くじ;9時", "きゅうじ", RETRY, Remark.OTHER_READING),
    ("一冊/いっさつ;1冊", "いちさつ", RETRY, Remark.OTHER_READING),
    ("一冊/いっさつ;1冊", "いっさつ", EQUIVALENT, Remark.IN_KANA),
    ("二十歳/はたち;20歳", "はたち", EQUIVALENT, Remark.IN_KANA),
    ("家賃/やちん;賃料", "やちんう", WRONG, None),
    ("家賃/やちん;賃料", "かちん", WRONG, None),
    ("家賃/やちん;賃料", "ちんりょう", EQUIVALENT, Remark.IN_KANA),
    ("掃除機/そうじき;電気掃除機", "れいぞうこ", WRONG, None),
    ("今晩/こんばん;昨夜", "ゆうべ", EQUIVALENT, Remark.IN_KANA),
    ("読む/よむ", "よめる", WRONG, None),
    ("もらえる", "もらう", WRONG, None),
    ("行く/いく", "ゆく", RETRY, Remark.OTHER_READING),
    ("一冊", "いっさつ", RETRY, Remark.UNSURE_READING),
    ("十日", "とおか", EQUIVALENT, Remark.IN_KANA),
    ("二十日", "はつか", EQUIVALENT, Remark.IN_KANA),
]
HOMOGRAPHS = [
    ("やめろ", "止めろ", EQUIVALENT, Remark.USUAL_SPELLING),
    ("やめろ", "辞めろ", RETRY, Remark.UNSURE_SPELLING),
    ("やめろ", "決めろ", WRONG, None),
    ("辞める/やめる", "止める", WRONG, Remark.KANJI_SLIP),
    ("あきます", "開きます", EQUIVALENT, Remark.USUAL_SPELLING),
    ("うち", "家", RETRY, Remark.UNSURE_SPELLING),
    ("はつか", "二十日", RETRY, Remark.UNSURE_SPELLING),
    ("なのか", "三日", WRONG, None),
]
VARIANTS = [
    ("一冊/いっさつ", "一册", EQUIVALENT, Remark.USUAL_SPELLING),
    ("一冊/いっさつ;1冊", "1册", EQUIVALENT, Remark.USUAL_SPELLING),
    ("学校/がっこう", "學校", EQUIVALENT, Remark.USUAL_SPELLING),
    ("國語/こくご", "国語", EQUIVALENT, Remark.USUAL_SPELLING),
    ("神社", "神\ufa4c", EXACT, None),
    ("一人/ひとり", "4人", WRONG, None),
    ("一人/ひとり", "1人", EQUIVALENT, Remark.USUAL_SPELLING),
    ("100円/ひゃくえん", "200円", WRONG, None),
    ("三階/さんがい;さんかい", "七日", WRONG, None),
]
FORMS = [
    *(("乗り換える/のりかえる", typed, RETRY, Remark.DICTIONARY_FORM)
      for typed in ("乗り換えます", "のりかえます", "乗換えます", "norikaemasu", "乗り換えた", "のりかえて", "乗り換えない")),
    *(("緊張する/きんちょうする", typed, RETRY, Remark.DICTIONARY_FORM)
      for typed in ("緊張します", "きんちょうします", "kinchoushimasu", "緊張", "きんちょう")),
    ("飽きる/あきる", "あきます", RETRY, Remark.DICTIONARY_FORM),
    ("払う/はらう", "払います", RETRY, Remark.DICTIONARY_FORM),
    ("来る/くる", "きます", RETRY, Remark.DICTIONARY_FORM),
    ("甘い/あまい", "甘いです", RETRY, Remark.DICTIONARY_FORM),
    ("高い/たかい", "高くない", RETRY, Remark.DICTIONARY_FORM),
    ("静か/しずか", "静かです", RETRY, Remark.DICTIONARY_FORM),
    ("乗り換える/のりかえる", "乗り換える", EXACT, None),
    ("緊張する/きんちょうする", "kinchousuru", EQUIVALENT, Remark.IN_ROMAJI),
    ("辞める/やめる", "止めます", WRONG, None),
    ("辛い/からい", "つらい", RETRY, Remark.OTHER_READING),
    ("辛い/つらい", "からい", RETRY, Remark.OTHER_READING),
    ("読む/よむ", "読める", WRONG, None),
    ("食べます/たべます", "食べました", WRONG, None),
    ("駅/えき", "駅です", WRONG, None),
]  # fmt: skip
STRAY_ENDINGS = [
    ("行きません/いきません", "いきませんっ", RETRY, Remark.MISTYPED_KANA),
    ("行きません/いきません", "行きませんッ", RETRY, Remark.MISTYPED_KANA),
    ("と", "とっ", RETRY, Remark.MISTYPED_KANA),
    ("と", "とっっ", WRONG, None),
    ("が", "がう", WRONG, None),
    ("と", "っ", WRONG, None),
]
ROMAJI = [
    ("外国/がいこく", "gaikoku", EQUIVALENT, Remark.IN_ROMAJI),
    ("とうきょう", "tōkyō", EXACT, Remark.IN_ROMAJI),
    ("とうきょう", "toukyou", EXACT, Remark.IN_ROMAJI),
    ("とうきょう", "tokyo", WRONG, None),
    ("おおきい", "ōkii", EXACT, Remark.IN_ROMAJI),
    ("まっちゃ", "matcha", EXACT, Remark.IN_ROMAJI),
    ("まっちゃ", "maccha", EXACT, Remark.IN_ROMAJI),
    ("しんぶん", "sinbun", EXACT, Remark.IN_ROMAJI),
    ("しんぶん", "shimbun", EXACT, Remark.IN_ROMAJI),
    ("きって", "kixtute", EXACT, Remark.IN_ROMAJI),
    ("きって", "kiltute", EXACT, Remark.IN_ROMAJI),
    ("きって", "kite", WRONG, None),
    ("コーヒー", "ko-hi-", EXACT, Remark.IN_ROMAJI),
    ("コーヒー", "koohii", EXACT, Remark.IN_ROMAJI),
    ("コーヒー", "kōhī", EXACT, Remark.IN_ROMAJI),
    ("こんにちは", "konnichiwa", EXACT, Remark.IN_ROMAJI),
    ("おかね", "o-kane", EXACT, Remark.IN_ROMAJI),
    ("おんな", "onna", EXACT, Remark.IN_ROMAJI),
    ("がっこう", "gakkoo", RETRY, Remark.WRONG_SCRIPT),
    ("きねん", "kinen", EXACT, Remark.IN_ROMAJI),
    ("おばあさん", "obasan", WRONG, None),
    ("いぬ", "neko", WRONG, None),
    ("犬", "neko", RETRY, Remark.WRONG_SCRIPT),
    ("いぬ", "dog", RETRY, Remark.WRONG_SCRIPT),
    ("は", "wa", RETRY, Remark.WRONG_SCRIPT),
    ("は", "ha", RETRY, Remark.WRONG_SCRIPT),
]
NO_ATTEMPTS = [
    ("いぬ", "", RETRY, Remark.BLANK_ANSWER),
    ("いぬ", "　。", RETRY, Remark.BLANK_ANSWER),
    ("いぬ", "\u200b", RETRY, Remark.BLANK_ANSWER),
    ("いぬ", "い\u202eぬ", RETRY, Remark.ODD_CHARACTERS),
    ("いぬ", "い\x00ぬ", RETRY, Remark.ODD_CHARACTERS),
    ("いぬ", "い\ud800ぬ", RETRY, Remark.ODD_CHARACTERS),
    ("いぬ", "い\U000e0041ぬ", RETRY, Remark.ODD_CHARACTERS),
    ("いぬ", "い\ue000", RETRY, Remark.ODD_CHARACTERS),
    ("たべ", "たb", RETRY, Remark.MISTYPED_KANA),
    ("にほんご", "にほnご", RETRY, Remark.MISTYPED_KANA),
    ("き", "k", RETRY, Remark.MISTYPED_KANA),
    ("き", "ｋ", RETRY, Remark.MISTYPED_KANA),
    ("Tシャツ", "Tしゃt", WRONG, None),
    ("いぬ", "개", RETRY, Remark.WRONG_SCRIPT),
    ("いぬ", "123", WRONG, None),
    ("いぬ", "a prompt", RETRY, Remark.TYPED_BACK),
    ("dog", "いぬ", RETRY, Remark.WRONG_SCRIPT),
]
MEANINGS = [
    ("to eat", "eat", EQUIVALENT, Remark.USUAL_SPELLING),
    ("eat", "to eat", EQUIVALENT, Remark.USUAL_SPELLING),
    ("dog", "the dog", EQUIVALENT, Remark.USUAL_SPELLING),
    ("dog", "Dog!", EXACT, None),
    ("dog", "dig", WRONG, None),
    ("four", "foru", EQUIVALENT, Remark.TYPO),
    ("four", "fuor?", EQUIVALENT, Remark.TYPO),
    ("school", "shcol", EQUIVALENT, Remark.TYPO),
    ("school", "shol", EQUIVALENT, Remark.TYPO),
    ("school", "sol", WRONG, None),
    ("restaurant", "restorant", EQUIVALENT, Remark.TYPO),
    ("restaurant", "resto", WRONG, None),
    ("10 o'clock", "11 o'clock", WRONG, None),
    ("(my) older brother", "older brother", EQUIVALENT, Remark.USUAL_SPELLING),
    ("the", "the", EXACT, None),
    ("a", "to", WRONG, None),
]


@pytest.fixture(scope="session")
def graded(key, look_up):
    """Grade a typed text against answers, both looked up in the dictionary."""
    return lambda typed, *answers, **about: grade(key(*answers, **about), look_up(typed))


def first(found, remark):
    """The first remark of a grade, or None where the row of the table asks for none in particular."""
    return next(iter(found.remarks), None) if remark else None


@pytest.mark.parametrize(
    ("answer", "typed", "verdict", "remark"),
    [
        *MUST_PASS, *FOLDING, *LONG_VOWELS, *SPELLINGS, *OTHER_READINGS, *HOMOGRAPHS, *VARIANTS, *FORMS, *STRAY_ENDINGS,
        *ROMAJI, *NO_ATTEMPTS, *MEANINGS,
    ],
)  # fmt: skip
def test_a_word(graded, answer, typed, verdict, remark):
    found = graded(typed, *answer.split(";"))
    assert (found.verdict, first(found, remark)) == (verdict, remark)


CLOZE = [
    ("食べ[＿＿＿]", "ます", "ます", EXACT, None),
    ("食べ[＿＿＿]", "ます", "べます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("食べ[＿＿＿]", "ます", "食べます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("食べ[＿＿＿]", "ます", "たべます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("食べ[＿＿＿]", "ます", "のみます", WRONG, None),
    ("寿司を食べ[＿＿＿]", "ます", "すしをたべます", WRONG, None),
    ("私は学校[＿＿＿]行きます。", "へ;に", "私は学校に行きます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("私は学校[＿＿＿]行きます。", "へ", "がっこうへ", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("私は学校[＿＿＿]行きます。", "へ", "いえへ", WRONG, None),
    ("私は学校[＿＿＿]行きます。", "へ", "とへ", WRONG, None),
    ("私は学校[＿＿＿]行きます。", "へ", "へ行きます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("友達[＿＿＿]はなした。", "と", "とは", WRONG, None),
    ("友達[＿＿＿]はなした。", "と", "とはなした", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("友達[＿＿＿]話した。", "と", "とは", WRONG, None),
    ("友達[＿＿＿]は話した。", "と", "とは", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("雨[＿＿＿]もちろん行く。", "で", "でも", WRONG, None),
    ("雨[＿＿＿]もちろん行く。", "でも", "で", WRONG, None),
    ("東京[＿＿＿]は行かない。", "に", "は", WRONG, None),
    ("ごはんをたべ[＿＿＿]", "ます", "たべます", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("これ [＿＿＿] ほん です", "は", "これは", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("コーヒー[＿＿＿]飲む", "を", "コーヒーを", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("コーヒー[＿＿＿]飲む", "を", "ーを", WRONG, None),
    ("友達に[＿＿＿]", "会った/あった", "にあった", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("これはB[＿＿＿]です", "が", "Bが", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("これはB[＿＿＿]です", "が", "Cが", RETRY, Remark.MISTYPED_KANA),
    ("今日は[＿＿＿]", "雨", "今日は[＿＿＿]", RETRY, Remark.TYPED_BACK),
    ("今日は[＿＿＿]です", "雨", "今日はです", RETRY, Remark.TYPED_BACK),
    ("今日は[＿＿＿]です", "雨", "ame", RETRY, Remark.WRONG_SCRIPT),
    ("お金を[＿＿＿]", "払う/はらう", "払います", WRONG, None),
    ("本[＿＿＿]読む", "を", "をっ", RETRY, Remark.MISTYPED_KANA),
    ("友達に[＿＿＿]", "会った/あった", "あったっ", RETRY, Remark.MISTYPED_KANA),
    ("no blank here", "雨", "雪", WRONG, None),
    ("I [＿＿＿] to school", "go", "go to", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("I [＿＿＿] to school", "go", "I go", EQUIVALENT, Remark.WITH_NEIGHBOURS),
    ("I [＿＿＿] to school", "go", "goto", WRONG, None),
    ("I [＿＿＿] to school", "going", "goign", WRONG, None),
    ("はは[＿＿＿]はは", "は", "ははははは", EQUIVALENT, Remark.WITH_NEIGHBOURS),
]


@pytest.mark.parametrize(("prompt", "answers", "typed", "verdict", "remark"), CLOZE)
def test_a_cloze(graded, prompt, answers, typed, verdict, remark):
    found = graded(typed, *answers.split(";"), kind=ItemKind.CLOZE, prompt=prompt)
    assert (found.verdict, first(found, remark)) == (verdict, remark)


def parts(found):
    return [(part.kind, part.text) for part in found.diff]


def test_a_wrong_answer_shows_where_it_differs(key, look_up):
    found = grade(key("切手/きって"), look_up("キて。"))
    assert found.matched == "切手"
    assert parts(found) == [(DiffKind.SAME, "キ"), (DiffKind.MISSING, "っ"), (DiffKind.SAME, "て")]


def test_a_diff_counts_what_a_reader_sees_as_one_character(key, look_up):
    found = grade(key("がくせい"), look_up("か\u3099くさい"))
    assert parts(found) == [
        (DiffKind.SAME, "か\u3099く"), (DiffKind.EXTRA, "さ"), (DiffKind.MISSING, "せ"), (DiffKind.SAME, "い"),
    ]  # fmt: skip


def test_answers_far_apart_have_no_diff(key, look_up):
    assert grade(key("がくせい"), look_up("いぬ")).diff == ()
    assert grade(key("がくせい"), look_up("が" * 300)).diff == ()


def test_the_nearest_accepted_answer_is_held_against_it(key, look_up):
    assert grade(key("いぬ", "がくせい"), look_up("がくさい")).matched == "がくせい"


def test_kanji_slips_carry_a_diff_of_the_writing(key, look_up):
    found = grade(key("早い/はやい"), look_up("速い"))
    assert parts(found) == [(DiffKind.EXTRA, "速"), (DiffKind.MISSING, "早"), (DiffKind.SAME, "い")]


@pytest.mark.parametrize(
    ("answer", "typed", "siblings", "verdict", "remark"),
    [
        ("早い/はやい", "速い", ("速い",), RETRY, Remark.ANOTHER_WORD),
        ("早い/はやい", "早い", ("速い", "早い"), EXACT, None),
        ("早い/はやい", "はやい", ("速い",), EQUIVALENT, Remark.IN_KANA),
        ("でも", "しかし", ("しかし",), RETRY, Remark.ANOTHER_WORD),
        ("でも", "シカシ。", ("しかし",), RETRY, Remark.ANOTHER_WORD),
        ("でも", "然し", ("しかし",), RETRY, Remark.ANOTHER_WORD),
        ("でも", "shikashi", ("しかし",), RETRY, Remark.ANOTHER_WORD),
        ("でも", "だから", ("しかし",), WRONG, None),
        ("father", "mother", (), EQUIVALENT, Remark.TYPO),
        ("father", "mother", ("mother",), RETRY, Remark.ANOTHER_WORD),
    ],
)
def test_another_word_for_the_same_prompt_earns_a_retry(graded, answer, typed, siblings, verdict, remark):
    found = graded(typed, answer, siblings=siblings)
    assert (found.verdict, first(found, remark)) == (verdict, remark)


def test_no_tolerance_for_an_answer_of_another_item(key, look_up):
    assert grade(key("father", taken=True), look_up("mother")).verdict is WRONG


def test_no_tolerance_where_spelling_is_what_is_learned(key, look_up):
    assert grade(key("der Tisch", language="de"), look_up("die Tisch")).verdict is WRONG
    assert grade(key("kündigen", language="de"), look_up("kuendigen")).verdict is WRONG
    assert grade(key("kündigen", language="de"), look_up("ku\u0308ndigen")).verdict is EXACT
    assert grade(key("kündigen", language="de"), look_up("いぬ")).remarks == (Remark.WRONG_SCRIPT,)


@pytest.mark.parametrize(
    ("answer", "typed", "verdict", "remark"),
    [
        ("コーヒー", "コーヒー", EXACT, None),
        ("コーヒー", "ｺｰﾋｰ", EXACT, None),
        ("コーヒー", "こーひー", RETRY, Remark.OTHER_KANA),
        ("ページ", "ぺージ", EXACT, None),
        ("わたし", "ワタシ", RETRY, Remark.OTHER_KANA),
        ("わたし", "私", EQUIVALENT, Remark.USUAL_SPELLING),
        ("外国/がいこく", "がいこく", EQUIVALENT, Remark.IN_KANA),
        ("外国/ガイコク", "ガイコク", EQUIVALENT, Remark.IN_KANA),
        ("外国/がいこく", "ガイコク", RETRY, Remark.OTHER_KANA),
        ("おねえさん", "おねーさん", EQUIVALENT, Remark.USUAL_SPELLING),
        ("消しゴム", "消しごむ", EQUIVALENT, Remark.USUAL_SPELLING),
    ],
)
def test_strict_kana_tells_hiragana_from_katakana(key, look_up, answer, typed, verdict, remark):
    found = grade(key(answer, strict_kana=True), look_up(typed))
    assert (found.verdict, first(found, remark)) == (verdict, remark)


@pytest.mark.parametrize(
    ("answer", "readings", "typed", "verdict", "remark"),
    [
        ("外国", ("がいこく",), "がいこく", EQUIVALENT, Remark.IN_KANA),
        ("外国", (), "がいこく", RETRY, Remark.UNSURE_READING),
        ("食べる", (), "のむ", WRONG, None),
        ("友達", ("ともだち",), "友だち", EQUIVALENT, Remark.USUAL_SPELLING),
        ("友だち", ("ともだち",), "友達", RETRY, Remark.UNSURE_SPELLING),
        ("友だち", (), "友達", RETRY, Remark.UNSURE_SPELLING),
        ("行う", (), "行なう", RETRY, Remark.UNSURE_SPELLING),
        ("おいしい", (), "美味しい", WRONG, None),
        ("食べた", (), "食た", RETRY, Remark.UNSURE_SPELLING),
        ("外国", ("外国",), "犬", WRONG, None),
    ],
)
def test_without_a_dictionary_it_doubts_more(answer, readings, typed, verdict, remark):
    found = grade(AnswerKey(ItemKind.VOCAB, "?", (Accepted(answer, readings=readings),)), Analysis(typed))
    assert (found.verdict, first(found, remark)) == (verdict, remark)


def test_without_a_dictionary_a_kana_neighbour_is_not_recognised():
    found = grade(AnswerKey(ItemKind.CLOZE, "食べ[＿＿＿]", (Accepted("ます"),)), Analysis("たべます"))
    assert found.verdict is WRONG


def test_a_key_without_answers_accepts_nothing():
    assert grade(AnswerKey(ItemKind.VOCAB, "?", ()), Analysis("いぬ")).verdict is WRONG
    assert grade(AnswerKey(ItemKind.VOCAB, "?", ()), Analysis("")).verdict is RETRY


def test_a_used_up_retry_is_wrong_with_its_remarks_and_a_diff(key, look_up):
    held, typed = key("日本/にほん"), look_up("にっぽん")
    settled = as_wrong(grade(held, typed), held, typed)
    assert (settled.verdict, settled.matched) == (WRONG, "日本")
    assert settled.remarks == (Remark.OTHER_READING,)
    assert settled.diff


def test_a_used_up_retry_names_the_slip_as_well(key, look_up):
    held, typed = key("きって", siblings=("きて",)), look_up("きて")
    assert as_wrong(grade(held, typed), held, typed).remarks == (Remark.ANOTHER_WORD, Remark.SMALL_KANA)


def test_a_blank_answer_stays_a_retry(key, look_up):
    held, typed = key("いぬ"), look_up("。")
    blank = grade(held, typed)
    assert as_wrong(blank, held, typed) is blank


def test_only_a_retry_is_settled(key, look_up):
    held, typed = key("いぬ"), look_up("いぬ")
    right = grade(held, typed)
    assert as_wrong(right, held, typed) is right


def test_a_used_up_form_is_wrong(key, look_up):
    held, typed = key("払う/はらう"), look_up("払います")
    settled = as_wrong(grade(held, typed), held, typed)
    assert (settled.verdict, settled.remarks) == (WRONG, (Remark.DICTIONARY_FORM,))


def test_the_question_in_an_old_form_of_a_kanji_is_typed_back(key, look_up):
    assert grade(key("国", prompt="國"), look_up("國")).remarks == (Remark.TYPED_BACK,)


def test_the_question_typed_back_is_never_its_own_reading(key, look_up):
    for prompt in ("駅", "駅; 停車場"):
        assert grade(key("えき", prompt=prompt), look_up("駅")).remarks == (Remark.TYPED_BACK,)
    assert grade(key("test", prompt="test"), look_up("test")).verdict is EXACT


def test_other_languages_know_no_japanese_readings(key, look_up):
    assert grade(replace(key("友達"), language="zh"), look_up("友だち")).verdict is WRONG


def test_twelve_kanji_words_compare_in_linear_time(key, look_up):
    answer = "私達は友達と毎日学校図書館新聞雑誌辞書日本語英語外国旅行写真音楽料理"
    found = grade(key(answer), look_up(answer.replace("友達", "友だち").replace("毎日", "まいにち")))
    assert found.verdict is EQUIVALENT


MORE = ["not {}", "don't {}", "{} or else", "{} evil.example", "{}=correct", "{}ABC", "ＡＢＣ{}", "{}ａ", "wrong {}", "x{}", "{}ok{}",
        "{} верно", "{}틀림", "{}(x)"]  # fmt: skip
SIGNED = ["{}×", "{}👍", "{}★", "{}+", "({}/)"]
HELD = ["冷蔵庫/れいぞうこ", "冷蔵庫", "屋根/やね", "鍵", "玄関/げんかん", "駅員", "えきいん", "働いています", "友だち"]


@pytest.mark.parametrize("kind", ItemKind)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("typed", MORE)
def test_letters_around_the_answer_keep_it_from_being_right(key, look_up, kind, held, typed):
    text = look_up(typed.replace("{}", held.partition("/")[0]))
    held_against = key("ちがう", held, kind=kind, prompt="これ[＿＿＿]だ")
    found = grade(held_against, text)
    assert found.verdict in {RETRY, WRONG}
    assert Remark.UNSURE_SPELLING not in found.remarks
    assert as_wrong(found, held_against, text).verdict is WRONG


@pytest.mark.parametrize("kind", ItemKind)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("typed", SIGNED)
def test_signs_around_the_answer_leave_it_in_doubt(key, look_up, kind, held, typed):
    text = look_up(typed.replace("{}", held.partition("/")[0]))
    held_against = key(held, kind=kind, prompt="これ[＿＿＿]だ")
    assert grade(held_against, text).verdict in {RETRY, WRONG}


@pytest.mark.parametrize(
    ("held", "typed", "verdict"),
    [
        ("Tシャツ", "ティーシャツ", EQUIVALENT),
        ("ティーシャツ", "Tシャツ", EQUIVALENT),
        ("ティーシャツ", "Ｔシャツ", EQUIVALENT),
        ("20歳/はたち", "二十歳", EQUIVALENT),
        ("冷蔵庫", "“冷蔵庫”", EQUIVALENT),
        ("友だち", "“友達”", EQUIVALENT),
        ("速い/はやい", "早い+", WRONG),
    ],
)
def test_letters_of_the_answer_itself_and_numbers_do_not_matter(key, look_up, held, typed, verdict):
    found = grade(key(held, kind=ItemKind.CLOZE, prompt="これ[＿＿＿]だ"), look_up(typed))
    assert found.verdict is verdict
