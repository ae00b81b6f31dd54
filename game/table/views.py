"""The page of one game: the waiting room before it begins, then the board; also the board behind an emailed link."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.languages import override_language
from accounts.models import User
from accounts.quiet_hours import zone_of
from game.boards.decision import Filled
from game.boards.registry import board_of
from game.boards.submissions import COMMON
from game.chat.page import unread_for
from game.delivery import board_links
from game.delivery.board_links import BoardLink
from game.engine.language import say
from game.engine.position import without_inputs
from game.history import visits
from game.lobby import copies, waiting_games
from game.lobby.lessons import record_completion
from game.lobby.waiting_room import waiting_context
from game.play.panel import find_game, panel_context, private
from game.store.badges import badges_of
from game.store.board_rows import history_of
from game.store.eyes import Eyes
from game.store.game import Game, Seat
from game.store.readers import own_seat, seats_of, version_of
from game.store.seat_view import view_of_seat
from game.table.board import board_context, read_log

WITHDRAWN = "withdrawn"
"""The session's entry: the last withdrawal of this browser. A draft would be submitted at the deadline."""


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """The whole page; for live.js only the part that changes, or 304."""
    game = find_game(request, game_id)
    if request.htmx and game.has_position:  # type: ignore[attr-defined]
        return _live_part(request, game)
    return whole_page(request, game)


@require_safe
def version(request: HttpRequest, game_id: int) -> HttpResponse:
    """Two versions that an open page compares before it fetches anything else, and the number of unread messages for
    the chat link."""
    game = find_game(request, game_id)
    seat = own_seat(game_id=game_id, user=request.user)
    unread = unread_for(game_id=game_id, user=request.user) if seat else 0
    return private(
        JsonResponse({"version": game.version, "seat_version": seat.version if seat else 0, "unread": unread})
    )


def whole_page(request: HttpRequest, game: Game, *, status: int = 200) -> HttpResponse:
    """The waiting room or the board, with another status if it carries a refusal."""
    if not game.has_position:
        seats = seats_of(game)
        if isinstance(request.user, User) and waiting_games.record_visit(game=game, user=request.user, seats=seats):
            messages.success(request, say("You opened this game, so it stays open."))
        context = waiting_context(game=game, user=request.user, seats=seats)
        return private(render(request, "lobby/waiting.html", context, status=status))
    context = _board_page_context(request, game, log_before=_log_before(request))
    if "before" not in request.GET:
        context |= visits.visit_context(request, context)
    return private(render(request, "table/board.html", context, status=status))


def etag_of(game: Game, seat: Seat | None, user: Any) -> str:
    """A tag that is equal as long as this reader's page is; weak, because tokens and encoding differ by response."""
    place = f"{game.pk}/{seat.number if seat else ''}"
    version_facts = f"{place}/{version_of(game, seat)}/{user.pk}/{get_language()}/{game.status}/{game.deadline_at}"
    return f'W/"{blake2b(version_facts.encode(), digest_size=12).hexdigest()}"'


def _live_part(request: HttpRequest, game: Game) -> HttpResponse:
    seat = own_seat(game_id=game.pk, user=request.user)
    etag = etag_of(game, seat, request.user)
    if request.headers.get("If-None-Match") == etag:
        visits.record_if_visible(request, game, seat)
        return _revalidated(HttpResponseNotModified(), etag)
    context = _board_page_context(request, game)
    context |= visits.visit_context(request, context)
    return _revalidated(render(request, "table/live.html", context), etag)


def _board_page_context(request: HttpRequest, game: Game, *, log_before: int | None = None) -> dict[str, Any]:
    context = board_context(game=game, user=request.user, log_before=log_before)
    context |= panel_context(context, user=request.user, withdrawn=withdrawn_fields(request, game))
    note_lesson(request, context)
    return context


def note_lesson(request: HttpRequest, context: Mapping[str, Any]) -> None:
    """Record a lesson whose goal the page shows as reached."""
    lesson, game = context["lesson"], context["game"]
    if lesson is not None and lesson.is_done and not game.is_learnt:
        record_completion(game=game, user=request.user)


def keep_withdrawn(request: HttpRequest, game: Game, filled: Filled) -> None:
    """Keep the fields of a withdrawn submission for the rest of the phase: they no longer count, but the form still
    shows them."""
    fields = {name: values for name, values in filled.all().items() if name not in COMMON}
    request.session[WITHDRAWN] = {"game": game.pk, "serial": game.phase_serial, "fields": fields}


def withdrawn_fields(request: HttpRequest, game: Game) -> Filled | None:
    """The fields kept for the open phase of this game."""
    entry = request.session.get(WITHDRAWN)
    if entry is None or (entry["game"], entry["serial"]) != (game.pk, game.phase_serial):
        return None
    return Filled(entry["fields"])


def _revalidated(response: HttpResponse, etag: str) -> HttpResponse:
    """Set the tag that the page's script revalidates with. It depends on the reader; no cache may store the
    response."""
    response["ETag"], response["Vary"] = etag, "Cookie, HX-Request"
    return private(response)


def _log_before(request: HttpRequest) -> int | None:
    version_text = request.GET.get("before", "")
    return int(version_text) if version_text.isdecimal() and len(version_text) < 10 else None


@require_safe
def board_link(request: HttpRequest, token: str) -> HttpResponse:
    link = board_links.read_board_link(token)
    if link is None or not link.game.has_position:
        return private(render(request, "table/no_peek.html", status=404))
    return private(_render_board(request, link))


def _render_board(request: HttpRequest, link: BoardLink) -> HttpResponse:
    """Render in the language and time zone of the seat's player, who got the link."""
    player = link.seat.user
    assert player is not None
    with override_language(player.language), timezone.override(zone_of(player)):
        context = _link_context(link.game, link.eyes, link.seat.user_id)
        return render(request, "table/peek.html", context | {"reader": link.seat.shown_name, "until": link.until})


@require_safe
def copy_link(request: HttpRequest, token: str) -> HttpResponse:
    """The board of an analysis copy as strangers see it, behind the link that its maker has sent."""
    game = copies.game_behind(token)
    if game is None:
        raise Http404(say("There is no such game."))
    context = _link_context(game, None, None)
    return private(render(request, "table/peek.html", context | {"copy": copies.bar_of(game)}))


def _link_context(game: Game, number: Eyes | None, user_id: int | None) -> dict[str, Any]:
    """The board as the seat sees it, without its sealed submissions and its draft; the log is the public one."""
    seat_rows = seats_of(game)
    seat_view = view_of_seat(game, number, without_inputs(game.load_position(), [number]))
    seats = badges_of(seat_rows, ruleset=game.ruleset, user_id=user_id, states=game.shown_states(number))
    log, _ = read_log(game=game, places=seats, seat=None)
    context = {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": seats,
        "you": None if number is None else seats[number],
        "seat_view": seat_view,
        "view": seat_view.view,
        "offers": [],
        "draft": None,
        "received": None,
        "deadline": game.deadline_at,
        "is_timed": not game.is_running or game.deadline_at is not None,
        "is_asked": False,
        "standstill": "",
        "history": history_of(game),
        "log": log,
        "older": None,
        "push": None,
        "latest": log[0] if log else None,
        "chat": None,
        "live_url": game.get_absolute_url(),
    }
    return context | panel_context(context, user=None)
