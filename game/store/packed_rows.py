"""What is large in an entry of the log, wherever it is: in its row, or put away with the steps of a game that has
ended. What a damaged volume held stays a mark, which nothing can decode."""

from __future__ import annotations

from game.engine.codec import compress
from game.store.game import Game
from game.store.steps import MARK, Told


def whole_events(game: Game, events: str) -> str:
    """The events of an entry."""
    told = _told(game, events)
    return told.events if told else events


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
    told = _told(game, stored.decode()) if stored.startswith(MARK.encode()) else None
    packed: bytes | None = getattr(told, part) if told else None
    return stored if packed is None else compress(packed)


def _told(game: Game, stored: str) -> Told | None:
    """What was put away of the entry whose number stands in its row instead."""
    number = stored.removeprefix(MARK)
    is_away = stored.startswith(MARK) and number.isdecimal()
    return game.put_away.told.get(int(number)) if is_away else None
