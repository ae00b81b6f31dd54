"""Who may take a seat: everyone in an open game, people with the link or an invitation by name in a game by invitation,
and no one whom the host removed."""

from __future__ import annotations

from secrets import compare_digest

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.store.access_models import Invitation, Removal, new_token
from game.store.eyes import is_invitee
from game.store.game import Game

REMOVED = mark("The host removed you from this game. You can join it only when the host invites you again.")


def is_invited(*, game_id: int, token: str) -> bool:
    """True if this is the token of the game's link."""
    current_token = Invitation.objects.filter(game_id=game_id).values_list("token", flat=True).first()
    return current_token is not None and compare_digest(current_token.encode(), token.encode())


def link_to(game_id: int) -> str:
    """The URL of a game's invitation link; empty if it has none."""
    token = Invitation.objects.filter(game_id=game_id).values_list("token", flat=True).first()
    return settings.SITE_URL + reverse("invitation", args=[game_id, token]) if token else ""


def forget_invitees(game: Game) -> None:
    """Delete all invitations by name, when the game starts or is over."""
    game.invitees.all().delete()


def forget_unless_left(game: Game) -> None:
    """Delete outstanding invitations once no seat is free."""
    if not game.keepers:
        forget_invitees(game)


def is_removed(*, game_id: int, user_id: int) -> bool:
    """True if the host removed this person and has not invited them again."""
    return Removal.objects.filter(game_id=game_id, user_id=user_id).exists()


def check_door(*, game: Game, user: User, token: str) -> None:
    """Check that a person may take a seat. Raises `Refused`."""
    may_come = game.is_open or is_invited(game_id=game.pk, token=token) or is_invitee(game_id=game.pk, user_id=user.pk)
    if not may_come:
        raise Refused("This game is by invitation. Ask its host for the link.", code="by_invitation")
    if is_removed(game_id=game.pk, user_id=user.pk):
        raise Refused(REMOVED, code="was_sent_away")


def renew_link(game: Game) -> None:
    """Replace the game's invitation link."""
    Invitation.objects.update_or_create(game=game, defaults={"token": new_token()})


def keep_out(*, game: Game, user_id: int) -> None:
    """Prevent a removed guest from joining again, directly or by the link under another name."""
    Removal.objects.get_or_create(game=game, user_id=user_id)
    if not game.is_open:
        renew_link(game)
