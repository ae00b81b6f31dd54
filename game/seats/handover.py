"""What changes when a seat is resigned or goes to another person: its sealed submissions become void, and open pages of
its previous player stop showing it at once. A game without any remaining player ends without places."""

from __future__ import annotations

from typing import Any

from game.engine import progress
from game.live import announce
from game.outbox import notices
from game.play import attendance, clocks, door, moves, proposals, tenures
from game.reputation import households
from game.store import eyes
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Draft, Kind, Notice
from game.store.log_notes import Note, Sentence
from game.store.readers import note_bots
from game.store.seat_models import Tenure


def change_hands(*, game: Game, seat: Seat, user_id: int | None, note: Note, end: Tenure.End) -> None:
    """Give a seat of a locked game to another person, starting with the open phase, and notify the players. A game that
    was paused because no player was present resumes. Raises `Refused` if the person shares a home with others in a
    rated game, or if the position is damaged."""
    if seat.user_id is not None:
        households.check_seat(game=game, user_id=seat.user_id)
    if seat.keeper != Keeper.RESIGNED:  # in that case the link has been replaced already
        _renew_link(game)
    seat.keeper, seat.left_at = "", None
    seat.seen_version, seat.seen_at, seat.away_version, seat.away_at = game.version, None, None, None
    _save_seat(game, seat, end)
    change = moves.open_transaction(game)
    change.hand_over(seat.number, user_id=user_id, note=note)
    change.commit()
    game.seated_since = {**game.seated_since, str(seat.number): game.version}
    door.write(game)
    attendance.resume_if_attended(game=game)


def give_up(*, game: Game, seat: Seat, user_id: int | None, note: Note, end: Tenure.End) -> None:
    """Leave a seat of a locked game to the caretaker, and notify the table. Raises `Refused` if the position is
    damaged."""
    _renew_link(game)
    seat.keeper, seat.left_at = Keeper.RESIGNED, game.now
    _save_seat(game, seat, end)
    change = moves.open_transaction(game)
    change.resign(seat.number, user_id=user_id, note=note)
    change.commit()
    if not game.is_open and game.is_deserted and Keeper.AWAY not in game.keepers.values():
        abandon(game=game, note=Sentence.ALL_LEFT(), by=seat)
    attendance.pause_if_deserted(game=game)


def abandon(*, game: Game, note: Note, by: Seat) -> None:
    """End a locked game without places, and notify everybody but the player at seat `by`."""
    clocks.stop_clock(game=game, status=Status.ABANDONED)
    game.paused_left, game.deserted_at, game.finished_at = None, None, game.now
    game.proposals, game.pause, game.pause_ends_at = {}, {}, None
    tenures.return_all(game)
    eyes.forget_invitees(game)
    door.write_note(game=game, kind=Kind.ENDING, note=note)
    people = [(seat, seat.user_id or 0) for seat in game.seats.filter(user__isnull=False, bot="")]
    kind, is_mailed = Notice.Kind.FINISHED, game.pace != Pace.DEMO
    notices.notify(game=game, people=people, kind=kind, serial=game.phase_serial, is_mailed=is_mailed, but=by)


def may_be_voted_out(game: Game, seat: Any) -> bool:
    """True if the players may vote out this seat: the caretaker plays it, and the rules say what becomes of it. A lent
    seat returns to its player."""
    is_out = game.seat_states[seat.number : seat.number + 1] == [progress.OUT]
    has_left = bool(seat.keeper) and seat.left_at is not None and not game.has_stand_in(seat.number)
    return game.rules.may_vote_out and has_left and not is_out


def _renew_link(game: Game) -> None:
    """Replace the link of a game by invitation, so that a player who has lost a seat can let nobody in by the old
    one."""
    if not game.is_open:
        eyes.renew_link(game)


def _save_seat(game: Game, seat: Seat, end: Tenure.End) -> None:
    """Save the seat after its player changed or left; drop its draft and votes, and fit the clock. The caller saves the
    game."""
    seat.version += 1
    door.write(seat)
    old_availability = game.availability
    tenures.start_tenure(game=game, seat=seat, end=end)
    Draft.objects.filter(seat=seat).delete()
    proposals.forget_votes(game, seat.number)
    announce.seat_changed(game.pk, seat.number, game.version)
    note_bots(game)
    eyes.forget_unless_left(game)
    has_availability = bool(old_availability or game.availability)
    fit_clock(game, has_availability=has_availability, is_left=game.is_played_for(seat.number))


def fit_clock(game: Game, *, has_availability: bool, is_left: bool) -> None:
    """Adjust the clock after a change of players. With a second person the game needs a clock, so that neither waits
    forever; a person alone with bots needs none. Only a seat left to a bot or the caretaker can make the deadline
    earlier. The caller saves the game."""
    if not game.is_running:
        return
    if game.deadline_at is None:
        clocks.restart_clock(game)
    elif clocks.length_of(game) is None:
        game.deadline_at = None
    elif has_availability:
        clocks.follow(game, clocks.Because.GONE if is_left else clocks.Because.TIMES)
