"""The lock of a game's row, which protects every change to the game."""

from __future__ import annotations

from functools import cache

from django.db import connection
from django.db.models.functions import Now

from game.infra.statements import Lookup
from game.store.game import Game


def lock(game_id: int, *, waits: bool = True) -> Game | None:
    """Lock the game's row for this transaction; None if it is locked and `waits` is off.

    `now` is the statement timestamp: on PostgreSQL taken before waiting for the lock, on SQLite after."""
    return locking(skips=not waits).get(game_id)


def locking(*, skips: bool) -> Lookup[Game]:
    """The query that locks games; with `skips` it leaves out rows that another transaction has locked."""
    return _locking(skips and connection.features.has_select_for_update_skip_locked)


@cache
def _locking(skips: bool) -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock().select_for_update(no_key=True, skip_locked=skips))


def stir(game_id: int) -> None:
    """Record activity in a waiting game, and cancel its closing."""
    Game.objects.filter(pk=game_id).update(stirred_at=Now(), closes_at=None)
