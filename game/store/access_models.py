"""Access to a game: its invitation link, invitations by name, and players whom the host removed."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from game.store.game import Game

TOKEN_BYTES = 24  # 1.5 times what makes guessing hopeless


def new_token() -> str:
    """The secret part of an invitation link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Invitation(models.Model):
    """The invitation link of a game. Only its host sees it, and its players while a seat is free. It has a table of its
    own, so that no list of games includes it."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="invitation")
    token = models.CharField(max_length=64, default=new_token, editable=False)

    def __str__(self) -> str:
        return f"invitation to game {self.game_id}"


class Rematch(models.Model):
    """A game that players of a finished game opened as its rematch."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="rematch")
    after = models.ForeignKey(Game, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"rematch of game {self.game_id}"


class Removal(models.Model):
    """A player whom the host removed: they cannot join until the host invites them again."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_removal_per_guest")]

    def __str__(self) -> str:
        return f"{self.user} removed from game {self.game_id}"


class Invitee(models.Model):
    """A person whom the host invited by name to a game that has not started, or to a free seat of a running one. The
    invitation reserves no seat. The row is deleted when they join, when the game starts or is over, and when a running
    game has no seat left that the caretaker plays."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="invitees")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    invited_at = models.DateTimeField(db_default=Now())
    declined_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_invitation_per_person")]

    def __str__(self) -> str:
        return f"{self.user} invited to game {self.game_id}"


class InvitationStop(models.Model):
    """A person who wants no invitations: from one host, or from anybody if `host` is null."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitation_stops")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "host"], name="one_stop_per_host"),
            models.UniqueConstraint(fields=["user"], condition=models.Q(host=None), name="one_stop_of_all"),
        ]

    def __str__(self) -> str:
        return f"{self.user} wants no invitations of {self.host or 'anybody'}"
