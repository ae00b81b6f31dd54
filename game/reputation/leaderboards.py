"""Leaderboards: the players on one ladder of a ruleset, ordered by the lower bound of their rating."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from game.reputation.models import RatedResult, Rating
from game.reputation.rating_reads import RatingPoints, points, rating_points
from game.reputation.reliability import NOBODY, Reliability, reliability_of

PAGE = 25
LEAST_GAMES, RECENT = 3, timedelta(days=365)


class Ranked(NamedTuple):
    """A person on the board. `sure` is the lower bound of their rating, by which they are ranked."""

    rank: int
    user_id: int
    name: str
    points: RatingPoints
    sure: int
    reliability: Reliability
    last_at: datetime
    cursor: int


class Page(NamedTuple):
    """A page of a board, and the number of people on all pages."""

    rows: Sequence[Ranked]
    total: int


def page_of(*, ruleset: str, ladder: str, page: int) -> Page:
    """One page, counted from 1: three queries for any number of people."""
    board = _board(ruleset, ladder)
    first = (page - 1) * PAGE
    return Page(_rank_rows(board[first : first + PAGE], first), board.count())


def after(*, ruleset: str, ladder: str, cursor: int | None, limit: int) -> tuple[Sequence[Ranked], int | None]:
    """Up to `limit` people after the one with that cursor, and the cursor of the next part. Somebody who plays between
    two requests may be in both parts or in none."""
    board, first = _board(ruleset, ladder), 0
    last = Rating.objects.filter(pk=cursor, ruleset=ruleset, ladder=ladder).first() if cursor is not None else None
    if last is not None:
        up_to_cursor = Q(sure__gt=last.sure) | Q(sure=last.sure, pk__lte=last.pk)
        first = board.filter(up_to_cursor).count()
        board = board.exclude(up_to_cursor)
    rows = _rank_rows(board[: limit + 1], first)
    return rows[:limit], rows[limit - 1].cursor if len(rows) > limit else None


def _board(ruleset: str, ladder: str) -> QuerySet[Rating]:
    """People with enough rated games within a year, without closed accounts and bots."""
    recent = RatedResult.objects.filter(rating=OuterRef("pk"), at__gt=timezone.now() - RECENT)
    recent_count = recent.order_by().values("rating").annotate(n=Count("pk")).values("n")
    people = Rating.objects.filter(
        ruleset=ruleset, ladder=ladder, user__is_active=True, user__is_bot=False, games__gte=LEAST_GAMES
    )
    return (
        people.annotate(recent=Coalesce(Subquery(recent_count), 0))
        .filter(recent__gte=LEAST_GAMES)
        .order_by("-sure", "pk")
    )


def _rank_rows(board: QuerySet[Rating], first: int) -> list[Ranked]:
    columns = ("pk", "user_id", "mu", "sigma", "games", "sure", "last_at", F("user__username"))
    rows = list(board.values_list(*columns))
    reliabilities = reliability_of([row[1] for row in rows])
    return [
        Ranked(
            first + rank_on_page,
            user,
            name,
            rating_points(mu, sigma, games),
            points(sure),
            reliabilities.get(user, NOBODY),
            last_at,
            pk,
        )
        for rank_on_page, (pk, user, mu, sigma, games, sure, last_at, name) in enumerate(rows, 1)
    ]
