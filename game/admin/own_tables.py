"""Rows about games that a moderator has no part in: whoever plays or played there decides and reads nothing of it."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.models import Proxy, Seat, Sitting


def not_of(moderator: User, game: str) -> Q:
    """The condition on rows whose game is in the field `game`."""
    own = [model.objects.filter(user=moderator).order_by().values("game") for model in (Seat, Sitting, Proxy)]
    seats, sittings, proxies = (~Q(**{f"{game}__in": games}) for games in own)
    return seats & sittings & proxies
