"""Who held a seat from when to when, with counts of decisions made, missed and excused."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from game.store.game import Game


class Sitting(models.Model):
    """A person's time on a seat. A substitute gets a row of their own, so that nobody is responsible for another
    player's misses. A decision counts when its phase has closed. `missed`: nothing was submitted for a real choice by
    the deadline; `excused`: a miss due to a long outage, a vacation or a proxy, which does not count. The weights are
    those of `game.deadlines.reliability_model`, in which old decisions fade."""

    class End(models.TextChoices):
        RESIGNED = "resigned"
        REPLACED = "replaced", "somebody else took the seat"
        HANDED_OVER = "handed over", "a moderator gave the seat away"
        CLOSED = "closed", "the account was closed"

    game = models.ForeignKey(Game, models.CASCADE, related_name="sittings")
    number = models.PositiveSmallIntegerField("seat", help_text="From 0.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="sittings")
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
        ordering = ["game", "number", "began_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=models.Q(ended_at=None), name="one_sitting_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user or 'somebody'} on seat {self.number + 1} of {self.game_id}"
