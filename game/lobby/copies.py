"""Analysis copies: the position of a running game as one seat sees it, completed by the rules, in a private game
without a clock in which its maker plays every seat."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.language import say
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.lobby import waiting_games
from game.play import authority, devices, door, moves
from game.store import account_locks, eyes
from game.store.game import COPY, Game, Pace, Status, new_secret
from game.store.log import LoggedAction
from game.store.log_notes import Sentence
from game.store.readers import find_seat, seats_of
from game.store.rule_limits import Budget
from game.store.seat_models import Copy

SALT = "game.copies"


class CopyBar(NamedTuple):
    """The bar above a copy: its original, what was invented, its link, and the seats with whether they must decide."""

    source: Game | None
    invented: str
    link: str
    seats: tuple[tuple[int, bool], ...]


def may_copy(game: Game) -> bool:
    """True if the players of this game may copy its position: its rules can make a whole one of what a seat sees, and
    nobody else at their device would read it."""
    is_under_way = game.status in {Status.RUNNING, Status.PAUSED}
    is_of_one = not game.is_copy and not game.device_seats
    return is_under_way and is_of_one and game.rules.determinise is not None


def position_of(rules: Ruleset, view: Any, seed: str) -> AnyPosition:
    """A complete position that fits what a seat sees; the rest is drawn from the seed."""
    assert rules.determinise is not None
    return rules.determinise(view, Chance(seed))


@transaction.atomic
def make_copy(*, game_id: int, user: User) -> Game:
    """Copy the position as the user's seat sees it, and remove the user's earlier copy of this game. Raises
    `Refused`."""
    source = moves.lock(game_id)
    seats = seats_of(source) if source else []
    number = eyes.eyes_among(source, seats, user.pk) if source else None
    if source is None or number is None:
        raise Refused(authority.NO_SEAT, code="not_seated")
    if not may_copy(source):
        raise Refused("The position of this game cannot be copied now.", code="no_copy")
    view = Budget().run(lambda: eyes.view(source, source.load_position(), number))
    earlier_copies = Q(copy__source=source, host=user)
    account_locks.lock_with_games(user, games=lambda: earlier_copies)  # also serializes two clicks at once
    account_locks.check_is_free(user)
    Game.objects.filter(earlier_copies).delete()
    copy = _create_game(source, user)
    Copy.objects.create(game=copy, source=source)
    for seat in seats:
        authority.assign_seat(game=copy, user_id=user.pk if seat.number == number else None, name=seat.shown_name)
    locked = waiting_games.lock_game(copy.pk)
    locked.status, locked.started_at = Status.RUNNING, locked.now
    change = moves.transaction_of(locked)
    change.begin_at(position_of(source.rules, view, new_secret()), note=Sentence.COPY_BEGINS())
    change.commit()
    return locked


def _create_game(source: Game, user: User) -> Game:
    rules = source.rules
    copy = Game(
        name=source.name,
        host=user,
        seats_wanted=source.seats_wanted,
        pace=Pace.DEMO,
        is_open=False,
        ruleset=source.ruleset,
        options=source.options,
        ruleset_version=rules.version,
        schema=rules.schema,
        lesson=COPY,
    )
    door.write(copy)
    return copy


def copy_by(*, source: Game, user: User) -> Game | None:
    """The user's copy of a game's position."""
    return Game.objects.filter(copy__source=source, host=user).first()


def copies_of(user: User) -> list[Game]:
    """The user's copies, the newest first."""
    return list(Game.objects.filter(lesson=COPY, host=user).order_by("-pk"))


@transaction.atomic
def delete_copy(*, game_id: int, user: User) -> None:
    """Delete a copy for good. Raises `Refused`."""
    _lock_copy(game_id, user).delete()


@transaction.atomic
def sit(*, game_id: int, user: User, number: int) -> None:
    """Seat the maker of a copy on another seat. Raises `Refused`."""
    game = _lock_copy(game_id, user)
    find_seat(game, number)
    _move(game, user, number)


@transaction.atomic
def follow_turn(*, game_id: int, user: User) -> bool:
    """Seat the maker of a copy where it waits for a decision. Returns whether this is another seat."""
    game = _lock_copy(game_id, user)
    waiting = game.waiting_seats
    if not waiting or game.seats.filter(user=user, number__in=waiting).exists():
        return False
    _move(game, user, waiting[0])
    return True


def step_back(*, game_id: int, user: User) -> None:
    """Go back to the start of the last earlier phase that asked somebody. Raises `Refused`."""
    with transaction.atomic():
        game = _lock_copy(game_id, user)
        opening = LoggedAction.objects.filter(game=game).exclude(opened_serial=None).defer("snapshot", "events")
        current = opening.order_by("-number")[0]
        while current.back_to is not None:
            current = opening.get(number=current.back_to)
        earlier = opening.filter(number__lt=current.number).exclude(asks=[]).order_by("-number").first()
        if earlier is None:
            raise Refused("The copy begins here.", code="no_such_phase")
        moves.rewind(game_id=game_id, number=earlier.number, user_id=user.pk, note=Sentence.COPY_GOES_BACK())
        follow_turn(game_id=game_id, user=user)


def bar_of(game: Game) -> CopyBar | None:
    """The bar above the board of a copy."""
    if not game.is_copy:
        return None
    source = Game.objects.filter(copies__game=game).first()
    waiting = game.waiting_seats if game.is_running else []
    seats = tuple((number, number in waiting) for number in range(game.seats_wanted))
    return CopyBar(source, say(board_of(game.ruleset).invented), _link_to(game), seats)


def game_behind(token: str) -> Game | None:
    """The copy behind a link; None if the link is forged or the copy is gone."""
    try:
        game_id = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Game.objects.on_the_clock().filter(pk=game_id, lesson=COPY).first()


def _link_to(game: Game) -> str:
    return settings.SITE_URL + reverse("copy_link", args=[signing.dumps(game.pk, salt=SALT)])


def _lock_copy(game_id: int, user: User) -> Game:
    """Lock a copy of this maker. Raises `Refused`."""
    game = waiting_games.lock_game(game_id)
    authority.check_host(game, user)
    if not game.is_copy:
        raise Refused("This game is not a copy.", code="not_a_copy")
    return game


def _move(game: Game, user: User, number: int) -> None:
    devices.move_account(game, user.pk, number)
    door.publish(game)
