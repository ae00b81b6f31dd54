"""The lock of a game's row, which protects everything that is done at its table."""

from __future__ import annotations

from functools import cache

from django.db import connection
from django.db.models.functions import Now

from game.infra.statements import Lookup
from game.store.game import Game


def lock(game_id: int, *, waits: bool = True) -> Game | None:
    """The game's row for this transaction alone; None where `waits` is off and somebody else has it.

    Its `now` is the time of this statement, not of its transaction: on PostgreSQL before it waited for the row, on
    SQLite when it had it."""
    return locking(skips=not waits).get(game_id)


def locking(*, skips: bool) -> Lookup[Game]:
    """The statement that locks games; where it `skips`, without those that somebody else has."""
    return _locking(skips and connection.features.has_select_for_update_skip_locked)


@cache
def _locking(skips: bool) -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock().select_for_update(no_key=True, skip_locked=skips))


def stir(game_id: int) -> None:
    """Somebody did something here."""
    Game.objects.filter(pk=game_id).update(stirred_at=Now(), closes_at=None)
