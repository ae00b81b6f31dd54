"""Checks of seats, hosts and powers under the lock that protects the action. Reads from before the lock do not count: a
seat may have changed hands since, or a power may have been revoked.

Code that changes one of these takes the same lock: the game's row for seats and host, the account's row for powers.
Lock games before accounts, and accounts in the order of their keys."""

from __future__ import annotations

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.reputation import bans
from game.store.eyes import own_seats
from game.store.game import Game, Seat

NO_SEAT = mark("You have no seat in this game.")
POWER_COLUMNS = ("is_active", "is_staff", "is_superuser", "banned_until")
PERMISSION_CACHES = ("_perm_cache", "_user_perm_cache", "_group_perm_cache")  # Django's, on an account


def seat_of(game: Game, user_id: int | None, number: int | None = None) -> Seat:
    """The seat of a locked game for which this person decides; `number` is the seat they sent the request for. Raises
    `Refused`, also while they are banned."""
    seat = own_seats(user_id or 0).filter(game=game).select_related("user").first()
    if seat is None or seat.user is None or number not in {None, seat.number}:
        raise Refused(NO_SEAT, code="not_seated")
    check_is_free(seat.user)
    return seat


def check_is_free(person: User) -> None:
    """Check that the account is open and not banned. Raises `Refused`."""
    if not person.is_active:
        raise Refused("This account is closed.", code="barred")
    if bans.ban_of(person) is not None:
        raise Refused("You are banned, so you cannot do this.", code="barred")


def hold_free(person: User) -> None:
    """Lock an account and check that it is open and not banned: a concurrent ban waits for us, or we wait for it.
    Raises `Refused`."""
    hold(person)
    check_is_free(person)


def check_host(game: Game, user: User) -> None:
    """Check that this person hosts a locked game. Raises `Refused`, also while they are banned."""
    if game.host_id != user.pk:
        raise Refused("Only the host of the game can do that.", code="not_host")
    hold_free(user)


def hold(*people: User | None, also: int | None = None) -> None:
    """Lock these accounts, and the one with the key `also`, and reload the powers of these people. A concurrent
    revocation waits until we are done."""
    users = [user for user in people if user is not None]
    keys = {user.pk for user in users} | {key for key in (also,) if key is not None}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk").only(*POWER_COLUMNS)
    current = {row.pk: row for row in rows}
    for user in users:
        _refresh(user, current.get(user.pk) or User(is_active=False))


def _refresh(person: User, current: User) -> None:
    for name in POWER_COLUMNS:
        setattr(person, name, getattr(current, name))
    for name in PERMISSION_CACHES:
        if hasattr(person, name):
            delattr(person, name)
