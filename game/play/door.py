"""The door: only `game.play` and `game.store` write a game, a seat or an entry of its log. Others change a locked row
inside `change`, which writes the columns that differ, once, or use a verb that writes: `publish`, or `note_on_log` of
`game.play.clocks` and, where notes repeat, of `game.play.receipts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from game.infra.statements import insert, update
from game.live import announce
from game.play.transactions import ENTRY_COLUMNS
from game.store.game import Game, Seat
from game.store.log import LoggedAction

Row = TypeVar("Row", Game, Seat)


@contextmanager
def change(row: Row) -> Iterator[Row]:
    """Write what the block changes in a locked row, at its end; nothing if it raises."""
    yield row
    row.write_changes()


def create(game: Game) -> Game:
    """Store a new game."""
    game.write_changes()
    return game


def publish(game: Game) -> None:
    """Write a locked game under a new version, and announce it after the commit."""
    game.version += 1
    game.write_changes()
    announce.game_changed(game)


def write_step(game: Game, columns: Sequence[str], entry: LoggedAction) -> None:
    """Write these columns of a locked game and a new entry of its log, as part of a write batch."""
    update(Game, game.pk, tuple(columns), [getattr(game, name) for name in columns])
    insert(LoggedAction, ENTRY_COLUMNS, [[getattr(entry, name) for name in ENTRY_COLUMNS]])
