"""Reading feeds: plain text, safe links, honest refusals."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.clients.news.reading.feeds import MOST_CHARACTERS, MOST_ENTRIES, read_feed
from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble
from tests.bot.news.samples import CARE, SNOW, atom, item, page, rss

URL = "https://news.example/rss/feed.xml"
FILES = sorted((Path(__file__).parent / "feeds").glob("*.xml"))
TITLES = {
    "eucjp.xml": "ゲーム三昧な正月",
    "shiftjis.xml": "DrecomRSSに記事投稿が反映されない…",
    "double-encoded-html.xml": "",
    "item_content_encoded_xml_lang.xml": "",
    "rss_item_link_corrupted_ampersands.xml": "",
}
"""The first entry's title in those real feeds that have an entry."""


def read(data, content_type="application/xml"):
    return read_feed(data, content_type, URL)


def trouble(data, content_type="application/xml"):
    with pytest.raises(UnreadableNews) as caught:
        read(data, content_type)
    return caught.value


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
@pytest.mark.parametrize("content_type", ["", "application/xml", "text/xml; charset=utf-8", "text/html"])
def test_every_real_feed_gives_entries_or_a_precise_refusal(file, content_type):
    data = file.read_bytes()
    if file.name in TITLES:
        assert read(data, content_type).entries[0].prose.title == TITLES[file.name]
    else:
        empty = file.name == "rss_empty_document.xml"
        assert trouble(data, content_type).why is (ReadTrouble.EMPTY if empty else ReadTrouble.NO_ENTRIES)


@pytest.mark.parametrize(
    ("more", "url"),
    [
        ("<guid>g1</guid>", ""),
        ("<guid>/a/b</guid>", ""),
        ("<guid>//news.example/a</guid>", ""),
        ("<guid>tag:news.example,2026:1</guid>", ""),
        ("<guid>http://news.example/a</guid>", "http://news.example/a"),
        ("<guid isPermaLink='false'>http://news.example/a</guid>", ""),
        ("<guid>g1</guid><link>/a</link>", "https://news.example/a"),
        ("<link>/a</link><guid>/a</guid>", "https://news.example/a"),
        ("<guid>/a</guid><link>/a</link>", "https://news.example/a"),
        ("<guid>http://news.example/a</guid><link></link>", "http://news.example/a"),
    ],
)
def test_an_address_is_a_link_or_an_id_that_is_one_by_itself(more, url):
    (entry,) = read(rss(item("題", "", more))).entries
    assert entry.url == url


def test_an_id_of_atom_is_an_address_only_where_it_is_one():
    ids = ["urn:x:1", "a/b", "https://news.example/c"]
    feed = read(atom("".join(f"<entry><id>{each}</id><title>題</title></entry>" for each in ids)))
    assert [entry.url for entry in feed.entries] == ["", "", "https://news.example/c"]


def test_real_feeds_lie_here():
    assert len(FILES) == 17


def test_an_entry_of_rss_is_read_whole():
    more = """<link>/2026/snow.html</link><guid isPermaLink="false">snow-1</guid>
    <pubDate>Mon, 30 Nov 2026 18:00:00 +0900</pubDate>"""
    channel = "<title>やさしい新聞</title><link>https://news.example/</link><language>ja-JP</language>"
    feed = read(rss(item("東京で雪", f"&lt;p&gt;{SNOW}&lt;/p&gt;&lt;p&gt;{CARE}&lt;/p&gt;", more), channel))
    (entry,) = feed.entries
    assert (feed.title, feed.site, feed.language) == ("やさしい新聞", "https://news.example/", "ja")
    assert (entry.guid, entry.url) == ("snow-1", "https://news.example/2026/snow.html")
    assert entry.prose.paragraphs == (SNOW, CARE)
    assert entry.prose.language == "ja"
    assert entry.prose.published == datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def test_an_entry_of_atom_is_read_whole():
    (entry,) = read(
        atom(
            "<entry><title type='html'>&lt;b&gt;東京&lt;/b&gt;で雪</title><id>tag:news.example,2026:1</id>"
            "<link rel='alternate' href='a.html'/><updated>2026-11-30T09:00:00Z</updated>"
            "<source><title>本紙</title></source><summary>短い。</summary>"
            f"<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>{SNOW}</p><p>{CARE}</p></div></content></entry>"
        )
    ).entries
    assert (entry.guid, entry.url) == ("tag:news.example,2026:1", "https://news.example/rss/a.html")
    assert (entry.prose.title, entry.prose.source) == ("東京で雪", "本紙")
    assert entry.prose.paragraphs == (SNOW, CARE)
    assert entry.prose.published == datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def test_rss_1_in_old_encodings_is_read():
    text = (
        '<?xml version="1.0" encoding="{}"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://news.example/"><title>新聞</title></channel>'
        '<item rdf:about="https://news.example/1"><title>東京で雪</title><link>https://news.example/1</link></item></rdf:RDF>'
    )
    for label, codec in (
        ("Shift_JIS", "cp932"),
        ("EUC-JP", "euc_jp"),
        ("iso-2022-jp", "iso2022_jp"),
        ("utf-8", "utf-8"),
    ):
        (entry,) = read(text.format(label).encode(codec)).entries
        assert (entry.prose.title, entry.guid) == ("東京で雪", "https://news.example/1")


def test_furigana_in_an_entry_become_readings():
    (entry,) = read(rss(item("雪", "<![CDATA[<p><ruby>昨日<rt>きのう</rt></ruby>、雪が降りました。</p>]]>"))).entries
    assert entry.prose.paragraphs == ("昨日、雪が降りました。",)
    assert entry.prose.rubies == (("昨日", "きのう"),)


def test_an_entry_without_id_is_known_by_its_link_or_by_what_it_says():
    linked, said, other, same = read(rss(item("a", "", "<link>/1</link>") + item("a") + item("b") + item("a"))).entries
    assert linked.guid == linked.url == "https://news.example/1"
    assert said.guid == same.guid != other.guid


def test_an_id_of_absurd_length_is_hashed():
    (entry,) = read(rss(item("a", "", f"<guid isPermaLink='false'>{'x' * 5000}</guid>"))).entries
    assert len(entry.guid) == 64


@pytest.mark.parametrize(
    "date",
    [
        "",
        "yesterday",
        "0000-00-00",
        "2026-13-45T99:99:99Z",
        "Mon, 99 Foo 2026",
        "99999999999",
        "2026",
        "2026-02-30",
        "1066-10-14",
        "2026年",
    ],
)
def test_a_bad_date_is_none(date):
    (entry,) = read(rss(item("a", "", f"<pubDate>{date}</pubDate>"))).entries
    assert entry.prose.published is None


PAYLOADS = [
    "<b>x</b>",
    "<script>alert(1)</script>x",
    "<ScRiPt src=//evil.example></sCrIpT>x",
    "<img src=x onerror=alert(1)>x",
    "<img src=x onerror=alert(1)",
    "<svg/onload=alert(1)>x",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe src=data:text/html,x></iframe>x",
    "<!-- hidden --><style>p{}</style>x",
    "&lt;script&gt;alert(1)&lt;/script&gt;x",
    "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;x",
    "&amp;amp;lt;b&amp;amp;gt;x",
    "&#60;b&#62;x",
    "&#x3c;img src=x onerror=alert(1)&#x3e;x",
    "<<b>script>x",
    "<b\n>x",
    "<scr<script>ipt>alert(1)</scr</script>ipt>x",
    "<\u200bscript>x",
    "<x\x0conclick=alert(1)>x",
    "<![CDATA[x]]><?php echo 1 ?>x",
    "<marquee><h1>x</h1></marquee>",
    "</title><script>x</script>x",
]


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("layer", ["escaped", "cdata"])
def test_no_tag_is_left_of_any_payload(payload, layer):
    if layer == "cdata":
        body = f"<![CDATA[{payload.replace(']]>', ']]')}]]>"
    else:
        body = payload.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    body = body.replace("\x0c", " ")
    feed = read(
        rss(item(body + "題", body + "文", f"<author>{body}</author><link>/1</link>"), f"<title>{body}紙</title>")
    )
    (entry,) = feed.entries
    for text in (feed.title, entry.prose.title, *entry.prose.paragraphs):
        assert not re.search(r"<[/!?]?[A-Za-z]", text), text
        assert "alert(1)</" not in text


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://news.example/",
        "vbscript:x",
        "mailto:a@news.example",
        "http://",
        "http://[",
        "https://news.example/&lt;script&gt;",
        "https://news.example/a b",
        "https://news.example/" + "a" * 2000,
        "",
    ],
)
def test_a_link_that_is_no_web_address_is_dropped(link):
    feed = read(rss(item("a", "b", f"<link>{link}</link>"), f"<title>t</title><link>{link}</link>"))
    assert feed.entries[0].url == feed.site == ""


@pytest.mark.parametrize(
    ("data", "why", "detail"),
    [
        (b"", ReadTrouble.EMPTY, ""),
        (b" \r\n\xef\xbb\xbf", ReadTrouble.EMPTY, ""),
        (b"<!-- nothing -->", ReadTrouble.EMPTY, ""),
        (b"%PDF-1.7\n%\xe2\xe3", ReadTrouble.NOT_TEXT, "a PDF"),
        (b"PK\x03\x04abc", ReadTrouble.NOT_TEXT, "a zip archive"),
        (b"\x89PNG\r\n\x1a\n", ReadTrouble.NOT_TEXT, "an image"),
        (b"\x00\x00\x00\x20ftypisom", ReadTrouble.NOT_TEXT, "a video or an image"),
        (bytes(range(256)) * 4, ReadTrouble.GARBLED, ""),
        (b"\x00\x01" * 500, ReadTrouble.NOT_TEXT, ""),
        (b'{"version": "https://jsonfeed.org/version/1.1"}', ReadTrouble.NOT_A_FEED, "a JSON feed"),
        (b'{"error": 1}', ReadTrouble.NOT_A_FEED, "JSON"),
        (b"<opml><body/></opml>", ReadTrouble.NOT_A_FEED, "a list of feeds"),
        (b"<?xml version='1.0'?><urlset/>", ReadTrouble.NOT_A_FEED, "a sitemap"),
        (b"just words", ReadTrouble.NOT_A_FEED, ""),
        (b"<unknown/>", ReadTrouble.NOT_A_FEED, ""),
        (page().encode(), ReadTrouble.NOT_A_FEED, "a web page"),
        (b"<p>words", ReadTrouble.NOT_A_FEED, "a web page"),
        (rss(""), ReadTrouble.NO_ENTRIES, ""),
        (rss("<item/>"), ReadTrouble.NO_ENTRIES, ""),
        (rss(item(SNOW.encode().decode("cp1252", "replace"))), ReadTrouble.GARBLED, ""),
    ],
)
def test_what_is_no_feed_is_named(data, why, detail):
    error = trouble(data)
    assert (error.why, error.detail) == (why, detail)


@pytest.mark.parametrize(
    ("head", "detail"),
    [
        ("<link rel=alternate type='application/rss+xml' href='/rss.xml'>", "https://news.example/rss.xml"),
        ("<link rel='ALTERNATE feed' type='Application/Atom+XML; charset=utf-8' href=a>", "https://news.example/rss/a"),
        (
            "<base href='https://cdn.example/x/'><link rel=alternate type='application/rss+xml' href=f>",
            "https://cdn.example/x/f",
        ),
        ("<link rel=alternate type='application/rss+xml' href='javascript:x'>", "a web page"),
        ("<link rel=alternate type='text/html' hreflang=en href='/en'>", "a web page"),
        ("<link rel=stylesheet href='/rss.xml'>", "a web page"),
    ],
)
def test_the_feed_that_a_web_page_offers_is_named(head, detail):
    assert trouble(page(head=head).encode(), "text/html").detail == detail


def test_entries_and_text_are_bounded():
    feed = read(rss(item("a", "あ" * 1000) * (MOST_ENTRIES + 20)))
    assert len(feed.entries) == MOST_ENTRIES
    assert sum(len(line) for entry in feed.entries for line in entry.prose.paragraphs) <= MOST_CHARACTERS
    assert feed.entries[-1].prose.title == "a"


@pytest.mark.parametrize(
    ("items", "before"),
    [
        ("<item><title>&x;</title></item>", '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        ("<item><title>&x;</title></item>", '<!DOCTYPE rss [<!ENTITY x SYSTEM "http://127.0.0.1/">]>'),
        ("<item><title>a</title></item>", '<!DOCTYPE rss SYSTEM "http://127.0.0.1/rss.dtd">'),
        ("<item><title>a</title>", '<!DOCTYPE rss [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>'),
        ("<item><title>&l3;</title></item>", '<!DOCTYPE rss [<!ENTITY l0 "ha"><!ENTITY l3 "&l0;&l0;">]>'),
        ("<item><title>" + "<a>" * 500 + "</title></item>", ""),
        ("<item>" * 500, ""),
        ("<item><title><![CDATA[" * 200, ""),
        ("<item><title>a</title><description>&nbsp;&bogus;&#0;&#xFFFFFF;</description></item>", ""),
        ("<item><title>\x01\x02a</title></item>", ""),
        ("<item><title xml:lang='" + "x" * 9000 + "'>a</title></item>", ""),
        ("<item><link href='a' href='b'>c</link><title>a</title></item>", ""),
        ("<item xmlns:media='http://search.yahoo.com/mrss/'><media:content/><media:title>x</media:title></item>", ""),
        ("<item><title>a</title><content:encoded>b</content:encoded></item>", ""),
        ("<item><enclosure/><category/><author/><source/><guid/><link/><title/></item>", ""),
        ("<item><title>" + "&" * 3000 + "</title></item>", ""),
        ("<item><title>\ud800</title></item>".encode("utf-8", "replace").decode(), ""),
    ],
)
def test_hostile_feeds_end_in_text_or_a_refusal(items, before):
    try:
        feed = read(rss(items, before=before))
    except UnreadableNews:
        return
    text = "".join(entry.prose.title + "".join(entry.prose.paragraphs) for entry in feed.entries)
    assert "root:" not in text
    assert len(text) < 5000


def test_titles_and_links_are_bounded_too():
    feed = read(rss(item("あ" * 5000, "", f"<link>/{'a' * 900}</link>") * MOST_ENTRIES))
    said = sum(len(entry.guid) + len(entry.url) + len(entry.prose.title) for entry in feed.entries)
    assert 100_000 < said <= MOST_CHARACTERS
