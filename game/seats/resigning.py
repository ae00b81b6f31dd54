"""Resigning: the caretaker plays the seat at once, and it is placed below all others unless another player takes it
over. (P-16)"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from accounts.models import User
from game.deadlines.reliability_model import RESIGNING, weight_of
from game.engine.actions import Refused
from game.play import moves, not_running
from game.seats import handover
from game.seats.voters import PLAYED, present_seats
from game.store import log_notes
from game.store.game import Game, Keeper, Status
from game.store.tenure_models import Sitting


@transaction.atomic
def resign(*, game_id: int, user: User) -> None:
    """Resign one's seat; a second call changes nothing. Raises `Refused`."""
    game = moves.lock(game_id)
    seat = game.seats.select_related("user").filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    if seat.keeper == Keeper.RESIGNED:
        return
    check_may_resign(game, user)
    note = log_notes.RESIGNED.format(name=seat.shown_name)
    if game.is_open and any(number != seat.number for number in present_seats(game)):
        # Leaving an open game that others continue weighs like some missed decisions, without being one.
        weight = F("missed_weight") + RESIGNING * weight_of(game.now.date())
        Sitting.objects.filter(game=game, number=seat.number, ended_at=None).update(missed_weight=weight)
    handover.give_up(game=game, seat=seat, user_id=user.pk, note=note, end=Sitting.End.RESIGNED)


def check_may_resign(game: Game, user: User) -> None:
    """Check that this person may resign in this game. Raises `Refused`."""
    if game.status == Status.WAITING:
        raise Refused("This game has not started yet. You can leave it from its page.", code="not_started")
    if game.status not in PLAYED:
        raise Refused(not_running.reason_of(game), code="not_running")
    if game.seat_stood_in_by(user.pk) is not None:
        raise Refused(
            "You play this seat for its player. Give it back instead: only they can resign.", code="not_yours"
        )
