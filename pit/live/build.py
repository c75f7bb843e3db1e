"""Which build this is: PITSTAND_BUILD, or what the tree looks like when nobody said."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings


@cache
def build_id() -> str:
    """The same for all processes of one tree; changes when a template, a script or a module does."""
    if settings.BUILD_ID != "dev":
        return str(settings.BUILD_ID)
    return f"dev-{_fingerprint(settings.BASE_DIR)}"


def _fingerprint(base: Path) -> str:
    digest = sha256()
    for folder in ("templates", "static", "pit", "tables"):
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in (".html", ".css", ".js", ".py", ".toml"):
                found = path.stat()
                digest.update(f"{path}{found.st_size}{found.st_mtime_ns}".encode())
    return digest.hexdigest()[:10]
