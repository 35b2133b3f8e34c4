"""Reading pages: the article and nothing else of what the page holds, in whatever encoding."""

from datetime import UTC, datetime

import pytest

from bot.clients.news.reading.pages import read_page
from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble
from tests.bot.news.samples import CARE, SNOW, TEXT, URL, page

GERMAN = "Die Straße ist schön und größer geworden. Über den Hügeln lag früh noch dichter Nebel, sagte ein Bäcker."


def read(data, content_type="text/html"):
    return read_page(data if isinstance(data, bytes) else data.encode(), content_type, URL)


def trouble(data, content_type="text/html"):
    with pytest.raises(UnreadableNews) as caught:
        read(data, content_type)
    return caught.value


def entities(text):
    return "".join(f"&#x{ord(char):X};" for char in text)


SHIFT_JIS = "<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>"


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (page().encode(), "text/html"),
        (page().encode(), "text/html; charset=UTF-8"),
        (page(head=SHIFT_JIS).encode(), "text/html"),
        (page(head=SHIFT_JIS).encode(), "text/html; charset=shift_jis"),
        (page().encode(), "text/html; charset=iso-8859-1"),
        (page().encode("utf-8-sig"), "text/html; charset=shift_jis"),
        (page().encode("utf-16"), "text/html"),
        (page().encode("utf-16-le"), "text/html"),
        (page().encode("utf-16-be"), "text/html"),
        (page(head=SHIFT_JIS).encode("cp932"), "text/html"),
        (page(head=SHIFT_JIS).encode("cp932"), "text/html; charset=iso-8859-1"),
        (page(head="<meta charset='x-sjis'>").encode("cp932"), "text/html"),
        (page(head="<meta charset='utf-16'>").encode(), "text/html"),
        (page(head="<meta charset='no-such-thing'>").encode(), "text/html; charset=zip"),
        (page().encode("cp932"), "text/html"),
        (page().encode("cp932"), "text/html; charset=Windows-31J"),
        (page().encode("cp932"), "text/html; charset=euc-jp"),
        (page().encode("euc_jp"), "text/html"),
        (page().encode("euc_jp"), "text/html; charset=x-euc-jp"),
        (page().encode("euc_jp"), "text/html; charset=shift_jis"),
        (page().encode("iso2022_jp"), "text/html"),
        (page().encode("iso2022_jp"), "text/html; charset=iso-2022-jp"),
        (page(head="<meta charset=gb2312>").encode("gb18030"), "text/html"),
        (entities(SNOW).join(("<p>", "</p>")) + entities(CARE).join(("<p>", "</p>")), "text/html; charset=us-ascii"),
        (page(head="<script>var p = '<p>悪い文です。</p>';" + "a = 1;" * 3000 + "</script>").encode(), "text/html"),
        (page(f"<p>{SNOW}<p>{CARE}<div></b></span></p></p><table><tr>").encode(), "text/html"),
        ('<?xml version="1.0" encoding="Shift_JIS"?>' + page(), "application/xhtml+xml"),
        (page().encode().replace(b"</article>", b"<i>\xe9\x9b</i></article>"), "text/html; charset=utf-8"),
        (page().replace("<h1>", "\0<h1>"), "text/html"),
    ],
)
def test_the_article_is_read_whatever_the_page_says_of_its_encoding(data, content_type):
    prose = read(data, content_type)
    assert prose.paragraphs[:2] == TEXT
    assert prose.language == "ja"
    assert "悪い" not in "".join(prose.paragraphs)


@pytest.mark.parametrize("codec", ["latin-1", "cp1252", "utf-8", "iso8859-15"])
@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=iso-8859-1"])
def test_western_pages_need_no_declaration(codec, content_type):
    text = f"<html lang=de-DE><title>Nebel</title><body><article><p>{GERMAN * 3}</p></article></body></html>"
    prose = read(text.encode(codec), content_type)
    assert prose.paragraphs == (GERMAN * 3,)
    assert prose.language == "de"


def test_what_a_page_says_of_itself_is_kept():
    head = """<meta property="og:title" content="東京で &lt;b&gt;雪&lt;/b&gt;"><meta property="og:site_name" content="新聞">
    <meta property="article:published_time" content="2026-11-30T18:00:00+09:00">"""
    prose = read(page(head=head, title="雪 | 新聞 | ホーム"))
    assert (prose.title, prose.source, prose.language) == ("東京で 雪", "新聞", "ja")
    assert prose.published == datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ("<meta name='date' content='2026-11-30'>", datetime(2026, 11, 30, tzinfo=UTC)),
        ("<meta itemprop=datePublished content='20261130T0900Z'>", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        (
            '<script type="application/ld+json">{"datePublished": "2026-11-30T09:00:00Z"}</script>',
            datetime(2026, 11, 30, 9, tzinfo=UTC),
        ),
        ("<meta name='date' content='gestern'><meta name=pubdate content='0001-01-01T00:00:00+14:00'>", None),
        ("", None),
    ],
)
def test_the_date_is_the_one_in_the_metadata(head, published):
    assert read(page(head=head)).published == published


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<html lang='en-GB'>", "en"),
        ("<html xml:lang='fr'>", "fr"),
        ("<html><meta http-equiv='Content-Language' content='de, en'>", "de"),
        ("<html><meta property='og:locale' content='pt_BR'>", "pt"),
        ("<html lang='!!'>", ""),
        ("<html>", ""),
    ],
)
def test_the_language_is_the_page_s_own_word(markup, language):
    assert (
        read(f"{markup}<body><article><p>{'Words of some language, in a row. ' * 9}</p></article>").language == language
    )


def test_a_template_s_language_does_not_beat_kana():
    assert read(page(lang="en")).language == "ja"


@pytest.mark.parametrize(
    ("ruby", "pairs"),
    [
        ("<ruby>昨日<rt>きのう</rt></ruby>", {("昨日", "きのう")}),
        ("<ruby>昨日<rp>（</rp><rt>きのう</rt><rp>）</rp></ruby>", {("昨日", "きのう")}),
        ("<ruby><rb>昨日</rb><rt>キノウ</rt></ruby>", {("昨日", "きのう")}),
        ("<ruby>昨<rt>さく</rt>日<rt>じつ</rt></ruby>", {("昨", "さく"), ("日", "じつ")}),
        ("<ruby><rb>昨</rb><rb>日</rb><rt>さく</rt><rt>じつ</rt></ruby>", {("昨", "さく"), ("日", "じつ")}),
        ("<ruby><span class=c>昨日</span> <rt> きのう </rt></ruby>", {("昨日", "きのう")}),
        ("<ruby>昨日<rt>きのう", {("昨日", "きのう")}),
        ("<ruby><ruby>昨日<rt>きのう</rt></ruby></ruby>", {("昨日", "きのう")}),
        ("<ruby>昨日<rt>yesterday</rt></ruby>", set()),
        ("<ruby>昨日<rt></rt></ruby>", set()),
        ("<ruby>昨日</ruby>", set()),
        ("<span><b>昨</b><i>日</i></span>", set()),
        ("昨日<ruby><rt>きのう</rt></ruby>", set()),
    ],
)
def test_furigana_leave_the_text_and_become_readings(ruby, pairs):
    end = "</rt></ruby>" if ruby.endswith("きのう") else ""
    prose = read(page(f"<p>{ruby}{end}{SNOW[2:]}</p><p>{CARE}</p>"))
    assert prose.paragraphs == TEXT
    assert set(prose.rubies) == pairs


def test_katakana_under_a_ruby_is_no_reading_of_kanji():
    prose = read(page(f"<p><ruby>テレビ<rt>てれび</rt></ruby>で見ました。{SNOW}</p>"))
    assert prose.rubies == ()
    assert prose.paragraphs[0].startswith("テレビで")


WALLS = [
    ("Bevor Sie zu Google weitergehen", "<p>Wir verwenden Cookies und Daten.</p><button>Alle akzeptieren</button>"),
    ("Before you continue", "<p>We and our partners use cookies to store data.</p><button>Accept all</button>"),
    ("クッキーについて", "<p>当サイトではクッキーの使用に同意していただく必要があります。</p><a>すべて同意する</a>"),
    ("Cookies", "<p>Nous et nos partenaires utilisons des cookies. Tout accepter ou continuer sans accepter.</p>"),
    ("Log in", "<p>Please log in to continue reading this article today.</p><form><input type=password></form>"),
    ("ログイン", "<p>この記事の続きを読むにはログインが必要です。会員登録は無料です。</p>"),
    ("会員限定", "<p>続きをご覧になるには会員登録が必要です。</p>"),
    ("Anmelden", "<p>Bitte melden Sie sich an, um diesen Artikel zu lesen.</p>"),
    ("Just a moment...", "<div id='cf-challenge'></div><script src='/cdn-cgi/challenge-platform/x.js'></script>"),
    ("", "<div class='g-recaptcha'></div><p>Verify that you are human.</p>"),
    ("", "<form action='https://consent.google.com/save'><button>OK</button></form>"),
    ("確認", "<p>あなたがロボットではないことを確認してください。</p>"),
]


@pytest.mark.parametrize(("title", "body"), WALLS)
def test_a_wall_before_the_article_is_told_from_an_article(title, body):
    assert trouble(f"<html><head><title>{title}</title></head><body>{body}</body></html>").why is ReadTrouble.CONSENT


@pytest.mark.parametrize(("title", "body"), WALLS)
def test_a_wall_beside_the_article_leaves_the_article(title, body):
    """Banners, log-in forms and captchas of comments stand on many pages that have an article."""
    prose = read(page().replace("<footer>", f"<div id=banner>{body}</div><footer>"))
    assert prose.paragraphs == TEXT


def test_an_article_about_cookies_is_an_article():
    story = "Viele Seiten verwenden Cookies. Das Gericht entschied, dass ein Knopf nicht genügt. " * 12
    assert read(page(f"<p>{story}</p>", lang="de", title="Urteil zu Cookies")).paragraphs


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", ReadTrouble.EMPTY),
        (b"\n\n", ReadTrouble.EMPTY),
        (b"%PDF-1.4", ReadTrouble.NOT_TEXT),
        (b"\xff\xd8\xff\xe0JFIF", ReadTrouble.NOT_TEXT),
        (b"\x1f\x8b\x08", ReadTrouble.NOT_TEXT),
        (b"<html></html>", ReadTrouble.NO_ARTICLE),
        (
            b"<html><body><script>var a = 'A sentence. Another sentence.';</script></body></html>",
            ReadTrouble.NO_ARTICLE,
        ),
        (b"<ul>" + b"<li><a href=/a>One page</a></li>" * 60 + b"</ul>", ReadTrouble.NO_ARTICLE),
        (b"<p>Short.</p>", ReadTrouble.NO_ARTICLE),
        (b"<rss><channel><item/></channel></rss>", ReadTrouble.NO_ARTICLE),
        (b"<html>" + bytes(range(0x80, 0x100)) * 50, ReadTrouble.GARBLED),
        (page().encode().decode("cp1252", "replace").encode(), ReadTrouble.GARBLED),
        (b"&" * 1000, ReadTrouble.NO_ARTICLE),
        (b"<" * 1000, ReadTrouble.NO_ARTICLE),
    ],
)
def test_what_is_no_article_is_named(data, why):
    assert trouble(data).why is why


def test_a_long_page_is_cut_at_a_paragraph():
    prose = read(page("".join(f"<p>{n}日目。{SNOW}</p>" for n in range(4000))))
    assert 150_000 < sum(map(len, prose.paragraphs)) <= 200_000
    assert prose.paragraphs[-1].endswith("言っています。")


@pytest.mark.parametrize(
    "body",
    [
        "<script>悪い文です。</script>",
        "<style>悪い文です。</style>",
        "<noscript>悪い文です。</noscript>",
        "<!-- 悪い文です。 -->",
    ],
)
def test_what_is_not_shown_is_not_read(body):
    prose = read(page(f"<p>{SNOW}{body}</p>{body}<p>{CARE}</p>"))
    assert prose.paragraphs == TEXT


def test_deep_nesting_does_not_break_it():
    try:
        prose = read("<div>" * 5000 + f"<p>{SNOW}</p><p>{CARE}</p>")
    except UnreadableNews:
        return
    assert SNOW in prose.paragraphs


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Вчера в Москве выпал снег, поезда остановились, и многие люди ждали на вокзале. ", "cp1251"),
        ("어제 서울에 눈이 많이 내렸습니다. 기차가 멈추고 많은 사람들이 역에서 기다렸습니다. ", "euc_kr"),
        ("昨天北京下了大雪，火车停了，很多人在车站等着。气象台说今天还会下雪。", "gb18030"),
    ],
)
def test_other_old_encodings_are_found_without_a_declaration(text, codec):
    data = f"<html><body><article><p>{text * 8}</p></article></body></html>".encode(codec)
    assert read(data).paragraphs == ((text * 8).strip(),)


def test_rows_of_dashes_and_dots_are_no_mojibake():
    assert read(f"<article><p>{'It snowed in the city all day, and it was cold. ' * 4}</p><p>————————————……………………</p>")
