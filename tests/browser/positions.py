"""Puts a position described in the rulebook's words on a real table of the site, so that a browser can play on from
it."""

import msgspec
from django.db import transaction

from game.engine.position import AnyPosition
from game.play import clocks, door
from game.store import board_rows
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Sentence
from game.store.packing import pack_snapshot
from tests.rulesets.sectors.table import Table
from tests.tables import READY, fresh, new_game, send


def lay(table: Table) -> Game:
    """A running game of the people a described table names, standing at its position."""
    game = new_game(*table.names)
    put(game, table.position)
    return fresh(game)


@transaction.atomic
def put(game: Game, position: AnyPosition) -> None:
    """Store a position as the newest of a running game, and tell the pages that are open."""
    game = Game.objects.locked().get(pk=game.pk)
    left = game.phase_serial
    cursor = msgspec.structs.replace(position.cursor, serial=game.phase_serial + 1, branch=game.branch)
    position = msgspec.structs.replace(position, cursor=cursor)
    game.options = msgspec.to_builtins(position.state.options)
    game.fixed_sum = game.compute_fixed_sum()
    game.state = game.rules.codec.pack(position.state)
    game.store_position(position)
    clocks.restart_clock(game)
    board_rows.rebuild(game, [position])
    door.write_note(game=game, kind=Kind.CLOCK, note=Sentence.COPY_BEGINS())
    laid = game.log.order_by("-number")[:1].values("pk")
    snapshot = pack_snapshot(game.rules, position, bytes(game.state))
    LoggedAction.objects.filter(pk__in=laid).update(opened_serial=cursor.serial, snapshot=snapshot, serial=left)


def others_are_ready(game: Game, *, but: int = 0) -> None:
    """Everybody who is waited for is ready, but one."""
    for seat in fresh(game).waiting_seats:
        if seat != but:
            send(game, seat, READY)
