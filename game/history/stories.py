"""The stories of games that are over: read from the log once, and kept as long as this process lives."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from operator import itemgetter
from typing import Any

import msgspec
from django.db.models import Q

from game.boards.registry import board_of
from game.boards.story import GameStory, Moment, PlayedGame, Scene, Step
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.engine.language import spoken
from game.engine.ledger import Transfer
from game.history.past import Stop, course_of
from game.history.viewer import Sight
from game.infra.reads import Rows, slot
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.packed_rows import whole_events, whole_transfers
from game.store.rule_limits import Budget
from game.store.transfers import unpack_transfers

KEPT = 64
"""Stories kept by a process; one takes some ten kilobytes."""
_kept: OrderedDict[tuple[int, int, str, tuple[str, ...]], GameStory] = OrderedDict()
DECIDED = frozenset({Kind.SUBMIT, Kind.DRAFT})


@cache
def _entries() -> Rows:
    told = ~Q(events="") | Q(transfers__isnull=False) | Q(kind__in=DECIDED)
    entries = LoggedAction.objects.filter(told, game_id=slot(0)).order_by("number")
    return Rows(
        entries.values_list("number", "serial", "phase_name", "seat", "kind", "is_undone", "events", "transfers")
    )


def story_of(sight: Sight) -> GameStory:
    """The story of a game that is over. A rewind, or a player's new name, makes it anew; there is one for each
    language."""
    game = sight.game
    key = (game.pk, game.version, game.secret_hash, (spoken().code, *sight.names))
    if key not in _kept:
        _kept[key] = Budget().run(_told, sight)
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _told(sight: Sight) -> GameStory:
    return board_of(sight.game.ruleset).story(played(sight))


def played(sight: Sight) -> PlayedGame:
    """The whole game as a story needs it, without what a rewind or an undo took back."""
    game, course = sight.game, course_of(sight.game)
    steps: list[Step] = []
    decided: dict[int, set[int]] = {}
    places = {row.seat: row.place for row in game.rules.standings(game.load_position().state)}
    first_phase = sight.view.rail[0].phases[0].name
    numbers = [stop.number for stop in course.stops]
    for number, serial, phase, seat, kind, is_undone, events, transfers in _steps_of(game):
        if course.is_gone(number):
            continue
        if kind in DECIDED and not is_undone:
            decided.setdefault(seat, set()).add(serial)
        scenes = () if is_undone else tuple(scenes_of(serial, phase, _events(game, whole_events(game, events))))
        at = max(bisect_right(numbers, number) - 1, 0)
        turn = _turn_of(course.stops[at], number, first_phase)
        steps.append(Step(turn, scenes, _transfers(game, transfers)))
    return PlayedGame(
        names=sight.names,
        places=[places[seat] for seat in range(len(sight.seats))],
        course=msgspec.convert(game.course, list[Moment]),
        steps=steps,
        decided={seat: len(serials) for seat, serials in decided.items()},
        score=sight.board.score,
    )


def _steps_of(game: Game) -> list[tuple[Any, ...]]:
    """Every step that tells, moves or decides something, in order."""
    quiet = (
        (step.number, step.serial, step.phase_name, step.seat, step.kind, step.is_undone, "", None)
        for step in game.put_away.quiet
    )
    return sorted([*_entries()(game.pk), *quiet], key=itemgetter(0))


def _turn_of(stop: Stop, number: int, first_phase: str) -> int:
    """The turn that a log entry is counted for, as the course counts it: the one that opens a turn ends the turn before
    it."""
    return stop.turn - (number <= stop.number and stop.name == first_phase)


def scenes_of(serial: int, phase: str, events: Iterable[Event]) -> Iterator[Scene]:
    """The events of one step phase by phase; the first is the one in which it was taken."""
    held: list[Event] = []
    for event in events:
        if isinstance(event, PhaseOpened):
            if held:
                yield Scene(serial, phase, tuple(held))
            serial, phase, held = event.serial, event.phase, []
        else:
            held.append(event)
    if held:
        yield Scene(serial, phase, tuple(held))


def _events(game: Game, events: str) -> list[Event]:
    """What happened in a step; of a damaged record nothing, since the log says so."""
    with suppress(Damaged):
        return game.rules.codec.decode_events(events) if events else []
    return []


def _transfers(game: Game, packed: bytes | None) -> tuple[Transfer, ...]:
    with suppress(Damaged):
        return tuple(unpack_transfers(whole_transfers(game, bytes(packed)))) if packed else ()
    return ()
