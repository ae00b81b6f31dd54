"""What a seat sends: decisions, readiness and drafts, each one service call answered with the dock."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.models import User
from game import forms, selectors
from game.dock import reach
from game.engine.actions import Refused
from game.forms import BadField, Filled
from game.forms.readers import Request
from game.forms.submissions import passing, readiness, submission, withdrawal
from game.models import Game, Seat
from game.services import drafts, moves
from game.views.board import find_game, private

SENT = {
    "submit": "Submitted. You can change it until the phase closes.",
    "pass": "You passed. You can still decide otherwise until the phase closes.",
    "withdraw": "Withdrawn. Nothing of yours is submitted now.",
    "ready": "You are ready.",
    "unready": "You are no longer ready.",
    "discard": "The draft is gone. Nothing of yours is saved now.",
}
LONGEST_SERIAL = 9  # digits


@login_required
@require_POST
def submit(request: HttpRequest, game_id: int) -> HttpResponse:
    """Submit, pass, withdraw, be ready or not: the button says which."""
    game, seat, filled = _asked(request, game_id)
    context = selectors.board_context(game=game, user=request.user)
    try:
        do = _button(filled)
        _check_serial(game, filled)
        forms.check_names(game.phase_name, filled)
        if do == "discard":
            return _discard(request, game, seat)
        requests = _requests(do, game, filled, context)
        token = filled.get("token")
        receipt = moves.submit(
            game_id=game_id, seat_number=seat.number, requests=requests, token=token, serial=game.phase_serial, user_id=request.user.pk
        )
    except Refused as refused:
        return _refusal(request, game_id, filled, refused)
    if do in {"submit", "pass", "withdraw"}:
        drafts.forget_drafts(seat=seat, serial=game.phase_serial)
    _remember(request, do, filled)
    message = "The phase has closed." if receipt.closed else SENT[do]
    return _done(request, game_id, message)


@login_required
@require_POST
def save_draft(request: HttpRequest, game_id: int) -> HttpResponse:
    """Keep what the form asks and show what would follow; what cannot be read is shown and not kept."""
    game, seat, filled = _asked(request, game_id)
    context = selectors.board_context(game=game, user=request.user)
    refused: Refused | None = None
    sent, filled = filled, reach.refit(filled, context["view"], context["offers"])
    try:
        _check_serial(game, filled)
        forms.check_names(game.phase_name, filled)
        wanted = _read(game, filled, context)
        if not _is_open(context) and (filled.get("touched") or not request.htmx):  # type: ignore[attr-defined]
            drafts.save_draft(seat=seat, serial=game.phase_serial, requests=wanted, token=filled.get("token"))
            context["draft"] = selectors.draft_of(game=game, seat=seat)
    except Refused as error:
        refused = error
    if not request.htmx:  # type: ignore[attr-defined]
        return _drafted_page(request, game_id, filled, refused)
    context |= {"filled": filled, "refused": refused, "redraws": _redrawn(sent, filled)}
    return private(render(request, "game/dock/drafted.html", context, status=422 if refused else 200))


def _discard(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    drafts.discard_draft(seat=seat, serial=game.phase_serial)
    return _done(request, game.pk, SENT["discard"])


def _asked(request: HttpRequest, game_id: int) -> tuple[Game, Seat, Filled]:
    """The game, the sender's own seat, and the form."""
    game = find_game(request, game_id)
    seat = selectors.own_seat(game_id=game.pk, user=request.user)
    if seat is None:
        raise PermissionDenied("You have no seat at this table.")
    if not game.has_position:
        raise PermissionDenied("This game has not begun yet.")
    return game, seat, Filled({name: [str(value) for value in values] for name, values in request.POST.lists()})


def _button(filled: Filled) -> str:
    do = filled.get("do", "submit")
    if do not in SENT:
        raise Refused(f"There is no button “{do[:20]}”; there are {', '.join(SENT)}.")
    return do


def _check_serial(game: Game, filled: Filled) -> None:
    """A form of another phase is not read: its fields would mean something else."""
    sent = filled.get("serial")
    if not (sent.isdecimal() and len(sent) <= LONGEST_SERIAL):
        raise Refused("The form does not say for which phase it was made; reload the page.")
    if int(sent) != game.phase_serial:
        raise moves.PhaseClosed


def _requests(do: str, game: Game, filled: Filled, context: dict[str, Any]) -> list[Request]:
    ready, mine = bool(filled.get("ready")), context["view"].mine
    if do in {"ready", "unready"}:
        return readiness(on=do == "ready")
    if do == "pass":
        return passing(ready=ready)
    if do == "withdraw":
        return withdrawal(mine)
    wanted = _read(game, filled, context)
    if _is_open(context):
        _check_gift(wanted, filled)
    return submission(game.rules, mine, wanted, ready=ready)


def _read(game: Game, filled: Filled, context: dict[str, Any]) -> list[Request]:
    """What the form asks, as far as the rules can read it."""
    wanted = forms.read(game.phase_name, filled, context["offers"])
    for request in wanted:
        game.rules.parse(request, 0)
    return wanted


def _check_gift(wanted: list[Request], filled: Filled) -> None:
    """A contribution cannot be taken back: it says what it gives, and that it is meant. (S 6.12)"""
    if not wanted:
        raise BadField("cash", "A contribution is at least 1 dollar or 1 share.", "S 6.12")
    if any(request["kind"] == "contribute" for request in wanted) and not filled.get("sure"):
        raise BadField("sure", "A contribution is final: tick the box to confirm it.", "S 6.12")


def _is_open(context: dict[str, Any]) -> bool:
    phase = context["view"].phase
    return phase is not None and phase.mode == "open"


def _redrawn(sent: Filled, filled: Filled) -> list[str]:
    """The controls whose choices or values are others than those the page shows."""
    changed = [name for name in ("company", "quantity", "value") if sent.get(name) != filled.get(name)]
    is_drawn_anew = filled.get("drawn_for") != filled.get("company") or filled.get("drawn_as") != reach.drawn_as(filled)
    return [*changed, *(["locations"] if is_drawn_anew else [])]


def _remember(request: HttpRequest, do: str, filled: Filled) -> None:
    """The mark “ready” stays as it was last sent."""
    user, stays = request.user, bool(filled.get("ready"))
    if do in {"submit", "pass"} and filled.get("asks_ready") and isinstance(user, User) and user.stays_ready != stays:
        user.stays_ready = stays
        user.save(update_fields=["stays_ready"])


def _done(request: HttpRequest, game_id: int, message: str) -> HttpResponse:
    if not request.htmx:  # type: ignore[attr-defined]
        messages.success(request, message)
        return redirect("game", game_id=game_id)
    context = selectors.board_context(game=find_game(request, game_id), user=request.user) | {"message": message}
    response = private(render(request, "game/dock/answer.html", context))
    response["X-Version"] = context["version"]  # a page that shows something newer already drops this answer
    return response


def _refusal(request: HttpRequest, game_id: int, filled: Filled, refused: Refused) -> HttpResponse:
    """The same form with the refusal; a form of a closed phase gives way to what is asked now."""
    context = selectors.board_context(game=find_game(request, game_id), user=request.user) | {"refused": refused}
    if not isinstance(refused, moves.PhaseClosed):
        context["filled"] = filled
    page = "game/dock/answer.html" if request.htmx else "game/board.html"  # type: ignore[attr-defined]
    return private(render(request, page, context, status=422))


def _drafted_page(request: HttpRequest, game_id: int, filled: Filled, refused: Refused | None) -> HttpResponse:
    if refused:
        return _refusal(request, game_id, filled, refused)
    messages.success(request, "Draft saved. It is not submitted.")
    return redirect("game", game_id=game_id)
