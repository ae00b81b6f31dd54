"""What a private copy needs before it can serve: tables, static files, a game to look at."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from accounts.models import User
from game.lobby.demo import ensure_demo


def prepare(game: str) -> User:
    """Bring the copy up to date and return the person on whose table this game is."""
    call_command("migrate", verbosity=0, interactive=False)
    collect_static()
    return ensure_demo(game)


def collect_static() -> None:
    """Collect only when a source changed: hashing and compressing every file takes longer than the rest of a start."""
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
        facts = file.stat()
        yield f"{file} {facts.st_size} {facts.st_mtime_ns}"
