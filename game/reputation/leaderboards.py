"""Leaderboards: the people of one ruleset, ordered by the lower end of their rating."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from game.reputation.rating_models import RatedResult, Rating
from game.reputation.rating_reads import Shown, points, shown
from game.reputation.reliability import NOBODY, Reliability, reliability_of

PAGE = 25
LEAST_GAMES, RECENT = 3, timedelta(days=365)


class Ranked(NamedTuple):
    """A person on the board. `sure` is a lower bound of their strength, by which they are ranked."""

    rank: int
    user_id: int
    name: str
    shown: Shown
    sure: int
    reliability: Reliability
    last_at: datetime
    cursor: int


class Page(NamedTuple):
    """A page of a board, and how many people are on all of them."""

    rows: Sequence[Ranked]
    total: int


def page_of(*, ruleset: str, page: int) -> Page:
    """One page, counted from 1: three statements for any number of people."""
    board = _board(ruleset)
    first = (page - 1) * PAGE
    return Page(_ranked(board[first : first + PAGE], first), board.count())


def after(*, ruleset: str, cursor: int | None, limit: int) -> tuple[Sequence[Ranked], int | None]:
    """So many people after the one with that cursor, and the cursor of the next part. A person who played between two
    requests may be in both parts or in none."""
    board, first = _board(ruleset), 0
    last = Rating.objects.filter(pk=cursor, ruleset=ruleset).first() if cursor is not None else None
    if last is not None:
        ahead = Q(sure__gt=last.sure) | Q(sure=last.sure, pk__lte=last.pk)
        first = board.filter(ahead).count()
        board = board.exclude(ahead)
    rows = _ranked(board[: limit + 1], first)
    return rows[:limit], rows[limit - 1].cursor if len(rows) > limit else None


def _board(ruleset: str) -> QuerySet[Rating]:
    """People with some rated games within a year; closed accounts and bots are not there."""
    recent = RatedResult.objects.filter(rating=OuterRef("pk"), at__gt=timezone.now() - RECENT)
    counted = recent.order_by().values("rating").annotate(n=Count("pk")).values("n")
    people = Rating.objects.filter(ruleset=ruleset, user__is_active=True, user__is_bot=False, games__gte=LEAST_GAMES)
    return (
        people.annotate(recent=Coalesce(Subquery(counted), 0)).filter(recent__gte=LEAST_GAMES).order_by("-sure", "pk")
    )


def _ranked(board: QuerySet[Rating], first: int) -> list[Ranked]:
    columns = ("pk", "user_id", "mu", "sigma", "games", "sure", "last_at", F("user__username"))
    rows = list(board.values_list(*columns))
    kept = reliability_of([row[1] for row in rows])
    return [
        Ranked(first + at, user, name, shown(mu, sigma, games), points(sure), kept.get(user, NOBODY), last_at, pk)
        for at, (pk, user, mu, sigma, games, sure, last_at, name) in enumerate(rows, 1)
    ]
