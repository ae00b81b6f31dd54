"""The outcomes of a whole turn, phase by phase, for the player of a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec
from django.db.models import Max

from accounts.models import User
from game.boards.base import Board
from game.boards.outcomes import Outcome, weightiest
from game.boards.registry import board_of
from game.engine.codec import Damaged
from game.history.game_log import Chapter, tell
from game.history.outcomes import outcomes_of, phase_words
from game.store import eyes
from game.store.badges import SeatBadge, badges_of
from game.store.eyes import Eyes
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.rule_limits import Budget

Span = tuple[int, int]


class Resolution(msgspec.Struct, frozen=True):
    """What one phase brought one seat, and its part of the log. `serial` is the phase's."""

    serial: int
    title: str
    at: datetime
    own: tuple[Outcome, ...]
    others: tuple[Outcome, ...]
    log: tuple[Chapter, ...]


def outcomes_context(*, game: Game, reader: User, turn: int | None = None) -> dict[str, Any] | None:
    """The page of one turn's outcomes, by default the newest; None for users without a seat. The number of queries does
    not grow with the game."""
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    seat = eyes.eyes_among(seats, reader.pk)
    if seat is None:
        return None
    rewound = _rewound_spans(game)
    turns = list(range(1, (_last_turn(game) or 0) + 1)) or [0]
    shown_turn = turn if turn in turns else turns[-1]
    places = badges_of(seats, user_id=reader.pk)
    entries = [
        entry
        for entry in _steps_of_turn(game, shown_turn)
        if not any(first < entry.number < last for first, last in rewound)
    ]
    return {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": places,
        "you": places[seat],
        "turn": shown_turn,
        "turns": turns,
        "resolutions": list(_resolutions(entries, game, seat, places))[::-1],
    }


def _last_turn(game: Game) -> int | None:
    """The last turn with a resolution."""
    last_turn: int | None = game.log.exclude(events="").aggregate(most=Max("turn"))["most"]
    return last_turn


def _rewound_spans(game: Game) -> list[Span]:
    """The ranges of log entries that rewinds took back."""
    rewinds = game.log.exclude(back_to=None).values_list("back_to", "number")
    return [(start, end) for start, end in rewinds if start is not None]


def _steps_of_turn(game: Game, turn: int) -> Sequence[LoggedAction]:
    """The steps of a turn; turn 1 includes what happened before it."""
    turns = (0, 1) if turn <= 1 else (turn,)
    visible = game.log.filter(turn__in=turns).exclude(events="").exclude(is_undone=True)
    entries = list(visible.defer("action").order_by("number"))
    for entry in entries:
        entry.game = game
    return entries


def _resolutions(
    entries: Sequence[LoggedAction], game: Game, seat: Eyes, places: Sequence[SeatBadge]
) -> Iterator[Resolution]:
    board, names = board_of(game.ruleset), [place.name for place in places]
    current_view = _view_after(game, seat, None)
    for serial, steps in groupby(entries, key=lambda entry: entry.serial):
        phase_steps = list(steps)
        view = _view_after(game, seat, phase_steps[-1]) or current_view
        yield _resolution(serial, phase_steps, board, seat, names, view)


def _resolution(
    serial: int, steps: Sequence[LoggedAction], board: Board, seat: Eyes, names: Sequence[str], view: Any
) -> Resolution:
    game = steps[0].game
    flow = game.rules.flow(game.read_options())
    outcomes = weightiest(outcomes_of(steps, board=board, seat=seat, names=names.__getitem__, view=view))
    return Resolution(
        serial=serial,
        title=phase_words(steps[0], flow),
        at=steps[-1].at,
        own=tuple(outcome for outcome in outcomes if outcome.is_own),
        others=tuple(outcome for outcome in outcomes if not outcome.is_own),
        log=tuple(tell(steps, flow=flow, names=names, seat=seat)),
    )


def _view_after(game: Game, seat: Eyes, entry: LoggedAction | None) -> Any:
    """The seat's view after a step that opened a phase, today's view without a step; None if it cannot be read."""

    def read_view() -> Any:
        position = game.load_position() if entry is None else entry.read_snapshot()
        return eyes.view(game, position, seat) if position is not None else None

    try:
        return Budget().run(read_view)
    except Damaged:
        return None
