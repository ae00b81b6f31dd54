"""Deleting an account at its owner's request: nothing of it remains, and other players' games stay complete. If the
person is banned, silenced or excluded, a digest of the address is kept until that sanction ends; a digest of the name
is kept for a year. Sign-ups that were never confirmed are deleted too. When staff let an owner back into an account,
`revoke_access` cuts off everything that could still use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts import addresses, api_tokens, sign_ups
from accounts.models import User
from accounts.security import end_sessions
from game.bots import accounts
from game.chat import writing
from game.delivery import webhooks
from game.engine.actions import Refused
from game.engine.language import mark
from game.infra import credentials
from game.infra.calls import for_each_isolated
from game.lobby import lobby
from game.moderation import name_erasure, sanctions
from game.outbox import push_subscriptions
from game.people.account_closure import give_up_seat
from game.play import door, erasure, moves
from game.reputation import bans
from game.seats import stand_ins
from game.store import account_locks
from game.store.game import BEGUN, Game, Status
from game.store.seat_models import Invitee, StandIn, Tenure

ACCOUNTS_PER_RUN = 500
log = structlog.get_logger("game.services.unconfirmed")
SIGN_IN_CHANGED = mark("A moderator changed how you sign in. Check the address of the webhook to make it active again.")


@transaction.atomic
def delete_account(*, user: User, is_allowed: Callable[[User], bool] | None = None) -> list[int]:
    """Delete an account; where its name was public, `Seat 3` stands instead. `is_allowed` decides about the locked
    account. Returns the games whose seat went to the caretaker. Raises `Refused`."""
    if user.is_staff:
        raise Refused(
            "You are staff: ask a superuser to remove your powers first, so that the record is complete.",
            code="is_staff",
        )
    account_locks.lock_with_games(
        games=lambda: _affected_games(user), also=lambda: [user.pk, *(bot.pk for bot in accounts.bots_of(user))]
    )
    # Concurrent writes about this person then find no account, instead of blocking the deletion.
    locked = User.objects.select_for_update().filter(pk=user.pk).first()
    if locked is None:
        return []
    if is_allowed is not None and not is_allowed(locked):
        raise Refused("You have been signed out meanwhile. Sign in again.", code="signed_out")
    credentials.check()
    for bot in accounts.bots_of(user):
        delete_account(user=bot)
    stand_in_games = stand_ins.end_all_of(user)
    seats = dict(Tenure.objects.filter(user=user).order_by("pk").values_list("game_id", "number"))
    games = dict(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", "status"))
    _leave_games(user, games)
    names = name_erasure.names_of(user)
    hosted = Game.objects.filter(host=user).values_list("pk", flat=True)
    game_ids = sorted({*seats, *games, *stand_in_games, *hosted})
    for game_id in game_ids:
        _erase_name_in(game_id, user, names, seats.get(game_id))
    erasure.forget_names_in_copies(names)
    name_erasure.erase_names(user, names, seats, game_ids)
    writing.forget_author(user, names)
    bans.update_blocked_addresses(user)
    sanctions.store_outliving(user, names)
    Invitee.objects.filter(game__host=user).delete()
    addresses.forget_bounces(user)
    if seats or user.is_bot or user.last_login is not None:  # otherwise nobody has seen the name
        sign_ups.reserve_name(user.username)
    user.delete()
    return [game_id for game_id, status in games.items() if status in BEGUN]


def _leave_games(user: User, games: Mapping[int, str]) -> None:
    """Leave the games that wait for players, and give up the seats of those that have begun."""
    for game_id, status in games.items():
        if status == Status.WAITING:
            lobby.leave_game(game_id=game_id, user=user)
        elif status in BEGUN:
            give_up_seat(game_id, user, None)


def remove_unconfirmed() -> int:
    """Remove accounts whose address was not confirmed within `UNCONFIRMED_DAYS` of the sign-up and with which nobody
    ever signed in. Returns how many there were."""
    user_ids = list(_unconfirmed().order_by("date_joined").values_list("pk", flat=True)[:ACCOUNTS_PER_RUN])
    return for_each_isolated(_remove, user_ids)


def revoke_access(person: User) -> None:
    """End the sessions and tokens of a person and their bots, and disable their browser notifications and webhooks."""
    end_sessions(person)
    api_tokens.revoke_with_bots(user=person)
    push_subscriptions.forget_all(user=person)
    for hook in webhooks.webhooks_of(person):
        webhooks.disable(webhook=hook, why=SIGN_IN_CHANGED)


def _affected_games(user: User) -> Q:
    people = [user, *accounts.bots_of(user)]
    seated = Q(seats__user__in=people) | Q(pk__in=Tenure.objects.filter(user__in=people).values("game_id"))
    stand_ins_of_people = StandIn.objects.filter(Q(owner__in=people) | Q(user__in=people))
    return seated | Q(host__in=people) | Q(pk__in=stand_ins_of_people.values("game_id"))


def _erase_name_in(game_id: int, user: User, names: list[str], number: int | None) -> None:
    """Remove the name from a game's seat and log, and from the game's own name if that is the default one."""
    game = moves.lock(game_id)
    if game is None:
        return
    erasure.forget_player(game, user.pk)
    pattern = name_erasure.name_pattern(names)
    replacement = name_erasure.replacement_of(number)
    erasure.rewrite_notes(game, lambda text: pattern.sub(replacement, text))
    if game.name in map(lobby.usual_name, names):
        game.name = f"Game {game_id}"
    door.publish(game)


@transaction.atomic
def _remove(user_id: int) -> bool:
    """Remove one account, unless it was confirmed since."""
    account_locks.lock_accounts(also=[user_id])
    list(EmailAddress.objects.select_for_update().filter(user=user_id))
    user = _unconfirmed().filter(pk=user_id).first()
    if user is None:
        return False
    delete_account(user=user)
    log.info("unconfirmed_removed", user=user_id)
    return True


def _unconfirmed() -> QuerySet[User]:
    latest_sign_up = Now() - timedelta(days=settings.UNCONFIRMED_DAYS)
    return sign_ups.unconfirmed_accounts().filter(date_joined__lt=latest_sign_up, seats=None)
