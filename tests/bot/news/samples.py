"""Small pages and feeds to read."""

SNOW = (
    "昨日、東京で大きな雪が降りました。電車が止まって、たくさんの人が駅で困っていました。"
    "気象庁は、今日も雪が降ると言っています。"
)
CARE = "外に出るときは、滑らない靴を履いて、ゆっくり歩いてください。車を運転する人も気をつけてください。"
TEXT = (SNOW, CARE)
URL = "https://news.example/2026/snow.html"


def page(body: str = f"<p>{SNOW}</p><p>{CARE}</p>", head: str = "", title: str = "東京で雪", lang: str = "ja") -> str:
    return (
        f"<!DOCTYPE html><html lang='{lang}'><head><title>{title}</title>{head}</head><body>"
        "<nav><a href='/'>ホーム</a> <a href='/weather'>天気</a></nav>"
        f"<article><h1>{title}</h1>{body}</article><footer>著作権 新聞社</footer></body></html>"
    )


def rss(items: str, channel: str = "<title>やさしい新聞</title>", before: str = "") -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>{before}<rss version="2.0"><channel>{channel}{items}</channel></rss>'.encode()


def item(title: str = "題", description: str = "", more: str = "") -> str:
    return f"<item><title>{title}</title><description>{description}</description>{more}</item>"


def atom(entries: str, lang: str = "ja") -> bytes:
    head = f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{lang}"><title>新聞</title>'
    return f"{head}<link href='https://news.example/'/>{entries}</feed>".encode()
