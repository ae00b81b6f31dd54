"""Submitting decisions, readiness and drafts: one service call each, answered with the decision panel."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.guests import mark_notes_read
from accounts.models import User
from game.boards.decision import BadField, Filled, Missing
from game.boards.lessons import ALL, mark_of, next_note
from game.boards.registry import board_of
from game.boards.submissions import actions_of, button_of, check_form
from game.engine.actions import Action, Refused
from game.engine.language import mark, say
from game.history import visits
from game.infra import idempotency
from game.lobby import copies
from game.play import drafts, failures, late, moves
from game.play.panel import find_game, panel_context, private
from game.play.receipts import draft_of
from game.play.transactions import GameTransaction
from game.store.game import Game, Seat
from game.store.readers import own_seat
from game.store.rule_limits import Budget
from game.table.board import answer_context, board_context, decision_context
from game.table.views import keep_withdrawn, note_lesson, withdrawn_fields

CONFIRMATIONS = {
    "submit": mark("Submitted. You can change it until the phase closes."),
    "pass": mark("You passed. You can change this until the phase closes."),
    "withdraw": mark("Withdrawn. You have nothing submitted."),
    "ready": mark("You are ready."),
    "unready": mark("You are no longer ready."),
    "undo": mark("Undone."),
    "undo_all": mark("Everything is undone."),
    "stop": mark("Ended. From now on you will be asked again."),
}
DECISION_BUTTONS = frozenset({"submit", "pass", "withdraw"})
DRAFT_DELETED = mark("Draft deleted.")
DONE_IN_TURN = mark("Done.")
SAVED_FOR_TURN = mark("Saved for your turn. You can change it until your turn comes.")
MAX_NUMBER_DIGITS = 9
STALE = (moves.PhaseClosed, moves.TurnMoved, moves.OtherSeat)
"""Refusals of a form that is not the reader's current one, which then takes its place."""
CSRF = "csrfmiddlewaretoken"


@login_required
@require_POST
def submit(request: HttpRequest, game_id: int) -> HttpResponse:
    """Carry out the form's button: submit, pass, withdraw, be ready or not, take back."""
    game, seat, filled = _read_submission(request, game_id)
    try:
        do, form = button_of(filled), _form_header(filled, seat)
        if do == "discard":
            return _discard(request, game, seat, form)
        receipt = moves.submit_actions(
            game_id=game_id,
            seat_number=seat.number,
            asks=lambda change: _requested_actions(change, seat.number, filled),
            form=form,
            user_id=request.user.pk,
        )
    except Refused as refused:
        return _render_refusal(request, game_id, filled, refused)
    if do == "withdraw":
        keep_withdrawn(request, game, filled)
    _mark_note_read(request, game)
    if game.is_copy and isinstance(request.user, User) and copies.follow_turn(game_id=game.pk, user=request.user):
        return _to_next_seat(request, game)
    if game.device_seats and own_seat(game_id=game.pk, user=request.user) is None:
        return _to_next_seat(request, game)
    return _render_done(request, game, say(_confirmation_text(game, seat, do, receipt)), receipt)


@login_required
@require_POST
def save_draft(request: HttpRequest, game_id: int) -> HttpResponse:
    """Save the form as a draft and preview it. A form that cannot be read is shown, but not saved."""
    game, seat, filled = _read_submission(request, game_id)
    seen = drafts.Seen(game.entries, Budget().run(game.load_position))
    context = decision_context(game=game, user=request.user, position=seen.position)
    phase, board, view = game.phase, board_of(game.ruleset), context["view"]
    decision = board.decision_of(view) if view.phase else board.decision(game.phase_name)
    original, refused = filled, None
    try:
        form = _form_header(filled, seat)
        with failures.as_refusals(game_id=game.pk):
            filled = decision.fit(filled, view, context["offers"])
        late.check_running(game)
        if phase is None or form.serial != game.phase_serial:
            raise moves.PhaseClosed
        check_form(board, decision, filled)
        with failures.as_refusals(game_id=game.pk):
            requests = decision.read(filled, context["offers"])
        if phase.mode.value == "sealed" and (filled.get("touched") or not request.htmx):  # type: ignore[attr-defined]
            drafts.save_draft(seat=seat, serial=game.phase_serial, requests=requests, token=form.token, seen=seen)
            context["draft"] = draft_of(game=game, seat=seat)
        else:
            with failures.as_refusals(game_id=game.pk):
                for single in requests:
                    game.rules.parse(single, seat.number)
    except Refused as error:
        _check_seated(error)
        is_preview = request.htmx or (phase is not None and phase.mode.value == "turns")  # type: ignore[attr-defined]
        refused = None if isinstance(error, Missing) and is_preview else error
    if not request.htmx:  # type: ignore[attr-defined]
        return _render_draft_page(request, context, filled, refused)
    # After the phase has closed, the page may show another form, without the fields of this one.
    context |= {"redrawn": [] if phase is None or isinstance(refused, STALE) else decision.redrawn(original, filled)}
    context |= _panel(request, context, filled, refused)
    return private(render(request, "table/panel/drafted.html", context, status=422 if refused else 200))


def _requested_actions(change: GameTransaction, seat: int, filled: Filled) -> list[Action]:
    """The actions that the form requests, read against the locked game."""
    return actions_of(board_of(change.game.ruleset), change.position, seat, filled, lambda: change.offers(seat))


def _discard(request: HttpRequest, game: Game, seat: Seat, form: moves.Form) -> HttpResponse:
    if form.serial != game.phase_serial:
        late.check_running(game)
        raise moves.PhaseClosed
    drafts.discard_draft(seat=seat, serial=game.phase_serial)
    return _render_done(request, game, say(DRAFT_DELETED))


def _read_submission(request: HttpRequest, game_id: int) -> tuple[Game, Seat, Filled]:
    """The game, the sender's own seat, and the form."""
    game = find_game(request, game_id)
    seat = own_seat(game_id=game.pk, user=request.user)
    if seat is None:
        raise PermissionDenied(say("You have no seat in this game."))
    if getattr(request, "held_seat", seat.number) != seat.number:
        raise PermissionDenied(say("Another browser holds the device's seat now."))
    if not game.has_position:
        raise PermissionDenied(say("This game has not started yet."))
    return game, seat, Filled({name: [str(value) for value in values] for name, values in request.POST.lists()})


def _form_header(filled: Filled, seat: Seat) -> moves.Form:
    """The form's hidden fields and fingerprint. Raises `Refused`, also if it was made for another seat than this."""
    if filled.get("for_seat", str(seat.number)) != str(seat.number):
        raise moves.OtherSeat(seat.shown_name)
    if not filled.get("token").isprintable():
        raise BadField("token", "“token” contains an unreadable character. Reload the page.")
    serial = _number_field(filled, "serial")
    if serial is None:
        raise Refused("This form is incomplete. Reload the page and submit again.", code="incomplete_form")
    fields: list[dict[str, Any]] = [
        {"name": name, "values": filled.several(name)}
        for name in sorted(filled.names())
        if name not in {CSRF, "token", "touched"}
    ]
    do = filled.get("do", "submit")
    if do in {"ready", "unready"}:
        fields = [{"kind": "ready", "on": do == "ready"}]
    fingerprint, step = idempotency.fingerprint_of(fields), _number_field(filled, "step")
    return moves.Form(filled.get("token")[:64], fingerprint, serial, step, ends_drafts=do in DECISION_BUTTONS)


def _number_field(filled: Filled, name: str) -> int | None:
    text = filled.get(name)
    return int(text) if text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS else None


def _confirmation_text(game: Game, seat: Seat, do: str, receipt: moves.Receipt) -> str:
    """The confirmation of a submission; `game` is as it was before."""
    mode = game.phase.mode.value if game.phase else ""
    if mode == "turns" and do == "submit":
        return DONE_IN_TURN if seat.number in game.waiting_seats else SAVED_FOR_TURN
    if mode == "turns":
        return CONFIRMATIONS[do]
    return mark("Received. That closed the phase before this one.") if receipt.closed else CONFIRMATIONS[do]


def _mark_note_read(request: HttpRequest, game: Game) -> None:
    """Mark the note next to the decision as read, so that the next one appears."""
    note = next_note(board_of(game.ruleset).notes, game.phase_name, _seen_notes(request.user), game.ruleset)
    if note is not None and isinstance(request.user, User):
        mark_notes_read(request.user, [mark_of(game.ruleset, note.note)])


def _seen_notes(user: object) -> list[str]:
    return user.notes_seen if isinstance(user, User) else [ALL]


def _render_done(request: HttpRequest, game: Game, message: str, receipt: moves.Receipt | None = None) -> HttpResponse:
    """The current panel and the news above it, from the position that the submission produced."""
    if not request.htmx:  # type: ignore[attr-defined]
        messages.success(request, message)
        return redirect("game", game_id=game.pk)
    current_game, position = receipt.after if receipt and receipt.after else (find_game(request, game.pk), None)
    context = answer_context(game=current_game, user=request.user, position=position)
    fields = withdrawn_fields(request, current_game)
    context |= visits.visit_context(request, context)
    context |= panel_context(context, user=request.user, message=message, withdrawn=fields)
    note_lesson(request, context)
    response = private(render(request, "table/panel/answer.html", context))
    response["X-Version"] = context["version"]  # a page that already shows something newer drops this response
    return response


def _to_next_seat(request: HttpRequest, game: Game) -> HttpResponse:
    """Redirect to the whole page of a copy, or of a game at one device, if another seat must decide now."""
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponseClientRedirect(game.get_absolute_url())
    return redirect("game", game_id=game.pk)


def _render_refusal(request: HttpRequest, game_id: int, filled: Filled, refused: Refused) -> HttpResponse:
    """The form as it was sent, with the refusal. If its phase has closed or its step is over, the current form replaces
    it."""
    game = find_game(request, game_id)
    _check_seated(refused)
    read_context = answer_context if request.htmx else board_context  # type: ignore[attr-defined]
    context = read_context(game=game, user=request.user)
    context |= visits.visit_context(request, context)
    context |= _panel(request, context, None if isinstance(refused, STALE) else filled, refused)
    page = "table/panel/answer.html" if request.htmx else "table/board.html"  # type: ignore[attr-defined]
    return private(render(request, page, context, status=422))


def _panel(
    request: HttpRequest, context: dict[str, Any], filled: Filled | None, refused: Refused | None
) -> dict[str, Any]:
    """The panel with the form's values; if they cannot be previewed, with what is submitted."""
    try:
        with failures.as_refusals(game_id=context["game"].pk):
            return panel_context(context, user=request.user, filled=filled, refused=refused)
    except Refused as preview_error:
        return panel_context(context | {"draft": None}, user=request.user, refused=preview_error)


def _check_seated(refused: Refused) -> None:
    """Answer 403 to the former player of a seat that has changed hands since the page was loaded."""
    if refused.code == "not_seated":
        raise PermissionDenied(str(refused))


def _render_draft_page(
    request: HttpRequest, context: dict[str, Any], filled: Filled, refused: Refused | None
) -> HttpResponse:
    """The response without scripts. If nothing is saved, the same form with its preview."""
    game: Game = context["game"]
    if refused:
        return _render_refusal(request, game.pk, filled, refused)
    if game.phase is not None and game.phase.mode.value == "turns":
        context = board_context(game=game, user=request.user)
        return private(render(request, "table/board.html", context | _panel(request, context, filled, None)))
    messages.success(request, say("Draft saved. It is not submitted."))
    return redirect("game", game_id=game.pk)
