"""What a seat sees of a position and may do there: computed once for the same stored facts, and drawn once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from game.engine import referee
from game.engine.codec import compress, decompress
from game.engine.language import spoken
from game.engine.offers import Offer
from game.engine.position import AnyPosition
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.badges import SeatBadge
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.rule_limits import Budget

MOST = 128  # some 35 kB each in the middle of a game of Sectors, with what is drawn of it


class Look:
    """A position through the eyes of one seat; `has_sent`: something of the seat's is sealed in it."""

    def __init__(self, view: Any, offers: list[Offer], *, has_sent: bool) -> None:
        self.view, self._offers, self.has_sent = view, tuple(offers), has_sent
        self._drawn: dict[tuple[str, tuple[SeatBadge, ...]], bytes] = {}

    @property
    def offers(self) -> list[Offer]:
        """What the seat may do, and why not."""
        return list(self._offers)

    def drawn(self, part: str, seats: tuple[SeatBadge, ...], draw: Callable[[], SafeString]) -> SafeString:
        """A part of a page that follows from the look and the names at the table alone."""
        found = self._drawn.get((part, seats))
        if found is not None:
            return SafeString(decompress(found).decode())
        if len(self._drawn) > MOST:
            self._drawn.clear()
        drawn = draw()
        # A tenth of the memory that the text would take, for a hundredth of the time that a page does.
        self._drawn[part, seats] = compress(drawn.encode())
        return drawn


looks: ProcessCache[Look] = ProcessCache(MOST)


def look_at(game: Game, seat: Eyes | None, position: AnyPosition | None = None) -> Look:
    """The game as it stands now; `position` is its position where that is at hand. Raises `Damaged`."""

    def look() -> Look:
        return Budget().run(_look, game, seat, position)

    if position is not None:
        return look()
    return looks.get((seat, spoken().code, facts_beside(game), game.stored_position), look)


def facts_beside(game: Game) -> tuple[int, str, str, bytes]:
    """What is seen and drawn follows from this too."""
    return game.pk, game.ruleset, game.status, msgspec.msgpack.encode((game.options, game.course))


def _look(game: Game, seat: Eyes | None, position: AnyPosition | None) -> Look:
    position = position or game.load_position()
    asks = seat is not None and game.is_running
    offers = referee.offers(game.rules, position, seat, explained=True) if asks and seat is not None else []
    has_sent = seat is not None and bool(position.pending.get(seat))
    return Look(eyes.view(game, position, seat), offers, has_sent=has_sent)
