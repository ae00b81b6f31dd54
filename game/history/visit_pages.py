"""What a board's page says to those who come back to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from game.history.briefings import standing_brief
from game.history.visits import note_visit, visit_of
from game.store.game import Game, Seat


def visit_context(request: HttpRequest, context: Mapping[str, Any]) -> dict[str, Any]:
    """The briefing of a reader who has been away; that the page is shown to them is noted."""
    game, seat = context["game"], context["own_seat"]
    if seat is None:
        return {}
    visit = visit_of(game, seat, returns=_returns(request))
    if _is_shown(request):
        note_visit(game, seat, visit)
    if visit.since is None:
        return {}
    names = tuple(place.name for place in context["seats"])
    told = standing_brief(
        game=game, seat=context["eyes"], since=visit.since, at=visit.at, names=names, view=context["view"]
    )
    return {"briefing": told}


def note_if_shown(request: HttpRequest, game: Game, seat: Seat | None) -> None:
    """A page that was fetched out of sight has come into it, and is what it would be now."""
    if seat is not None and _is_shown(request):
        note_visit(game, seat, visit_of(game, seat, returns=_returns(request)))


VISIBLE = "X-Visible"  # of live.js: `watching` while the page stays in sight, `returned` when it comes back into it


RETURNED = "returned"


def _is_shown(request: HttpRequest) -> bool:
    """Whether a person sees the answer: not a browser that fetches ahead, nor a page out of sight."""
    if request.method != "GET" or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return False
    return not request.htmx or VISIBLE in request.headers  # type: ignore[attr-defined]


def _returns(request: HttpRequest) -> bool:
    return not request.htmx or request.headers.get(VISIBLE) == RETURNED  # type: ignore[attr-defined]
