"""The folder of this checkout that holds what is generated here and committed nowhere."""

import os
import secrets
from pathlib import Path


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
