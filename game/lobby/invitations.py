"""Invitations by name for pages and the API: a host sees who is invited, others to which games."""

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

MOST_KNOWN, RECENT = 50, 50  # suggested names, and the games they come from


class Invited(msgspec.Struct, frozen=True):
    """Somebody whom the host has invited; `person` is their number."""

    person: int
    name: str
    invited_at: Instant
    has_declined: bool


def invitees_of(game: Game) -> list[Invited]:
    """The invitees of a game, oldest invitation first."""
    rows = game.invitees.filter(user__is_active=True).order_by("pk")
    columns = rows.values_list("user_id", "user__username", "invited_at", "declined_at")
    return [Invited(number, name, at, declined is not None) for number, name, at, declined in columns]


def inviting_context(*, game: Game, user: User) -> dict[str, Any]:
    """What a host sees about inviting by name; empty for others, and in games played alone."""
    if game.host_id != user.pk or user.is_guest or game.status not in UNFINISHED or game.is_solo:
        return {}
    invitees = invitees_of(game)
    excluded_names = {invitee.name for invitee in invitees} | set(game.seats.values_list("user__username", flat=True))
    return {"invitees": invitees, "known": [name for name in _known_to(user) if name not in excluded_names]}


def substitutes_context(*, game: Game, user: User) -> dict[str, Any]:
    """How the host of a running game fills a free seat: by link or by name."""
    link = "" if game.is_open else access.link_to(game.pk)
    return {
        "game": game,
        "free_seats": free_seats_at(game),
        "door": {"link": link, "renew_url": reverse("renew_invitation", args=[game.pk])} if link else {},
        "inviting": inviting_context(game=game, user=user),
    }


def invitations_context(user: User) -> dict[str, Any]:
    """The page of invitations: the open ones, and the hosts whose invitations the user stopped."""
    stops = InvitationStop.objects.filter(user=user, host__isnull=False).order_by("host__username")
    return {
        "invitations": invited_entries(user),
        "takes_invitations": takes_invitations(user),
        "stopped": list(stops.values_list("host_id", "host__username")),
    }


def _known_to(user: User) -> list[str]:
    """Names of recent fellow players, in one query."""
    recent_games = Seat.objects.filter(user=user).order_by("-pk").values("game_id")[:RECENT]
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False).exclude(pk=user.pk)
    fellow_players = people.filter(
        pk__in=Seat.objects.filter(game_id__in=recent_games, user__isnull=False).values("user_id")
    )
    return list(fellow_players.order_by("username").values_list("username", flat=True)[:MOST_KNOWN])
