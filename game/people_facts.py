"""People in facts, as programs read them: never an address, a time zone or a last visit."""

from __future__ import annotations

import msgspec

from accounts.models import User
from game.browse import may_open
from game.models import Game, Keeper, Status
from game.profiles import find_person
from game.selectors import Reader
from game.summaries import UNFINISHED


class PersonFacts(msgspec.Struct, frozen=True):
    """What anybody may know of somebody; `finished` counts the games that this reader may open."""

    id: int
    name: str
    is_bot: bool
    joined: str
    finished: int


def find_named(name: str, *, reader: Reader) -> PersonFacts | None:
    """Whoever has that name, in any case."""
    found = find_person(name)
    return None if found is None else _facts(found, reader)


def find_numbered(number: int, *, reader: Reader) -> PersonFacts | None:
    """Whoever has that number; closed accounts are not there any more."""
    found = User.objects.filter(pk=number, is_active=True).first() if number < 2**63 else None
    return None if found is None else _facts(found, reader)


def unfinished_games(user: User) -> int:
    """How many games somebody takes part in that are not over."""
    mine = Game.objects.filter(seats__user=user, lesson="", status__in=UNFINISHED)
    return mine.exclude(seats__user=user, seats__keeper=Keeper.RESIGNED).distinct().count()


def _facts(user: User, reader: Reader) -> PersonFacts:
    over = Game.objects.filter(may_open(reader), seats__user=user, lesson="", status=Status.FINISHED)
    return PersonFacts(
        user.pk, user.username, user.is_bot, user.date_joined.date().isoformat(), over.distinct().count()
    )
