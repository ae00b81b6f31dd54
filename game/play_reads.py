"""What a program needs to play: the view and the offers of a seat, and the results of a game that is over."""

from __future__ import annotations

from typing import Any

from game.boards.registry import board_of
from game.engine.actions import Ready
from game.engine.reveal import revealed
from game.looks import look_at
from game.models import Game, Seat, Status
from game.services.budgets import Budget
from game.summaries import Place


def view_of(place: Place) -> Any:
    """What the seat sees; once the game is over with everything that was hidden."""
    game = place.game
    if game.status == Status.FINISHED:
        return Budget().run(_revealed, game, place.seat)
    return look_at(game, place.seat).view


def offers_of(place: Place) -> dict[str, Any]:
    """What the seat may ask, with the phase and the step that an answer to it names; nothing while the caretaker plays
    it."""
    game, own = place.game, place.own
    assert own is not None
    states = game.seat_states
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
        "offers": [] if own.keeper else look_at(game, own.number).offers,
    }


def results_of(place: Place) -> dict[str, Any]:
    """How a game ended: for everybody who may open it."""
    game = place.game
    placed = {
        number: {"place": rank, "score": score}
        for number, rank, score in Seat.objects.filter(game=game).values_list("number", "place", "score")
    }
    rows = [{"seat": row.number, "name": row.shown_name, **placed[row.number]} for row in place.rows]
    return {
        "game": game.pk,
        "reason": board_of(game.ruleset).ending(view_of(place)),
        "standings": sorted(rows, key=lambda row: (row["place"] is None, row["place"] or 0, row["seat"])),
        "course": [{"turn": point["turn"], "scores": list(point["worth"])} for point in game.course],
        "draws": {"commitment": f"sha256:{game.secret_hash}"},
    }


def _revealed(game: Game, seat: int | None) -> Any:
    return revealed(game.rules, game.load_position(), seat)
