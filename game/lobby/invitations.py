"""Invitations by name as pages and programs show them: the host sees who is invited, and others to what they are."""

from __future__ import annotations

from typing import Any

import msgspec
from django.urls import reverse

from accounts.models import User
from game.lobby.free_seats import free_seats_at
from game.lobby.inviting import takes_invitations
from game.lobby.lists import invited_entries
from game.play.game_limits import UNFINISHED
from game.store import access
from game.store.access_models import InvitationStop
from game.store.game import Game, Seat
from game.store.kinds import Instant

MOST_KNOWN, RECENT = 50, 50  # names that are offered, and games they are from


class Invited(msgspec.Struct, frozen=True):
    """Somebody whom the host has invited; `person` is their number."""

    person: int
    name: str
    invited_at: Instant
    has_declined: bool


def invitees_of(game: Game) -> list[Invited]:
    """Who is invited to a game, in the order of their invitations."""
    rows = game.invitees.filter(user__is_active=True).order_by("pk")
    told = rows.values_list("user_id", "user__username", "invited_at", "declined_at")
    return [Invited(number, name, at, declined is not None) for number, name, at, declined in told]


def inviting_context(*, game: Game, user: User) -> dict[str, Any]:
    """What a host sees about inviting by name; nothing for others, or in games that are played alone."""
    if game.host_id != user.pk or user.is_guest or game.status not in UNFINISHED or game.is_solo:
        return {}
    invitees = invitees_of(game)
    taken = {each.name for each in invitees} | set(game.seats.values_list("user__username", flat=True))
    return {"invitees": invitees, "known": [name for name in _known_to(user) if name not in taken]}


def substitutes_context(*, game: Game, user: User) -> dict[str, Any]:
    """What the host of a game that is played is shown to bring somebody to a free seat: by the link, or by name."""
    link = "" if game.is_open else access.link_to(game.pk)
    return {
        "game": game,
        "free_seats": free_seats_at(game),
        "door": {"link": link, "renew_url": reverse("renew_invitation", args=[game.pk])} if link else {},
        "inviting": inviting_context(game=game, user=user),
    }


def invitations_context(user: User) -> dict[str, Any]:
    """Everything the page of invitations shows: those that are open, and whose somebody does not want."""
    stops = InvitationStop.objects.filter(user=user, host__isnull=False).order_by("host__username")
    return {
        "invitations": invited_entries(user),
        "takes_invitations": takes_invitations(user),
        "stopped": list(stops.values_list("host_id", "host__username")),
    }


def _known_to(user: User) -> list[str]:
    """The names of people with whom somebody played lately: one statement."""
    lately = Seat.objects.filter(user=user).order_by("-pk").values("game_id")[:RECENT]
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False).exclude(pk=user.pk)
    known = people.filter(pk__in=Seat.objects.filter(game_id__in=lately, user__isnull=False).values("user_id"))
    return list(known.order_by("username").values_list("username", flat=True)[:MOST_KNOWN])
