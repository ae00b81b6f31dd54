"""Lookups of games, seats and people for a reader, who may be a visitor."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.names import sought
from game.infra.reads import slot
from game.infra.statements import Lookup
from game.store import eyes
from game.store.game import Game, Seat, name_of_seat

Reader = User | AnonymousUser | None


class SeatRow(NamedTuple):
    """A seat as pages need it, without its `User`."""

    pk: int
    number: int
    user_id: int | None
    bot: str
    name: str
    version: int
    keeper: str
    left_at: datetime | None
    username: str | None
    unread: int = 0
    seen_version: int = 0
    seen_at: datetime | None = None
    away_version: int | None = None
    away_at: datetime | None = None

    @property
    def shown_name(self) -> str:
        """The person's name, or the bot's."""
        return name_of_seat(self.username, self.name, self.number)


def get_game(*, game_id: int) -> Game | None:
    """A game with the database's time."""
    return _games().get(game_id)


def game_for(*, game_id: int, user: Reader) -> Game | None:
    """A game, if this reader, who may be a visitor, may see it. One query decides, also for a game that does not exist:
    nothing of a hidden game is read, and no timing reveals that it exists."""
    return _visible_games().get(game_id, id_of(user) or 0)


@cache
def _games() -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock())


@cache
def _visible_games() -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock().filter(eyes.visible_to(slot(0))))


def id_of(user: Reader) -> int | None:
    """The reader's account; visitors have none."""
    return user.pk if user is not None and user.is_authenticated else None


def own_seat(*, game_id: int, user: Reader) -> Seat | None:
    """The reader's own seat with its game, for forms and drafts."""
    user_id = id_of(user)
    return None if user_id is None else eyes.own_seats(user_id).filter(game_id=game_id).first()


def version_of(game: Game, seat: Seat | SeatRow | None) -> str:
    """The version that pages compare: the public one and the seat's own."""
    return f"{game.version}.{seat.version if seat else 0}"


def find_person(name: str) -> User | None:
    """The account of a name, in any case; closed accounts are not there any more."""
    users = User.objects.filter(is_active=True)
    return users.filter(username=name).first() or users.filter(username__iexact=sought(name)).first()


def host_of(game: Game) -> str:
    """The name of the host."""
    return game.host.username if game.host else ""
