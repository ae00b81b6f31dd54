"""A player who needs longer: once per phase and seat, half of the phase's length on top, and twice its length in all at
most."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from game import remarks
from game.engine.actions import Refused
from game.models import Game, Kind, Pace
from game.phase_clock import read_clock
from game.services import clocks, moves, push, standing
from game.services.attendance import KEPT

MOST = timedelta(days=1)
SAVED = ("deadline_at", "clock", "version", "entries")


@transaction.atomic
def extend(*, game_id: int, user: User, serial: int) -> None:
    """Give the open phase more time, for everybody. A second time in the same phase changes nothing. Raises
    `Refused`."""
    game = moves.lock_running(game_id)
    seat = game.seats.select_related("user").filter(user=user).first()
    if seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    if seat.keeper:
        raise Refused(KEPT, code="caretaker_plays")
    if game.phase_serial != serial:
        raise Refused("That phase has closed. The current phase is shown below.", code="phase_closed")
    clock, more = read_clock(game.clock), length_of(game)
    if seat.number in clock.extended:
        return
    if game.deadline_at is None or not more:
        raise Refused("This phase cannot be given more time.", code="cannot_extend")
    if game.deadline_at <= game.now:
        raise Refused("The deadline has passed, so this phase cannot be given more time.", code="too_late")
    if seat.number not in game.waiting_seats:
        raise Refused(
            "You have no decision to make in this phase, so you need no more time for it.", code="nothing_to_decide"
        )
    if is_full(game):
        raise Refused("This phase has been extended by as much as it can be.", code="extended_enough")
    clocks.extend(game, seat.number, more)
    note = remarks.TOOK_MORE_TIME.format(name=seat.shown_name, more=clocks.in_words(more))
    clocks.note_on_log(game=game, kind=Kind.PAUSE, seat=seat.number, note=note)
    game.save(update_fields=SAVED)
    standing.tell_of_moves([game])
    push.tell_game(game.pk, game.version)


def length_of(game: Game) -> timedelta:
    """By how much one player extends the open phase; nothing in live games and while results are shown."""
    length = clocks.length_of(game)
    if not length or game.pace == Pace.LIVE:
        return timedelta()
    return min(length / 2, MOST)


def is_full(game: Game) -> bool:
    """Whether the open phase has been extended by its whole length."""
    return timedelta(seconds=read_clock(game.clock).extra) + length_of(game) > (clocks.length_of(game) or timedelta())
