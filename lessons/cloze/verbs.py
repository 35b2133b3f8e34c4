"""Verbs and adjectives by the particles they govern, as far as news needs them: a small lexicon, not a grammar."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split())


CROSSED: Final = _words(
    "歩く 走る 泳ぐ 飛ぶ 下りる 散歩する 移動する 登る 上る 下る 通る 渡る 越える 過ぎる 進む 曲がる 抜ける くぐる 横切る たどる さまよう"
    " 旅行する 旅する 流れる 回る 巡る めぐる 通過する 横断する 縦断する 走行する 運行する 往復する 周遊する 一周する 循環する"
    " 飛行する 航行する 通行する 滑る 漂う 行き来する 行き交う 駆ける 這う 転がる 疾走する 徘徊する 散策する 巡回する 経由する"
)
"""を with them is the space that is crossed."""
LEFT: Final = _words(
    "出る 離れる 降りる 去る 発つ 出発する 発着する 卒業する 退院する 退場する 離脱する 離陸する 出港する 出航する 出国する"
    " 脱出する 引退する 退職する 抜け出す 飛び出す 飛び立つ 逃げ出す 旅立つ 巣立つ 立ち去る"
)
"""を with them is the place that is left."""
SLOPES: Final = ("階段", "坂", "山", "道")
"""Of them one comes down without leaving: 階段を降りる."""
ONLY_CROSSED: Final = _words(
    "横切る 通過する 横断する 縦断する 越える くぐる 過ぎる 通り過ぎる 通り抜ける 卒業する 離れる 去る 立ち去る 経由する たどる 一周する"
)
"""Those of them that no で and no に fit as well."""
_MOVERS: Final = _parts(
    "走り 歩き 飛び 跳び 駆け かけ 泳ぎ 通り とおり 渡り 這い はい 滑り 動き 逃げ 練り くぐり 潜り すり 突き 突っ 吹き 流れ 行き 暴れ よじ"
)
_MOVING: Final = _parts("回る まわる 抜ける ぬける 巡る 歩く 走る 泳ぐ 飛ぶ 渡る 越える 過ぎる 登る 下る 去る 交う")
EXCEEDED: Final = frozenset({"超える", "上回る", "下回る", "越す", "超す"})
"""を with them is a limit or another amount."""


def crosses(lemma: str) -> bool:
    """Tell whether を with this verb is the space that is crossed: a listed verb, or two of motion in one, 走り回る."""
    return lemma in CROSSED or (lemma.startswith(_MOVERS) and lemma.endswith(_MOVING))


_RISING: Final = _parts("かる まる わる 上がる 下がる 広がる 曲がる 転がる つながる 繋がる")
_WITH_OBJECT: Final = _parts(
    "預かる 授かる はかる 計る しかる ことわる 断わる 教わる おそわる 分かる わかる 触わる さわる 召し上がる"
)


def takes_no_object(lemma: str) -> bool:
    """Tell whether a verb takes no を of an object: a listed one, or one in 〜かる, 〜まる, 〜わる or 〜がる (広がる, 通りかかる).

    Verbs in 〜aる are the intransitive halves of pairs (上がる beside 上げる); those few that are not are listed.
    """
    return lemma in INTRANSITIVE or (lemma.endswith(_RISING) and not lemma.endswith(_WITH_OBJECT))


EITHER_WAY: Final = _words(
    "開く 閉じる 増す 伴う 終わる 再開する 開始する 停止する 拡大する 縮小する 実現する 完成する 回復する 解決する 変更する"
    " 移転する 継続する 終了する 改善する 導入できる 期待する 触れる 触る 頼る 感謝する 心配する 増加する 減少する 確定する 喜ぶ"
    " 決定する 発表する 公開する 放送する 展示する 完了する 展開する 集中する 一変する 反映する オープンする 吹く"
    " 笑う 待つ 手伝う 助ける 教える 思う 働く 分かる わかる 知る 楽しむ 決める 訪れる"
)
"""Verbs that take を or が with the same form, or を beside に."""

INTRANSITIVE: Final = _words(
    "降る 増える 減る 起きる 起こる 始まる 終わる 続く 降り続く 上がる 下がる 高まる 広がる 出る ある いる 見つかる 落ちる 倒れる"
    " 壊れる 咲く 鳴る 決まる 変わる かかる 掛かる 集まる 流れる あふれる 生まれる 育つ 届く 足りる 遅れる 止まる 進む 深まる"
    " 強まる 弱まる 残る 伸びる 見える 聞こえる できる 多い 少ない 高い 低い 強い 弱い 良い いい 悪い 大きい 小さい ない 無い 発生する"
    " 上昇する 低下する 不足する 減少する 増加する 崩れる 折れる 積もる 溶ける 並ぶ 立つ 始まり 相次ぐ 枯れる 消える 亡くなる"
    " 切れる 割れる 冷える 冷え込む 温まる 乾く 濡れる 晴れる 曇る やむ 止む 飛ぶ 揺れる 実る 縮まる 広まる 固まる まとまる 整う"
    " 重なる 目立つ 近づく 詰まる 欠ける 必要 可能 重要 豊富 盛ん 好き 苦手 得意 上手 人気 十分 減り始める 増え続ける 減り続ける"
    " 厳しい 難しい 長い 短い 早い 速い 遅い 甘い 美しい 珍しい 激しい 欲しい 薄い 深い 浅い 広い 狭い 暑い 寒い 楽しい 安い 重い 軽い"
    " 成立する 開業する 到着する 混雑する 活躍する 登場する 参加する 衝突する 故障する 延びる 明ける 浮かぶ 薄れる 揃う そろう"
)
"""Predicates that take no を in this form: before them が has only は and の as rivals."""

FOUND: Final = frozenset({"ある", "ない", "多い", "少ない"})
ABSTRACT: Final = _words(
    "可能性 恐れ おそれ 必要 影響 効果 人気 計画 問題 課題 傾向 関係 意味 責任 義務 権利 制限 違い 差 余裕 動き 声 例 ケース"
)
"""What 〜がある says there is."""

GOAL: Final = _words(
    "行く 来る 帰る 戻る 通う 着く 到着する 入る 入れる 向かう 出掛ける 出かける 避難する 移る 移動する 届く 登る 上る 運ぶ"
    " 引っ越す 渡る 逃げる 進出する 輸出する 派遣する 移す 送る 届ける 旅立つ 出発する 帰国する 進む 飛び立つ 上陸する 出場する 延びる"
)
"""Verbs of motion: に and へ are right before them alike."""
TO: Final = _words(
    "住む 参加する 出席する 乗る 当たる 答える 応じる 応える 慣れる 反対する 賛成する 成功する 失敗する 気づく 気付く 並ぶ 座る 泊まる"
    " 勤める 就く 達する 及ぶ 備える 役立つ 優れる 注目する 取り組む 挑む 挑戦する 臨む 近づく 似る 関わる 迫る 従う 載る 貼る"
    " 置く 載せる 植える 飾る 書く かける 掛ける 付ける 加わる 属する 合う 悩む 耐える 満ちる 恵まれる 富む 苦しむ 合格する 入学する 入院する"
    " 就職する 所属する 登録する 違反する 対応する 協力する 貢献する 相当する 触れる 残る 積もる 乗せる 移住する 集中する 投資する 選ぶ"
    " 直面する 影響する つながる 間に合う 立つ 残す 寄付する 転じる 変わる 生かす 活かす 役立てる 充てる 例える 分ける 決まる 限る"
)
"""Verbs of a place, aim or target with に."""
LOOSE: Final = _words(
    "協力する つながる 立つ 悩む 苦しむ 残る 変わる 集中する 選ぶ 書く 分ける 影響する 対応する 触れる"
)
"""Those of them that others fit as well: と, で or が."""

REACHING: Final = _words("上る 達する 及ぶ 届く 迫る のぼる 渡る わたる")
"""Verbs that take an amount with に."""
ENTERING: Final = _words("入る 入れる 戻る 突入する")
"""Verbs of motion that also say that a phase or an activity begins: 調整に入る."""

EVENT: Final = _words(
    "開く 行う 開催する 販売する 売る 上映する 展示する 実施する 発見する 見つかる 働く 遊ぶ 学ぶ 過ごす 撮影する 栽培する"
    " 生産する 製造する 発生する 起きる 起こる 使う 利用する 発表する 見る 確認する 観測する 披露する 公開する 話し合う 議論する 練習する 飼う"
)
"""What happens at a place: で before them."""

SAYING: Final = _words(
    "言う いう 話す 述べる 語る 思う 考える みる 見る 呼ぶ 答える 聞く 伝える 発表する 説明する 訴える 指摘する 呼びかける 呼び掛ける"
    " 書く 期待する 強調する 振り返る 感じる 判断する 予測する 報じる 主張する 喜ぶ 決める 信じる 願う 約束する 名付ける 書き込む 知る 祈る"
)
"""Verbs whose words or thoughts end in と."""

IDIOMS: Final = {
    ("気", "を", "付ける"): "take care",
    ("気", "を", "配る"): "be attentive",
    ("気", "が", "付く"): "notice",
    ("気", "に", "成る"): "be on one’s mind",
    ("気", "に", "入る"): "be liked",
    ("気", "に", "為る"): "mind",
    ("目", "を", "通す"): "look through",
    ("目", "を", "向ける"): "turn one’s attention",
    ("目", "を", "引く"): "catch the eye",
    ("目", "に", "為る"): "catch sight of",
    ("耳", "を", "傾ける"): "listen",
    ("耳", "に", "為る"): "hear",
    ("口", "に", "為る"): "put into words, or eat",
    ("手", "を", "貸す"): "lend a hand",
    ("手", "に", "為る"): "take in one’s hands",
    ("手", "に", "入れる"): "get",
    ("手", "に", "入る"): "be had",
    ("力", "を", "入れる"): "put effort in",
    ("声", "を", "掛ける"): "speak to somebody",
    ("声", "を", "上げる"): "raise one’s voice",
    ("息", "を", "飲む"): "hold one’s breath",
    ("役", "に", "立つ"): "be of use",
    ("身", "に", "付ける"): "wear, or learn",
    ("身", "に", "付く"): "be learnt",
    ("足", "を", "運ぶ"): "go there oneself",
    ("命", "を", "落とす"): "lose one’s life",
    ("姿", "を", "現す"): "appear",
    ("姿", "を", "消す"): "disappear",
    ("肩", "を", "並べる"): "be on a level",
}
"""Noun, particle and verb, as the dictionary normalises them, that mean one thing together."""

ALIASES: Final = {"つける": "付ける", "つく": "付く", "かける": "掛ける", "のむ": "飲む", "あげる": "上げる"}
"""Verbs of idioms in kana, where the dictionary does not know which kanji they stand for."""
PERCEIVED: Final = _words(
    "見る 見かける 見つめる 見守る 聞く 待つ 手伝う 助ける 止める 見える 聞こえる 感じる 写す 撮る"
)
"""Before them a clause is made a noun with の, never with こと."""

CLOSING: Final = _words("終わる 終える 締め切る 終了する 閉じる 閉まる 打ち切る 閉店する 閉館する やめる 辞める")
"""What ends at a time with に or で."""

SUPERLATIVES: Final = frozenset({"最も", "もっとも", "一番", "いちばん", "初めて", "はじめて", "唯一"})
RELATIVE_PLACES: Final = _words(
    "上 下 中 前 後 後ろ 横 隣 近く 周り 周辺 間 奥 外 そば ほか 他 ため とき 時 場合 一つ ひとつ 一部 ほとんど 大半 半分 多く"
)
"""Nouns that only の joins to the noun before."""
AMOUNTS: Final = _words(
    "多く ほとんど 近く すべて 全て 大半 初めて 一部 半分 最近 昔 最初 最後 ほか 今 現在 今回 前回 次 たくさん 約 地元 本当"
)
"""Nouns and adverbs that only の joins to the noun behind."""
MARKS_OF_WHETHER: Final = frozenset(
    {"何", "誰", "だれ", "どこ", "いつ", "どう", "なぜ", "どの", "どれ", "いくつ", "どのよう", "どんな"}
)
