"""The folder of generated files of this checkout, which are never committed."""

import contextlib
import os
import secrets
from pathlib import Path


def make_private(home: Path, *, is_ours: bool) -> None:
    """Create the folder for its owner alone; our own folder, if it is more open, is closed. A folder that the operator
    named keeps its mode."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_ours and home.stat().st_uid == os.getuid() and home.stat().st_mode & 0o077:
        home.chmod(0o700)


def reserve(file: Path) -> None:
    """Create an empty file for its owner alone: SQLite gives the same mode to the files beside it."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def secret_key(home: Path) -> str:
    """The secret key of this checkout, created on first use and readable by its owner alone."""
    file = home / "secret_key"
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(64))
    return file.read_text(encoding="ascii")


def _write_once(file: Path, text: str) -> None:
    """Atomic; if two processes start together, the first one's text wins."""
    draft = file.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as target:
        target.write(text)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
