"""Tracks which version of a game a player last saw, and shows the briefing that starts there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from django.db.models import QuerySet
from django.http import HttpRequest

from game.history.briefings import cached_briefing
from game.history.since import Happened
from game.infra.compiled import CompiledQuery
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.readers import record_seen

AWAY = timedelta(minutes=30)  # a player who has seen nothing for this long has been away
MIN_MISSED_PHASES = 2  # phases that asked players: every resolution opens one
VISIBLE = "X-Visible"  # set by live.js: `watching` while the page stays visible, `returned` when it is again
RETURNED = "returned"


class Visited(Protocol):
    """The columns of a seat that record visits."""

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
    """What a seat's page shows compared to the last time. `since`: the version from which its briefing begins, None
    without one; `at`: when that version was shown, None if never; `is_news`: something is new to the player."""

    since: int | None
    at: datetime | None
    is_news: bool


@CompiledQuery
def _phases_opened_since(game_id: int, version: int) -> QuerySet[LoggedAction, Any]:
    """The phases that opened after a version, in log order."""
    entries = LoggedAction.objects.filter(game_id=game_id, version__gt=version, opened_serial__isnull=False)
    return entries.order_by("number").values_list("asks")[: MIN_MISSED_PHASES + 10]


def visit_of(game: Game, seat: Visited, *, returns: bool) -> Visit:
    """Whether a seat's page shows a briefing, and from where. Queries only if something is new.

    `returns`: the player comes to the page, or back to it, and has not been watching."""
    current = Visit(seat.away_version, seat.away_at, seat.seen_version < game.version)
    if not current.is_news:
        return current
    asks_by_phase = [asks for (asks,) in _phases_opened_since.rows(game.pk, seat.seen_version)]
    was_long = seat.seen_at is not None and game.now - seat.seen_at >= AWAY
    has_missed = returns and sum(bool(asks) for asks in asks_by_phase) >= MIN_MISSED_PHASES
    if asks_by_phase and (was_long or has_missed):
        return Visit(max(seat.seen_version, 1), seat.seen_at, is_news=True)
    return current


def record_visit(game: Game, seat: Visited, visit: Visit) -> None:
    """Record that the page was shown."""
    if visit.is_news:
        record_seen(seat.pk, seat.user_id, game, since=visit.since, at=visit.at)


def visit_context(request: HttpRequest, context: Mapping[str, Any]) -> dict[str, Any]:
    """The briefing of a reader who has been away. Records that the page was shown to them."""
    game, seat = context["game"], context["own_seat"]
    if seat is None:
        return {}
    visit = visit_of(game, seat, returns=_is_return(request))
    if _is_visible(request):
        record_visit(game, seat, visit)
    happened: Happened | None = context["happened"]
    if visit.since is None or (happened is not None and happened.deeds):  # these go back to the reader's last decision
        return {}
    names = tuple(place.name for place in context["seats"])
    brief = cached_briefing(
        game=game, seat=context["eyes"], since=visit.since, at=visit.at, names=names, view=context["view"]
    )
    return {"briefing": brief}


def record_if_visible(request: HttpRequest, game: Game, seat: Seat | None) -> None:
    """Record that a page fetched in the background has become visible, unchanged since then."""
    if seat is not None and _is_visible(request):
        record_visit(game, seat, visit_of(game, seat, returns=_is_return(request)))


def _is_visible(request: HttpRequest) -> bool:
    """True if a person sees the response: not for a prefetch, nor for a page in the background."""
    if request.method != "GET" or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return False
    return not request.htmx or VISIBLE in request.headers  # type: ignore[attr-defined]


def _is_return(request: HttpRequest) -> bool:
    return not request.htmx or request.headers.get(VISIBLE) == RETURNED  # type: ignore[attr-defined]
