"""Reliability: how many of their decisions people make in time, and what a table may ask of those who join.

What an outage explains, a vacation, and a decision that somebody left to a draft counts for nobody's fault; see
`services.attendance`, which counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.conf import settings
from django.db.models import Sum

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import count, mark
from game.models import Game, Keeper, Pace, Seat, Sitting, Status

KNOWN_FROM = 20  # decisions; below, one miss would say more of somebody than it should
CHOICES = (0, 80, 90, 95)  # percent that a host may ask for
UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)
TOO_LOW = mark(
    "This game asks for a reliability of {least}%. Yours is {percent}%: {made} of {asked} decisions in time. Each "
    "decision that you make in time in other games raises it."
)
UNKNOWN = mark(
    "This game asks for a reliability of {least}% and newcomers cannot join it. Yours is known after {known} "
    "decisions; you have had {asked}. Play another game first."
)


class Reliability(NamedTuple):
    """Decisions that were somebody's: those made in time, and all of them."""

    made: int = 0
    asked: int = 0

    @property
    def percent(self) -> int:
        """Rounded down: 100 only where none was missed, and where nothing was asked."""
        return self.made * 100 // self.asked if self.asked else 100

    @property
    def is_known(self) -> bool:
        """Whether there is enough to go by."""
        return self.asked >= KNOWN_FROM


NOBODY = Reliability()


def reliability_of(people: Collection[int]) -> Mapping[int, Reliability]:
    """Of their open games, by person: one statement. Who never had to decide there is not in it.

    Games by invitation count for nobody's reliability: strangers know nothing of them, and friends could fill them."""
    open_games = Sitting.objects.filter(user__in=people, game__is_open=True, game__lesson="")
    sums = open_games.values("user_id").order_by()
    rows = sums.annotate(made=Sum("decisions"), missed=Sum("missed")).values_list("user_id", "made", "missed")
    return {user: Reliability(made, made + missed) for user, made, missed in rows if made + missed}


def check_reliability(*, game: Game, user: User) -> None:
    """Raises `Refused` with the rule and the numbers where somebody is less reliable than the table asks for."""
    if not game.least_reliability:
        return
    own = reliability_of([user.pk]).get(user.pk, NOBODY)
    if not own.is_known:
        if game.welcomes_newcomers:
            return
        raise Refused(UNKNOWN, code="reliability", least=game.least_reliability, known=KNOWN_FROM, asked=own.asked)
    if own.percent < game.least_reliability:
        raise Refused(
            TOO_LOW,
            code="reliability",
            least=game.least_reliability,
            percent=own.percent,
            made=own.made,
            asked=own.asked,
        )


def may_sit_down(user: User) -> bool:
    """Whether somebody has not reached the limit of newcomers."""
    try:
        check_newcomer(user)
    except Refused:
        return False
    return True


def check_newcomer(user: User) -> None:
    """Who has not yet shown that they stay sits at few tables at once where others wait for them. Raises `Refused`."""
    most = settings.NEWCOMER_TABLES
    seats = Seat.objects.filter(user=user, game__lesson="", bot="").exclude(keeper=Keeper.RESIGNED)
    rows = list(seats.values_list("game__status", "game__pace", "game__seats_wanted", "game__bots"))
    timed = [
        status in UNFINISHED for status, pace, size, bots in rows if pace != Pace.NO_CLOCK and size - len(bots) > 1
    ]
    if sum(timed) < most or user.is_bot:
        return
    has_finished = any(status == Status.FINISHED for status, _, size, bots in rows if size - len(bots) > 1)
    if has_finished or reliability_of([user.pk]).get(user.pk, NOBODY).is_known:
        return
    raise Refused(
        "As a newcomer you can play {most} at once. The limit ends with your first finished game, or after {known} "
        "decisions.",
        code="newcomer",
        most=count("{n} game with other people", "{n} games with other people", most),
        known=KNOWN_FROM,
    )


def check_demand(least: int) -> None:
    """Whether a host may ask for so much. Raises `Refused`."""
    if least not in CHOICES:
        choices = ", ".join(f"{percent}%" for percent in CHOICES)
        raise Refused(
            "A game can ask for a reliability of {choices}, not of {least}%.",
            code="unknown_option_value",
            field="least_reliability",
            choices=choices,
            least=least,
        )
