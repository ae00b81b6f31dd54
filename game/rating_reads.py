"""Ratings as people read them: a whole number with its spread, and the course of it, game by game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from accounts.models import User
from game.engine.language import say
from game.engine.phrases import thousands
from game.models import RatedResult, Rating
from game.models.ratings import MU
from game.rulesets.registry import RULESETS

MIDDLE, SCALE = 1500, 24
"""What a person without a result is shown as, and how many points one unit of the method is."""
PROVISIONAL_BELOW = 5  # games
MOST_POINTS = 100  # results that a chart shows


class Shown(msgspec.Struct, frozen=True):
    """A rating in points: in two of three cases the true strength is within `spread` of `rating`.

    It is provisional until some games have been counted."""

    rating: int
    spread: int
    games: int
    is_provisional: bool

    @property
    def words(self) -> str:
        """`1,512 ± 180`, on one line."""
        return f"{thousands(self.rating)}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{thousands(self.spread)}"

    @property
    def said(self) -> str:
        """The same, with a word where it is provisional."""
        return say("{rating}, provisional", rating=self.words) if self.is_provisional else self.words


class Standing(NamedTuple):
    """Somebody at one ruleset: the rating and its course, by the numbers of their rated games, the newest last."""

    key: str
    title: str
    shown: Shown
    numbers: Sequence[int]
    course: Sequence[int]


def points(mu: float) -> int:
    """A level of the method in points."""
    return round(MIDDLE + SCALE * (mu - MU))


def shown(mu: float, sigma: float, games: int) -> Shown:
    """A rating as it is shown."""
    return Shown(points(mu), round(SCALE * sigma), games, games < PROVISIONAL_BELOW)


def ratings_at(ruleset: str, people: Collection[int]) -> Mapping[int, Shown]:
    """The ratings of some people at one ruleset, by person: one statement, none where nobody is asked for."""
    if not people:
        return {}
    rows = Rating.objects.filter(ruleset=ruleset, user__in=people, games__gt=0)
    found = rows.values_list("user_id", "mu", "sigma", "games")
    return {user: shown(mu, sigma, count) for user, mu, sigma, count in found if user is not None}


def ratings_in(games: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Shown]:
    """The ratings of people at the rulesets that they sit at, by ruleset and person: one statement."""
    if not games:
        return {}
    rows = Rating.objects.filter(
        ruleset__in={ruleset for ruleset, _ in games}, user__in={user for _, user in games}, games__gt=0
    )
    found = rows.values_list("ruleset", "user_id", "mu", "sigma", "games")
    return {(key, user): shown(mu, sigma, count) for key, user, mu, sigma, count in found if user is not None}


def standings_of(user: User) -> list[Standing]:
    """Somebody's ratings with their courses: two statements for any number of games."""
    rows = {row.ruleset: row for row in Rating.objects.filter(user=user, games__gt=0)}
    results = RatedResult.objects.filter(rating__in=[row.pk for row in rows.values()]).order_by("-at", "-game_id")
    courses: dict[int, list[int]] = {row.pk: [] for row in rows.values()}
    if rows:
        for rating, mu in results.values_list("rating_id", "mu")[: MOST_POINTS * len(rows)]:
            courses[rating].append(points(mu))
    return [
        _standing(key, rules.title, rows[key], courses[rows[key].pk][:MOST_POINTS][::-1])
        for key, rules in RULESETS.items()
        if key in rows
    ]


def _standing(key: str, title: str, row: Rating, course: Sequence[int]) -> Standing:
    numbers = range(row.games - len(course) + 1, row.games + 1)
    return Standing(key, title, shown(row.mu, row.sigma, row.games), numbers, course)
