"""Which addresses may be called at all: those of the registry, and of these only what the site's settings allow."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit


def allowed(url: str, hosts: Sequence[str]) -> bool:
    """Whether this address may be a gateway's. `hosts`: names, addresses or networks ("10.20.0.0/16"); empty: any.

    Never an address with a user name in it, never another scheme, and never the link-local network, where a machine's
    own metadata is to be found.
    """
    return not wrong(url, hosts)


def wrong(url: str, hosts: Sequence[str]) -> str:
    """What is wrong with the address, "" when nothing is."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "is no address"
    if parts.scheme not in ("http", "https") or not host:
        return "begins with http:// or https:// and a host"
    if parts.username or parts.password or parts.query or parts.fragment:
        return "holds nothing but host, port and path"
    if _is_link_local(host):
        return "is an address that belongs to no device"
    if hosts and not any(_fits(host, one) for one in hosts):
        return "is not among the hosts that this site may call (PITSTAND_GATEWAY_HOSTS)"
    return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_link_local(host: str) -> bool:
    found = _address(host)
    return found is not None and (found.is_link_local or found.is_multicast or found.is_unspecified)


def _fits(host: str, one: str) -> bool:
    if host.casefold() == one.casefold():
        return True
    found = _address(host)
    try:
        return found is not None and found in ipaddress.ip_network(one)
    except ValueError:
        return False
