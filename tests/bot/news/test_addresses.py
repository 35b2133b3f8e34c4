"""Which addresses count as public, whatever clothes they wear."""

from ipaddress import ip_address, ip_network

import pytest

from bot.clients.news import Policy
from bot.clients.news.addresses import is_public
from lessons.errors import Unfetchable
from lessons.model import FetchTrouble

INNER = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.8",
    "192.0.0.9",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.5",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:192.88.99.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
OUTER = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", INNER)
def test_what_is_not_public_is_not_admitted(address):
    assert not is_public(ip_address(address))
    assert not Policy().admits(address)


@pytest.mark.parametrize("address", OUTER)
def test_what_is_public_is_admitted(address):
    assert is_public(ip_address(address))
    assert Policy().admits(address)


@pytest.mark.parametrize("address", ["", "localhost", "127.0.0.1.", "fe80::1%lo", "1"])
def test_what_is_no_ip_address_is_not_admitted(address):
    assert not Policy().admits(address)


def test_an_exempt_network_is_admitted_and_its_neighbour_is_not():
    policy = Policy(exempt=(ip_network("127.0.0.1/32"),))
    assert policy.admits("127.0.0.1")
    assert not policy.admits("127.0.0.2")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/feed.xml",
        "http://example.com:80/",
        "https://example.com:443/?a=b",
        " https://example.com/ ",
        "https://例え.jp/ニュース?話=雪",
        "https://8.8.8.8/",
        "http://[2606:4700::1111]/",
        "https://example.com./",
        "https://news.local.example/",
    ],
)
def test_public_addresses_of_the_usual_form_pass(url):
    assert Policy().checked(url).scheme in {"http", "https"}


def test_a_fragment_is_never_sent():
    assert str(Policy().checked("https://example.com/a#b")) == "https://example.com/a"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "feed",
        "example.com/feed",
        "//example.com/feed",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/xml,<rss/>",
        "gopher://example.com/",
        "http://",
        "http:///etc",
        "http://example.com:22/",
        "http://example.com:8080/",
        "https://example.com:99999/",
        "https://example.com:port/",
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://@example.com/",
        "http://exa mple.com/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com/\r\nHost: inner",
        "http://example.com/\x00",
        "http://[fe80::1%25lo]/",
        "http://[::1",
        "http://a..example/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "https://example.com/" + "a" * 2048,
        "http://" + "a" * 64 + ".example/",
    ],
)
def test_addresses_of_another_form_are_bad(url):
    with pytest.raises(Unfetchable) as caught:
        Policy().checked(url)
    assert caught.value.why in {FetchTrouble.BAD_ADDRESS, FetchTrouble.FORBIDDEN_ADDRESS}


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "a.localhost", "printer.local", "db.internal", "intranet", "nas.home.arpa"]
)
def test_names_of_inner_networks_are_forbidden(host):
    with pytest.raises(Unfetchable) as caught:
        Policy().checked(f"http://{host}/")
    assert caught.value.why is FetchTrouble.FORBIDDEN_ADDRESS
