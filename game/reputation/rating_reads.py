"""Ratings as people read them: a whole number with its spread, and the course of it, game by game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from game.engine.language import apart, say
from game.engine.phrases import thousands
from game.reputation.rating_models import MU, RatedResult, Rating
from game.rulesets.registry import RULESETS
from game.store.badges import SeatBadge, Seated
from game.store.game import Game, Status

MIDDLE, SCALE = 1500, 24
"""What a person without a result is shown as, and how many points one unit of the method is."""
MINUS = "\N{MINUS SIGN}"
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
    def range_words(self) -> str:
        """The spread in words: between which two numbers the true strength is in two of three cases."""
        least, most = thousands(self.rating - self.spread), thousands(self.rating + self.spread)
        told = say("probably between {least} and {most}", least=least, most=most)
        return say("{range}, provisional", range=told) if self.is_provisional else told

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


class SeatRating(NamedTuple):
    """The rating of who sits at a seat; of a game that was counted, as it left it, and by how much it changed it."""

    shown: Shown
    change: int | None = None

    @property
    def change_words(self) -> str:
        """`+24`, with a minus sign where it fell."""
        if not self.change:
            return "±0"
        return f"{'+' if self.change > 0 else MINUS}{thousands(abs(self.change))}"


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


def ratings_of_seats(game: Game, seats: Iterable[Seated]) -> Mapping[int, SeatRating]:
    """The ratings at the table of a rated game, by seat: one statement, and none for a game that is not rated."""
    if not game.is_rated:
        return {}
    if game.status == Status.FINISHED:
        return _changes_of(game)
    people = {seat.user_id: seat.number for seat in seats if seat.user_id is not None and not seat.bot}
    return {people[user]: SeatRating(each) for user, each in ratings_at(game.ruleset, people).items()}


def with_ratings(places: tuple[SeatBadge, ...], ratings: Mapping[int, SeatRating]) -> tuple[SeatBadge, ...]:
    """The same seats, each with the rating of who sits there."""
    if not ratings:
        return places
    told = {number: rating.shown.words for number, rating in ratings.items()}
    return tuple(msgspec.structs.replace(place, rating=told.get(place.number, "")) for place in places)


def _changes_of(game: Game) -> Mapping[int, SeatRating]:
    """What a game that is over did to those who had their seats to its end."""
    earlier: QuerySet[RatedResult] = RatedResult.objects.filter(
        Q(at__lt=OuterRef("at")) | Q(at=OuterRef("at"), game_id__lt=OuterRef("game_id")),
        rating_id=OuterRef("rating_id"),
    )
    before = Subquery(earlier.order_by("-at", "-game_id").values("mu")[:1])
    count = Subquery(earlier.order_by().values("rating_id").annotate(n=Count("pk")).values("n"))
    rows = RatedResult.objects.filter(game=game, has_left=False).annotate(before=before, count=count)
    return {
        number: SeatRating(shown(mu, sigma, (count or 0) + 1), points(mu) - points(MU if before is None else before))
        for number, mu, sigma, before, count in rows.values_list("number", "mu", "sigma", "before", "count")
    }


def ratings_told_at(games: Collection[int]) -> Mapping[int, str]:
    """`Ada 1,512 ± 180, Ben 1,430 ± 190` at each of these tables, by game: one statement, none for no game."""
    if not games:
        return {}
    rows = Rating.objects.filter(user__seats__game__in=games, ruleset=F("user__seats__game__ruleset"), games__gt=0)
    found = rows.order_by("user__seats__game", "user__seats__number").values_list(
        "user__seats__game", "user__username", "mu", "sigma", "games"
    )
    told: dict[int, list[str]] = defaultdict(list)
    for game, name, mu, sigma, count in found:
        told[game].append(f"{apart(name)} {shown(mu, sigma, count).words}")
    return {game: ", ".join(each) for game, each in told.items()}


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
