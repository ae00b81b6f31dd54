"""Numbers that change with what a list of games shows: a page that is left open asks for them and fetches its list only
when they differ."""

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
    """For the lobby: the reader's games and own seats, who invited them, and the games that look for players."""
    seats = own_seats(user.pk).filter(game__status__in=UNDER_WAY, game__lesson="")
    lent = Proxy.objects.filter(owner=user, ended_at=None)
    games = Game.objects.filter(Q(pk__in=seats.values("game")) | Q(pk__in=lent.values("game")))
    room = Game.objects.filter(status=Status.WAITING, is_open=True)
    invited = open_invitations().filter(user=user)
    counts = [_changes(games), _changes(seats), _changes(room), (invited.count(),)]
    return "-".join(str(number) for numbers in counts for number in numbers)


def version_of_list(user: User, asked: Asked) -> str:
    """For a list of the site's games."""
    return "-".join(str(number) for number in _changes(games_of(user, asked)))


def _changes(rows: QuerySet[Any]) -> tuple[int, int]:
    """How many there are, and how often they have changed; versions never fall."""
    told = rows.order_by().aggregate(count=Count("pk"), changes=Sum("version"))
    return told["count"], told["changes"] or 0
