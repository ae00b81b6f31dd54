"""Versions of the lists of games: an open page polls them and reloads its list only when they change."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from game.lobby.browse import Asked, games_of
from game.lobby.queries import UNDER_WAY
from game.store.eyes import open_invitations, own_seats
from game.store.game import Game, Status
from game.store.stand_in_models import Proxy


def version_of_lobby(user: User) -> str:
    """The lobby's version: the reader's games and seats, their invitations, and the games that look for players."""
    seats = own_seats(user.pk).filter(game__status__in=UNDER_WAY, game__lesson="")
    stand_ins = Proxy.objects.filter(owner=user, ended_at=None)
    games = Game.objects.filter(Q(pk__in=seats.values("game")) | Q(pk__in=stand_ins.values("game")))
    open_games = Game.objects.filter(status=Status.WAITING, is_open=True)
    invitations = open_invitations().filter(user=user)
    counts = [_changes(games), _changes(seats), _changes(open_games), (invitations.count(),)]
    return "-".join(str(number) for numbers in counts for number in numbers)


def version_of_list(user: User, asked: Asked) -> str:
    """The version of a list of the site's games."""
    return "-".join(str(number) for number in _changes(games_of(user, asked)))


def _changes(rows: QuerySet[Any]) -> tuple[int, int]:
    """The number of rows and the sum of their versions, which never fall."""
    totals = rows.order_by().aggregate(count=Count("pk"), changes=Sum("version"))
    return totals["count"], totals["changes"] or 0
