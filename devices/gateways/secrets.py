"""Tokens and certificates of gateways: files in a folder of the site, read again when they change."""

from __future__ import annotations

import ssl
from pathlib import Path

from devices.gateways.base import Ask


class MissingSecret(Exception):
    """The credential that a gateway is registered with is not on this machine."""


class Secrets:
    """`<credential>.token`: what we say we know; `<credential>.pem`: who we are (mutual TLS); `<credential>.ca`: whom to
    trust. Certificates are always checked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contexts: dict[tuple[tuple[str, int], ...], ssl.SSLContext] = {}

    def headers(self, ask: Ask) -> dict[str, str]:
        """The bearer token as a header; nothing for a gateway without credential, or with a certificate alone."""
        if not ask.credential:
            return {}
        place = self._folder / f"{ask.credential}.token"
        if place.is_file():
            return {"Authorization": f"Bearer {place.read_text(encoding='ascii').strip()}"}
        if (self._folder / f"{ask.credential}.pem").is_file():
            return {}
        raise MissingSecret(f"no {ask.credential}.token or {ask.credential}.pem")

    def tls(self, ask: Ask) -> ssl.SSLContext | bool:
        """How to speak TLS with it; the same context as long as its files are the same, so that connections are kept."""
        if not ask.credential or not ask.url.startswith("https:"):
            return True
        authority, own = (self._folder / f"{ask.credential}.{ending}" for ending in ("ca", "pem"))
        files = tuple((str(one), one.stat().st_mtime_ns) for one in (authority, own) if one.is_file())
        if files and files not in self._contexts:
            context = ssl.create_default_context(cafile=str(authority) if authority.is_file() else None)
            if own.is_file():
                context.load_cert_chain(str(own))
            self._contexts[files] = context
        return self._contexts[files] if files else True
