"""Lookups of games, seats and people for a reader, who may be a visitor, and the lock of a game's row, which protects
every change to the game."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from accounts.names import sought
from game.engine.actions import Refused
from game.infra import credentials
from game.infra.compiled import CompiledQuery
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
    device: str = ""

    @property
    def shown_name(self) -> str:
        """The person's name, or the bot's."""
        return name_of_seat(self.username, self.name, self.number)


def get_game(*, game_id: int) -> Game | None:
    """A game with the database's time."""
    return _games.first(game_id)


def game_for(*, game_id: int, user: Reader) -> Game | None:
    """A game, if this reader, who may be a visitor, may see it. One query decides, also for a game that does not exist:
    nothing of a hidden game is read, and no timing reveals that it exists."""
    return _visible_games.first(game_id, id_of(user) or 0)


_games = CompiledQuery(lambda key: Game.objects.on_the_clock().filter(pk=key))
_visible_games = CompiledQuery(
    lambda key, reader: (
        Game.objects.on_the_clock().annotate(**eyes.read_for(reader)).filter(eyes.visible_to(reader), pk=key)
    )
)


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
    """The account of a name, in any case; closed accounts are not found."""
    users = User.objects.filter(is_active=True)
    return users.filter(username=name).first() or users.filter(username__iexact=sought(name)).first()


def host_of(game: Game) -> str:
    """The name of the host."""
    return game.host.username if game.host else ""


BOT_NAMES = (
    *("Abacus", "Bramble", "Clover", "Dynamo", "Ember", "Flint", "Garnet", "Harbour"),
    *("Indigo", "Jigsaw", "Kettle", "Lantern", "Magnet", "Nutmeg", "Orchard", "Pebble"),
    *("Quartz", "Rivet", "Sextant", "Thimble", "Umbra", "Vellum", "Walnut", "Xenon"),
)
"""One for every seat of the largest table; nobody can sign up with one of them."""


def seats_of(game: Game) -> list[Seat]:
    """The seats in order."""
    return list(game.seats.select_related("user").order_by("number"))


def find_seat(game: Game, number: int) -> Seat:
    """A seat of the game with its person. Raises `Refused`."""
    seat = game.seats.filter(number=number).select_related("user").first()
    if seat is None:
        raise Refused("This game has no seat {seat}.", code="no_such_seat", seat=number + 1)
    return seat


def free_bot_name(seats: Iterable[Seat]) -> str:
    """The first bot name that nobody in the game has; an old account may have one of these names."""
    used_names = {seat.shown_name for seat in seats}
    return next(name for name in BOT_NAMES if name not in used_names)


def note_bots(game: Game) -> None:
    """Copy the seats of bots and the caretaker to the game's row, because a move reads only that row."""
    seats = list(game.seats.order_by("number").values_list("number", "bot", "keeper"))
    game.bots = {str(number): bot for number, bot, _ in seats if bot}
    game.keepers = {str(number): keeper for number, bot, keeper in seats if keeper and not bot}
    game.bots_due = game.is_running and game.calls_bots
    game.version += 1
    game.write_changes()


def lock(game_id: int, *, waits: bool = True) -> Game | None:
    """Lock the game's row for this transaction; None if it is locked and `waits` is off. Raises `Revoked` if the
    request may change nothing any more."""
    game = (_locked_games if waits else _free_games).first(game_id)
    credentials.check()
    return game


def lock_games(which: Q) -> set[int]:
    """Lock games in order of their keys, and return these."""
    game_ids = list(Game.objects.filter(which).order_by("pk").values_list("pk", flat=True).distinct())
    for game_id in game_ids:
        lock(game_id)
    return set(game_ids)


def lock_free_games(game_ids: Iterable[int]) -> list[Game]:
    """Lock those of these games that no other transaction has locked."""
    return _free_games_among.all(game_ids)


_locked_games = CompiledQuery(lambda key: Game.objects.locked().filter(pk=key))
_free_games = CompiledQuery(lambda key: Game.objects.free().filter(pk=key))
_free_games_among = CompiledQuery(lambda keys: Game.objects.free().filter(pk__in=keys))


def record_seen(seat_id: int, user_id: int | None, game: Game, *, since: int | None, at: datetime | None) -> None:
    """Record that a seat's player was shown the game, and where a briefing begins. An older page never sets the version
    back, and a page made for the previous player of the seat changes nothing."""
    unseen = Seat.objects.filter(pk=seat_id, user=user_id, seen_version__lt=game.version)
    unseen.update(seen_version=game.version, seen_at=Now(), away_version=since, away_at=at)


def forget_absence(seat: Seat) -> None:
    """Stop showing the briefing. The pages of outcomes keep its content."""
    Seat.objects.filter(pk=seat.pk, user=seat.user_id).update(away_version=None, away_at=None)


def stir(game_id: int) -> None:
    """Record activity in a waiting game, and cancel its closing."""
    Game.objects.filter(pk=game_id).update(stirred_at=Now(), closes_at=None)
