"""The stories of finished games, read from the log once and cached in this process."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any

import msgspec
from django.db.models import Q, QuerySet

from game.boards.registry import board_of
from game.boards.story.played import GameStory, Moment, PlayedGame, Scene, Step
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.engine.language import spoken
from game.engine.ledger import Transfer
from game.history.past import Stop, course_of
from game.history.viewer import Viewer
from game.infra.compiled import CompiledQuery
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.log import Kind, LoggedAction, whole_events, whole_transfers
from game.store.packing import unpack_transfers
from game.store.rule_limits import Budget

CACHE_SIZE = 256
"""Stories cached by a process; each takes some ten kilobytes."""
_cached: OrderedDict[tuple[int, int, str, Eyes | None, tuple[str, ...]], GameStory] = OrderedDict()
DECISION_KINDS = frozenset({Kind.SUBMIT, Kind.DRAFT})


@CompiledQuery
def _entries(game_id: int) -> QuerySet[LoggedAction, Any]:
    is_relevant = ~Q(events="") | Q(transfers__isnull=False) | Q(kind__in=DECISION_KINDS)
    entries = LoggedAction.objects.filter(is_relevant, game_id=game_id).order_by("number")
    return entries.values_list("number", "serial", "phase_name", "seat", "kind", "is_undone", "events", "transfers")


def story_of(viewer: Viewer, own: Eyes | None = None) -> GameStory:
    """The story of a finished game, cached by language; `own` is the seat that reads “you”, None where everybody is
    named. A rewind or a player's new name builds it again."""
    game = viewer.game
    key = (game.pk, game.version, game.secret_hash, own, (spoken().code, *viewer.names))
    if key not in _cached:
        _cached[key] = Budget().run(_build_story, viewer, own)
        if len(_cached) > CACHE_SIZE:
            _cached.popitem(last=False)
    _cached.move_to_end(key)
    return _cached[key]


def _build_story(viewer: Viewer, own: Eyes | None) -> GameStory:
    return board_of(viewer.game.ruleset).story(played(viewer, own))


def played(viewer: Viewer, own: Eyes | None) -> PlayedGame:
    """The whole game as a story needs it, without what a rewind or an undo took back."""
    game, course = viewer.game, course_of(viewer.game)
    steps: list[Step] = []
    decisions: dict[int, set[int]] = {}
    places = {row.seat: row.place for row in game.rules.standings(game.load_position().state)}
    stop_numbers = [stop.number for stop in course.stops]
    for number, serial, phase, seat, kind, is_undone, events, transfers in _steps_of(game):
        if course.is_rewound(number):
            continue
        if kind in DECISION_KINDS and not is_undone:
            decisions.setdefault(seat, set()).add(serial)
        step_events = _read_events(game, whole_events(game, events))
        scenes = () if is_undone else tuple(scenes_of(serial, phase, step_events))
        turn = _turn_of(course.stops, bisect_right(stop_numbers, number) - 1, number, step_events)
        steps.append(Step(turn, scenes, _read_transfers(game, transfers)))
    return PlayedGame(
        names=viewer.names,
        places=[places[seat] for seat in range(len(viewer.seats))],
        course=msgspec.convert(game.course, list[Moment]),
        steps=steps,
        decided={seat: len(serials) for seat, serials in decisions.items()},
        score=viewer.board.score,
        turn=viewer.board.rules.turn_title,
        own=own,
    )


def _steps_of(game: Game) -> list[tuple[Any, ...]]:
    """Every step with events, transfers or a decision, in order."""
    packed_steps = (
        (step.number, step.serial, step.phase_name, step.seat, step.kind, step.is_undone, "", None)
        for step in game.packed_steps.quiet
    )
    return sorted([*_entries.rows(game.pk), *packed_steps], key=itemgetter(0))


def _turn_of(stops: Sequence[Stop], index: int, number: int, events: Iterable[Event]) -> int:
    """The turn of a log entry as the course counts it: the entry that opens a turn still belongs to the turn before,
    unless phases of the new turn have already closed with it. `index` is that of the last stop it opened or follows."""
    if index < 1:
        return stops[0].turn - (number <= stops[0].number)
    stop = stops[index]
    if number > stop.number or stops[index - 1].turn == stop.turn:
        return stop.turn
    opened = sum(isinstance(event, PhaseOpened) and event.turn == stop.turn for event in events)
    return stop.turn - (opened == 1)


def scenes_of(serial: int, phase: str, events: Iterable[Event]) -> Iterator[Scene]:
    """The events of one step by phase, starting with the phase in which the step was taken."""
    scene_events: list[Event] = []
    for event in events:
        if isinstance(event, PhaseOpened):
            if scene_events:
                yield Scene(serial, phase, tuple(scene_events))
            serial, phase, scene_events = event.serial, event.phase, []
        else:
            scene_events.append(event)
    if scene_events:
        yield Scene(serial, phase, tuple(scene_events))


def _read_events(game: Game, events: str) -> list[Event]:
    """The events of a step; empty if the record is damaged, which the log reports."""
    with suppress(Damaged):
        return game.rules.codec.decode_events(events) if events else []
    return []


def _read_transfers(game: Game, packed: bytes | None) -> tuple[Transfer, ...]:
    with suppress(Damaged):
        return tuple(unpack_transfers(whole_transfers(game, bytes(packed)))) if packed else ()
    return ()
