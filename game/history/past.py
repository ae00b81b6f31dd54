"""The past of a game: the moments at which it waited for players, and what a reader may see of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q, QuerySet

from game.boards.base import Board
from game.boards.registry import board_of
from game.engine.actions import COMMON_ACTIONS, Action, Pass, Withdraw
from game.engine.codec import Damaged, compress
from game.engine.flow import Flow
from game.engine.language import say, spoken
from game.engine.phrases import capitalised
from game.engine.position import AnyPosition
from game.engine.requests import request_of
from game.engine.stored import Stored, restore
from game.history.game_log import COLUMNS, LOG_ENTRIES, Chapter, LogRow, by_rounds, tell
from game.infra.compiled import CompiledQuery
from game.infra.process_cache import ProcessCache
from game.play.transactions import without_inputs
from game.store import eyes
from game.store.badges import SeatBadge
from game.store.board_rows import History, PublicPosition, extend_course, history_of_course, with_place
from game.store.eyes import Eyes
from game.store.game import Game, Status
from game.store.log import Kind, LoggedAction, PackedSnapshots, whole_action
from game.store.packing import unpack_snapshot, unpack_snapshots
from game.store.readers import SeatRow
from game.store.rule_limits import Budget
from game.store.seat_view import MAX_VIEWS, SeatView, facts_beside

Span = tuple[int, int]


class NoSuchMoment(Exception):
    """The game did not stop at the requested phase; the text is for the reader."""


class Stop(NamedTuple):
    """A phase that waited for players, or the end of the game: `number` is the log entry that opened it, `seat` whose
    turn it was in a phase with turns. `name` is empty at the end of the game."""

    number: int
    serial: int
    turn: int
    name: str
    seat: int | None
    at: datetime
    is_rewind: bool


class Course(NamedTuple):
    """A game's past on its current branch, without what rewinds took back. `handovers` maps a seat to the log entry
    after which it last changed hands."""

    stops: Sequence[Stop]
    rewound: Sequence[Span]
    handovers: dict[int, int]

    def index_of(self, serial: int) -> int:
        """The index of the stop for a phase; for a phase that nobody had to wait for, the next stop. Raises
        `NoSuchMoment`."""
        for index, stop in enumerate(self.stops):
            if stop.serial >= serial > 0:
                if stop.is_rewind and stop.serial > serial:
                    raise NoSuchMoment(
                        say("Moment {serial} was taken back when a moderator rewound the game.", serial=serial)
                    )
                return index
        last = self.stops[-1].serial
        raise NoSuchMoment(
            say("This game has no moment {serial}; its moments are numbered 1 to {last}.", serial=serial, last=last)
        )

    def is_rewound(self, number: int) -> bool:
        """True if a rewind took the log entry back."""
        return any(first < number < last for first, last in self.rewound)


class Submission(NamedTuple):
    """What one seat had submitted when a phase closed, in words."""

    seat: int
    text: str


@CompiledQuery
def _opening_columns(game_id: int) -> QuerySet[LoggedAction, Any]:
    entries = LoggedAction.objects.filter(game_id=game_id).filter(
        Q(opened_serial__isnull=False) | Q(kind=Kind.HANDOVER)
    )
    columns = ("number", "opened_serial", "serial", "turn", "phase_name", "seat", "step", "at", "back_to", "kind")
    return entries.order_by("number").values_list(*columns)


@CompiledQuery
def _packed_snapshots(game_id: int, number: int) -> QuerySet[PackedSnapshots, Any]:
    rows = PackedSnapshots.objects.filter(game_id=game_id, first__lte=number).order_by("-first")
    return rows.values_list("packed")[:1]


def _entries_until(game_id: int, number: int, rewound: Iterable[Span] = ()) -> QuerySet[LoggedAction, Any]:
    entries = LoggedAction.objects.filter(game_id=game_id, number__lte=number).exclude(is_undone=True)
    for first, last in rewound:
        entries = entries.exclude(number__gt=first, number__lt=last)
    visible = entries.exclude(events="", note="").order_by("-number")
    return visible.values_list(*COLUMNS)


@CompiledQuery
def _actions(game_id: int, serial: int) -> QuerySet[LoggedAction, Any]:
    actions = LoggedAction.objects.filter(game_id=game_id, serial=serial)
    actions = actions.exclude(action=None).exclude(is_undone=True)
    actions = actions.exclude(seat=None)  # without a seat, it was not submitted by a player
    return actions.order_by("number").values_list("number", "seat", "action")


@CompiledQuery
def _snapshot(game_id: int, number: int) -> QuerySet[LoggedAction, Any]:
    return LoggedAction.objects.filter(game_id=game_id, number=number).values_list("snapshot")


_log_until = CompiledQuery(lambda game, number: _entries_until(game, number)[:LOG_ENTRIES])


def course_of(game: Game) -> Course:
    """The stops of a game, oldest first, without what rewinds took back.

    A phase's name is taken from the log entry that ended it, that of the open phase from the game's row. Entries
    written after the game was read are left out."""
    stops: list[Stop] = []
    rewound: list[Span] = []
    handovers: dict[int, int] = {}
    rows = [row for row in _opening_columns.rows(game.pk) if row[0] <= game.entries]
    phase_by_serial = {
        row[2]: (row[3], row[4], None if row[6] is None else row[5]) for row in rows if row[1] is not None
    }
    phase_by_serial[game.phase_serial] = (game.turn, game.phase_name, None)
    for number, opened, _, _, _, seat, _, at, back_to, kind in rows:
        if kind == Kind.HANDOVER:
            handovers[seat] = number
            continue
        if back_to is not None:
            stops = [stop for stop in stops if stop.number < back_to]
            rewound.append((back_to, number))
        stops.append(Stop(number, opened, *phase_by_serial[opened], at, back_to is not None))
    return Course(stops, rewound, handovers)


def start_of(game: Game, stop: Stop) -> AnyPosition:
    """The position in which a phase began, converted to the current format. Raises `Damaged`."""
    return restore(game.rules, _load_start(game, stop))


def _load_start(game: Game, stop: Stop) -> Stored:
    rows = _snapshot.rows(game.pk, stop.number)
    if rows and rows[0][0]:
        return unpack_snapshot(bytes(rows[0][0]))
    rows = _packed_snapshots.rows(game.pk, stop.number)
    snapshots = unpack_snapshots(bytes(rows[0][0])) if rows else {}
    if stop.number not in snapshots:
        raise Damaged(f"The start of the phase that entry {stop.number} opened cannot be read.")
    return snapshots[stop.number]


class PastView(NamedTuple):
    """A past position as one reader may see it: `view` is the reader's, `public` a stranger's at that time; `seat_view`
    caches the rendered parts of pages that show `view`. `seen` has the figures of its charts, without rows."""

    view: Any
    public: Any
    seat_view: SeatView
    seen: PublicPosition


past_views: ProcessCache[PastView] = ProcessCache(MAX_VIEWS)


def seen_at(game: Game, course: Course, stop: Stop, seat: Eyes | None) -> PastView:
    """The start of a phase as the seat could see it then; once the game is over, with every seat's secrets. Until then,
    what a seat had sealed before it changed hands stays hidden from its current player."""
    stored, is_over = _load_start(game, stop), game.status == Status.FINISHED
    hidden_seats = frozenset(
        number for number, entry in course.handovers.items() if entry > stop.number and not is_over
    )

    def build() -> PastView:
        position = restore(game.rules, stored)
        return Budget().run(
            _build_view, game, without_inputs(position, hidden_seats) if not is_over else position, seat
        )

    facts = (*facts_beside(game), stop, hidden_seats, msgspec.msgpack.encode(stored))
    return past_views.get((seat, spoken().code, facts), build)


def _build_view(game: Game, position: AnyPosition, seat: Eyes | None) -> PastView:
    public = eyes.view(game, position, None)
    is_public = seat is None and game.status != Status.FINISHED
    view = public if is_public else eyes.whole_view(game, position, seat)
    figures = PublicPosition({}, board_of(game.ruleset).point(public), 0)
    return PastView(view, public, SeatView(view, [], has_sent=False), with_place(game.rules, position, figures))


def history_at(game: Game, past: PastView) -> History:
    """The course of prices and net worths up to that time."""
    return history_of_course(extend_course(game.course, past.seen))


def log_until(
    game: Game, course: Course, stop: Stop, *, seat: Eyes | None, seats: Sequence[SeatBadge], you: str, flow: Flow
) -> list[Chapter]:
    """The newest log entries until a stop, as this seat, of which the reader is called `you`, may read them, newest
    first."""
    if course.rewound:
        rows = list(_entries_until(game.pk, stop.number, course.rewound)[:LOG_ENTRIES])
    else:
        rows = _log_until.rows(game.pk, stop.number)
    steps = [LogRow(game, *row) for row in rows]
    is_over = game.status == Status.FINISHED
    names = [place.name for place in seats]
    chapters = tell(reversed(steps), flow=flow, names=names, seat=seat, you=you, revealed=is_over)
    return by_rounds(chapters, flow)


def log_between(game: Game, course: Course, first: int, last: int) -> list[LogRow]:
    """The log entries from `first` to `last`, oldest first, without what a rewind took back."""
    entries = _entries_until(game.pk, last, course.rewound).filter(number__gte=first).order_by("number")
    return [LogRow(game, *row) for row in entries]


def whole_log(game: Game, course: Course) -> list[LogRow]:
    """The log of the current branch, oldest first; `tell` decides what each reader may read."""
    return log_between(game, course, 0, game.entries)


def submitted_in(
    game: Game, course: Course, stop: Stop, *, view: Any, seat: Eyes | None, rows: Sequence[SeatRow]
) -> list[Submission]:
    """The submissions at the close of a phase: the seat's own, and everybody's once the game is over."""
    is_over = game.status == Status.FINISHED
    if view.phase is None or (seat is None and not is_over):
        return []
    since = 0 if is_over or seat is None else course.handovers.get(seat, 0)
    numbered = [
        (number, action) for number, whose, action in _actions_in(game, stop.serial) if is_over or whose == seat
    ]
    unpack = game.rules.codec.unpack_action
    actions = [unpack(action) for number, action in numbered if number > since and not course.is_rewound(number)]
    return _describe_submissions(board_of(game.ruleset), view, actions, [row.number for row in rows])


def _actions_in(game: Game, serial: int) -> list[tuple[int, int | None, bytes]]:
    """The actions submitted in a phase, with their log numbers; packed ones are read from the packed log. Entries
    written after the game was read are left out: the seat may have changed hands since."""
    rows = [
        (number, seat, whole_action(game, bytes(action)))
        for number, seat, action in _actions.rows(game.pk, serial)
        if number <= game.entries
    ]
    packed_steps = (step for step in game.packed_steps.quiet if step.serial == serial and not step.is_undone)
    return sorted([*rows, *((step.number, step.seat, compress(step.action)) for step in packed_steps if step.action)])


def _describe_submissions(board: Board, view: Any, actions: Iterable[Action], seats: Iterable[int]) -> list[Submission]:
    requests_by_seat = last_of(actions)
    return [
        Submission(seat, capitalised("; ".join(board.sentence(request, view) for request in requests_by_seat[seat])))
        for seat in seats
        if requests_by_seat.get(seat)
    ]


def last_of(actions: Iterable[Action]) -> dict[int, list[dict[str, Any]]]:
    """Each seat's final requests in a phase: the last in each slot, unless it was withdrawn."""
    slots_by_seat: dict[int, dict[str, Action]] = {}
    public_by_seat: dict[int, list[Action]] = {}
    for action in actions:
        slots = slots_by_seat.setdefault(action.actor, {})
        match action:
            case Withdraw():
                slots.pop(action.of, None)
            case Pass():
                slots.clear()
                slots["pass"] = action
            case _ if isinstance(action, COMMON_ACTIONS):
                pass
            case _ if action.is_public:
                public_by_seat.setdefault(action.actor, []).append(action)
            case _:
                slots.pop("pass", None)
                slots[action.slot()] = action
    return {
        seat: [request_of(action) for action in (*public_by_seat.get(seat, ()), *slots.values())]
        for seat, slots in slots_by_seat.items()
    }
