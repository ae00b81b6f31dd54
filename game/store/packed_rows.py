"""The large columns of a log entry, from its row or from the packed log of a finished game. For an entry in a damaged
volume the mark is returned, which nothing can decode."""

from __future__ import annotations

from game.engine.codec import compress
from game.store.game import Game
from game.store.steps import MARK, Told


def whole_events(game: Game, events: str) -> str:
    """The events of an entry."""
    entry = _packed_entry(game, events)
    return entry.events if entry else events


def whole_action(game: Game, action: bytes) -> bytes:
    """The stored action of an entry."""
    return _whole(game, action, "action")


def whole_transfers(game: Game, transfers: bytes) -> bytes:
    """The stored movements of money of an entry."""
    return _whole(game, transfers, "transfers")


def whole_draws(game: Game, draws: bytes) -> bytes:
    """The stored draws of an entry."""
    return _whole(game, draws, "draws")


def _whole(game: Game, stored: bytes, part: str) -> bytes:
    entry = _packed_entry(game, stored.decode()) if stored.startswith(MARK.encode()) else None
    packed: bytes | None = getattr(entry, part) if entry else None
    return stored if packed is None else compress(packed)


def _packed_entry(game: Game, stored: str) -> Told | None:
    """The packed columns of the entry whose mark is stored in its row."""
    number = stored.removeprefix(MARK)
    is_away = stored.startswith(MARK) and number.isdecimal()
    return game.put_away.told.get(int(number)) if is_away else None
