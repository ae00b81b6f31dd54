"""Games without an account: a guest's first game against bots, moved to an account or removed when abandoned; and the
first game of a private copy."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import structlog
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from game.boards.registry import board_of
from game.chat.models import Notebook, ReadMark
from game.engine.language import mark, say
from game.infra.calls import for_each_isolated
from game.lobby import lobby
from game.lobby.models import LearntLesson
from game.play import authority, door, moves
from game.rulesets.registry import RULESETS
from game.site import features
from game.store import account_locks
from game.store.game import Game, Pace, Seat, Status
from game.store.log import Notice
from game.store.readers import lock_games
from game.store.seat_models import Tenure

FIRST_GAME = mark("{game} against bots")
FIRST_SEATS = 4  # bots finish sooner than at a full table, and there is more to decide than with two players
BATCH_SIZE = 50
log = structlog.get_logger("game.services.guests")


@transaction.atomic
def first_game(*, user: User, ruleset: str) -> Game:
    """Start a game of this ruleset against house bots; a guest continues the one they have. Raises `Refused`."""
    if user.is_guest and (unfinished := _unfinished_game(user, ruleset)):
        return unfinished
    if user.is_guest:
        features.check(features.GUESTS)
    options = board_of(ruleset).options.first_options
    possible = RULESETS[ruleset].seats
    seats = min(max(FIRST_SEATS, min(possible)), max(possible))
    game = lobby.create_game(
        host=user,
        name=say(FIRST_GAME, game=RULESETS[ruleset].title),
        seats=seats,
        pace=Pace.DEMO,
        options=options,
        bots=seats - 1,
        is_open=False,
        ruleset=ruleset,
    )
    return lobby.start_game(game_id=game.pk, user=user)


@transaction.atomic
def take_over(*, guest: User, user: User) -> list[int]:
    """Move a guest's games to the account they signed in with, and return the games' keys. Only the seat's user
    changes. An account that was closed or deleted meanwhile gets nothing."""
    account_locks.lock_with_games(guest, user, games=lambda: _guest_games([guest.pk]))
    if not user.is_active:
        return []
    games = [game_id for game_id in _games_of(guest) if not Seat.objects.filter(game=game_id, user=user).exists()]
    for game_id in games:
        game = moves.lock(game_id)
        if game is None:
            continue
        authority.change_account(game=game, former=guest, user=user)
        for model in (Notice, Notebook, ReadMark, Tenure):
            model.objects.filter(game=game_id, user=guest).update(user=user)
        door.publish(game)
    learnt = set(LearntLesson.objects.filter(user=user).values_list("ruleset", "lesson"))
    for learnt_lesson in LearntLesson.objects.filter(user=guest):
        if (learnt_lesson.ruleset, learnt_lesson.lesson) not in learnt:
            LearntLesson.objects.filter(pk=learnt_lesson.pk).update(user=user)
    log.info("guest_came_in", guest=guest.pk, user=user.pk, games=games)
    return games


def remove_idle_guests() -> int:
    """Remove guests not seen for `GUEST_DAYS`, with their games and sessions. Returns their number."""
    guest_ids = list(_idle_guests().order_by("seen_at").values_list("pk", flat=True)[:BATCH_SIZE])
    removed = for_each_isolated(_remove_guest, guest_ids)
    SessionStore.clear_expired()
    return removed


@transaction.atomic
def _remove_guest(guest_id: int) -> bool:
    """Remove a guest who has not come back since."""
    lock_games(_guest_games([guest_id]))
    guest = _idle_guests().select_for_update(skip_locked=True).filter(pk=guest_id).first()
    if guest is None:
        return False
    games = _games_of(guest)
    for game_id in games:
        moves.lock(game_id)
        Game.objects.filter(pk=game_id).delete()
    guest.delete()
    log.info("guest_removed", guest=guest_id, games=games)
    return True


def _idle_guests() -> QuerySet[User]:
    return User.objects.filter(is_guest=True, seen_at__lt=Now() - timedelta(days=settings.GUEST_DAYS))


def lock_games_of_guests(guest_ids: Collection[int]) -> None:
    """Lock the games of these guests, before anybody locks the guests or the account that takes them over."""
    lock_games(_guest_games(guest_ids))


def _guest_games(guest_ids: Collection[int]) -> Q:
    return Q(seats__user__in=guest_ids)


def _games_of(guest: User) -> list[int]:
    """The games in which a guest has a seat; everybody else in them is a bot."""
    return list(Game.objects.filter(seats__user=guest).order_by("pk").values_list("pk", flat=True))


def _unfinished_game(guest: User, ruleset: str) -> Game | None:
    games = Game.objects.filter(seats__user=guest, ruleset=ruleset, lesson="", status__in=authority.UNFINISHED)
    return games.order_by("-pk").first()


DEMO_NAME = "Demo"
TABLE = "The first game"
MOST_SEATS = 5


def ensure_demo(ruleset: str = lobby.FIRST) -> User:
    """The demo player, with a game of this ruleset that is not over."""
    player, is_new = User.objects.get_or_create(username=DEMO_NAME)
    if is_new:
        player.set_unusable_password()
        player.save(update_fields=["password"])
    games = Game.objects.filter(seats__user=player, ruleset=ruleset)
    if not games.exclude(status__in=[Status.FINISHED, Status.ABANDONED]).exists():
        seats = min(MOST_SEATS, max(RULESETS[ruleset].seats))
        lobby.create_game(
            host=player, name=TABLE, seats=seats, pace=Pace.DEMO, bots=seats - 1, is_open=False, ruleset=ruleset
        )
    return player


def begin_demo(*, player: User) -> None:
    """Start the demo player's game when they sign in."""
    waiting = Game.objects.filter(host=player, host__username=DEMO_NAME, name=TABLE, status=Status.WAITING)
    for game in waiting:
        if game.seats.count() == game.seats_wanted:
            lobby.start_game(game_id=game.pk, user=player)
