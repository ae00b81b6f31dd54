"""Invitations by name: the pages that list them, and their notices. A notice contains nothing written by the host, not
even the game's name: the two may not know each other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from game.deadlines.paces import words_of
from game.lobby.free_seats import free_seats_at
from game.lobby.lobby_page import invited_entries
from game.outbox import notices
from game.play.authority import UNFINISHED
from game.store import eyes
from game.store.badges import Instant
from game.store.game import Game, Seat
from game.store.log import Notice
from game.store.readers import host_of
from game.store.seat_models import InvitationStop

MOST_KNOWN, RECENT = 50, 50  # suggested names, and the games they come from


class Invited(msgspec.Struct, frozen=True):
    """An invitee of a game; `person` is the key of their account."""

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
    link = "" if game.is_open else eyes.link_to(game.pk)
    return {
        "game": game,
        "free_seats": free_seats_at(game),
        "access": {"link": link, "renew_url": reverse("renew_invitation", args=[game.pk])} if link else {},
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


GRACE = timedelta(seconds=30)  # time for a host to withdraw a wrong name before anybody is notified


class Terms(NamedTuple):
    """The game to which somebody is invited, as the notice describes it."""

    host: str
    title: str
    pace: str
    taken: int
    size: int
    turn: int  # 0 before it begins
    turn_words: str
    is_rated: bool
    least_reliability: int
    answer_url: str


def notify_invitee(game: Game, user_id: int) -> None:
    """Notify a user of an invitation, at any pace; only once, even if the host withdraws it and invites them again."""
    if not _invitation_notices(game, user_id).exists():
        people = [(game.seats.order_by("number")[0], user_id)]
        notices.notify(game=game, people=people, kind=Notice.Kind.INVITED, serial=user_id, delay=GRACE)


def delete_unsent_notices(game: Game, user_id: int) -> None:
    """Delete the unsent notices of a withdrawn invitation."""
    _invitation_notices(game, user_id).filter(handed_at=None).delete()


def terms_for(notice: Notice) -> Terms:
    """The content of an invitation's notice."""
    game = notice.game
    words = words_of(game.rules.flow(game.read_options()), game.pace, game.read_timing())
    return Terms(
        host=host_of(game),
        title=game.rules.title,
        pace=f"{words.title}, {words.clock}",
        taken=game.seats.filter(keeper="").count(),
        turn=game.turn if game.has_position else 0,
        turn_words=game.rules.turn_inside(game.turn),
        size=game.seats_wanted,
        is_rated=game.is_rated,
        least_reliability=game.least_reliability,
        answer_url=settings.SITE_URL + reverse("invitations"),
    )


def _invitation_notices(game: Game, user_id: int) -> QuerySet[Notice]:
    return Notice.objects.filter(game=game, kind=Notice.Kind.INVITED, user=user_id)


def takes_invitations(user: User) -> bool:
    """True if others can invite the user by name."""
    return not InvitationStop.objects.filter(user=user, host=None).exists()
