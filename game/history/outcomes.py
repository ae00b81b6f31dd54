"""The page of all outcomes: what each phase of a turn brought one seat, read from the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Protocol

import msgspec
import structlog
from django.db.models import Max

from accounts.models import User
from game.boards.base import Board
from game.boards.outcomes import Outcome, Part, Story, parts_of, rules_changed, weightiest
from game.boards.registry import board_of
from game.engine.codec import Damaged
from game.engine.events import Event, Names
from game.engine.flow import Flow
from game.engine.language import say
from game.engine.phrases import capitalised, turn_words
from game.history.game_log import Chapter, tell
from game.store import eyes
from game.store.badges import SeatBadge, badges_of
from game.store.eyes import Eyes
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.rule_limits import Budget

Span = tuple[int, int]
log = structlog.get_logger("game.outcomes")


class Resolved(Protocol):
    """A log entry as outcomes need it."""

    @property
    def game(self) -> Game: ...
    @property
    def version(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase_name(self) -> str: ...
    @property
    def serial(self) -> int: ...
    @property
    def at(self) -> datetime: ...
    def read_all_events(self) -> list[Event]: ...


def outcomes_of(steps: Iterable[Resolved], *, board: Board, seat: Eyes, names: Names, view: Any) -> list[Outcome]:
    """The outcomes of some steps, oldest first, for a seat."""
    parts = tuple(part for step in steps for part in parts_heard(step, seat))
    story = Story(parts, seat, names, view)
    return [*board.outcomes(story), *rules_changed(story)]


def parts_heard(step: Resolved, seat: Eyes) -> list[Part]:
    """The parts of a step that the present player of the seat may read."""
    return parts_of(step.serial, step.phase_name, eyes.news(events_of(step), eyes.ears_at(step, seat)))


def phase_words(step: Resolved, flow: Flow) -> str:
    """The phase of a step in words: `Turn 3, phase 9: Place stock orders`."""
    phase = next((row.phase for row in flow.rows if row.phase.name == step.phase_name), None)
    if phase is None:
        return say("The start")
    title = say("phase {number}: {title}", number=phase.number, title=say(phase.title))
    if not step.turn:
        return capitalised(title)
    return say("{turn}, {phase}", turn=turn_words(flow.turn_title, step.turn), phase=title)


def events_of(step: Resolved) -> list[Event]:
    """The events of a step; empty if its record is damaged, which the log reports."""
    try:
        return step.read_all_events()
    except Damaged:
        log.error("log_entry_damaged", at=str(step.at))
        return []


class Resolution(msgspec.Struct, frozen=True):
    """The results of one phase for one seat, and its part of the log. `serial` is the phase's; `number` counts from 1
    the phases of this title in the turn, of which there are `count`."""

    serial: int
    title: str
    at: datetime
    own: tuple[Outcome, ...]
    others: tuple[Outcome, ...]
    log: tuple[Chapter, ...]
    number: int = 1
    count: int = 1

    @property
    def is_calm(self) -> bool:
        """True if nothing in it affects the seat."""
        return not self.own and not self.others


def numbered(resolutions: Iterable[Resolution]) -> list[Resolution]:
    """The phases of a turn, oldest first, each numbered among those with its title."""
    phases = list(resolutions)
    counts, met = Counter(phase.title for phase in phases), Counter[str]()
    result = []
    for phase in phases:
        met[phase.title] += 1
        result.append(msgspec.structs.replace(phase, number=met[phase.title], count=counts[phase.title]))
    return result


def outcomes_context(*, game: Game, reader: User, turn: int | None = None) -> dict[str, Any] | None:
    """The page of one turn's outcomes, by default the newest; None for users without a seat. The number of queries does
    not grow with the game."""
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    seat = eyes.eyes_among(game, seats, reader.pk)
    if seat is None:
        return None
    rewound = _rewound_spans(game)
    last_turn = game.log.exclude(events="").aggregate(last=Max("turn"))["last"] or 0
    turns = list(range(1, last_turn + 1)) or [0]
    shown_turn = turn if turn in turns else turns[-1]
    places = badges_of(seats, ruleset=game.ruleset, user_id=reader.pk)
    entries = [
        entry
        for entry in _steps_of_turn(game, shown_turn)
        if not any(first < entry.number < last for first, last in rewound)
    ]
    resolutions = numbered(_resolutions(entries, game, seat, places))[::-1]
    return {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": places,
        "you": places[seat],
        "turn": shown_turn,
        "turns": turns,
        "resolutions": resolutions,
        "groups": [(is_calm, list(group)) for is_calm, group in groupby(resolutions, lambda phase: phase.is_calm)],
    }


def _rewound_spans(game: Game) -> list[Span]:
    """The ranges of log entries that rewinds took back."""
    rewinds = game.log.exclude(back_to=None).values_list("back_to", "number")
    return [(start, end) for start, end in rewinds if start is not None]


def _steps_of_turn(game: Game, turn: int) -> Sequence[LoggedAction]:
    """The steps of a turn; turn 1 includes everything before it. Entries written after the game was read are left out:
    the seat may have changed hands since."""
    turns = (0, 1) if turn <= 1 else (turn,)
    visible = game.log.filter(turn__in=turns, number__lte=game.entries).exclude(events="").exclude(is_undone=True)
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
        log=tuple(tell(steps, flow=flow, names=names, seat=seat, you=names[seat])),
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
