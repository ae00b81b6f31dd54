"""Who sits, who hosts and who may, decided under the lock that protects the act. What a page or a program read before
it had that lock counts for nothing: meanwhile a seat may have changed hands, or a right may have been taken.

Whoever changes one of these takes the same lock: the game's row for its seats and its host, the row of an account for
its powers. A game is locked before any person, and people in the order of their keys."""

from __future__ import annotations

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.reputation import bans
from game.store.eyes import own_seats
from game.store.game import Game, Seat

NO_SEAT = mark("You have no seat in this game.")
HAS_POWERS = ("is_active", "is_staff", "is_superuser", "banned_until")
CACHED = ("_perm_cache", "_user_perm_cache", "_group_perm_cache")  # where Django keeps the permissions of an account


def seat_of(game: Game, user_id: int | None, number: int | None = None) -> Seat:
    """The seat of a locked game for which this person decides; `number` is where they sat when they asked. Raises
    `Refused`, also while they are banned."""
    found = own_seats(user_id or 0).filter(game=game).select_related("user").first()
    if found is None or found.user is None or number not in {None, found.number}:
        raise Refused(NO_SEAT, code="not_seated")
    check_is_free(found.user)
    return found


def check_is_free(person: User) -> None:
    """Check that the account is open and not banned. Raises `Refused`."""
    if not person.is_active:
        raise Refused("This account is closed.", code="barred")
    if bans.ban_of(person) is not None:
        raise Refused("You are banned, so you cannot do this.", code="barred")


def hold_free(person: User) -> None:
    """Hold an account that is open and not banned, whatever was read of it before: a ban waits until we are done, or we
    wait for it. Raises `Refused`."""
    hold(person)
    check_is_free(person)


def check_host(game: Game, user: User) -> None:
    """Check that this person hosts a locked game. Raises `Refused`, also while they are banned."""
    if game.host_id != user.pk:
        raise Refused("Only the host of the game can do that.", code="not_host")
    hold_free(user)


def hold(*people: User | None, also: int | None = None) -> None:
    """Lock these accounts, and the one with the key `also`, and read anew what these people may: whoever takes their
    powers waits until we are done."""
    given = [person for person in people if person is not None]
    keys = {person.pk for person in given} | {key for key in (also,) if key is not None}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk").only(*HAS_POWERS)
    now = {row.pk: row for row in rows}
    for person in given:
        _renew(person, now.get(person.pk) or User(is_active=False))


def _renew(person: User, now: User) -> None:
    for name in HAS_POWERS:
        setattr(person, name, getattr(now, name))
    for name in CACHED:
        if hasattr(person, name):
            delattr(person, name)
