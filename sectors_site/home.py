"""The folder of this checkout that holds what is generated here and committed nowhere."""

import contextlib
import os
import secrets
from pathlib import Path


def make_private(home: Path, *, is_ours: bool) -> None:
    """Make the folder for its owner alone; one that is ours and was made more open before is closed. A folder that
    somebody named keeps the mode they gave it."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_ours and home.stat().st_uid == os.getuid() and home.stat().st_mode & 0o077:
        home.chmod(0o700)


def reserve(file: Path) -> None:
    """An empty file for its owner alone: SQLite gives the files beside it the same mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def secret_key(home: Path) -> str:
    """The key of this checkout, made on first use and readable by its owner alone."""
    file = home / "secret_key"
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(64))
    return file.read_text(encoding="ascii")


def _write_once(file: Path, text: str) -> None:
    """Whole or not at all; of two processes that start together the first one's text stays."""
    draft = file.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as fresh:
        fresh.write(text)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
