"""The row of the whole site, read while the cache has no entry because Redis is down or no sweep ran for two minutes.
A process reads it about once per second."""

from __future__ import annotations

import math
import time

from game.site.models import SiteState

MAX_AGE_SECONDS = 1.0


class _Cached:
    """The row that this process read last, and when."""

    row: SiteState | None = None
    read_at = -math.inf


def read() -> SiteState:
    """Read the row from the database."""
    return SiteState.objects.filter(pk=SiteState.ONLY).first() or SiteState(pk=SiteState.ONLY)


def lately() -> SiteState:
    """The row, at most a second old. One thread refreshes it; the others do not wait."""
    now = time.monotonic()
    if _Cached.row is None or now - _Cached.read_at >= MAX_AGE_SECONDS:
        _Cached.read_at = now
        remember(read())
    assert _Cached.row is not None
    return _Cached.row


def remember(row: SiteState) -> None:
    """Cache a row that was just read."""
    _Cached.row, _Cached.read_at = row, time.monotonic()


def forget() -> None:
    _Cached.row, _Cached.read_at = None, -math.inf
