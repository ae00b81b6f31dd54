"""Ratings by ladder of a ruleset after Plackett and Luce: each rated game is counted once, when it finishes. They are
computed from results in the order in which games finished. Counting a game, removing one and recounting everything run
the same computation from different starting points, so they give the same numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from django.db.models import Q
from openskill.models import PlackettLuce

from accounts.models import User
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.language import mark
from game.reputation.models import MU, SIGMA, RatedResult, Rating, RatingBook
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace, Seat, Status
from game.store.seat_models import Tenure

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)
LEAST_PEOPLE = 2


class Since(NamedTuple):
    """The start of a computation: the first game, by the time at which it finished."""

    at: datetime
    game_id: int


class _Level(NamedTuple):
    """One person's rating at one moment."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    last_at: datetime | None = None


class _Ranked(NamedTuple):
    """A person rated for a seat: the one who had it at the start."""

    user_id: int
    number: int
    rank: int
    has_left: bool


@transaction.atomic
def settle(*, game: Game) -> None:
    """Count a rated game that has finished, and remove one that is no longer finished. Idempotent."""
    if not game.is_rated or game.lesson:
        return
    _lock_book(game.ruleset)
    stored_results = list(RatedResult.objects.filter(game=game))
    is_over = game.status == Status.FINISHED and game.finished_at is not None
    if bool(stored_results) == is_over:
        return
    if stored_results:
        RatedResult.objects.filter(game=game).delete()
        _compute_from(
            game.ruleset, Since(stored_results[0].at, game.pk), {result.rating_id for result in stored_results}
        )
        return
    ranked = _rank_people(game)
    if game.finished_at is not None and len(ranked) >= LEAST_PEOPLE:
        _store_results(game, ranked, game.finished_at)
        _compute_from(game.ruleset, Since(game.finished_at, game.pk), ())


@transaction.atomic
def recount(*, ruleset: str) -> int:
    """Recompute all ratings of a ruleset from its results. Returns the number of games."""
    _lock_book(ruleset)
    everybody = Rating.objects.filter(ruleset=ruleset).values_list("pk", flat=True)
    return _compute_from(ruleset, None, everybody)


def _lock_book(ruleset: str) -> None:
    """Serialize games that finish at the same time."""
    RatingBook.objects.get_or_create(ruleset=ruleset)
    RatingBook.objects.select_for_update().get(ruleset=ruleset)


def people_of(game: Game) -> list[tuple[int, str]]:
    """The people who would be rated for each seat if the game ended now, in words. A player who had a seat at the start
    and left comes last."""
    ranked = _rank_people(game)
    names = dict(User.objects.filter(pk__in=[each.user_id for each in ranked]).values_list("pk", "username"))
    last = " (has left: last place)"
    return [(each.number, f"{names.get(each.user_id, '')}{last if each.has_left else ''}") for each in ranked]


def _rank_people(game: Game) -> list[_Ranked]:
    """The people rated for this game and their ranks: those who had a seat at the start. The player of a seat at the
    end gets its place; all who left share the last place. Bots, stand-ins and deleted accounts are not rated."""
    tenures: dict[int, list[Tenure]] = defaultdict(list)
    for tenure in Tenure.objects.filter(game=game).order_by("began_at", "pk"):
        tenures[tenure.number].append(tenure)
    places = dict(Seat.objects.filter(game=game).values_list("number", "place"))
    last = len(places) + 1
    ranked = []
    for number, seat_tenures in sorted(tenures.items()):
        user_id, last_tenure = seat_tenures[0].user_id, seat_tenures[-1]
        if user_id is None:
            continue
        stayed = last_tenure.user_id == user_id and last_tenure.ended_at is None
        place = places.get(number) if stayed else None
        ranked.append(_Ranked(user_id, number, last if place is None else place, not stayed))
    return ranked


def _store_results(game: Game, ranked: Sequence[_Ranked], at: datetime) -> None:
    people, scale = [each.user_id for each in ranked], {"ruleset": game.ruleset, "ladder": game.ladder}
    Rating.objects.bulk_create((Rating(user_id=id_, **scale) for id_ in people), ignore_conflicts=True)
    rating_ids = dict(Rating.objects.filter(user__in=people, **scale).values_list("user_id", "pk"))
    RatedResult.objects.bulk_create(
        RatedResult(
            game=game,
            rating_id=rating_ids[each.user_id],
            number=each.number,
            rank=each.rank,
            has_left=each.has_left,
            at=at,
        )
        for each in ranked
    )


def _compute_from(ruleset: str, since: Since | None, others: Iterable[int]) -> int:
    """Compute results from one game on, and the ratings of everyone affected. Returns the number of games."""
    results = RatedResult.objects.filter(rating__ruleset=ruleset).order_by("at", "game_id", "number")
    later = list(results if since is None else results.exclude(_before(since)))
    affected = {result.rating_id for result in later} | set(others)
    levels = {} if since is None else _levels_before(since, affected)
    game_count = 0
    for _, group in groupby(later, key=lambda result: result.game_id):
        game_count += 1
        _rate(list(group), levels)
    RatedResult.objects.bulk_update(later, ["mu", "sigma"], batch_size=500)
    _store_levels(levels, affected)
    return game_count


def _before(since: Since) -> Q:
    return Q(at__lt=since.at) | Q(at=since.at, game_id__lt=since.game_id)


def _levels_before(since: Since, affected: set[int]) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    earlier = RatedResult.objects.filter(_before(since), rating__in=affected).order_by("at", "game_id")
    for rating, mu, sigma, at in earlier.values_list("rating_id", "mu", "sigma", "at"):
        levels[rating] = _Level(mu, sigma, levels.get(rating, _Level()).games + 1, at)
    return levels


def _rate(results: Sequence[RatedResult], levels: dict[int, _Level]) -> None:
    """Store the ratings after one game in its results and in `levels`."""
    before = [levels.get(result.rating_id, _Level()) for result in results]
    teams = [[_MODEL.rating(mu=level.mu, sigma=level.sigma)] for level in before]
    teams_after = _MODEL.rate(teams, ranks=[float(result.rank) for result in results])
    for result, level, (player,) in zip(results, before, teams_after, strict=True):
        result.mu, result.sigma = player.mu, player.sigma
        levels[result.rating_id] = _Level(player.mu, player.sigma, level.games + 1, result.at)


def _store_levels(levels: dict[int, _Level], affected: set[int]) -> None:
    rows = []
    for pk in affected:
        level = levels.get(pk, _Level())
        sure = level.mu - 3 * level.sigma
        rows.append(Rating(pk=pk, mu=level.mu, sigma=level.sigma, sure=sure, games=level.games, last_at=level.last_at))
    Rating.objects.bulk_update(rows, ["mu", "sigma", "sure", "games", "last_at"], batch_size=500)


UNRATED_PACES = (Pace.CUSTOM, Pace.NO_CLOCK)
PEOPLE_ONLY = mark("A rated game is for people only. Take the bots out, or create a game that is not rated.")
ONE_DEVICE = mark("Games with several players at one device are never rated.")
NAMED_PACE = mark("Only games at a named pace are rated. Choose another pace, or create a game that is not rated.")
NAMED_RULES = mark(
    "Only games with the rules of a preset are rated. Set the options back to the preset’s, or create a game that is "
    "not rated."
)
NO_GUESTS = mark("Guests do not play rated games. Sign up first.")
CHANGED = mark("The host has just changed whether this game is rated. Look at the game again before you take a seat.")
SEATED = mark("Another player has already joined, so you can no longer change whether this game is rated.")


def check_rated(*, host: User, ruleset: str, pace: str, options: Mapping[str, Any], bots: int) -> None:
    """Raises `Refused` if such a game cannot be rated: ratings compare games under equal conditions."""
    if host.is_guest:
        raise Refused(NO_GUESTS, code="guests_play_bots")
    if bots:
        raise Refused(PEOPLE_ONLY, code="people_only")
    if pace in UNRATED_PACES:
        raise Refused(NAMED_PACE, code="not_rateable")
    if not is_preset(ruleset=ruleset, pace=pace, options=options):
        raise Refused(NAMED_RULES, code="not_rateable")


def check_change(*, game: Game, is_rated: bool) -> None:
    """Raises `Refused` if another player has joined on other terms already, or if the game cannot be rated."""
    if game.seats.filter(user__isnull=False).exclude(user=game.host_id).exists():
        raise Refused(SEATED, code="others_seated", field="is_rated")
    if is_rated and game.device_seats:
        raise Refused(ONE_DEVICE, code="one_device", field="is_rated")
    if is_rated:
        assert game.host is not None
        bots = game.seats.exclude(bot="").count()
        check_rated(host=game.host, ruleset=game.ruleset, pace=game.pace, options=game.options, bots=bots)


def check_agreed(*, game: Game, is_rated: bool | None) -> None:
    """Raises `Refused` if the terms changed since the joining player saw them; None means that they did not send what
    they saw."""
    if is_rated is not None and is_rated != game.is_rated:
        raise Refused(CHANGED, code="terms_changed", field="is_rated")


def is_preset(*, ruleset: str, pace: str, options: Mapping[str, Any]) -> bool:
    """True if these are exactly the options of one of the ruleset's presets at that pace, or its default options if it
    has no presets."""
    rules, table = RULESETS[ruleset], board_of(ruleset).options
    presets = [preset.options for preset in table.presets] or [{}]
    preset_options = [msgspec.to_builtins(rules.parse_options({**table.at_pace(pace), **preset})) for preset in presets]
    return dict(options) in preset_options


def check_bots(game: Game) -> None:
    """Bots never play in rated games. Raises `Refused`."""
    if game.is_rated:
        raise Refused(PEOPLE_ONLY, code="people_only")
