"""Who sees what of a game, and who may take a seat. Only this module finds the seat of a reader and asks the rules and
the log for its view: readers who have lost, lent or resigned their seat see the game as strangers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import compare_digest
from typing import Any, NewType, Protocol, TypeVar

import msgspec
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.urls import reverse

from accounts.models import User
from game.engine import referee
from game.engine.actions import Refused
from game.engine.events import Event, read_events, without_idle
from game.engine.language import mark
from game.engine.position import AnyPosition
from game.engine.view import revealed
from game.store.device import Device
from game.store.game import Game, Keeper, Seat, Status
from game.store.seat_models import Invitation, Invitee, Removal, StandIn, new_token

Eyes = NewType("Eyes", int)
"""The number of the seat as which somebody sees a game; strangers have none. Only this module creates one, so the type
checker proves that a parameter of this type was found here."""

Ears = NewType("Ears", int)
"""The number of the seat as which somebody reads a step of the log; made here alone, like `Eyes`."""


class Step(Protocol):
    """A step of the log of a game."""

    @property
    def game(self) -> Game: ...
    @property
    def version(self) -> int: ...


class Held(Protocol):
    """A seat, read whole or in part."""

    @property
    def number(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def keeper(self) -> str: ...
    @property
    def device(self) -> str: ...


AnySeat = TypeVar("AnySeat", bound=Held)


def is_own(seat: Held, user_id: int | None) -> bool:
    """True if this person sees the game as this seat: they play it now, or are only away. While a stand-in plays it, it
    is the stand-in's; under a cover it is nobody's."""
    is_seated = user_id is not None and seat.user_id == user_id
    return is_seated and seat.keeper != Keeper.RESIGNED and seat.device != Device.COVERED


def own_seats(user_id: int) -> QuerySet[Seat]:
    """The seats for which `is_own` holds, in all games."""
    return Seat.objects.filter(user_id=user_id).exclude(keeper=Keeper.RESIGNED).exclude(device=Device.COVERED)


def read_for(user_id: int) -> dict[str, Value | Subquery]:
    """Annotations of games with the reader and, in the same statement, the reader's seat. A game that is read without
    them must be locked, or read together with the seat."""
    seats = own_seats(user_id).filter(game=OuterRef("pk")).order_by("number")
    return {"reader": Value(user_id), "readers_seat": Subquery(seats.values("number")[:1])}


def own_among(game: Game, seats: Iterable[AnySeat], user_id: int | None) -> AnySeat | None:
    """This person's seat among those of a game. If the seats were read after the game, the seat must have been theirs
    already when the game was read: otherwise the game holds what its former player has sealed."""
    own = next((seat for seat in seats if is_own(seat, user_id)), None)
    if own is None or (game.reader == user_id and game.readers_seat != own.number):
        return None
    return own


def eyes_at(seat: Held, user_id: int | None) -> Eyes | None:
    """The number of a seat if this person sees its game as this seat, for a hint, which shows nothing of the game."""
    return Eyes(seat.number) if is_own(seat, user_id) else None


def eyes_among(game: Game, seats: Iterable[Held], user_id: int | None) -> Eyes | None:
    """The number of the seat, among those of a game, as which this person sees it."""
    own = own_among(game, seats, user_id)
    return None if own is None else Eyes(own.number)


def own_abroad(game: Game, seats: Iterable[AnySeat], user_id: int | None) -> AnySeat | None:
    """The seat as which mail and other programs treat this person: none where a browser holds one of several seats."""
    return own_among(game, [seat for seat in seats if not seat.device], user_id)


def eyes_abroad(game: Game, seats: Iterable[Held], user_id: int | None) -> Eyes | None:
    """The number of the seat, among those of a game, as which mail and other programs show it to this person."""
    own = own_abroad(game, seats, user_id)
    return None if own is None else Eyes(own.number)


def may_see(*, game: Game, user_id: int | None) -> bool:
    """True if this person may see the game at all. A game by invitation is visible only to people who play or played in
    it, whose seat a stand-in plays, or whom its host invited by name, as long as there is a seat."""
    return game.is_open or (user_id is not None and Game.objects.filter(visible_to(user_id), pk=game.pk).exists())


def visible_to(user_id: int) -> Q:
    """`may_see` as a condition on all games; for `user_id` 0 only open games are visible."""
    sits = Seat.objects.filter(game=OuterRef("pk"), user_id=user_id)
    lent = StandIn.objects.filter(game=OuterRef("pk"), owner_id=user_id, ended_at=None)
    invited = open_invitations().filter(game=OuterRef("pk"), user_id=user_id)
    return Q(is_open=True) | Q(Exists(sits)) | Q(Exists(lent)) | Q(Exists(invited))


def is_invitee(*, game_id: int, user_id: int) -> bool:
    """True if the host invited this person by name, and they have not declined."""
    return open_invitations().filter(user_id=user_id, game=game_id).exists()


def open_invitations() -> QuerySet[Invitee]:
    """Unanswered invitations by name: to games that have not started, and to games in which the caretaker plays a
    seat."""
    caretaker_seats = Seat.objects.filter(game=OuterRef("game"), bot="").exclude(keeper="")
    is_played = Q(game__status__in=(Status.RUNNING, Status.PAUSED)) & Q(Exists(caretaker_seats))
    return Invitee.objects.filter(Q(game__status=Status.WAITING) | is_played, declined_at=None)


def view(game: Game, position: AnyPosition, eyes: Eyes | None) -> Any:
    """A position of this game as a seat or a stranger sees it."""
    return game.rules.view(position, eyes)


class Foresight:
    """The results of a seat's requests, one after another, in one position. It caches the positions on the way and the
    seat's views of them, because a plan asks for longer and longer lists, and again when it is shown."""

    def __init__(self, game: Game, position: AnyPosition, eyes: Eyes) -> None:
        self._game, self._eyes = game, eyes
        self._after: dict[bytes, AnyPosition | None] = {b"": position}
        self._views: dict[bytes, Any] = {}

    def __call__(self, *requests: Mapping[str, Any]) -> Any:
        """The seat's view after requests that take effect at once; None where it cannot be foreseen. Raises
        `Refused`."""
        prefix = b""
        for request in requests:
            position, prefix = self._after[prefix], prefix + msgspec.json.encode(request)
            if position is None:
                return None
            if prefix not in self._after:
                action = self._game.rules.parse(request, self._eyes)
                self._after[prefix] = referee.foresee(self._game.rules, position, action)
        if prefix not in self._views:
            after = self._after[prefix]
            self._views[prefix] = after and view(self._game, after, self._eyes)
        return self._views[prefix]


def whole_view(game: Game, position: AnyPosition, eyes: Eyes | None) -> Any:
    """A seat's view, like `view`, but with nothing hidden once the game is over."""
    return revealed(game.rules, position, eyes) if game.status == Status.FINISHED else view(game, position, eyes)


def ears_at(step: Step, eyes: Eyes | None) -> Ears | None:
    """The seat as which somebody reads a step: a new player does not read private events from before the seat changed
    hands."""
    return None if eyes is None or step.version < seated_since(step.game, eyes) else Ears(eyes)


def seated_since(game: Game, eyes: Eyes | None) -> int:
    """The version of the game at which a seat last changed hands; 0 if it never did."""
    return int(game.seated_since.get(str(eyes), 0))


def read(events: Iterable[Event], ears: Ears | None, *, is_over: bool = False) -> list[Event]:
    """The events among these that a seat or a stranger may read; all of them once the game is over."""
    return list(events) if is_over else read_events(events, ears)


def news(events: Iterable[Event], ears: Ears | None, *, is_over: bool = False) -> list[Event]:
    """A step's events for the story, which says only once that a seat missed its turn and did nothing in it."""
    return without_idle(read(events, ears, is_over=is_over), ears)


REMOVED = mark("The host removed you from this game. You can join it only when the host invites you again.")


def is_invited(*, game_id: int, token: str) -> bool:
    """True if this is the token of the game's link."""
    current_token = Invitation.objects.filter(game_id=game_id).values_list("token", flat=True).first()
    return current_token is not None and compare_digest(current_token.encode(), token.encode())


def link_to(game_id: int) -> str:
    """The URL of a game's invitation link; empty if it has none."""
    token = Invitation.objects.filter(game_id=game_id).values_list("token", flat=True).first()
    return settings.SITE_URL + reverse("invitation", args=[game_id, token]) if token else ""


def forget_invitees(game: Game) -> None:
    """Delete all invitations by name, when the game starts or is over."""
    game.invitees.all().delete()


def forget_unless_left(game: Game) -> None:
    """Delete outstanding invitations once no seat is free."""
    if not game.keepers:
        forget_invitees(game)


def is_removed(*, game_id: int, user_id: int) -> bool:
    """True if the host removed this person and has not invited them again."""
    return Removal.objects.filter(game_id=game_id, user_id=user_id).exists()


def check_admission(*, game: Game, user: User, token: str) -> None:
    """Check that a person may take a seat. Raises `Refused`."""
    may_come = game.is_open or is_invited(game_id=game.pk, token=token) or is_invitee(game_id=game.pk, user_id=user.pk)
    if not may_come:
        raise Refused("This game is by invitation. Ask its host for the link.", code="by_invitation")
    if is_removed(game_id=game.pk, user_id=user.pk):
        raise Refused(REMOVED, code="was_sent_away")


def renew_link(game: Game) -> None:
    """Replace the game's invitation link."""
    Invitation.objects.update_or_create(game=game, defaults={"token": new_token()})


def keep_out(*, game: Game, user_id: int) -> None:
    """Prevent a removed person from joining again, directly or by the link under another name."""
    Removal.objects.get_or_create(game=game, user_id=user_id)
    if not game.is_open:
        renew_link(game)
