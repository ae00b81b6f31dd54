"""Visits: what a player has really been shown of a game, and where the briefing on their page begins."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple, Protocol

from django.db.models.functions import Now

from game.infra.reads import Rows, slot
from game.store.game import Game, Seat
from game.store.log import LoggedAction

AWAY = timedelta(minutes=30)  # without being shown anything, somebody has been away
MISSED = 2  # phases that opened for people: one is what every resolution opens


class Visited(Protocol):
    """A seat as far as visits are stored on it."""

    @property
    def pk(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def seen_version(self) -> int: ...
    @property
    def seen_at(self) -> datetime | None: ...
    @property
    def away_version(self) -> int | None: ...
    @property
    def away_at(self) -> datetime | None: ...


class Visit(NamedTuple):
    """How a seat's page relates to what was shown before. `since`: the version from which its briefing begins, None
    without one; `at`: when that was shown, None if nothing ever was; `is_news`: there is something not shown yet."""

    since: int | None
    at: datetime | None
    is_news: bool


@cache
def _opened() -> Rows:
    """Phases that opened for people after a version, in the order of their entries."""
    entries = LoggedAction.objects.filter(game_id=slot(0), version__gt=slot(1), opened_serial__isnull=False)
    return Rows(entries.order_by("number").values_list("asks")[: MISSED + 10])


def visit_of(game: Game, seat: Visited, *, returns: bool) -> Visit:
    """What the page of a seat is to say of its person's absence; a query only where something is new to them.

    `returns`: they come to the page, or back to it, and have not been watching."""
    standing = Visit(seat.away_version, seat.away_at, seat.seen_version < game.version)
    if not standing.is_news:
        return standing
    opened = [asks for (asks,) in _opened()(game.pk, seat.seen_version)]
    was_long = seat.seen_at is not None and game.now - seat.seen_at >= AWAY
    has_missed = returns and sum(bool(asks) for asks in opened) >= MISSED
    if opened and (was_long or has_missed):
        return Visit(max(seat.seen_version, 1), seat.seen_at, is_news=True)
    return standing


def note_visit(game: Game, seat: Visited, visit: Visit) -> None:
    """Record that the page was really shown. A page that was made earlier takes nothing back, and one that was made for
    whoever had the seat before says nothing."""
    if visit.is_news:
        Seat.objects.filter(pk=seat.pk, user=seat.user_id, seen_version__lt=game.version).update(
            seen_version=game.version, seen_at=Now(), away_version=visit.since, away_at=visit.at
        )


def put_briefing_away(*, seat: Seat) -> None:
    """The person has read it; what it said stays on the pages of outcomes."""
    Seat.objects.filter(pk=seat.pk, user=seat.user_id).update(away_version=None, away_at=None)
