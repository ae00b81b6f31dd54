"""Rows about the people of a game: invitations, removals, rematches, tenures, stand-ins and bot accounts."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from game.store.game import Game

TOKEN_BYTES = 24  # 1.5 times the bits that make guessing hopeless


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


class Copy(models.Model):
    """The game whose position an analysis copy shows. A person has at most one copy of each game."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="copy")
    source = models.ForeignKey(Game, models.CASCADE, related_name="copies")

    def __str__(self) -> str:
        return f"copy of game {self.source_id}"


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


class Tenure(models.Model):
    """A person's time on a seat. A substitute gets a row of their own, so that nobody is responsible for another
    player's misses. A decision counts when its phase has closed. `missed`: nothing was submitted for a real choice by
    the deadline; `excused`: a miss due to a long outage, a vacation or a stand-in, which does not count. The weights
    are those of `game.deadlines.reliability_model`, in which old decisions fade."""

    class End(models.TextChoices):
        RESIGNED = "resigned"
        REPLACED = "replaced", "somebody else took the seat"
        HANDED_OVER = "handed over", "a moderator gave the seat away"
        CLOSED = "closed", "the account was closed"

    game = models.ForeignKey(Game, models.CASCADE, related_name="tenures")
    number = models.PositiveSmallIntegerField("seat", help_text="From 0.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tenures")
    began_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=12, choices=End, blank=True)
    decisions = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    excused = models.PositiveIntegerField(default=0)
    made_weight = models.FloatField(db_default=0.0)
    missed_weight = models.FloatField(db_default=0.0)
    missed_on = models.DateField("last missed", null=True)
    in_a_row = models.PositiveSmallIntegerField("missed in a row", default=0)

    class Meta:
        db_table = "game_sitting"
        ordering = ["game", "number", "began_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=models.Q(ended_at=None), name="one_sitting_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user or 'somebody'} on seat {self.number + 1} of {self.game_id}"


class StandIn(models.Model):
    """A period in which somebody plays another person's seat. During it `user` sees and plays the seat, while its
    tenure, with results and rating, stays with `owner`. The row stays after its end: a person who saw a hand may not
    take over another seat of the game or moderate it."""

    class End(models.TextChoices):
        EXPIRED = "expired", "its time was over"
        OWNER = "owner", "the owner came back"
        GIVEN_BACK = "given back"
        MODERATOR = "moderator", "a moderator ended it"
        GAME_OVER = "game over"
        CLOSED = "closed", "an account was closed"

    game = models.ForeignKey(Game, models.CASCADE, related_name="stand_ins")
    number = models.PositiveSmallIntegerField("seat", help_text="From 0.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    began_at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=12, choices=End, blank=True)

    class Meta:
        db_table = "game_proxy"
        verbose_name_plural = "stand-ins"
        ordering = ["game", "number", "began_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=models.Q(ended_at=None), name="one_proxy_at_a_time"
            )
        ]
        indexes = [models.Index(fields=["until"], condition=models.Q(ended_at=None), name="proxies_to_end")]

    def __str__(self) -> str:
        return f"{self.user or 'somebody'} for {self.owner or 'somebody'} on seat {self.number + 1} of {self.game_id}"


class BotAccount(models.Model):
    """Marks an account as a person's bot and says which games it joins. Nobody can sign in as it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bot_account")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bots")
    rulesets = models.JSONField(default=list)
    paces = models.JSONField(default=list)
    least_seats = models.PositiveSmallIntegerField(default=2)
    most_seats = models.PositiveSmallIntegerField(default=8)
    most_games = models.PositiveSmallIntegerField(default=1, help_text="At the same time.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(most_seats__gte=models.F("least_seats")), name="bots_play_at_tables_that_exist"
            )
        ]

    def __str__(self) -> str:
        return f"bot {self.user_id} of {self.owner_id}"
