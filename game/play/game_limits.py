"""Limits on the number of unfinished games of an account, checked before it joins or opens one."""

from __future__ import annotations

from django.db.models import Q

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.play import authority
from game.reputation import bans
from game.store.game import Game, Keeper, Status

BOTS_ALONE = mark("As a guest you play against bots only. Sign up to play with other people; your games stay yours.")


UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)


def check_limits(user: User, *, opens_table: bool = False) -> None:
    """Limit how many games one account has, and check that it may join. Raises `Refused`."""
    authority.hold(user)  # two requests at once are counted one after the other
    authority.check_is_free(user)
    bans.check_may_join(user)
    most = limits.most_of("guest_games" if user.is_guest else "games")
    if Game.objects.filter(_takes_part(user), lesson="", status__in=UNFINISHED).distinct().count() >= most:
        way_out = "Finish one, or sign up and play more." if user.is_guest else "Finish or cancel one first."
        raise Refused(
            "You already host {most} unfinished games, the maximum. {way_out}",
            most=most,
            way_out=way_out,
            code="too_many_games",
        )
    if opens_table:
        check_table_limit(user)


def check_table_limit(user: User) -> None:
    """Limit how many open games of one host wait for players. Raises `Refused`."""
    most = limits.most_of("open_tables")
    if Game.objects.filter(host=user, is_open=True, status=Status.WAITING).count() >= most:
        raise Refused(
            "You already host {most} open games that wait for players, the maximum. Start or cancel one first.",
            most=most,
            code="too_many_open_games",
        )


def _takes_part(user: User) -> Q:
    """Games that the user hosts and that have not started, or plays in and has not resigned from."""
    return Q(host=user, status=Status.WAITING) | Q(seats__user=user, seats__keeper__in=["", Keeper.AWAY])
