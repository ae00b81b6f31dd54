"""Positions laid on real tables of the site, for whatever ruleset, and taken back again."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction

from game.engine.position import AnyPosition
from game.store import board_rows
from game.store.game import Game
from game.store.packing import pack_snapshot
from tests.tables import fresh


class undone:  # noqa: N801
    """Whatever happens inside is taken back."""

    def __enter__(self) -> None:
        self.inner = transaction.atomic()
        self.inner.__enter__()

    def __exit__(self, *error: Any) -> None:
        transaction.set_rollback(True)
        self.inner.__exit__(*error)


def lay(game: Game, position: AnyPosition) -> Game:
    """Let a game that has just begun begin in this position."""
    cursor = msgspec.structs.replace(position.cursor, serial=game.phase_serial, branch=game.branch)
    store(game, msgspec.structs.replace(position, cursor=cursor))
    return fresh(game)


def store(game: Game, position: AnyPosition) -> None:
    """Put this position in the place of the newest, also in the log, and its rows in the place of its rows."""
    now = fresh(game)
    now.options = msgspec.to_builtins(position.state.options)
    now.fixed_sum = now.compute_fixed_sum()
    now.state = now.rules.codec.pack(position.state)
    now.store_position(position)
    now.save()
    board_rows.rebuild(now, [position])
    opened = now.log.exclude(opened_serial=None).latest("number")
    opened.snapshot = pack_snapshot(now.rules, position, bytes(now.state))
    opened.save()
