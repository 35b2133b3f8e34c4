"""Gives a learner of the demo five weeks of practice to look back on, through the same flows that real answers take."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from discord.utils import time_snowflake

from lessons.calendar import plan
from lessons.flows.reporting import ReviewPost
from lessons.model import InteractionId, MessageId, RunState, ScheduleKind, Slot, Submission, Track, Verdict

if TYPE_CHECKING:
    from datetime import datetime

    from bot.app import Services
    from lessons.model import Item, UserId


class Memory(NamedTuple):
    """How one question went: `went` has an x for each miss (`wrong` was typed) and an o for each right answer."""

    prompt: str
    wrong: str = ""
    went: str = "o"


PACKS: Final = {
    "particles": (
        Memory("これ[＿＿＿]何ですか。", "が", "xo"),
        Memory("だれ[＿＿＿]このいすを作りましたか。", "は", "xxo"),
        Memory("A「どなたが田中さんですか。」 / B「私[＿＿＿]田中です。」", "は", "xo"),
        Memory("冷蔵庫に何[＿＿＿]ありますか。", "は", "xo"),
        Memory("庭に知らない人[＿＿＿]います。", "は", "xo"),
        Memory("どんな音楽[＿＿＿]好きですか。", "を", "xo"),
        Memory("赤いのと青いのと、どちら[＿＿＿]ほしいですか。", "を", "xo"),
        Memory("妹[＿＿＿]料理が得意です。", "が", "xo"),
        Memory("魚は食べますが、肉[＿＿＿]食べません。", "が", "xo"),
        Memory("A「山田さん、いますか。」 / B「山田さん[＿＿＿]会議室にいますよ。」", "が", "xxo"),
        Memory("あっ、雨[＿＿＿]降ってきましたね。", "は", "xo"),
        Memory("どこ[＿＿＿]この靴を買いましたか。", "に", "xo"),
        Memory("台所[＿＿＿]料理をしているのは、父です。", "に", "xxo"),
        Memory("机の上[＿＿＿]あるかぎを取ってください。", "で", "xo"),
        Memory("姉は大阪[＿＿＿]住んでいます。", "で", "xo"),
        Memory("このいす[＿＿＿]座って、少し待ってください。", "で", "xo"),
        Memory("毎週日曜日は、朝六時[＿＿＿]起きて走っています。"),
        Memory("はし[＿＿＿]うどんを食べるのは、まだ難しいです。"),
        Memory("このりんごは三つ[＿＿＿]五百円です。"),
        Memory("このおもちゃは木[＿＿＿]できています。", "に", "xo"),
        Memory("世界[＿＿＿]一番長い川はどれですか。", "に", "xo"),
        Memory("来週、横浜のホテル[＿＿＿]結婚式があるので、仕事を休みます。", "に", "xxo"),
        Memory("バス[＿＿＿]乗って、海まで行きました。", "を", "xo"),
        Memory("いつ日本[＿＿＿]来ましたか。", went="oo"),
        Memory("兄は医者で、姉[＿＿＿]医者です。", "は", "xo"),
        Memory("寝る前に何[＿＿＿]しますか。"),
        Memory("帽子[＿＿＿]かぶって出かけました。"),
        Memory("バス[＿＿＿]待っている間、ずっと音楽を聞いていました。"),
        Memory("橋[＿＿＿]渡ると、左に郵便局があります。"),
        Memory("妹は風邪[＿＿＿]学校を休みました。"),
        Memory("薬は一日[＿＿＿]三回飲んでください。"),
        Memory("妹は将来、獣医[＿＿＿]なりたいと言っています。"),
        Memory("うちにいる動物は、犬[＿＿＿]猫の二匹だけです。"),
        Memory("きのうは頭が痛くて、何[＿＿＿]食べませんでした。"),
        Memory("夏休みは忙しくて、どこ[＿＿＿]行きませんでした。"),
        Memory("私は犬[＿＿＿]猫も大好きです。"),
        Memory("教室にはまだだれ[＿＿＿]いません。"),
        Memory("私は一度[＿＿＿]外国へ行ったことがありません。", went="oo"),
    ),
    "verb_forms": (
        Memory("すみません、ここに名前を[＿＿＿]ください。", "書きて", "xo"),
        Memory("朝ご飯を[＿＿＿]から、学校に行きます。", went="oo"),
        Memory("この写真を[＿＿＿]もいいですか。"),
        Memory("図書館では大きい声で[＿＿＿]はいけません。", "話って", "xo"),
        Memory("天気がいい日は、駅まで[＿＿＿]行きます。", "歩って", "xo"),
        Memory("ちょっと[＿＿＿]ください。すぐ戻ります。", "待ちて", "xxo"),
        Memory("暑いので、窓を[＿＿＿]くれませんか。"),
        Memory("日本へ[＿＿＿]から、もう三年になります。", went="oo"),
        Memory("お風呂に[＿＿＿]から寝ます。", "入りて", "xo"),
        Memory("手を[＿＿＿]から食べなさい。", "洗いて", "xo"),
        Memory("この川は流れが速いので、ここで[＿＿＿]はいけません。", "泳いて", "xo"),
        Memory("次の授業までに、この本を[＿＿＿]おいてください。", "読みて", "xxo"),
        Memory("ちょっとスーパーに[＿＿＿]きます。", "行きて", "xo"),
        Memory("母の誕生日を[＿＿＿]しまいました。"),
        Memory("この辞書は、いつでも[＿＿＿]かまいませんよ。", "使いて", "xo"),
        Memory("妹は今、部屋で音楽を[＿＿＿]います。"),
        Memory("廊下の電気が[＿＿＿]いますよ。"),
        Memory("財布をどこかで[＿＿＿]しまって、困っています。"),
        Memory("父はまだ会社から[＿＿＿]いません。", "帰りて", "xo"),
    ),
    "giving_receiving": (
        Memory("友だちが私に誕生日のケーキを[＿＿＿]。", "あげました", "xo"),
        Memory("私は友だちに地図を[＿＿＿]。", went="oo"),
        Memory("となりのおばさんが妹にお菓子を[＿＿＿]。", "あげました", "xo"),
        Memory("私は祖母に手袋を[＿＿＿]。", "くれました", "xo"),
        Memory("山田さんは林さんに本を[＿＿＿]。"),
        Memory("バレンタインデーに、だれにチョコレートを[＿＿＿]ましたか。"),
    ),
}
"""What was practised, by starter pack: は and が, に and で, and the て-form are what goes wrong."""

DAYS_AGO: Final = (35, 33, 30, 28, 26, 23, 21, 19, 16, 14, 12, 9, 7, 5, 3, 1)
AGAIN: Final = (0, 2, 4)
"""How many sessions after the first one a question comes again."""
SECONDS: Final = 25
"""From one answer to the next."""
WEEK: Final = timedelta(days=7)
STRIDE: Final = 11
"""Steps through the questions that mix the packs."""


async def give_past(services: Services, learner: UserId, now: datetime) -> None:
    """Let the learner have practised for five weeks until `now`; somebody who has answered before keeps their own past."""
    drills = services.delivering.drills
    if await drills.last_pack(learner) is not None:
        return
    for ago, session in zip(DAYS_AGO, await _sessions(services), strict=True):
        at = now - timedelta(days=ago, minutes=40)
        drill = await drills.begin(learner, None, Track.LESSON, "", [item.id for item, _ in session], at)
        answers = {item.id: typed for item, typed in session}
        for exercise in await drills.exercises(drill.id, learner):
            verdict = Verdict.RETRY
            while verdict is Verdict.RETRY:
                at += timedelta(seconds=SECONDS)
                typed = Submission(learner, exercise.id, answers[exercise.item.id], at, _delivery(learner, at))
                verdict = (await services.answering.answer(typed)).grade.verdict


async def give_review(services: Services, learner: UserId, now: datetime) -> None:
    """Let a weekly review have come to the learner a week before `now`, and the next one be due; one there is stays."""
    arranging, reporting = services.choosing.arranging, services.reporting
    if (await arranging.arranged(learner)).review is not None:
        return
    due = now.replace(second=0, microsecond=0)
    last, minute = due - WEEK, due.hour * 60 + due.minute  # nobody in the demo has a time zone yet
    await arranging.arrange(learner, ScheduleKind.REVIEW, last - WEEK / 2, minute=minute, weekdays=(due.weekday(),))
    for run in await reporting.schedules.claim(last, 1, lambda each: plan(each.rule, Slot(last, last.date()), last)):
        post = await reporting.compose(run, last)
        if isinstance(post, ReviewPost):
            message = MessageId(time_snowflake(last))
            await reporting.schedules.settle(run.id, RunState.SENT, last, why=post.note, message=message)


def _delivery(learner: UserId, at: datetime) -> InteractionId:
    """The id that Discord could have given an answer of this learner at this moment."""
    return InteractionId(time_snowflake(at) + learner % 2**22)


async def _sessions(services: Services) -> list[list[tuple[Item, str]]]:
    """Lay every question's answers out over the sessions, each item with what was typed; some is still to come.

    Misses are spread evenly, what was right at once grows denser: that is what learning looks like.
    """
    remembered = await _remembered(services)
    remembered = [remembered[place * STRIDE % len(remembered)] for place in range(len(remembered))]
    missed = [each for each in remembered if each[1].wrong]
    known = [each for each in remembered if not each[1].wrong]
    sessions: dict[int, list[tuple[Item, str]]] = defaultdict(list)
    for group, bend in ((missed, 1.0), (known, 0.5)):
        for place, (item, memory) in enumerate(group):
            first = int(len(DAYS_AGO) * (place / len(group)) ** bend)
            for later, result in zip(AGAIN, memory.went, strict=False):
                sessions[first + later].append((item, memory.wrong if result == "x" else item.answer))
    return [sessions[session] for session in range(len(DAYS_AGO))]


async def _remembered(services: Services) -> list[tuple[Item, Memory]]:
    """Find the questions in the starter packs; one that is not there any more is not remembered."""
    packs = services.delivering.packs
    found = []
    for name, memories in PACKS.items():
        pack = await packs.find(name, ())
        items = {item.row.prompt: item for item in await packs.items(pack.id)} if pack else {}
        found += [(items[memory.prompt], memory) for memory in memories if memory.prompt in items]
    return found
