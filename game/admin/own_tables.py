"""Rows about games in which a moderator has no part. Moderators who play or played there, also by a bot of theirs or
through people they live with, decide and read nothing about it."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.models import Proxy, Seat, Sitting
from game.services.powers import near


def not_of(moderator: User, game: str) -> Q:
    """The condition on rows whose game is in the field `game`."""
    who = near(moderator)
    theirs = [model.objects.filter(who).order_by().values("game") for model in (Seat, Sitting, Proxy)]
    seats, sittings, proxies = (~Q(**{f"{game}__in": games}) for games in theirs)
    return seats & sittings & proxies
