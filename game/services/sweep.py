"""One look at everything that is due: the tick of the site, harmless when it runs twice or misses a beat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from django.db import OperationalError

from game.services import archive, bots, clocks, failures, moves
from game.services.transactions import ResolutionError

Waiting = frozenset[tuple[str, int, int]]
log = structlog.get_logger(__name__)


def sweep() -> None:
    """Close what is due, let bots act whose call was lost, and put away what has ended."""
    clocks.beat()
    for game_id, serial in clocks.due_games():
        _alone(close_due, game_id=game_id, serial=serial)
    for game_id in bots.forgotten_games():
        _alone(bots.play_forgotten, game_id=game_id)
    for game_id in archive.finished_games():
        _alone(archive.put_away, game_id=game_id)


def stand_in(*, seen: Waiting) -> Waiting | None:
    """Sweep if nobody else does: what waited at the last look still waits, or no sweep has been noted for ten seconds.

    Otherwise return what waits now, for the next look."""
    waiting = _waiting()
    if waiting & seen or clocks.is_silent():
        sweep()
        return None
    return waiting


def _waiting() -> Waiting:
    """What a sweep would deal with now."""
    due = {("phase", game_id, serial) for game_id, serial in clocks.due_games()}
    return frozenset(due | {("bots", game_id, 0) for game_id in bots.forgotten_games()})


def close_due(*, game_id: int, serial: int) -> None:
    """Close one phase; the attempt is committed before it is made."""
    if not clocks.count_attempt(game_id=game_id, serial=serial) or failures.hold_exhausted(game_id=game_id):
        return
    try:
        moves.close_phase(game_id=game_id, expected_serial=serial)
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error, is_counted=True)


def _alone(work: Callable[..., Any], **which: int) -> None:
    """Run one game's work. Its errors are logged and other games continue; database errors end the sweep."""
    try:
        work(**which)
    except OperationalError:
        raise
    except Exception:
        log.exception("sweep_failed", **which)
