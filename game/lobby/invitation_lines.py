"""The notice of an invitation by name. It contains nothing written by the host, not even the game's name: the two may
not know each other."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from game.deadlines.paces import words_of
from game.outbox import recording
from game.store.game import Game
from game.store.log import Notice
from game.store.readers import host_of

GRACE = timedelta(seconds=30)  # time for a host to withdraw a wrong name before anybody is notified


class Terms(NamedTuple):
    """The game to which somebody is invited."""

    host: str
    title: str
    pace: str
    taken: int
    size: int
    turn: int  # 0 before it begins
    is_rated: bool
    least_reliability: int
    answer_url: str


def tell(game: Game, user_id: int) -> None:
    """Notify a user of an invitation, at any pace; only once, even if the host withdraws it and invites them again."""
    if not _invitation_notices(game, user_id).exists():
        people = [(game.seats.order_by("number")[0], user_id)]
        recording.notify(game=game, people=people, kind=Notice.Kind.INVITED, serial=user_id, due_at=game.now + GRACE)


def forget(game: Game, user_id: int) -> None:
    """Delete the unsent notices of a withdrawn invitation."""
    _invitation_notices(game, user_id).filter(handed_at=None).delete()


def terms_for(notice: Notice) -> Terms:
    """The content of an invitation's notice."""
    game = notice.game
    words = words_of(game.rules.flow(game.read_options()), game.pace, game.read_timing())
    return Terms(
        host=host_of(game),
        title=game.rules.title,
        pace=f"{words.title}, {words.clock}",
        taken=game.seats.filter(keeper="").count(),
        turn=game.turn if game.has_position else 0,
        size=game.seats_wanted,
        is_rated=game.is_rated,
        least_reliability=game.least_reliability,
        answer_url=settings.SITE_URL + reverse("invitations"),
    )


def _invitation_notices(game: Game, user_id: int) -> QuerySet[Notice]:
    return Notice.objects.filter(game=game, kind=Notice.Kind.INVITED, user=user_id)
