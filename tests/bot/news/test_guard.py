"""Nothing of the inner network is ever connected to, whichever way an address leads there."""

import pytest

from bot.clients.news import HttpFetcher, Policy
from lessons.errors import Unfetchable
from lessons.model import FetchTrouble
from tests.bot.news.web import Names, Web, answer

NAMES = {
    "inner_example": ["127.0.0.1"],
    "any_example": ["0.0.0.0"],
    "mapped_example": ["::ffff:127.0.0.1"],
    "six_example": ["::1"],
    "nat_example": ["64:ff9b::7f00:1"],
    "local_host_example": ["127.0.0.1"],
}
SHAPES = [
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://017700000001:{port}/",
    "http://127.1:{port}/",
    "http://0x7f.1:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://127.0.1:{port}/",
    "http://0:{port}/",
    "http://localhost:{port}/",
    "http://localhost.:{port}/",
    "http://LOCALHOST:{port}/",
    "http://a.localhost:{port}/",
    "http://１２７.0.0.1:{port}/",
    "http://127。0。0。1:{port}/",
    "http://ⓛocalhost:{port}/",
    "http://example.com@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}@example.com/",
    "http://127.0.0.1:{port}\\@example.com/",
    "http://example.com:80@127.0.0.1:{port}/",
    "http://127.0.0.1%00.example.com:{port}/",
    "http://127.0.0.1 .example.com:{port}/",
    "ftp://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://inner.example:{port}/",
    "http://INNER.example:{port}/",
    "http://any.example:{port}/",
    "http://mapped.example:{port}/",
    "http://six.example:{port}/",
    "http://nat.example:{port}/",
    "http://local.host.example:{port}/",
]


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_shape_of_an_address_reaches_the_inner_network(shape):
    async with Web({"/": answer(200, b"secret")}).open() as canary:
        fetcher = HttpFetcher(policy=Policy(ports=frozenset({canary.port, 80})), resolver=Names(**NAMES))
        with pytest.raises(Unfetchable) as caught:
            await fetcher.fetch(shape.format(port=canary.port))
        await fetcher.close()
        assert canary.connections == 0
        assert caught.value.why in {FetchTrouble.BAD_ADDRESS, FetchTrouble.FORBIDDEN_ADDRESS}
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_redirect_reaches_the_inner_network(shape):
    """The first server is allowed, the canary beside it at another address of the same port is not."""
    async with (
        Web(host="127.0.0.2").open() as outer,
        Web({"/": answer(200, b"secret")}, port=outer.port).open() as canary,
    ):
        outer.answers["/"] = answer(302, Location=shape.format(port=canary.port).encode().decode("latin-1"))
        fetcher = HttpFetcher(policy=outer.policy, resolver=Names(**NAMES))
        with pytest.raises(Unfetchable) as caught:
            await fetcher.fetch(outer.url())
        await fetcher.close()
        assert caught.value.why in {FetchTrouble.BAD_ADDRESS, FetchTrouble.FORBIDDEN_ADDRESS, FetchTrouble.REDIRECTS}
        assert canary.connections == 0


async def test_the_same_address_passes_once_it_is_exempt():
    """The table above would prove nothing if the canary could not be reached at all."""
    async with Web({"/": answer(200, b"here")}).open() as web:
        fetcher = HttpFetcher(policy=web.policy, resolver=Names(**NAMES))
        assert (await fetcher.fetch(web.url())).data == b"here"
        assert (await fetcher.fetch(f"http://inner.example:{web.port}/")).data == b"here"
        await fetcher.close()


async def test_a_name_that_changes_its_address_is_checked_again():
    async with Web({"/": answer(200)}, host="127.0.0.2").open() as outer, Web(port=outer.port).open() as canary:
        names = Names(rebind_example=["127.0.0.2", "127.0.0.1"])
        for attempt in range(2):
            fetcher = HttpFetcher(policy=outer.policy, resolver=names)
            if attempt:
                with pytest.raises(Unfetchable) as caught:
                    await fetcher.fetch(f"http://rebind.example:{outer.port}/")
                assert caught.value.why is FetchTrouble.FORBIDDEN_ADDRESS
            else:
                await fetcher.fetch(f"http://rebind.example:{outer.port}/")
            await fetcher.close()
        assert (outer.connections, canary.connections) == (1, 0)


async def test_a_proxy_of_the_surroundings_is_not_used(monkeypatch):
    async with Web().open() as proxy, Web({"/": answer(200, b"direct")}).open() as web:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())
        fetcher = HttpFetcher(policy=web.policy)
        assert (await fetcher.fetch(web.url())).data == b"direct"
        await fetcher.close()
        assert proxy.connections == 0
