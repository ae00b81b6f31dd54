"""Whose eyes see what of a game. Here alone a seat is found for a reader, and the rules and the log are asked what is
seen from it: whoever has lost, lent or given up a seat sees the game as a stranger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NewType, Protocol, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from game.engine.events import Event, read_events
from game.engine.position import AnyPosition
from game.engine.reveal import revealed
from game.store.access_models import Invitee
from game.store.game import Game, Keeper, Seat, Status
from game.store.stand_in_models import Proxy

Eyes = NewType("Eyes", int)
"""The number of the seat as which somebody sees a game; a stranger has none. No other module makes one, so wherever one
is asked for, the type checker sees that it was found here."""


class Held(Protocol):
    """A seat, read whole or in part."""

    @property
    def number(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def keeper(self) -> str: ...


AnySeat = TypeVar("AnySeat", bound=Held)


def is_own(seat: Held, user_id: int | None) -> bool:
    """Whether somebody sees the game as this seat: it is theirs to play now, or they are only away. A seat that is lent
    is the proxy's."""
    return user_id is not None and seat.user_id == user_id and seat.keeper != Keeper.RESIGNED


def own_seats(user_id: int) -> QuerySet[Seat]:
    """The same, of all games."""
    return Seat.objects.filter(user_id=user_id).exclude(keeper=Keeper.RESIGNED)


def own_among(seats: Iterable[AnySeat], user_id: int | None) -> AnySeat | None:
    """Somebody's seat among those of a game."""
    return next((seat for seat in seats if is_own(seat, user_id)), None)


def eyes_among(seats: Iterable[Held], user_id: int | None) -> Eyes | None:
    """As which of these seats of a game somebody sees it."""
    own = own_among(seats, user_id)
    return None if own is None else Eyes(own.number)


def may_see(*, game: Game, user_id: int | None) -> bool:
    """Whether a game is there for somebody at all: one by invitation is visible only to people who play or played in
    it, whose seat a proxy plays, or whom its host invited by name, as long as there is a seat."""
    return game.is_open or (user_id is not None and Game.objects.filter(visible_to(user_id), pk=game.pk).exists())


def visible_to(user_id: int) -> Q:
    """The same of all games, as a condition; to nobody, 0, only the open ones are there."""
    sits = Seat.objects.filter(game=OuterRef("pk"), user_id=user_id)
    lent = Proxy.objects.filter(game=OuterRef("pk"), owner_id=user_id, ended_at=None)
    invited = open_invitations().filter(game=OuterRef("pk"), user_id=user_id)
    return Q(is_open=True) | Q(Exists(sits)) | Q(Exists(lent)) | Q(Exists(invited))


def is_invitee(*, game_id: int, user_id: int) -> bool:
    """Whether the host invited them by name, and they have not declined."""
    return open_invitations().filter(user_id=user_id, game=game_id).exists()


def open_invitations() -> QuerySet[Invitee]:
    """Who is invited by name to what and has not answered: to games that wait, and to those that are played with a seat
    which the caretaker plays."""
    left = Seat.objects.filter(game=OuterRef("game"), bot="").exclude(keeper="")
    is_played = Q(game__status__in=(Status.RUNNING, Status.PAUSED)) & Q(Exists(left))
    return Invitee.objects.filter(Q(game__status=Status.WAITING) | is_played, declined_at=None)


def view(game: Game, position: AnyPosition, eyes: Eyes | None) -> Any:
    """What is seen of a position of this game."""
    return game.rules.view(position, eyes)


def whole_view(game: Game, position: AnyPosition, eyes: Eyes | None) -> Any:
    """The same, and once the game is over everything that was hidden."""
    return revealed(game.rules, position, eyes) if game.status == Status.FINISHED else view(game, position, eyes)


def read(events: Iterable[Event], eyes: Eyes | None, *, is_over: bool = False) -> list[Event]:
    """What is read of some events; once the game is over all of them."""
    return list(events) if is_over else read_events(events, eyes)
