"""What a seat, or a spectator, sees of a game now: its view, its offers and rendered parts of pages, cached."""

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

MAX_VIEWS = 128  # about 35 kB each in the middle of a game of Sectors, including HTML


class SeatView:
    """A position as one seat sees it; `has_sent`: the seat has a sealed submission."""

    def __init__(self, view: Any, offers: list[Offer], *, has_sent: bool) -> None:
        self.view, self._offers, self.has_sent = view, tuple(offers), has_sent
        self._fragments: dict[tuple[str, tuple[SeatBadge, ...]], bytes] = {}

    @property
    def offers(self) -> list[Offer]:
        """The seat's offers, with the reasons of those that are not available."""
        return list(self._offers)

    def drawn(self, part: str, seats: tuple[SeatBadge, ...], draw: Callable[[], SafeString]) -> SafeString:
        """A rendered part of a page that depends only on this view and the names at the table."""
        packed = self._fragments.get((part, seats))
        if packed is not None:
            return SafeString(decompress(packed).decode())
        if len(self._fragments) > MAX_VIEWS:
            self._fragments.clear()
        html = draw()
        # Compressed, it takes a tenth of the memory, for a hundredth of the time of a page.
        self._fragments[part, seats] = compress(html.encode())
        return html


cached_views: ProcessCache[SeatView] = ProcessCache(MAX_VIEWS)


def view_of_seat(game: Game, seat: Eyes | None, position: AnyPosition | None = None) -> SeatView:
    """The current game as a seat sees it; `position` is passed if it has been read already. Raises `Damaged`."""

    def build() -> SeatView:
        return Budget().run(_build_view, game, seat, position)

    if position is not None:
        return build()
    return cached_views.get((seat, spoken().code, facts_beside(game), game.stored_position), build)


def facts_beside(game: Game) -> tuple[int, str, str, bytes]:
    """Further parts of the cache key: all other values on which a view depends."""
    return game.pk, game.ruleset, game.status, msgspec.msgpack.encode((game.options, game.course))


def _build_view(game: Game, seat: Eyes | None, position: AnyPosition | None) -> SeatView:
    position = position or game.load_position()
    asks = seat is not None and game.is_running
    offers = referee.offers(game.rules, position, seat, explained=True) if asks and seat is not None else []
    has_sent = seat is not None and bool(position.pending.get(seat))
    return SeatView(eyes.view(game, position, seat), offers, has_sent=has_sent)
