"""Who may intervene: staff with the permission, for a reason, and never in a game of their own. Also whether two
moderators count as two: they share no home and are not connected by recent changes of powers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.db.models import Q
from django.utils import timezone

from accounts.addresses import mailbox_of
from accounts.models import User
from accounts.names import sought
from game.engine.actions import Refused
from game.engine.language import mark
from game.reputation import households
from game.reputation.households import together_with
from game.store import account_locks
from game.store.game import BEGUN, Game, Seat
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.seat_models import StandIn, Tenure
from game.store.visible_text import one_line

PLAYS_THERE = mark("You play or played in this game. Ask another moderator.")
LIVES_WITH_A_PLAYER = mark(
    "Somebody with whom you share a home or a connection plays or played in this game. Ask another moderator."
)
LONGEST_REASON = 200
CONNECTED_FOR = timedelta(days=30)
SEAT_GIVING = frozenset({Intervention.HAND_SEAT_TO_USER, Intervention.SET_PROXY})
"""Interventions that show a person what a seat hides. Taking over a free seat and returning to one's own are no
interventions."""
RECEIVER = "receiver"
"""Key in a request's arguments: the account that gets a seat. Its name may belong to another one at confirmation."""
NEW_ADDRESS = "address wanted"
"""Key in a request's arguments: the new address of an account. Whoever reads that mailbox gets the account."""


def check(what: Intervention, moderator: User, reason: str, *, on: Iterable[int | None] = ()) -> None:
    """Check that a moderator may do this now and gives a reason; `on` are the keys of the accounts acted on. Raises
    `Refused`."""
    check_may(what, moderator, on=on)
    if not clean_reason(reason):
        raise Refused("Enter a reason. It is recorded and shown to the players.", code="reason_missing", field="reason")
    if len(clean_reason(reason)) > LONGEST_REASON:
        raise Refused(
            f"A reason can have up to {LONGEST_REASON} characters; this one has {len(clean_reason(reason))}.",
            code="reason_too_long",
            field="reason",
        )


def check_may(what: Intervention, moderator: User, *, on: Iterable[int | None] = ()) -> None:
    """Check that a moderator may do this now; their account and those of `on` are locked until it is done. Raises
    `Refused`."""
    account_locks.lock_accounts(moderator, also=on)
    if not may(what, moderator):
        raise Refused(
            f"You are not allowed to {what.label}: it needs the permission {what.permission}.", code="no_permission"
        )


def may(what: Intervention, moderator: User) -> bool:
    """True if a user is a moderator with this permission, from the objects as loaded: for pages. Acts use
    `check_may`."""
    return moderator.is_staff and not moderator.is_banned and moderator.has_perm(what.permission)


def why_barred(game: Game, moderator: User) -> str:
    """Why a moderator may decide nothing in this game: they, a bot of theirs or somebody they live with plays or played
    there, also as a stand-in. Empty if none does. It binds superusers too."""
    if not _has_played(game, household_rows(moderator)):
        return ""
    return PLAYS_THERE if _has_played(game, own_rows(moderator)) else LIVES_WITH_A_PLAYER


def check_ties(
    moderator: User, *, game: Game | None = None, on: User | None = None, people: Iterable[User] = ()
) -> None:
    """Check that nothing ties a moderator to what an act concerns: its game, the account it changes (`on`) and the
    other people about whom it decides. Raises `Refused`. Every act of staff asks here; superusers are bound too. A tie
    is to be this person, to live with them, and to play with them or with a bot of theirs in a game that has begun."""
    if game is not None and (reason := why_barred(game, moderator)):
        raise Refused(reason, code="plays_there")
    concerned = [*people] if on is None else [on, *people]
    for person in concerned:
        _check_apart_from(person, moderator)
    if on is not None and has_more_rights(on, than=moderator):
        raise Refused(f"{on} has more rights than you. Ask a moderator with the same rights.", code="has_more_rights")
    for person in concerned:
        _check_plays_apart(person, moderator)


def is_tied(moderator: User, *, game: Game | None = None, on: User | None = None, people: Iterable[User] = ()) -> bool:
    """True if `check_ties` refuses, for pages and lists."""
    try:
        check_ties(moderator, game=game, on=on, people=people)
    except Refused:
        return True
    return False


def _check_plays_apart(person: User, moderator: User) -> None:
    """Check that a moderator plays with none of these people: they would gain by a rival's absence, or lose with a
    friend."""
    owner = person.bot_account.owner if person.is_bot else person
    begun = Game.objects.filter(status__in=BEGUN)
    together = begun.filter(games_with(own_rows(owner))).order_by("pk")
    if shared := together.filter(games_with(own_rows(moderator))).first():
        raise Refused(f"You play with {person} in {shared}. Ask another moderator.", code="plays_with")
    if shared := together.filter(games_with(household_rows(moderator))).first():
        raise Refused(
            f"Somebody with whom you share a home or a connection plays with {person} in {shared}. Ask another "
            "moderator.",
            code="plays_with",
        )


def _check_apart_from(person: User, moderator: User) -> None:
    """Check that a moderator neither is this person nor lives with them. Raises `Refused`."""
    if person == moderator:
        raise Refused("This is about you. Ask another moderator.", code="about_you")
    if person.pk in households.linked_to(moderator.pk):
        raise Refused(
            "You share a home or a connection with {name}. Ask another moderator.", code="lives_with", name=str(person)
        )


def own_rows(person: User) -> Q:
    """The condition on rows whose `user` is this person or a bot of theirs, whose hand they know."""
    return Q(user=person) | Q(user__bot_account__owner=person)


def household_rows(person: User) -> Q:
    """These rows for a person and everyone who shares a home or a connection with them: what one knows, the others may
    know."""
    people = together_with(person.pk)
    return Q(user__in=people) | Q(user__bot_account__owner__in=people)


def games_with(who: Q) -> Q:
    """The condition on games in which somebody selected by `own_rows` or `household_rows` has a seat now, has a
    stand-in, or is one."""
    seats = Seat.objects.filter(who).values("game")
    return Q(pk__in=seats) | Q(pk__in=Tenure.objects.filter(who, ended_at=None).values("game"))


def clean_reason(reason: str) -> str:
    """The reason on one line."""
    return one_line(reason)


def connected_to(person: User) -> set[int]:
    """Staff connected by role changes in the last 30 days, directly or through others. They count as one person for
    two-person approval."""
    changes = ModeratorAction.objects.filter(verb=Intervention.CHANGE_POWERS, at__gt=timezone.now() - CONNECTED_FOR)
    keys = changes.values_list("details__by", "user_id", "details__account")
    changed_pairs = [{by or user, account} for by, user, account in keys if (by or user) and account]
    connected = {person.pk}
    while overlapping := [pair for pair in changed_pairs if pair & connected and not pair <= connected]:
        connected.update(*overlapping)
    return connected - {person.pk}


def is_connected(receiver: User, moderator: User) -> bool:
    """True if a moderator is this person, shares a home or a connection with them, or is linked by recent changes of
    powers to the person or somebody they share a home with."""
    return not together_with(receiver.pk).isdisjoint({moderator.pk, *connected_to(moderator)})


def check_mailbox(arguments: Mapping[str, Any], person: User | None, moderator: User) -> None:
    """Check that no moderator moves an account to a mailbox of their own or of somebody connected to them. Raises
    `Refused`."""
    if has_mailbox(arguments, person, moderator):
        raise Refused(
            "This mailbox is yours, or that of somebody with whom you share a home, or got powers from each other or "
            f"from the same person within {CONNECTED_FOR.days} days. Ask another moderator.",
            code="tied_to_receiver",
            field="email",
        )


def _has_played(game: Game, who: Q) -> bool:
    return any(rows.filter(who).exists() for rows in (game.seats, game.tenures, game.stand_ins))


def has_mailbox(arguments: Mapping[str, Any], person: User | None, moderator: User) -> bool:
    """True if the new address of an account is a mailbox of this moderator or of somebody connected to them. Mailboxes
    of the account's own owner do not count."""
    if NEW_ADDRESS not in arguments:
        return False
    connected = {moderator.pk, *connected_to(moderator)}
    people = set[int]().union(*map(together_with, connected)) - {person.pk if person else None}
    emails = {
        *EmailAddress.objects.filter(user__in=people).values_list("email", flat=True),
        *User.objects.filter(pk__in=people).exclude(email="").values_list("email", flat=True),
    }
    return mailbox_of(arguments[NEW_ADDRESS]) in map(mailbox_of, emails)


def players_of(game: Game, arguments: Mapping[str, Any]) -> list[User]:
    """The accounts that an act on one seat concerns: the one that plays it, and the player for whom it plays."""
    number = arguments.get("seat_number")
    if number is None:
        return []
    owners = StandIn.objects.filter(game=game, number=number, ended_at=None).values("owner")
    return list(User.objects.filter(Q(seats__game=game, seats__number=number) | Q(pk__in=owners)).distinct())


def receiver_of(what: str, arguments: Mapping[str, Any]) -> User | None:
    """The account that gets a seat, to own or to play. A stored request has its key, a new one its name."""
    if arguments.get(RECEIVER) is not None:
        return User.objects.filter(pk=arguments[RECEIVER]).first()
    name = str(arguments.get("username", "")).strip()
    return User.objects.filter(username__iexact=sought(name)).first() if name and what in SEAT_GIVING else None


def check_receiver(what: str, arguments: Mapping[str, Any], moderator: User) -> None:
    """Check that no moderator lets themselves, or somebody connected to them, see what a seat hides. Raises
    `Refused`."""
    receiver = receiver_of(what, arguments)
    if receiver is None:
        return
    check_ties(moderator, people=[receiver])
    if is_connected(receiver, moderator):
        raise Refused(
            f"{receiver}, or somebody they share a home with, and you got powers from each other or from the same "
            f"person within {CONNECTED_FOR.days} days. Ask another moderator.",
            code="tied_to_receiver",
            field="username",
        )


def check_are_two(asker: User, moderator: User) -> None:
    """Check that two moderators count as two: they share no home and are not linked by recent changes of powers. Raises
    `Refused`."""
    _check_apart_from(asker, moderator)
    if moderator.pk in connected_to(asker):
        raise Refused(
            f"{asker} and you got your powers from each other or from the same person within "
            f"{CONNECTED_FOR.days} days. Ask another moderator.",
            code="powers_too_new",
        )


def has_more_rights(person: User, *, than: User) -> bool:
    """True if a user has a right that the other lacks; a closed account counts with the rights it would have if it were
    reopened."""
    if than.is_superuser:
        return False
    if person.is_superuser or (person.is_staff and not than.is_staff):
        return True
    return bool(_permissions_of(person) - _permissions_of(than))


def _permissions_of(person: User) -> set[int]:
    permissions = Permission.objects.filter(Q(user=person) | Q(group__user=person))
    return set(permissions.values_list("pk", flat=True))
