"""Inviting people by name to a waiting game or to a free seat of a running one: the host invites, withdraws, and sees
who declined. An invitation reserves no seat; a person who accepts joins or takes over like everyone else. Whether
people want no invitations, have muted the host or may not join is private: the host gets the same answer as for an
unknown name, after the same single query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts import limits
from accounts.models import User
from accounts.names import sought
from game.chat.models import Mute
from game.engine.actions import Refused
from game.engine.language import mark
from game.live import announce
from game.lobby import host_choices, invitations, waiting_games
from game.play import authority, door
from game.reputation import bans, households
from game.seats import takeover
from game.store.case_models import Sanction
from game.store.game import Game, Keeper, Pace, Seat
from game.store.seat_models import InvitationStop, Invitee, Removal, Tenure

CANNOT_BE_INVITED = mark("There is no player of this name who can be invited. Check the name, or send the link.")
NO_ACCOUNT = mark("{name} is a bot or plays as a guest. Only players with an account can be invited.")
SHARES_HOME = mark("You share a home or a connection with {name}, so you cannot both play in this rated game.")


class Candidate(NamedTuple):
    """A person as seen by a host who wants to invite them."""

    pk: int
    name: str
    is_bot: bool
    is_guest: bool
    is_seated: bool
    had_seat: bool
    is_invited: bool
    has_declined: bool
    is_linked: bool
    refuses_invitations: bool


@transaction.atomic
def invite(*, game_id: int, user: User, person: str | int) -> None:
    """Invite a person by name or key; only the host may. A player whom the host removed may be invited back. Raises
    `Refused`, and `limits.TooMany`."""
    limits.spend("invite", user.pk)
    game = waiting_games.lock_own(game_id, user)
    _check_host(game, user)
    invitee = _find_person(game, user, person)
    if invitee is None:
        raise _cannot_be_invited()
    _check_place(game, invitee)
    if invitee.refuses_invitations:
        raise _cannot_be_invited()
    Invitee.objects.create(game=game, user_id=invitee.pk)
    Removal.objects.filter(game=game, user=invitee.pk).delete()
    invitations.notify_invitee(game, invitee.pk)
    door.publish(game)
    announce.person_changed(invitee.pk, game.version)


def invite_players(*, game: Game, host: User, people: Sequence[int], sends_notices: bool) -> None:
    """Invite those of these people whom the host may invite to a game that they have just created. Without notices,
    only their page of invitations shows it."""
    invitees = User.objects.filter(pk__in=people, is_active=True, is_bot=False, is_guest=False)
    for user_id in invitees.exclude(pk__in=_refusing_invitations(host)).order_by("pk").values_list("pk", flat=True):
        Invitee.objects.create(game=game, user_id=user_id)
        if sends_notices:
            invitations.notify_invitee(game, user_id)
        announce.person_changed(user_id, game.version)


@transaction.atomic
def withdraw(*, game_id: int, user: User, person: int) -> None:
    """Withdraw an unanswered invitation; only the host may. Raises `Refused`."""
    game = waiting_games.lock_own(game_id, user)
    if not game.invitees.filter(user=person, declined_at=None).delete()[0]:
        raise _no_such_invitation()
    invitations.delete_unsent_notices(game, person)
    door.publish(game)


@transaction.atomic
def decline(*, game_id: int, user: User) -> None:
    """Decline an invitation; the host sees it. Repeating it changes nothing. Raises `Refused`."""
    game = waiting_games.lock_unfinished(game_id)
    invitee = game.invitees.filter(user=user).first()
    if invitee is None:
        raise _no_such_invitation()
    if invitee.declined_at is None:
        game.invitees.filter(pk=invitee.pk).update(declined_at=Now())
        door.publish(game)


@transaction.atomic
def stop_host(*, game_id: int, user: User) -> None:
    """Stop invitations from the host of a game to which the user is invited, and decline the open ones. The host is not
    told why. Raises `Refused`."""
    invitee = Invitee.objects.filter(game=game_id, user=user).select_related("game__host").first()
    if invitee is None:
        raise _no_such_invitation()
    InvitationStop.objects.get_or_create(user=user, host=invitee.game.host)
    open_invitations = Invitee.objects.filter(user=user, game__host=invitee.game.host, declined_at=None)
    for number in open_invitations.order_by("game").values_list("game", flat=True):
        decline(game_id=number, user=user)


def allow_host(*, user: User, host: int) -> None:
    """Allow this host's invitations again. Repeating it changes nothing."""
    InvitationStop.objects.filter(user=user, host=host).delete()


def take_invitations(*, user: User, wanted: bool) -> None:
    """Set whether others can invite the user by name; open invitations stay."""
    if wanted:
        InvitationStop.objects.filter(user=user, host=None).delete()
    else:
        InvitationStop.objects.get_or_create(user=user, host=None)


def _check_host(game: Game, user: User) -> None:
    if user.is_guest:
        raise Refused(authority.BOTS_ALONE, code="bots_alone", field="bots")
    if game.pace == Pace.NO_CLOCK:
        raise Refused(host_choices.NEEDS_A_CLOCK, code="needs_a_clock", field="pace")
    bans.check_may_join(user)
    if not (takeover.has_free_seat(game) if game.has_position else game.seats.count() < game.seats_wanted):
        raise Refused("All {n} seats of this game are taken.", code="seat_taken", n=game.seats_wanted)


def _find_person(game: Game, user: User, person: str | int) -> Candidate | None:
    """The facts to check about a person before they are invited: one query, for any person."""
    is_person = Q(pk=person) if isinstance(person, int) else Q(username__iexact=sought(person))
    their_invitations = game.invitees.filter(user=OuterRef("pk"))
    links = households.links_in_force()
    links_to_host = links.filter(one=OuterRef("pk"), two=user) | links.filter(two=OuterRef("pk"), one=user)
    columns = (
        Exists(Seat.objects.filter(game=game, user=OuterRef("pk")).exclude(keeper=Keeper.RESIGNED)),
        Exists(Tenure.objects.filter(game=game, user=OuterRef("pk"))),
        Exists(their_invitations.filter(declined_at=None)),
        Exists(their_invitations.filter(declined_at__isnull=False)),
        Exists(links_to_host),
        Exists(_refusing_invitations(user).filter(pk=OuterRef("pk"))),
    )
    rows = User.objects.filter(is_person, is_active=True)
    row = rows.values_list("pk", "username", "is_bot", "is_guest", *columns).first()
    return None if row is None else Candidate(*row)


def _refusing_invitations(host: User) -> QuerySet[User]:
    """The users whom this host cannot invite: they want no invitations or none from this host, have muted them in a
    chat, or may not join games."""
    stops = InvitationStop.objects.filter(Q(host=None) | Q(host=host), user=OuterRef("pk"))
    mutes = Mute.objects.filter(user=OuterRef("pk"), muted=host)
    barred = Sanction.objects.filter(user=OuterRef("pk"), kind=Sanction.Kind.NO_JOIN, lifted_at=None, until__gt=Now())
    return User.objects.filter(Exists(stops) | Exists(mutes) | Exists(barred) | Q(banned_until__gt=Now()))


def _check_place(game: Game, invitee: Candidate) -> None:
    """Refuse for reasons that the host knows or that are public. Raises `Refused`."""
    name = invitee.name
    if invitee.is_seated:
        raise Refused("{name} already has a seat in this game.", code="already_seated", field="person", name=name)
    if invitee.had_seat:
        raise Refused("{name} has already had a seat in this game.", code="had_a_seat", field="person", name=name)
    if invitee.is_invited:
        raise Refused("{name} is already invited.", code="already_invited", field="person", name=name)
    if invitee.has_declined:
        raise Refused(
            "{name} declined. You cannot invite them to this game again; send them the link instead.",
            code="was_declined", field="person", name=name,
        )  # fmt: skip
    if invitee.is_bot or invitee.is_guest:
        raise Refused(NO_ACCOUNT, code="no_person", field="person", name=name)
    if game.is_rated and invitee.is_linked:
        raise Refused(SHARES_HOME, code="linked_player", field="person", name=name)


def _cannot_be_invited() -> Refused:
    return Refused(CANNOT_BE_INVITED, code="cannot_be_invited", field="person")


def _no_such_invitation() -> Refused:
    return Refused("There is no such invitation any more.", code="no_such_invitation")
