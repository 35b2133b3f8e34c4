"""News as moderators bring it in: texts, feeds, and the presses they take."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from tests.conftest import World
from tests.screen import shown

BAKERY = """朝のパン屋

駅の前に新しいパン屋ができました。店主の田中さんは毎朝四時に起きて、パンを焼きます。
近所の人たちは仕事に行く前に、温かいパンを買います。去年まで田中さんは銀行で働いていました。
子どものころから、自分の店を持つのが夢だったそうです。来年は隣の町にも店を開くつもりです。"""

LIBRARY = """図書館の夜

町の図書館が夜十時まで開くことになりました。仕事が終わってから本を借りたい人が増えたからです。
学生は静かな部屋で宿題をすることができます。館長は、みんなに来てほしいと話しました。"""


async def paste(world: World, text: str = BAKERY, who: Any = None, **given: str) -> Any:
    """Paste an article into the form and return the message that it ends in."""
    who = who or world.aoki
    options = {name: given.pop(name) for name in ("language",) if name in given}
    opened = await who.slash(world.study, "article add", **options)
    assert opened.modal is not None
    fields = {"title": "", "link": "", "text": text, **given}
    return shown(await who.submit_modal(opened, fields))


async def hand_in(world: World, name: str, data: str | bytes, **options: str) -> Any:
    """Send an article as a file and return the message that it ends in."""
    content = data.encode() if isinstance(data, str) else data
    return shown(await world.aoki.slash(world.study, "article add", file=(name, content), **options))


async def news(world: World, who: Any = None, **options: Any) -> Any:
    """Ask for news and return the message that it ends in."""
    return shown(await (who or world.mika).slash(world.study, "news", **options))


def forge(world: World, message: Any, *ids: str) -> None:
    """Put buttons on somebody's own message that the bot never put there, each named by its id."""
    world.env.backend.get_message(message.channel_id, message.id).components = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": each, "custom_id": each} for each in ids]}
    ]


def page(title: str, text: str) -> bytes:
    """A web page with an article in it."""
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n") if part)
    return (
        f"<!doctype html><html lang='ja'><head><meta charset='utf-8'><title>{escape(title)}</title></head>"
        f"<body><main><article><h1>{escape(title)}</h1>{paragraphs}</article></main></body></html>"
    ).encode()


def rss(title: str, *entries: tuple[str, str]) -> bytes:
    """A feed whose entries have a title and a link."""
    items = "".join(
        f"<item><title>{escape(name)}</title><link>{escape(url)}</link><guid>{escape(url)}</guid></item>"
        for name, url in entries
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>'
        f"<title>{escape(title)}</title><link>http://news.example/</link><language>ja</language>{items}"
        "</channel></rss>"
    ).encode()
