"""Text folding that every room shares: what two spellings of the same answer have in common."""

from __future__ import annotations

import html
import unicodedata
from typing import Final

import regex

_KANA: Final = r"\p{Hiragana}\p{Katakana}ー゛゜ﾞﾟｰ\u3099\u309A"
_KANJI: Final = r"\p{Han}〆"
_DASHES: Final = r"\-‐‑‒–—―−─━"

_ALL_KANA: Final = regex.compile(rf"[{_KANA}]+")
_ANY_KANJI: Final = regex.compile(rf"[{_KANJI}]")
_ANY_JAPANESE: Final = regex.compile(rf"[{_KANA}{_KANJI}]")
_LATIN: Final = regex.compile(r"\p{Latin}")
_OTHER_LETTER: Final = regex.compile(r"[\p{L}--\p{Latin}]", regex.V1)
_ODD: Final = regex.compile(
    r"[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Bidi_Control}\uFFFC\uFFFD\U000E0000-\U000E007F--[\t\n\r]]", regex.V1
)

_INVISIBLE: Final = regex.compile(r"[\u200B-\u200D\uFEFF\u00AD\uFE00-\uFE0F\U000E0100-\U000E01EF]|\|\|")
_WAVES: Final = regex.compile(r"[~〜～∼]")
_LONG_MARK: Final = regex.compile(
    rf"(?<=[{_KANA}])[{_DASHES}]+(?=[{_KANA}]|\W*$)|(?<=[\p{{Katakana}}ー])一(?=[\p{{Katakana}}ー]|\W*$)"
)
_SPACES: Final = regex.compile(r"\s+")
_EDGES: Final = r"\s。、．，｡､.,!！?？「」『』｢｣・･…"
_EDGE_CHARACTERS: Final = "。、．，｡､.,!！?？「」『』｢｣・･…" + "".join(filter(str.isspace, map(chr, range(0x3001))))
_INSIDE: Final = regex.compile(rf"(?<!\d)[{_EDGES}]+|[{_EDGES}]+(?!\d)")

_ENTITY: Final = regex.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_HIDDEN: Final = regex.compile(
    r"<!--(?:(?!-->).)*+(?:-->|$)|<(script|style)\b[^<>]*>(?:(?!</\1>).)*+(?:</\1>|$)|<rp\b[^<>]*>[^<]*(?:</rp>)?",
    regex.S | regex.I,
)
_RUBY: Final = regex.compile(r"<rt\b[^<>]*>[^<]*(?:</rt>)?", regex.I)
_BREAK: Final = regex.compile(r"<(?:br|/p|/div|/li|hr)\b[^<>]*>", regex.I)
_TAG: Final = regex.compile(r"</?[a-zA-Z][^<>]*>")
_BRACKETS: Final = regex.compile(rf"[ \u3000]?(?<![{_KANJI}ヶ\d])([{_KANJI}ヶ\d]++)\[([{_KANA}]+)\]")
_TAGGED: Final = regex.compile(
    r"(?:<rb\b[^<>]*>)?(?<![^<>])([^<>]++)(?:</rb>)?(?:<rp\b[^<>]*>[^<]*</rp>)?<rt\b[^<>]*>([^<]*)</rt>", regex.I
)

_NESTING: Final = regex.compile(r"[<>&\[\]|]")
_LAYERS: Final = 8

LINKS: Final = regex.compile(
    r"[a-z][a-z0-9+.\-]{0,20}://\S*|\b(?:www\.|mailto:|javascript:|data:)\S+|\bdiscord(?:app)?\s*\.\s*(?:gg|com|me|new)\b\S*"
    r"|(?<![\w@.\-])[\w\-]{1,63}(?:\.[\w\-]{1,63}){0,8}\.(?:com|net|org|info|biz|io|gg|me|ly|app|dev|xyz|site|online|shop|top"
    r"|ru|cn|tk|jp|de|uk|eu|example)\b(?:[/:?#]\S*)?",
    regex.I,
)
"""What Discord, or a reader, would take for an address. Bounded, so that no text makes it slow."""

_HIRAGANA: Final = {code: code - 0x60 for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}
_LOOK_ALIKES: Final = str.maketrans("ヘベペリ", "へべぺり")
"""Katakana nobody can tell from hiragana; they fold even where the two kana are kept apart."""

_MODERN: Final = str.maketrans(
    "亞惡壓圍醫爲壹隱榮營衞驛圓鹽緣艷應歐毆櫻奧橫溫穩假價畫會壞懷繪擴殼覺學嶽樂渴罐卷陷勸寬關歡觀氣歸旣戲犧舊據擧虛峽挾狹鄕曉區驅勳薰徑莖惠揭溪經螢輕繼鷄藝擊缺儉劍圈檢權獻硏縣險顯驗嚴效廣恆黃鑛號國黑碎濟齋"
    "劑雜參慘棧蠶贊殘絲齒兒辭濕實舍寫釋壽收從澁獸縱肅處緖敍奬將燒稱證乘剩壤孃條淨狀疊穰讓釀囑觸寢愼晉眞盡圖粹醉穗隨髓樞數瀨聲靜齊攝竊專戰淺潛纖踐錢禪雙壯搜插爭總聰莊裝騷增臟藏屬續墮體對帶滯臺瀧擇澤單擔膽團"
    "彈斷癡遲晝蟲鑄廳聽鎭遞鐵轉點傳黨盜燈當鬭德獨讀屆貳惱腦霸廢拜賣麥發髮拔蠻祕濱甁拂佛竝變邊辨瓣辯舖寶豐沒萬滿默彌藥譯豫餘與譽搖樣謠來賴亂覽龍兩獵綠壘勵禮隸靈齡戀爐勞樓郞祿灣册每步歷曆淚曾戶靑淸飮吳僞產說"
    "悅稅脫銳敎强內卽絕冰嶋嶌峯裡竒髙﨑嵜濵邉冨躰囘畧羣鷗嚙頰塡剝𠮟瘦麪麵餠簞繫蠟攢搔摑瀆禱萊蔣醬驒顚醱潑焰鹼祢遙槇堯藪籠礦凉况决减凑羡虗值眾",
    "亜悪圧囲医為壱隠栄営衛駅円塩縁艶応欧殴桜奥横温穏仮価画会壊懐絵拡殻覚学岳楽渇缶巻陥勧寛関歓観気帰既戯犠旧拠挙虚峡挟狭郷暁区駆勲薫径茎恵掲渓経蛍軽継鶏芸撃欠倹剣圏検権献研県険顕験厳効広恒黄鉱号国黒砕済斎"
    "剤雑参惨桟蚕賛残糸歯児辞湿実舎写釈寿収従渋獣縦粛処緒叙奨将焼称証乗剰壌嬢条浄状畳穣譲醸嘱触寝慎晋真尽図粋酔穂随髄枢数瀬声静斉摂窃専戦浅潜繊践銭禅双壮捜挿争総聡荘装騒増臓蔵属続堕体対帯滞台滝択沢単担胆団"
    "弾断痴遅昼虫鋳庁聴鎮逓鉄転点伝党盗灯当闘徳独読届弐悩脳覇廃拝売麦発髪抜蛮秘浜瓶払仏並変辺弁弁弁舗宝豊没万満黙弥薬訳予余与誉揺様謡来頼乱覧竜両猟緑塁励礼隷霊齢恋炉労楼郎禄湾冊毎歩歴暦涙曽戸青清飲呉偽産説"
    "悦税脱鋭教強内即絶氷島島峰裏奇高崎崎浜辺富体回略群鴎噛頬填剥叱痩麺麺餅箪繋蝋攅掻掴涜祷莱蒋醤騨顛醗溌焔鹸禰遥槙尭薮篭鉱涼況決減湊羨虚値衆",
)
"""Kanji in a form older than, or beside, the one in use, and that one."""


def is_kana(text: str) -> bool:
    """Tell whether the text is kana and nothing else (empty text is not)."""
    return _ALL_KANA.fullmatch(text) is not None


def has_kanji(text: str) -> bool:
    """Tell whether any character is a kanji (々 and 〆 count)."""
    return _ANY_KANJI.search(text) is not None


def has_japanese(text: str) -> bool:
    """Tell whether any character is kana or kanji."""
    return _ANY_JAPANESE.search(text) is not None


def is_latin(text: str) -> bool:
    """Tell whether the text has letters and all of them are Latin; digits and signs do not matter."""
    return _LATIN.search(text) is not None and _OTHER_LETTER.search(text) is None


def has_latin(text: str) -> bool:
    """Tell whether any character is a Latin letter."""
    return _LATIN.search(text) is not None


def has_odd_characters(text: str) -> bool:
    """Tell whether the text holds what no answer can: control, private, unassigned, bidi and tag characters."""
    return _ODD.search(text) is not None


def kanji_of(text: str) -> str:
    """Return the kanji of the text in their order."""
    return "".join(_ANY_KANJI.findall(text))


def to_hiragana(text: str) -> str:
    """Turn katakana into hiragana, character by character; ー and everything else stay."""
    return text.translate(_HIRAGANA)


def modern(text: str) -> str:
    """Write kanji in the form in use today: 國語 is 国語, 一册 is 一冊."""
    return text.translate(_MODERN)


def strip_markup(text: str) -> str:
    """Return the text a reader sees: tags, entities, `<rt>` ruby and bracket furigana 食[た]べる are gone.

    Line-breaking tags become a space. A blank in brackets stays, since only kana count as furigana.
    """
    text = _RUBY.sub("", _HIDDEN.sub("", text))
    text = _TAG.sub("", _BREAK.sub(" ", text))
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text).replace("\xa0", " ")
    return _BRACKETS.sub(r"\1", text)


def split_ruby(text: str) -> tuple[str, str]:
    """Return the text without markup and its reading in kana, "" when the ruby does not cover every kanji.

    食[た]べる and `<ruby>食<rt>た</rt></ruby>べる` both give ("食べる", "たべる").
    """
    read = strip_markup(_BRACKETS.sub(r"\2", _TAGGED.sub(r"\2", text)))
    plain = strip_markup(text)
    return plain, "" if read == plain or has_kanji(read) else read


def trim(text: str) -> str:
    """Cut spaces and sentence marks off both ends."""
    return text.strip(_EDGE_CHARACTERS)


def squeeze(text: str) -> str:
    """Take sentence marks out everywhere, as sentences are compared; in Japanese the spaces go as well.

    A mark between digits stays: 1.5 is not 15.
    """
    return _INSIDE.sub("" if has_japanese(text) else " ", text).strip()


def tidy(text: str) -> str:
    """Return a text as typed, without what cannot be seen: markup, spoiler bars, invisible characters, end marks."""
    return trim(_SPACES.sub(" ", _INVISIBLE.sub("", strip_markup(text))))


def fold(text: str, *, strict_kana: bool = False) -> str:
    """Return what the spellings of one answer share; two answers are the same when this is equal.

    Width, composition, invisible characters, markup, dashes, case and the marks at the ends do not count, nor does
    the choice of kana unless `strict_kana`. Voicing marks always count. Folding twice is folding once: taking one
    layer off can uncover another (a tag in a tag), so it goes on until nothing changes; who nests deeper than any
    program does loses the signs that nest.
    """
    folded, layers = _fold_once(text, strict_kana=strict_kana), 1
    while (again := _fold_once(folded, strict_kana=strict_kana)) != folded:
        layers += 1
        folded = again if layers < _LAYERS else _NESTING.sub("", again)
    return folded


def _fold_once(text: str, *, strict_kana: bool) -> str:
    text = strip_markup(unicodedata.normalize("NFKC", text))
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    text = _LONG_MARK.sub(lambda match: "ー" * len(match[0]), _WAVES.sub("〜", text)).casefold()
    text = _SPACES.sub(" ", trim(text))
    return text.translate(_LOOK_ALIKES) if strict_kana else to_hiragana(text)
