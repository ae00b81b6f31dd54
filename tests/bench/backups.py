"""A backup of many games and its way back, beside a plain copy of as many bytes that is as safe on the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from game.store.game import Game
from game.store.log import LoggedAction
from sectors_site import backups
from tests.bench.copies import lay_copies, lay_rows
from tests.bench.drain import start_original
from tests.bench.rows import Row

MOST_SLOWER = 2


def backup_rows(games: int) -> Iterator[Row]:
    """Written, read and compared, and each log replayed as well, which the plain copy has nothing like."""
    original = start_original()
    lay_copies(original, games)
    lay_rows(original, LoggedAction)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "backup"
        written, kept = _seconds(lambda: backups.write_backup(file))
        assert kept == games + 1, kept
        copied, _ = _seconds(lambda: _copy(file, Path(folder) / "copy"))
        yield _row(f"{games:,} games written to a backup", written, copied, file)
        _forget_everything()
        read, differ = _seconds(lambda: backups.read_backup(file))
        assert not differ, differ
        yield _row(f"{games:,} games read from it and compared", read, copied, file)
    replayed, (positions, wrong) = _seconds(backups.replay_all)
    assert not wrong, wrong
    note = f"{positions:,} positions, {replayed / positions * 1000:.2f} ms each"
    yield Row(f"{games:,} games replayed from their logs", replayed, "s", "", None, None, "", None, note)


def _seconds(act: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    done = act()
    return time.perf_counter() - began, done


def _copy(file: Path, copy: Path) -> None:
    with file.open("rb") as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())


def _forget_everything() -> None:
    """A backup is read into an empty place only."""
    connection.close()
    for beside in ("", "-wal", "-shm"):
        Path(f"{settings.DATABASES['default']['NAME']}{beside}").unlink(missing_ok=True)
    call_command("migrate", verbosity=0, interactive=False)
    assert not User.objects.exists()
    assert not Game.objects.exists()


def _row(what: str, ours: float, copied: float, file: Path) -> Row:
    ratio, note = ours / copied, f"a file of {file.stat().st_size / 1e6:,.0f} MB"
    return Row(what, ours, "s", "a copy, s", copied, ratio, f"≤ {MOST_SLOWER} ×", ratio <= MOST_SLOWER, note)
