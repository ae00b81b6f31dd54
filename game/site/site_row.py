"""The row of the whole site, which requests read while the cache has no entry: Redis is away, or there was no sweep for
two minutes. A process reads it about once a second."""

from __future__ import annotations

import math
import time

from game.site.models import SiteState

LATELY = 1.0  # seconds


class _Known:
    """What this process has read, and when."""

    row: SiteState | None = None
    read_at = -math.inf


def read() -> SiteState:
    """What is set, from the database."""
    return SiteState.objects.filter(pk=SiteState.ONLY).first() or SiteState(pk=SiteState.ONLY)


def lately() -> SiteState:
    """What is set, or was within the last second. One thread reads it again; the others do not wait for it."""
    now = time.monotonic()
    if _Known.row is None or now - _Known.read_at >= LATELY:
        _Known.read_at = now
        remember(read())
    assert _Known.row is not None
    return _Known.row


def remember(row: SiteState) -> None:
    """What this process has just read."""
    _Known.row, _Known.read_at = row, time.monotonic()


def forget() -> None:
    """Forget everything, like a process that has just started."""
    _Known.row, _Known.read_at = None, -math.inf
