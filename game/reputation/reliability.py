"""Reliability: the share of decisions people make in time, and what a game may require of those who join. Misses during
long outages or a vacation do not count, and a decision left to a draft is not a miss. A lasting input is one decision,
in the phase of its submission; what it answers later is neither made nor missed. `attendance` counts, and
`game.deadlines.reliability_model` weighs the counts. Everything that shows or requires a reliability reads it here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from accounts.models import User
from game.deadlines import reliability_model
from game.deadlines.reliability_model import faded
from game.engine.actions import Refused
from game.engine.language import count, mark
from game.engine.phrases import decimal
from game.i18n import SHORT_DAY, date_words
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.seat_models import Tenure

KNOWN_FROM = 20  # decisions; with fewer, one miss would say too much about a person
CHOICES = (0, 80, 90, 95)  # percent that a host may require
COLUMNS = (
    "game_id", "game__name", "decisions", "missed", "excused", "missed_on", "made_weight", "missed_weight",
)  # fmt: skip
UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)
LEDGER = 50  # rows on one's own page
TOO_LOW = mark(
    "This game asks for a reliability of {least}%. Yours is {percent}%: {made} of {asked} decisions in time, and "
    "recent ones count more. Each decision that you make in time in other games raises it, and a miss counts half "
    "after {days} days."
)
UNKNOWN = mark(
    "This game asks for a reliability of {least}% and newcomers cannot join it. Yours is known after {known} "
    "decisions; you have had {asked}. Play another game first."
)


class Reliability(NamedTuple):
    """A person's decisions: those made in time, all of them, and today's weights of those made in time and those
    missed."""

    made: int = 0
    decisions: int = 0
    made_now: float = 0.0
    missed_now: float = 0.0

    @property
    def percent(self) -> int:
        """The expected share, rounded down."""
        return reliability_model.percent(reliability_model.share_of(self.made_now, self.missed_now))

    @property
    def range(self) -> tuple[int, int]:
        """The probable range in percent, both ends rounded down."""
        estimate = reliability_model.estimate(self.made_now, self.missed_now)
        return reliability_model.percent(estimate.least), reliability_model.percent(estimate.most)

    @property
    def weights(self) -> str:
        """Today's weights of decisions in time and of misses: `27.2 / 2.7`."""
        return _weights_text(self.made_now, self.missed_now)

    @property
    def is_known(self) -> bool:
        """True if there are enough decisions to show it."""
        return self.decisions >= KNOWN_FROM


class Line(NamedTuple):
    """One seat in somebody's ledger: its counts, and their weights today."""

    game: str
    url: str
    made: int
    missed: int
    excused: int
    missed_on: date | None
    made_now: float
    missed_now: float

    @property
    def weights(self) -> str:
        """Today's weights of decisions in time and of misses: `27.2 / 2.7`."""
        return _weights_text(self.made_now, self.missed_now)

    @property
    def last_missed(self) -> str:
        """`Tue 3 Nov 2026`, or nothing."""
        return "" if self.missed_on is None else date_words(self.missed_on, SHORT_DAY, has_year=True)


NOBODY = Reliability()


def reliability_of(people: Collection[int]) -> Mapping[int, Reliability]:
    """Reliability in open games, by person: one query. People who never had to decide there are missing.

    Games by invitation do not count: strangers know nothing of them, and friends could inflate them."""
    rows = _counted_tenures().filter(user__in=people).values("user_id").order_by()
    sums_of = (Sum("decisions"), Sum("missed"), Sum("made_weight"), Sum("missed_weight"))
    today = timezone.now().date()
    return {
        user: Reliability(made, made + missed, faded(made_weight, today), faded(missed_weight, today))
        for user, made, missed, made_weight, missed_weight in rows.values_list("user_id", *sums_of)
        if made + missed
    }


def ledger_of(user: User) -> Sequence[Line]:
    """The counts behind somebody's own reliability, newest seats first. One query."""
    today = timezone.now().date()
    rows = _counted_tenures().filter(Q(decisions__gt=0) | Q(missed__gt=0) | Q(excused__gt=0), user=user)
    return [
        Line(
            each.game.name, each.game.get_absolute_url(), each.decisions, each.missed, each.excused, each.missed_on,
            faded(each.made_weight, today), faded(each.missed_weight, today),
        )
        for each in rows.select_related("game").only(*COLUMNS).order_by("-pk")[:LEDGER]
    ]  # fmt: skip


def _weights_text(made_weight: float, missed_weight: float) -> str:
    return f"{decimal(made_weight)} / {decimal(missed_weight)}"


def _counted_tenures() -> QuerySet[Tenure]:
    return Tenure.objects.filter(game__is_open=True, game__lesson="")


def check_reliability(*, game: Game, user: User) -> None:
    """Raises `Refused` with the rule and the numbers if somebody is less reliable than the game requires."""
    if not game.least_reliability:
        return
    own = reliability_of([user.pk]).get(user.pk, NOBODY)
    if not own.is_known:
        if game.welcomes_newcomers:
            return
        raise Refused(UNKNOWN, code="reliability", least=game.least_reliability, known=KNOWN_FROM, asked=own.decisions)
    if own.percent < game.least_reliability:
        raise Refused(
            TOO_LOW,
            code="reliability",
            least=game.least_reliability,
            percent=own.percent,
            made=own.made,
            asked=own.decisions,
            days=reliability_model.HALF_LIFE,
        )


def may_sit_down(user: User) -> bool:
    """True if somebody has not reached the limit of newcomers."""
    try:
        check_newcomer(user)
    except Refused:
        return False
    return True


def check_newcomer(user: User) -> None:
    """Newcomers may play only a few games with other people at once. Raises `Refused`."""
    most_games = settings.NEWCOMER_TABLES
    seats = Seat.objects.filter(user=user, game__lesson="", bot="").exclude(keeper=Keeper.RESIGNED)
    rows = list(seats.values_list("game__status", "game__pace", "game__seats_wanted", "game__bots"))
    open_games = [
        status in UNFINISHED
        for status, pace, seat_count, bots in rows
        if pace != Pace.NO_CLOCK and seat_count - len(bots) > 1
    ]
    if sum(open_games) < most_games or user.is_bot:
        return
    has_finished = any(status == Status.FINISHED for status, _, seat_count, bots in rows if seat_count - len(bots) > 1)
    if has_finished or reliability_of([user.pk]).get(user.pk, NOBODY).is_known:
        return
    raise Refused(
        "As a newcomer you can play {most} at once. The limit ends with your first finished game, or after {known} "
        "decisions.",
        code="newcomer",
        most=count("{n} game with other people", "{n} games with other people", most_games),
        known=KNOWN_FROM,
    )


def check_demand(least: int) -> None:
    """Check that a host may require this percentage. Raises `Refused`."""
    if least not in CHOICES:
        choices = ", ".join(f"{percent}%" for percent in CHOICES)
        raise Refused(
            "A game can ask for a reliability of {choices}, not of {least}%.",
            code="unknown_option_value",
            field="least_reliability",
            choices=choices,
            least=least,
        )
