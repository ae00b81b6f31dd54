"""Ratings of people, by ruleset, after Plackett and Luce: each rated game is counted once, when it finishes. Everything
shown is computed from the results in the order in which their games finished: counting a game, taking one back and
counting all of them again are the same sum started at different places, so they give the same numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from openskill.models import PlackettLuce

from accounts.models import User
from game.reputation.rating_models import MU, SIGMA, RatedResult, Rating, RatingBook
from game.store.game import Game, Seat, Status
from game.store.tenure_models import Sitting

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)
LEAST_PEOPLE = 2


class Since(NamedTuple):
    """The first game of a sum, by when it finished."""

    at: datetime
    game_id: int


class _Level(NamedTuple):
    """What is known of one person at one moment."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    last_at: datetime | None = None


class _Ranked(NamedTuple):
    """A person who is rated for a seat: the one who had it at the start."""

    user_id: int
    number: int
    rank: int
    has_left: bool


@transaction.atomic
def settle(*, game: Game) -> None:
    """Count a rated game that has finished, and take back one that is no longer finished. Doing so twice changes
    nothing."""
    if not game.is_rated or game.lesson:
        return
    _lock_book(game.ruleset)
    counted = list(RatedResult.objects.filter(game=game))
    is_over = game.status == Status.FINISHED and game.finished_at is not None
    if bool(counted) == is_over:
        return
    if counted:
        RatedResult.objects.filter(game=game).delete()
        _sum_up(game.ruleset, Since(counted[0].at, game.pk), {result.rating_id for result in counted})
        return
    ranked = _ranked(game)
    if game.finished_at is not None and len(ranked) >= LEAST_PEOPLE:
        _note_results(game, ranked, game.finished_at)
        _sum_up(game.ruleset, Since(game.finished_at, game.pk), ())


@transaction.atomic
def recount(*, ruleset: str) -> int:
    """Work out all ratings of a ruleset from its results; how many games there were."""
    _lock_book(ruleset)
    everybody = Rating.objects.filter(ruleset=ruleset).values_list("pk", flat=True)
    return _sum_up(ruleset, None, everybody)


def _lock_book(ruleset: str) -> None:
    """Games that finish at the same time are counted one after the other."""
    RatingBook.objects.get_or_create(ruleset=ruleset)
    RatingBook.objects.select_for_update().get(ruleset=ruleset)


def people_of(game: Game) -> list[tuple[int, str]]:
    """Who would be rated for each seat of a game if it ended now, in words: a player who had it at the start and left
    comes out last."""
    ranked = _ranked(game)
    names = dict(User.objects.filter(pk__in=[each.user_id for each in ranked]).values_list("pk", "username"))
    last = " (has left: last place)"
    return [(each.number, f"{names.get(each.user_id, '')}{last if each.has_left else ''}") for each in ranked]


def _ranked(game: Game) -> list[_Ranked]:
    """Who is rated for this game, and how they came out: those who had a seat at the start. The player of the seat at
    the end has its place; all who left share the place below all others. Bots and substitutes are not rated, nor is an
    account that has been deleted."""
    sittings: dict[int, list[Sitting]] = defaultdict(list)
    for sitting in Sitting.objects.filter(game=game).order_by("began_at", "pk"):
        sittings[sitting.number].append(sitting)
    places = dict(Seat.objects.filter(game=game).values_list("number", "place"))
    last = len(places) + 1
    found = []
    for number, sat in sorted(sittings.items()):
        user_id, now = sat[0].user_id, sat[-1]
        if user_id is None:
            continue
        stayed = now.user_id == user_id and now.ended_at is None
        place = places.get(number) if stayed else None
        found.append(_Ranked(user_id, number, last if place is None else place, not stayed))
    return found


def _note_results(game: Game, ranked: Sequence[_Ranked], at: datetime) -> None:
    people = [each.user_id for each in ranked]
    Rating.objects.bulk_create((Rating(user_id=id_, ruleset=game.ruleset) for id_ in people), ignore_conflicts=True)
    known = dict(Rating.objects.filter(user__in=people, ruleset=game.ruleset).values_list("user_id", "pk"))
    RatedResult.objects.bulk_create(
        RatedResult(
            game=game, rating_id=known[each.user_id], number=each.number, rank=each.rank, has_left=each.has_left, at=at
        )
        for each in ranked
    )


def _sum_up(ruleset: str, since: Since | None, others: Iterable[int]) -> int:
    """Compute the results from one game on, and the ratings of everyone whom that concerns; returns how many games
    there were."""
    results = RatedResult.objects.filter(rating__ruleset=ruleset).order_by("at", "game_id", "number")
    later = list(results if since is None else results.exclude(_before(since)))
    concerned = {result.rating_id for result in later} | set(others)
    levels = {} if since is None else _levels_before(since, concerned)
    games = 0
    for _, group in groupby(later, key=lambda result: result.game_id):
        games += 1
        _rate(list(group), levels)
    RatedResult.objects.bulk_update(later, ["mu", "sigma"], batch_size=500)
    _write(levels, concerned)
    return games


def _before(since: Since) -> Q:
    return Q(at__lt=since.at) | Q(at=since.at, game_id__lt=since.game_id)


def _levels_before(since: Since, concerned: set[int]) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    earlier = RatedResult.objects.filter(_before(since), rating__in=concerned).order_by("at", "game_id")
    for rating, mu, sigma, at in earlier.values_list("rating_id", "mu", "sigma", "at"):
        levels[rating] = _Level(mu, sigma, levels.get(rating, _Level()).games + 1, at)
    return levels


def _rate(results: Sequence[RatedResult], levels: dict[int, _Level]) -> None:
    """Put the levels after one game into its results and into `levels`."""
    before = [levels.get(result.rating_id, _Level()) for result in results]
    teams = [[_MODEL.rating(mu=level.mu, sigma=level.sigma)] for level in before]
    rated = _MODEL.rate(teams, ranks=[float(result.rank) for result in results])
    for result, level, (player,) in zip(results, before, rated, strict=True):
        result.mu, result.sigma = player.mu, player.sigma
        levels[result.rating_id] = _Level(player.mu, player.sigma, level.games + 1, result.at)


def _write(levels: dict[int, _Level], concerned: set[int]) -> None:
    rows = []
    for pk in concerned:
        level = levels.get(pk, _Level())
        sure = level.mu - 3 * level.sigma
        rows.append(Rating(pk=pk, mu=level.mu, sigma=level.sigma, sure=sure, games=level.games, last_at=level.last_at))
    Rating.objects.bulk_update(rows, ["mu", "sigma", "sure", "games", "last_at"], batch_size=500)
