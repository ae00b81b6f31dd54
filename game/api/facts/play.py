"""Everything that a program needs to play: the view and the offers of a seat, and the results of a finished game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from game.api.facts.games import Place
from game.boards.panel import Material, preview_of
from game.boards.registry import board_of
from game.engine.actions import Ready
from game.engine.phrases import capitalised
from game.store import eyes
from game.store.badges import badges_of
from game.store.eyes import Eyes
from game.store.game import Game, Seat, Status
from game.store.rule_limits import Budget
from game.store.seat_view import view_of_seat

Kind = Literal["warning", "refusal", "fine"]
KINDS_BY_CSS: Mapping[str, Kind] = {"": "warning", "no": "refusal", "ok": "fine"}


class ForeseenRow(msgspec.Struct, frozen=True):
    """A figure after the actions, and before them if it changes."""

    label: str
    now: str
    was: str = ""
    note: str = ""


class ForeseenWords(msgspec.Struct, frozen=True):
    """A remark, with its rule if it has one."""

    text: str
    rule: str
    kind: Kind


class Foreseen(msgspec.Struct, frozen=True):
    """The result of a dry run, as on the page: a sentence, figures (`caption`: their condition), and warnings. It
    contains nothing about chance or the sealed inputs of others."""

    sentence: str
    caption: str = ""
    rows: list[ForeseenRow] = []
    says: list[ForeseenWords] = []
    hint: str = ""


def view_of(place: Place) -> Any:
    """The seat's view; once the game is over, with everything that was hidden."""
    game = place.game
    if game.status == Status.FINISHED:
        return Budget().run(_whole, game, place.seat)
    return view_of_seat(game, place.seat).view


def offers_of(place: Place) -> dict[str, Any]:
    """The seat's offers, with the phase and the step that a move must name; empty while the caretaker plays it."""
    game, own = place.game, place.own
    assert own is not None
    states, seat_view = game.seat_states, None if own.keeper else view_of_seat(game, place.seat)
    state = states[own.number] if own.number < len(states) else "none"
    return {
        "game": game.pk,
        "version": game.version,
        "phase_serial": game.phase_serial,
        "step": game.phase_step,
        "seat": own.number,
        "state": state,
        "waiting_for_you": game.is_running and not own.keeper and own.number in game.waiting_seats,
        "takes_ready": game.phase is not None and issubclass(Ready, game.phase.takes),
        "offers": seat_view.offers if seat_view else [],
        "can_undo": seat_view is not None and seat_view.view.can_undo,
    }


def foresee(place: Place, requests: Sequence[dict[str, Any]]) -> Foreseen:
    """The meaning and the effects of these requests, in the words and figures of the page's form."""
    game, own = place.game, place.own
    assert own is not None
    seat_view, board = view_of_seat(game, place.seat), board_of(game.ruleset)
    kinds = {offer.kind for offer in seat_view.offers}
    offered = [request for request in requests if request.get("kind") in kinds]
    if not offered:
        return Foreseen("")
    seats = badges_of(place.rows, ruleset=place.game.ruleset, user_id=own.user_id)
    preview = preview_of(Material(board, seat_view.view, seats, seat_view.offers, draft=offered))
    return Foreseen(
        capitalised(board.summary(offered, seat_view.view)),
        preview.caption,
        [ForeseenRow(row.label, row.now, row.was, row.note) for row in preview.rows],
        [ForeseenWords(remark.text, remark.rule, KINDS_BY_CSS[remark.css]) for remark in preview.says],
        preview.hint,
    )


def results_of(place: Place) -> dict[str, Any]:
    """How a game ended, for everybody who may open it."""
    game = place.game
    results = {
        number: {"place": rank, "score": score}
        for number, rank, score in Seat.objects.filter(game=game).values_list("number", "place", "score")
    }
    rows = [{"seat": row.number, "name": row.shown_name, **results[row.number]} for row in place.rows]
    return {
        "game": game.pk,
        "reason": board_of(game.ruleset).ending(view_of(place)),
        "standings": sorted(rows, key=lambda row: (row["place"] is None, row["place"] or 0, row["seat"])),
        "course": [{"turn": point["turn"], "scores": list(point["worth"])} for point in game.course],
        "draws": {"commitment": f"sha256:{game.secret_hash}"},
    }


def _whole(game: Game, seat: Eyes | None) -> Any:
    return eyes.whole_view(game, game.load_position(), seat)
