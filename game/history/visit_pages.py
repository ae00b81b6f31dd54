"""The briefing on the board of a player who comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from game.history.briefings import standing_brief
from game.history.visits import note_visit, visit_of
from game.store.game import Game, Seat

VISIBLE = "X-Visible"  # set by live.js: `watching` while the page stays visible, `returned` when it is again
RETURNED = "returned"


def visit_context(request: HttpRequest, context: Mapping[str, Any]) -> dict[str, Any]:
    """The briefing of a reader who has been away. Records that the page was shown to them."""
    game, seat = context["game"], context["own_seat"]
    if seat is None:
        return {}
    visit = visit_of(game, seat, returns=_is_return(request))
    if _is_shown(request):
        note_visit(game, seat, visit)
    if visit.since is None:
        return {}
    names = tuple(place.name for place in context["seats"])
    brief = standing_brief(
        game=game, seat=context["eyes"], since=visit.since, at=visit.at, names=names, view=context["view"]
    )
    return {"briefing": brief}


def note_if_shown(request: HttpRequest, game: Game, seat: Seat | None) -> None:
    """Record that a page fetched in the background has become visible, unchanged since then."""
    if seat is not None and _is_shown(request):
        note_visit(game, seat, visit_of(game, seat, returns=_is_return(request)))


def _is_shown(request: HttpRequest) -> bool:
    """True if a person sees the response: not for a prefetch, nor for a page in the background."""
    if request.method != "GET" or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return False
    return not request.htmx or VISIBLE in request.headers  # type: ignore[attr-defined]


def _is_return(request: HttpRequest) -> bool:
    return not request.htmx or request.headers.get(VISIBLE) == RETURNED  # type: ignore[attr-defined]
