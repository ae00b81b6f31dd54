"""People as structs for programs: never an address, a time zone or a last visit."""

from __future__ import annotations

from datetime import date

import msgspec

from accounts.models import User
from game.api.facts.games import UNFINISHED
from game.bots.accounts import owner_of
from game.lobby.browse_queries import may_open
from game.reputation.models import Rating
from game.reputation.rating_reads import rating_points
from game.reputation.reliability import NOBODY, reliability_of
from game.store.game import Game, Keeper, Status
from game.store.readers import Reader, find_person


class RatingLine(msgspec.Struct, frozen=True):
    """A rating on a ladder: with a probability of two thirds, the true strength is within `spread` of `rating`."""

    ruleset: str
    ladder: str
    rating: int
    spread: int
    games: int
    is_provisional: bool


class PersonFacts(msgspec.Struct, frozen=True):
    """The public facts about a person; `finished` counts the games that this reader may open. `decisions` are those of
    open games, the number in time and in total; `reliability` is the expected rate in percent, where old decisions
    count less, and `reliability_range` its likely range; both are null while too few are known. `owner` is the owner of
    a bot."""

    id: int
    name: str
    is_bot: bool
    joined: date
    finished: int
    reliability: int | None = None
    reliability_range: tuple[int, int] | None = None
    decisions: tuple[int, int] = (0, 0)
    ratings: tuple[RatingLine, ...] = ()
    owner: str | None = None


def find_by_name(name: str, *, reader: Reader) -> PersonFacts | None:
    """The person with that name, in any case."""
    person = find_person(name)
    return None if person is None else _facts(person, reader)


def find_by_number(number: int, *, reader: Reader) -> PersonFacts | None:
    """The person with that number; closed accounts are left out."""
    person = User.objects.filter(pk=number, is_active=True).first() if number < 2**63 else None
    return None if person is None else _facts(person, reader)


def unfinished_games(user: User) -> int:
    """The number of unfinished games in which the user has a seat."""
    games = Game.objects.filter(seats__user=user, lesson="", status__in=UNFINISHED)
    return games.exclude(seats__user=user, seats__keeper=Keeper.RESIGNED).distinct().count()


def _facts(user: User, reader: Reader) -> PersonFacts:
    over = Game.objects.filter(may_open(reader), seats__user=user, lesson="", status=Status.FINISHED)
    reliability = reliability_of([user.pk]).get(user.pk, NOBODY)
    return PersonFacts(
        id=user.pk,
        name=user.username,
        is_bot=user.is_bot,
        joined=user.date_joined.date(),
        finished=over.distinct().count(),
        reliability=reliability.percent if reliability.is_known else None,
        reliability_range=reliability.range if reliability.is_known else None,
        decisions=(reliability.made, reliability.decisions),
        owner=owner_of(user),
        ratings=tuple(
            _rating(row) for row in Rating.objects.filter(user=user, games__gt=0).order_by("ruleset", "ladder")
        ),
    )


def _rating(row: Rating) -> RatingLine:
    level = rating_points(row.mu, row.sigma, row.games)
    return RatingLine(row.ruleset, row.ladder, level.rating, level.spread, level.games, level.is_provisional)
