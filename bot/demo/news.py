"""The news of the demo's server: three invented articles, brought in through the same flow as a moderator's paste."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from lessons.errors import ArticleThere
from lessons.flows.receiving import Handed

if TYPE_CHECKING:
    from datetime import datetime

    from bot.app import Services
    from lessons.model import GuildId, UserId


class Story(NamedTuple):
    """An invented article."""

    title: str
    url: str
    text: str


STORIES: Final = (
    Story(
        "朝市に若い農家が集まる",
        "https://example.com/morning-market",
        """\
駅前の広場で、毎週日曜日の朝に市場が開かれています。
近くの村から若い農家が集まって、朝とれた野菜や果物を売っています。
市場を始めたのは、三年前に東京から引っ越してきた夫婦です。
二人は「食べる人の顔を見ながら野菜を売りたい」と思って、この市場を始めました。
最初の年は、店が四つしかありませんでした。
今では二十以上の店が並び、遠くの町からも客が来るようになりました。
人気があるのは、その場で焼いてくれる甘いとうもろこしです。
雨の日には屋根の下に店を移して、いつもの時間に始めます。
市の職員は、「古い商店街にも人が戻ってきた」と喜んでいます。
来月からは、子どもが野菜の育て方を習う教室も開かれる予定です。
""",
    ),
    Story(
        "図書館が夜も開くようになった",
        "https://example.com/night-library",
        """\
町の図書館が、今月から夜十時まで開くようになりました。
仕事が終わってから本を借りたいという声が多かったからです。
夜の図書館では、静かな音楽が小さく流れています。
二階の広い部屋では、飲み物を飲みながら本を読むことができます。
利用している会社員は、「家に帰る前に、ここで一時間だけ勉強します」と話していました。
図書館は、夜に働く人を増やすために、大学生を雇うことにしました。
大学生たちは、本を棚に戻したり、子どもに物語を読んだりしています。
駅から図書館までの道が暗いので、町は新しい街灯を立てました。
最初の一週間だけで、いつもの二倍の人が訪れたそうです。
館長は、「だれでも入れる、町の居間のような場所にしたい」と言っています。
""",
    ),
    Story(
        "山の小さな駅に猫の駅員",
        "https://example.com/station-cat",
        """\
山の中の小さな駅で、一匹の猫が駅員として働いています。
猫は毎朝、始発の電車が来る前に改札の横に座ります。
電車が着くと、降りてくる客の顔をゆっくり見上げます。
この駅は客が減って、去年の春に閉められるはずでした。
ところが、猫の写真がインターネットで広まって、多くの人が遠くから会いに来ました。
駅の近くの店では、猫の形をしたパンが毎日売り切れます。
鉄道会社は、駅を閉めるのをやめて、新しい椅子を置くことにしました。
猫は忙しい一日が終わると、駅長の家に帰って魚を食べます。
冬の間は寒いので、小さなストーブの前で仕事をしています。
地元の小学生は、猫に手紙を書いて、駅の壁に貼りました。
""",
    ),
)


async def bring_news(services: Services, guild: GuildId, by: UserId, at: datetime) -> None:
    """Give the server its articles, the first of them last, so that it is the newest; a kept folder has them already."""
    for story in reversed(STORIES):
        with suppress(ArticleThere):
            await services.receiving.hand_over(Handed(guild, by, story.title, story.url, "ja", story.text), at)
