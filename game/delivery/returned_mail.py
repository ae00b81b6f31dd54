"""Tell owners of bounced addresses through the remaining channels: browsers and webhooks."""

from __future__ import annotations

from django.db.models import F

from accounts.mail import bounce_of
from accounts.models import Bounce, User
from game.outbox import recording
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Notice

OVER = (Status.FINISHED, Status.ABANDONED)


def tell(bounce: Bounce) -> None:
    """Notify once, in the game with the earliest deadline. People without games miss nothing, and read about it on
    their pages."""
    for user in User.objects.filter(email__iexact=bounce.address, is_active=True):
        seats = Seat.objects.filter(user=user, bot="", game__lesson="").exclude(game__status__in=OVER)
        seats = seats.exclude(keeper=Keeper.RESIGNED).order_by(F("game__deadline_at").asc(nulls_last=True), "pk")
        if (seat := seats.first()) is not None:
            game = Game.objects.on_the_clock().get(pk=seat.game_id)
            people = [(seat, user.pk)]
            recording.notify(game=game, people=people, kind=Notice.Kind.BOUNCED, serial=bounce.pk, due_at=game.now)


def is_still_so(notice: Notice) -> bool:
    """Whether it is still the reader's address and no mail goes there."""
    bounce = bounce_of(notice.user)
    return bounce is not None and bounce.pk == notice.serial
