"""The lock of accounts, which protects acts of people and their right to act: the account must be open and not banned,
and the token or session still valid.

All code locks in this order, to avoid deadlocks: a request for a second moderator, games by their keys, accounts by
their keys, all accounts of an act at once, and then whatever belongs to an account, such as its addresses, links,
sanctions and cases. `tests/lock_order.py` watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.infra import credentials
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.readers import lock_games
from game.store.seat_models import BotAccount

POWER_COLUMNS = ("is_active", "is_staff", "is_superuser", "banned_until")
PERMISSION_CACHES = ("_perm_cache", "_user_perm_cache", "_group_perm_cache")  # Django's permissions on an account


def lock_free_account(person: User) -> None:
    """Lock an account and check that it is open and not banned: a concurrent ban waits for us, or we wait for it.
    Raises `Refused`, and `Revoked`."""
    lock_accounts(person)
    check_is_free(person)


def check_is_free(person: User) -> None:
    """Check that the account is open and not banned. Raises `Refused`."""
    if not person.is_active:
        raise Refused("This account is closed.", code="barred")
    if ban_of(person) is not None:
        raise Refused("You are banned, so you cannot do this.", code="barred")


def lock_accounts(*people: User | None, also: Iterable[int | None] = ()) -> None:
    """Lock these accounts, and those with the keys `also`, and reload the powers of these people. A concurrent
    revocation waits until we are done. Raises `Revoked` if the request may change nothing any more."""
    users = [user for user in people if user is not None]
    keys = {user.pk for user in users} | {key for key in also if key is not None}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk").only(*POWER_COLUMNS)
    current = {row.pk: row for row in rows}
    for user in users:
        _refresh(user, current.get(user.pk) or User(is_active=False))
    credentials.check()


def lock_with_games(*people: User | None, games: Callable[[], Q], also: Callable[[], Iterable[int]] = tuple) -> None:
    """Lock `games` and then the accounts as `lock_accounts` does. If one of the people came to another game meanwhile,
    release all and begin again: games must be locked before their people. Raises `Revoked`."""
    while True:
        savepoint = transaction.savepoint()
        locked = lock_games(games())
        lock_accounts(*people, also=also())
        if locked.issuperset(Game.objects.filter(games()).values_list("pk", flat=True)):
            return transaction.savepoint_commit(savepoint)
        transaction.savepoint_rollback(savepoint)


def answerable_person(user: User) -> User:
    """The person whom a decision about this account concerns: for a bot its owner, who could play on through it."""
    if not user.is_bot:
        return user
    account = BotAccount.objects.select_related("owner").filter(user=user).first()
    return user if account is None else account.owner


def ban_of(user: User) -> Sanction | None:
    """The ban that keeps somebody and their bots from playing now; no query for people who have none."""
    user = answerable_person(user)
    if not user.is_banned:
        return None
    bans = Sanction.objects.filter(user=user, kind=Sanction.Kind.BAN, lifted_at=None, until__gt=timezone.now())
    return bans.select_related("user").order_by("-until").first()


def _refresh(person: User, current: User) -> None:
    for name in POWER_COLUMNS:
        setattr(person, name, getattr(current, name))
    for name in PERMISSION_CACHES:
        if hasattr(person, name):
            delattr(person, name)
