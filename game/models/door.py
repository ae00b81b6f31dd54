"""Who comes in before a game begins: the link that invites, and whom the host sent away."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models

from game.models.game import Game

TOKEN_BYTES = 24  # half as much again as makes guessing hopeless


def new_token() -> str:
    """The part of an invitation link that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Invitation(models.Model):
    """The link by which people come to a game. Only its host is shown it, so it is in a row of its own, out of every
    list."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="invitation")
    token = models.CharField(max_length=64, default=new_token, editable=False)

    def __str__(self) -> str:
        return f"invitation to game {self.game_id}"


class Rematch(models.Model):
    """The game that the players of a finished one opened after it."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="rematch")
    after = models.ForeignKey(Game, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"rematch of game {self.game_id}"


class Removal(models.Model):
    """A guest whom the host sent away: they stay out until the host invites them again."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_removal_per_guest")]

    def __str__(self) -> str:
        return f"{self.user} removed from game {self.game_id}"
