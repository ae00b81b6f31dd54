"""Rows about games that a moderator has no part in: whoever plays or played there decides and reads nothing of it."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.models import Seat, Sitting


def not_of(moderator: User, game: str) -> Q:
    """The condition on rows whose game is in the field `game`."""
    seats = Seat.objects.filter(user=moderator).values("game")
    sittings = Sitting.objects.filter(user=moderator).values("game")
    return ~Q(**{f"{game}__in": seats}) & ~Q(**{f"{game}__in": sittings})
