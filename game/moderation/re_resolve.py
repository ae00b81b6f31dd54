"""Resolve the last phase again with today's rules and the same draws, and replace the stored result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from accounts.models import User
from game.engine import leaving
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.engine.events import Event, PhaseOpened
from game.engine.play import Outcome
from game.engine.position import AnyPosition, without_inputs
from game.moderation import interventions, rewind
from game.moderation.approvals import Consent
from game.play import moves
from game.seats import handover
from game.store import log_notes, replay
from game.store.game import BEGUN, Game
from game.store.log import Intervention, Kind, LoggedAction


class Again(NamedTuple):
    """A phase resolved again: the entries that opened it and the next one, the number of entries from one to the other,
    the stored position, and today's result."""

    first: LoggedAction
    last: LoggedAction
    entries: int
    stored: AnyPosition
    outcome: Outcome[Any]


def again_of(game: Game) -> Again:
    """Resolve the last phase again; nothing is stored. Raises `Refused`."""
    opened = list(game.log.exclude(opened_serial=None).order_by("-number")[:2])
    if len(opened) < 2 or opened[0].back_to is not None:
        raise Refused("No phase has closed since the game began or was rewound.", code="nothing_closed")
    last, first = opened
    last.game = first.game = game
    entries = list(game.log.filter(number__gt=first.number, number__lte=last.number).order_by("number"))
    try:
        stored, outcome = last.read_snapshot(), _replay_entries(game, first, entries)
    except Damaged as error:
        raise Refused("Stored data of this game is damaged.", code="damaged") from error
    except Exception as error:
        raise Refused(f"The rules fail with {type(error).__name__}.", code="rules_failed") from error
    assert stored is not None
    return Again(first, last, len(entries), stored, outcome)


@transaction.atomic
def apply_rerun(
    *, game_id: int, moderator: User, reason: str, seen: interventions.Seen, consent: Consent | None = None
) -> None:
    """Replace the stored result by that of today's rules, with approval. The open phase starts again from there: what
    was submitted in it no longer counts, and later draws differ. Raises `Refused`, also if nothing differs."""
    intervention = Intervention.APPLY_RERUN
    game = interventions.take(intervention, game_id, moderator, reason, seen, *BEGUN, consent=consent)
    rerun = again_of(game)
    codec = game.rules.codec
    if codec.encode(rerun.stored.state) == codec.encode(rerun.outcome.position.state):
        raise Refused("Today's rules lead to what is stored: there is nothing to correct.", code="nothing_differs")
    seats = rewind.void_seats(game, rerun.last.number)
    note = interventions.line(log_notes.RERUN_APPLIED, moderator, reason)
    change = handover.in_hand(game)
    change.go_back_to(rerun.first, user_id=moderator.pk, note="")
    change.put_in_place(_shift_outcome(rerun, change.position), user_id=moderator.pk, note=note)
    change.commit()
    Game.objects.filter(pk=game_id).update(held_reason="", attempts=0)
    replay.rebuild_projections(game_id=game_id)
    moves.stand_still_if_deserted(game_id)
    rewind.tell_void(game_id, seats)
    interventions.record(game, moderator, intervention, reason, entries=rerun.entries, void_seats=sorted(seats))


def _replay_entries(game: Game, first: LoggedAction, entries: Iterable[LoggedAction]) -> Outcome[Any]:
    """The outcome of these entries from the start of their phase, with everything that happened on the way."""
    whole: Outcome[Any] = Outcome(first.read_snapshot())
    for entry in entries:
        entry.game = game
        step = replay.play_entry(game, whole.position, entry)
        whole.position = step.position
        whole.events += step.events
        whole.transfers += step.transfers
        whole.draws += step.draws
    return whole


def _shift_outcome(rerun: Again, start: AnyPosition) -> Outcome[Any]:
    """The outcome as the successor of `start`, the phase's second start: serials never repeat, and players who left
    since then remain away."""
    position, serial_offset = rerun.outcome.position, start.cursor.serial - (rerun.first.opened_serial or 0)
    cursor = msgspec.structs.replace(
        position.cursor, branch=start.cursor.branch, serial=position.cursor.serial + serial_offset
    )
    seat_changes = rerun.last.game.log.filter(kind__in=[Kind.HANDOVER, Kind.RESIGN], number__gt=rerun.last.number)
    without_changed_seats = without_inputs(position, set(seat_changes.values_list("seat", flat=True)))
    shifted: Outcome[Any] = Outcome(
        leaving.with_left(msgspec.structs.replace(without_changed_seats, cursor=cursor), start.state.left)
    )
    shifted.events = [_shift_event(event, serial_offset) for event in rerun.outcome.events]
    shifted.transfers = [
        msgspec.structs.replace(each, serial=each.serial + serial_offset) for each in rerun.outcome.transfers
    ]
    shifted.draws = rerun.outcome.draws  # they keep their names
    return shifted


def _shift_event(event: Event, serial_offset: int) -> Event:
    return (
        msgspec.structs.replace(event, serial=event.serial + serial_offset) if isinstance(event, PhaseOpened) else event
    )
