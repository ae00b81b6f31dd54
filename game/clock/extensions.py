"""More time for a player who needs it: once per phase and seat, half of the phase's length; together at most that
length. In games with fixed closing times the phase then lasts to the first of them after that."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from game.deadlines.paces import timing_words
from game.deadlines.phase_clock import read_clock
from game.engine.actions import Refused
from game.play import clocks, door, moves
from game.play.attendance import CARETAKER_PLAYS
from game.play.late import length_words
from game.store import account_locks, log_notes
from game.store.game import Game, Pace
from game.store.log import Kind
from game.store.log_notes import Note, Sentence

LONGEST_EXTENSION = timedelta(days=1)


@transaction.atomic
def extend(*, game_id: int, user: User, serial: int) -> None:
    """Give the open phase more time, for everybody; once for each seat. Idempotent. Raises `Refused`."""
    game = moves.lock_running(game_id)
    seat = game.seats.select_related("user").filter(user=user).first()
    if seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    account_locks.lock_free_account(user)
    if seat.keeper:
        raise Refused(CARETAKER_PLAYS, code="caretaker_plays")
    if game.phase_serial != serial:
        raise Refused("That phase has closed, so it was given no more time.", code="phase_closed")
    clock, more = read_clock(game.clock), extension_of(game)
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
    if is_extended_fully(game):
        raise Refused("This phase cannot be extended any further.", code="extended_enough")
    _check_deadline_moves(game, seat.number)
    clocks.extend(game, seat.number, more)
    note = _extension_note(game, seat.shown_name, more)
    door.write_note(game=game, kind=Kind.PAUSE, seat=seat.number, note=note)


def extension_of(game: Game) -> timedelta:
    """The time by which one player extends the open phase; zero in live games and while results are shown."""
    length = clocks.length_of(game)
    if not length or game.pace == Pace.LIVE:
        return timedelta()
    return min(length / 2, LONGEST_EXTENSION)


def is_extended_fully(game: Game) -> bool:
    """True if players have extended the open phase by its whole length."""
    times = len(read_clock(game.clock).extended) + 1
    return times * extension_of(game) > (clocks.length_of(game) or timedelta())


def fixed_end(game: Game, seat: int) -> datetime | None:
    """The new deadline if this seat took more time, in a running game with fixed closing times."""
    return clocks.extended(game, seat, extension_of(game))[1] if game.read_timing().fixed else None


def _check_deadline_moves(game: Game, seat: int) -> None:
    """Raises `Refused` if the next fixed closing time would stay the same."""
    until = fixed_end(game, seat)
    if until is not None and until == game.deadline_at:
        times = timing_words(game.read_timing(), is_in_turns=False, has_votes=False)
        raise Refused(
            "Phases of this game close {times}. {more} more would change nothing: this phase would still close on "
            "{until}.",
            code="nothing_changes",
            times=times,
            more=length_words(extension_of(game)),
            until=log_notes.instant_words(until),
        )


def _extension_note(game: Game, name: str, more: timedelta) -> Note:
    """The log note about a phase that was just extended."""
    if game.deadline_at is None or game.read_timing().fixed is None:
        return Sentence.TOOK_MORE_TIME(name=name, more=more)
    return Sentence.TOOK_TIME_UNTIL(name=name, until=game.deadline_at)
