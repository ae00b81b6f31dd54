"""What a seat sends: decisions, readiness and drafts, each one service call answered with the decision panel."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.guests import read_notes
from accounts.models import User
from game.boards.coach import ALL, mark_of, next_note
from game.boards.fields import BadField, Filled, Missing
from game.boards.registry import board_of
from game.boards.submissions import actions_of, button_of, check_form
from game.engine.actions import Action, Refused
from game.engine.language import mark, say
from game.infra import idempotency
from game.play import drafts, failures, moves, not_running
from game.play.pages import find_game, private
from game.play.panel import panel_context
from game.play.receipts import draft_of
from game.play.transactions import GameTransaction
from game.store.game import Game, Seat
from game.store.readers import own_seat
from game.store.rule_limits import Budget
from game.table.board import board_context, decision_context
from game.table.views import note_lesson

SENT = {
    "submit": mark("Submitted. You can change it until the phase closes."),
    "pass": mark("You passed. You can change this until the phase closes."),
    "withdraw": mark("Withdrawn. You have nothing submitted."),
    "ready": mark("You are ready."),
    "unready": mark("You are no longer ready."),
    "undo": mark("Taken back."),
    "stop": mark("Ended. You are asked again from now on."),
}
DECIDES = frozenset({"submit", "pass", "withdraw"})
DISCARDED = mark("Draft deleted.")
DONE_IN_TURN = mark("Done.")
LEFT_FOR_A_TURN = mark("Left for your turn. You can change it until your turn comes.")
LONGEST_NUMBER = 9  # digits
CSRF = "csrfmiddlewaretoken"


@login_required
@require_POST
def submit(request: HttpRequest, game_id: int) -> HttpResponse:
    """Submit, pass, withdraw, be ready or not, take back: the button says which."""
    game, seat, filled = _asked(request, game_id)
    try:
        do, form = button_of(filled), _form(filled)
        if do == "discard":
            return _discard(request, game, seat, form)
        receipt = moves.submit_actions(
            game_id=game_id,
            seat_number=seat.number,
            asks=lambda change: _actions(change, seat.number, filled),
            form=form,
            user_id=request.user.pk,
        )
    except Refused as refused:
        return _refusal(request, game_id, filled, refused)
    _remember(request, do, filled)
    _read_note(request, game)
    return _done(request, game, say(_words(game, seat, do, receipt)), receipt)


@login_required
@require_POST
def save_draft(request: HttpRequest, game_id: int) -> HttpResponse:
    """Keep what the form asks and show what would follow; what cannot be read is shown and not kept."""
    game, seat, filled = _asked(request, game_id)
    seen = drafts.Seen(game.entries, Budget().run(game.load_position))
    context = decision_context(game=game, user=request.user, position=seen.position)
    phase, decision = game.phase, board_of(game.ruleset).decision(game.phase_name)
    sent, refused = filled, None
    try:
        form = _form(filled)
        with failures.asking(game_id=game.pk):
            filled = decision.fit(filled, context["view"], context["offers"])
        not_running.check(game)
        if phase is None or form.serial != game.phase_serial:
            raise moves.PhaseClosed
        check_form(board_of(game.ruleset), phase, filled)
        with failures.asking(game_id=game.pk):
            wanted = decision.read(filled, context["offers"])
        if phase.mode.value == "sealed" and (filled.get("touched") or not request.htmx):  # type: ignore[attr-defined]
            drafts.save_draft(seat=seat, serial=game.phase_serial, requests=wanted, token=form.token, seen=seen)
            context["draft"] = draft_of(game=game, seat=seat)
        else:
            with failures.asking(game_id=game.pk):
                for each in wanted:
                    game.rules.parse(each, seat.number)
    except Refused as error:
        _check_seated(error)
        refused = None if isinstance(error, Missing) and request.htmx else error  # type: ignore[attr-defined]
    if not request.htmx:  # type: ignore[attr-defined]
        return _drafted_page(request, context, filled, refused)
    # Where the phase has closed the page may show another form by now, without the fields of this one.
    context |= {
        "redrawn": [] if phase is None or isinstance(refused, moves.PhaseClosed) else decision.redrawn(sent, filled)
    }
    context |= _panel(request, context, filled, refused)
    return private(render(request, "table/panel/drafted.html", context, status=422 if refused else 200))


def _actions(change: GameTransaction, seat: int, filled: Filled) -> list[Action]:
    """What the form asks of the game as it is under its lock."""
    return actions_of(board_of(change.game.ruleset), change.position, seat, filled, lambda: change.offers(seat))


def _discard(request: HttpRequest, game: Game, seat: Seat, form: moves.Form) -> HttpResponse:
    if form.serial != game.phase_serial:
        not_running.check(game)
        raise moves.PhaseClosed
    drafts.discard_draft(seat=seat, serial=game.phase_serial)
    return _done(request, game, say(DISCARDED))


def _asked(request: HttpRequest, game_id: int) -> tuple[Game, Seat, Filled]:
    """The game, the sender's own seat, and the form."""
    game = find_game(request, game_id)
    seat = own_seat(game_id=game.pk, user=request.user)
    if seat is None:
        raise PermissionDenied(say("You have no seat in this game."))
    if not game.has_position:
        raise PermissionDenied(say("This game has not started yet."))
    return game, seat, Filled({name: [str(value) for value in values] for name, values in request.POST.lists()})


def _form(filled: Filled) -> moves.Form:
    """What the form says of itself. Raises `Refused`."""
    if not filled.get("token").isprintable():
        raise BadField("token", "“token” contains an unreadable character. Reload the page.")
    serial = _number(filled, "serial")
    if serial is None:
        raise Refused("This form is incomplete. Reload the page and submit again.", code="incomplete_form")
    held: list[dict[str, Any]] = [
        {"name": name, "values": filled.several(name)}
        for name in sorted(filled.names())
        if name not in {CSRF, "token", "touched"}
    ]
    do = filled.get("do", "submit")
    if do in {"ready", "unready"}:
        held = [{"kind": "ready", "on": do == "ready"}]
    fingerprint, step = idempotency.fingerprint_of(held), _number(filled, "step")
    return moves.Form(filled.get("token")[:64], fingerprint, serial, step, ends_drafts=do in DECIDES)


def _number(filled: Filled, name: str) -> int | None:
    sent = filled.get(name)
    return int(sent) if sent.isdecimal() and len(sent) <= LONGEST_NUMBER else None


def _words(game: Game, seat: Seat, do: str, receipt: moves.Receipt) -> str:
    """What the answer says first; `game` is as it was before."""
    mode = game.phase.mode.value if game.phase else ""
    if mode == "turns" and do == "submit":
        return DONE_IN_TURN if seat.number in game.waiting_seats else LEFT_FOR_A_TURN
    if mode == "turns":
        return SENT[do]
    return mark("The phase has closed.") if receipt.closed else SENT[do]


def _remember(request: HttpRequest, do: str, filled: Filled) -> None:
    """The mark “ready” stays as it was last sent."""
    user, stays = request.user, bool(filled.get("ready"))
    if do in {"submit", "pass"} and filled.get("asks_ready") and isinstance(user, User) and user.stays_ready != stays:
        user.stays_ready = stays
        user.save(update_fields=["stays_ready"])


def _read_note(request: HttpRequest, game: Game) -> None:
    """A player who has decided has read the note beside the decision, and sees the next one."""
    shown = next_note(board_of(game.ruleset).notes, game.phase_name, _seen(request.user), game.ruleset)
    if shown is not None and isinstance(request.user, User):
        read_notes(request.user, [mark_of(game.ruleset, shown.note)])


def _seen(user: object) -> list[str]:
    return user.notes_seen if isinstance(user, User) else [ALL]


def _done(request: HttpRequest, game: Game, message: str, receipt: moves.Receipt | None = None) -> HttpResponse:
    """The panel as it stands now; the position that the submission left is not read again."""
    if not request.htmx:  # type: ignore[attr-defined]
        messages.success(request, message)
        return redirect("game", game_id=game.pk)
    now, position = receipt.after if receipt and receipt.after else (find_game(request, game.pk), None)
    context = decision_context(game=now, user=request.user, position=position)
    context |= panel_context(context, user=request.user, message=message)
    note_lesson(request, context)
    response = private(render(request, "table/panel/answer.html", context))
    response["X-Version"] = context["version"]  # a page that shows something newer already drops this answer
    return response


def _refusal(request: HttpRequest, game_id: int, filled: Filled, refused: Refused) -> HttpResponse:
    """The same form with the refusal; a form of a closed phase or an earlier step gives way to what is asked now."""
    game = find_game(request, game_id)
    _check_seated(refused)
    read = decision_context if request.htmx else board_context  # type: ignore[attr-defined]
    context = read(game=game, user=request.user)
    is_stale = isinstance(refused, moves.PhaseClosed | moves.TurnMoved)
    context |= _panel(request, context, None if is_stale else filled, refused)
    page = "table/panel/answer.html" if request.htmx else "table/board.html"  # type: ignore[attr-defined]
    return private(render(request, page, context, status=422))


def _panel(
    request: HttpRequest, context: dict[str, Any], filled: Filled | None, refused: Refused | None
) -> dict[str, Any]:
    """The panel with what the form holds; where no preview can be made of that, with what is submitted."""
    try:
        with failures.asking(game_id=context["game"].pk):
            return panel_context(context, user=request.user, filled=filled, refused=refused)
    except Refused as broken:
        return panel_context(context | {"draft": None}, user=request.user, refused=broken)


def _check_seated(refused: Refused) -> None:
    """The seat has changed hands since the page was read: its former player is a stranger here."""
    if refused.code == "not_seated":
        raise PermissionDenied(str(refused))


def _drafted_page(
    request: HttpRequest, context: dict[str, Any], filled: Filled, refused: Refused | None
) -> HttpResponse:
    """The answer without scripts; where nothing is kept, the same form with what would follow."""
    game: Game = context["game"]
    if refused:
        return _refusal(request, game.pk, filled, refused)
    if game.phase is not None and game.phase.mode.value == "turns":
        context = board_context(game=game, user=request.user)
        return private(render(request, "table/board.html", context | _panel(request, context, filled, None)))
    messages.success(request, say("Draft saved. It is not submitted."))
    return redirect("game", game_id=game.pk)
