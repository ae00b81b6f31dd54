"""Missed decisions, the caretaker, returning players, and games with no player left. (P-14, P-15)"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from game.engine import progress
from game.engine.actions import Refused
from game.engine.language import mark
from game.live import announce
from game.outbox import notices, webhook_events
from game.play import clocks, door, tenures
from game.play.batch import ClosingBatch
from game.play.tenures import is_excused_by
from game.play.transactions import GameTransaction
from game.store import account_locks, eyes, readers
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Kind, Notice
from game.store.log_notes import Note, Sentence
from game.store.seat_models import Tenure

MISSES = 2  # missed decisions in a row until the caretaker steps in
DESERTED = mark(
    "This game is paused because no player is present: all are away or have resigned. It goes on when a "
    "player comes back or takes a seat over."
)
CARETAKER_PLAYS = mark(
    "The caretaker plays this seat for you. Take your seat back first; then the next decision is yours."
)
GIVEN_UP = mark("You have resigned from this game: the caretaker plays your seat.")
CANNOT_RETURN = mark(
    "You have resigned from this game: the caretaker plays your seat. A seat that was given up cannot be taken back."
)


def silent_seats(change: GameTransaction, batch: ClosingBatch, *, drafted: Collection[int]) -> frozenset[int]:
    """The seats with a real choice whose people did nothing in the open phase: no submission, no withdrawal, and no
    saved draft (`drafted`)."""
    states = progress.seat_states(change.position, change.rules.flow_of(change.position))
    silent = {seat for seat in change.asked_seats if states[seat] == "untouched"}.difference(drafted)
    if not silent:
        return frozenset()
    return frozenset(silent - {seat for _, seat in batch.activity_of(change.game)})


def note_missed(change: GameTransaction, batch: ClosingBatch, *, serial: int) -> None:
    """Count the decisions missed at a phase's deadline; from the second miss in a row the caretaker plays the seat.
    Misses due to an outage, the player's vacation or a stand-in are excused. After two in a row of the latter two kinds
    the caretaker still steps in. What was asked in secret is told to its player alone and not counted."""
    if not change.silent_seats:
        return
    game, silent = change.game, change.silent_seats
    if batch.was_moved(game) and is_excused_by(batch.outages, game):
        if not change.asked_in_secret:
            tenures.excuse_all(game, silent, batch)
        return
    in_a_row = {} if change.asked_in_secret else tenures.count_misses(game, silent, batch)
    _write_missed_notices(change, batch, serial)
    batch.misses += [(game, number, serial) for number in sorted(silent)]
    for number, misses in sorted(in_a_row.items()):
        if misses >= MISSES:
            _start_caretaker(change, number)


def pause_if_deserted(*, game: Game) -> None:
    """Pause a locked game that has no player left, so that nobody loses a game that is not being played. (P-15)"""
    if not (game.is_running and game.is_deserted):
        return
    clocks.stop_clock(game=game, status=Status.PAUSED)
    game.deserted_at = game.now
    door.write_note(game=game, kind=Kind.KEEPER, note=_render_deserted_note(game))


def resume_if_attended(*, game: Game) -> None:
    """Resume a locked game that was paused because no player was present, if one is present again."""
    if game.deserted_at is None or game.is_deserted:
        return
    game.deserted_at = None
    if game.status == Status.PAUSED:
        clocks.start_clock(game=game)
    door.write(game)


@transaction.atomic
def reclaim_seat(*, game_id: int, user: User) -> Seat:
    """Give a seat back to its player, from its next decision on, or at once if the game waits for it. A second call
    changes nothing. Raises `Refused`. (P-14)"""
    game = readers.lock(game_id)
    seat = game.seats.filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    account_locks.lock_free_account(user)
    if seat.keeper == Keeper.RESIGNED:
        raise Refused(CANNOT_RETURN, code="cannot_return")
    if not seat.keeper or game.status not in {Status.RUNNING, Status.PAUSED, Status.HELD}:
        return seat
    seat.keeper, seat.left_at, seat.version = "", None, seat.version + 1
    door.write(seat)
    Tenure.objects.filter(game=game, number=seat.number, ended_at=None).update(in_a_row=0)
    tenures.note_presence(game, [seat.number])
    game.keepers = {number: keeper for number, keeper in game.keepers.items() if number != str(seat.number)}
    game.bots_due = game.calls_bots
    note = Sentence.IS_BACK_AND_ON if game.deserted_at else Sentence.IS_BACK
    door.write_note(game=game, kind=Kind.KEEPER, seat=seat.number, note=note(name=user))
    eyes.forget_unless_left(game)
    announce.seat_changed(game.pk, seat.number, game.version)
    fields: dict[str, Any] = {"kind": Notice.Kind.RETURNED, "serial": game.phase_serial, "number": game.entries}
    webhook_events.queue_notices(game=game, people=[(seat, user.pk)], **fields)
    resume_if_attended(game=game)
    notices.notify_decision(game=game, seat=seat)
    return seat


def _write_missed_notices(change: GameTransaction, batch: ClosingBatch, serial: int) -> None:
    """Notify players who missed a decision what counted instead. The email about their next decision includes it."""
    game = change.game
    if not game.is_slow:
        return
    people = batch.people_of(game, change.silent_seats)
    due = game.now + settings.MAIL_WINDOW
    notices.write(game=game, people=people, kind=Notice.Kind.MISSED, serial=serial, due_at=due)


def _start_caretaker(change: GameTransaction, number: int) -> None:
    """Let the caretaker play a seat from its next decision on. Notify its player, who may have a stand-in."""
    game = change.game
    seat = Seat.objects.select_related("user").get(game=game, number=number)
    seat.keeper, seat.left_at = Keeper.AWAY, game.now
    door.write(seat)
    game.keepers = {**game.keepers, str(number): Keeper.AWAY.value}
    change.remark(_render_caretaker_note(game, seat), kind=Kind.KEEPER, seat=number)
    if seat.user_id is not None and game.is_slow:
        people = [(seat, seat.user_id)]
        notices.write(game=game, people=people, kind=Notice.Kind.AWAY, serial=change.serial, due_at=game.now)
    if game.has_stand_in(number):
        owner = [(seat, game.proxies[str(number)]["owner"])]
        kind, serial = Notice.Kind.KEPT, change.serial
        notices.notify(game=game, people=owner, kind=kind, serial=serial, is_mailed=game.is_slow)


def _render_caretaker_note(game: Game, seat: Seat) -> Note:
    """The log note that says why the caretaker plays a seat and until when."""
    if not game.has_stand_in(seat.number):
        return Sentence.MISSED_TWICE(name=seat.shown_name)
    owner = User.objects.get(pk=game.proxies[str(seat.number)]["owner"])
    return Sentence.PROXY_MISSED_TWICE(name=seat.shown_name, was=owner)


def _render_deserted_note(game: Game) -> Note:
    """The log note that names the players who are away or have resigned."""
    people = {str(seat.number): seat.shown_name for seat in game.seats.select_related("user")}
    away, resigned = (
        ", ".join(people[number] for number, why in sorted(game.keepers.items()) if why == keeper)
        for keeper in (Keeper.AWAY, Keeper.RESIGNED)
    )
    only_one = Sentence.ALL_AWAY if away else Sentence.ALL_RESIGNED
    return (Sentence.AWAY_OR_RESIGNED if away and resigned else only_one)(away=away, resigned=resigned)
