"""Prepares a private copy before it serves: tables, static files, a demo game."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from accounts.models import User
from game.lobby.guests import ensure_demo


def prepare(game: str) -> User:
    """Bring the copy up to date. Returns the user who sits at the demo game."""
    call_command("migrate", verbosity=0, interactive=False)
    collect_static()
    return ensure_demo(game)


def collect_static() -> None:
    """Collect only if a source changed: hashing and compressing all files takes longer than the rest of the start."""
    stamp = Path(settings.STATIC_ROOT) / ".sources"
    fingerprint = hashlib.sha256("\n".join(_sources()).encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(fingerprint, encoding="ascii")


def _sources() -> Iterator[str]:
    yield from sorted(
        path.read_text(encoding="utf-8") for path in (settings.BASE_DIR / "requirements").glob("base.txt")
    )
    for file in sorted((settings.BASE_DIR / "static").rglob("*")):
        stat = file.stat()
        yield f"{file} {stat.st_size} {stat.st_mtime_ns}"
