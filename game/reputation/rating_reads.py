"""Ratings for display: a whole number with its spread, and its history by game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse

from accounts.models import User
from game.engine.language import apart, say
from game.engine.phrases import thousands
from game.reputation.models import MU, RatedResult, Rating
from game.rulesets.registry import RULESETS, listed_rules
from game.store.badges import SeatBadge, Seated
from game.store.game import Game, Status

MIDDLE, SCALE = 1500, 24
"""Points of a person without results, and points for one unit of the method."""
MINUS = "\N{MINUS SIGN}"
PROVISIONAL_BELOW = 5  # games
MOST_POINTS = 100  # results that a chart shows


class RatingPoints(msgspec.Struct, frozen=True):
    """A rating in points: with a probability of two thirds the true strength is within `spread` of `rating`.

    It is provisional until enough games were counted."""

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
        """The spread in words: the range of the true strength with a probability of two thirds."""
        least, most = thousands(self.rating - self.spread), thousands(self.rating + self.spread)
        range_text = say("probably between {least} and {most}", least=least, most=most)
        return say("{range}, provisional", range=range_text) if self.is_provisional else range_text

    @property
    def text(self) -> str:
        """The rating, marked if it is provisional."""
        return say("{rating}, provisional", rating=self.words) if self.is_provisional else self.words


class Standing(NamedTuple):
    """Somebody's rating on one ladder and its history, with the numbers of their rated games; newest last."""

    key: str
    ladder: str
    title: str
    points: RatingPoints
    numbers: Sequence[int]
    course: Sequence[int]

    @property
    def url(self) -> str:
        """Its leaderboard."""
        return leaderboard_url(self.key, self.ladder)


class SeatRating(NamedTuple):
    """The rating of a seat's player; for a counted game, the rating after it and the change."""

    points: RatingPoints
    change: int | None = None

    @property
    def change_words(self) -> str:
        """`+24`, or with a minus sign."""
        if not self.change:
            return "±0"
        return f"{'+' if self.change > 0 else MINUS}{thousands(abs(self.change))}"


def points(mu: float) -> int:
    """A level of the method in points."""
    return round(MIDDLE + SCALE * (mu - MU))


def rating_points(mu: float, sigma: float, games: int) -> RatingPoints:
    """A rating in the form shown to users."""
    return RatingPoints(points(mu), round(SCALE * sigma), games, games < PROVISIONAL_BELOW)


def title_of(ruleset: str, ladder: str) -> str:
    """The title of a ladder with its game's: `Stocks, Expert`."""
    rules = listed_rules(ruleset)
    title = rules.ladders.get(ladder)
    return say("{game}, {ladder}", game=say(rules.title), ladder=say(title)) if title else say(rules.title)


def leaderboard_url(ruleset: str, ladder: str) -> str:
    """The URL of a ladder's leaderboard."""
    return reverse("ladder", args=[ruleset, ladder]) if ladder else reverse("leaderboard", args=[ruleset])


def ratings_for(game: Game, people: Collection[int]) -> Mapping[int, RatingPoints]:
    """Ratings of these people on a game's ladder, by person: one query, or none without people."""
    if not people:
        return {}
    rows = Rating.objects.filter(ruleset=game.ruleset, ladder=game.ladder, user__in=people, games__gt=0)
    ratings = rows.values_list("user_id", "mu", "sigma", "games")
    return {user: rating_points(mu, sigma, count) for user, mu, sigma, count in ratings if user is not None}


Scale = tuple[str, str]
"""A ruleset and one of its ladders."""


def scale_of(game: Game) -> Scale:
    """The ladder on which a game is rated."""
    return game.ruleset, game.ladder


def ratings_in(games: Collection[tuple[Scale, int]]) -> Mapping[tuple[Scale, int], RatingPoints]:
    """Ratings by scale and person: one query, or none without games."""
    if not games:
        return {}
    rows = Rating.objects.filter(
        ruleset__in={ruleset for (ruleset, _), _ in games}, user__in={user for _, user in games}, games__gt=0
    )
    ratings = rows.values_list("ruleset", "ladder", "user_id", "mu", "sigma", "games")
    return {
        ((key, ladder), user): rating_points(mu, sigma, count)
        for key, ladder, user, mu, sigma, count in ratings
        if user is not None
    }


def ratings_of_seats(game: Game, seats: Iterable[Seated]) -> Mapping[int, SeatRating]:
    """Ratings of a rated game's players by seat: one query, or none if it is not rated."""
    if not game.is_rated:
        return {}
    if game.status == Status.FINISHED:
        return _changes_of(game)
    people = {seat.user_id: seat.number for seat in seats if seat.user_id is not None and not seat.bot}
    return {people[user]: SeatRating(each) for user, each in ratings_for(game, people).items()}


def with_ratings(places: tuple[SeatBadge, ...], ratings: Mapping[int, SeatRating]) -> tuple[SeatBadge, ...]:
    """The seats, each with its player's rating."""
    if not ratings:
        return places
    texts = {number: rating.points.words for number, rating in ratings.items()}
    return tuple(msgspec.structs.replace(place, rating=texts.get(place.number, "")) for place in places)


def _changes_of(game: Game) -> Mapping[int, SeatRating]:
    """The rating changes from a finished game, for those who kept their seats to its end."""
    earlier: QuerySet[RatedResult] = RatedResult.objects.filter(
        Q(at__lt=OuterRef("at")) | Q(at=OuterRef("at"), game_id__lt=OuterRef("game_id")),
        rating_id=OuterRef("rating_id"),
    )
    before = Subquery(earlier.order_by("-at", "-game_id").values("mu")[:1])
    count = Subquery(earlier.order_by().values("rating_id").annotate(n=Count("pk")).values("n"))
    rows = RatedResult.objects.filter(game=game, has_left=False).annotate(before=before, count=count)
    return {
        number: SeatRating(
            rating_points(mu, sigma, (count or 0) + 1), points(mu) - points(MU if before is None else before)
        )
        for number, mu, sigma, before, count in rows.values_list("number", "mu", "sigma", "before", "count")
    }


def rating_texts_at(games: Collection[Game]) -> Mapping[int, str]:
    """`Ada 1,512 ± 180, Ben 1,430 ± 190` for each of these games: one query, or none without games."""
    if not games:
        return {}
    ladders = {game.pk: game.ladder for game in games}
    rows = Rating.objects.filter(user__seats__game__in=ladders, ruleset=F("user__seats__game__ruleset"), games__gt=0)
    ratings = rows.order_by("user__seats__game", "user__seats__number").values_list(
        "user__seats__game", "ladder", "user__username", "mu", "sigma", "games"
    )
    texts_by_game: dict[int, list[str]] = defaultdict(list)
    for game, ladder, name, mu, sigma, count in ratings:
        if ladder == ladders[game]:
            texts_by_game[game].append(f"{apart(name)} {rating_points(mu, sigma, count).words}")
    return {game: ", ".join(each) for game, each in texts_by_game.items()}


def standings_of(user: User) -> list[Standing]:
    """Somebody's ratings with their history: two queries for any number of games."""
    rows = {(row.ruleset, row.ladder): row for row in Rating.objects.filter(user=user, games__gt=0)}
    results = RatedResult.objects.filter(rating__in=[row.pk for row in rows.values()]).order_by("-at", "-game_id")
    courses: dict[int, list[int]] = {row.pk: [] for row in rows.values()}
    if rows:
        for rating, mu in results.values_list("rating_id", "mu")[: MOST_POINTS * len(rows)]:
            courses[rating].append(points(mu))
    return [
        _standing(rows[key, ladder], courses[rows[key, ladder].pk][:MOST_POINTS][::-1])
        for key, rules in RULESETS.items()
        for ladder in rules.ladders
        if (key, ladder) in rows
    ]


def _standing(row: Rating, course: Sequence[int]) -> Standing:
    numbers = range(row.games - len(course) + 1, row.games + 1)
    title = title_of(row.ruleset, row.ladder)
    return Standing(row.ruleset, row.ladder, title, rating_points(row.mu, row.sigma, row.games), numbers, course)
