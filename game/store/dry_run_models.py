"""The latest rehearsal of closing a phase, by game, with its result."""

from __future__ import annotations

from django.db import models

from game.store.game import Game


class Rehearsal(models.Model):
    """The last rehearsal of a game. Written before the attempt, so that a rehearsal that kills its process is not
    repeated."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="rehearsal")
    serial = models.PositiveIntegerField(help_text="Of the phase.")
    deadline_at = models.DateTimeField(null=True, help_text="Of that phase. Empty: it is to be tried again.")
    at = models.DateTimeField()
    has_failed = models.BooleanField(default=False)
    told_serial = models.PositiveIntegerField(null=True, help_text="The last phase that the staff have an email about.")

    def __str__(self) -> str:
        return f"{self.game_id}, phase {self.serial}"
