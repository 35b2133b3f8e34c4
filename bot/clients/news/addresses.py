"""Which addresses of the web may be asked: public hosts on the usual ports, told from everything that looks like them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from yarl import URL

from lessons.errors import Unfetchable
from lessons.model import FetchTrouble

_DISGUISES: Final = tuple(
    map(
        ip_network,
        (
            "64:ff9b::/96",  # NAT64: an IPv4 address in other clothes
            "64:ff9b:1::/48",
            "2002::/16",  # 6to4
            "2001::/32",  # Teredo
            "::/96",  # IPv4-compatible, long withdrawn
            "192.0.0.0/24",  # protocol assignments
            "192.88.99.0/24",  # 6to4 relays
            "fec0::/10",  # site-local, withdrawn
        ),
    )
)
"""Ranges that `is_global` of the standard library lets pass in some release, and that lead where nobody can tell."""

_INNER_NAMES: Final = ("localhost", "local", "internal", "intranet", "lan", "home.arpa", "corp", "home")
_NUMBER: Final = re.compile(r"\d+|0[xX][0-9a-fA-F]*")
_BLANK_OR_CONTROL: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\u3000\\]")
_USER: Final = re.compile(r"[^/?#]*//[^/?#]*@")
_LONGEST: Final = 2048
_LONGEST_LABEL: Final = 63


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be asked for. `exempt` are networks that count as public though they are not: a server of a test."""

    ports: frozenset[int] = frozenset({80, 443})
    exempt: tuple[IPv4Network | IPv6Network, ...] = ()

    def admits(self, address: str) -> bool:
        """Tell whether a connection to this IP address is allowed; text that is no IP address is not."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.exempt) or is_public(found)

    def checked(self, text: str) -> URL:
        """Return the URL to ask for. Raises Unfetchable: BAD_ADDRESS for its form, FORBIDDEN_ADDRESS for its host."""
        url = _parsed(text)
        host = (url.raw_host or "").rstrip(".")
        if url.scheme not in {"http", "https"} or url.user is not None or not host or url.port not in self.ports:
            raise Unfetchable(FetchTrouble.BAD_ADDRESS)
        literal = _literal(host)
        if literal is not None and not self.admits(str(literal)):
            raise Unfetchable(FetchTrouble.FORBIDDEN_ADDRESS)
        if literal is None:
            _check_name(host)
        return url


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address belongs to the public internet, whatever IPv4 address it may carry inside."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    return not any(address in network for network in _DISGUISES)


def _parsed(text: str) -> URL:
    text = text.strip(" \t\r\n")
    if len(text) > _LONGEST or _BLANK_OR_CONTROL.search(text) or _USER.match(text):
        raise Unfetchable(FetchTrouble.BAD_ADDRESS)
    try:
        url = URL(text)
        return url.with_fragment(None)
    except (ValueError, TypeError):  # UnicodeError is a ValueError
        raise Unfetchable(FetchTrouble.BAD_ADDRESS) from None


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    if "%" in host:  # a zone names a network card of this machine
        raise Unfetchable(FetchTrouble.BAD_ADDRESS)
    try:
        return ip_address(host)
    except ValueError:
        return None


def _check_name(host: str) -> None:
    """Refuse names of inner networks, and numbers that resolvers take for IPv4: 2130706433, 0x7f.1, 127.1."""
    labels = host.lower().split(".")
    if not all(0 < len(label) <= _LONGEST_LABEL for label in labels) or _NUMBER.fullmatch(labels[-1]):
        raise Unfetchable(FetchTrouble.BAD_ADDRESS)
    if len(labels) == 1 or any(f".{host.lower()}".endswith(f".{name}") for name in _INNER_NAMES):
        raise Unfetchable(FetchTrouble.FORBIDDEN_ADDRESS)
