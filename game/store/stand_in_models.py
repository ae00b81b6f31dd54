"""People who temporarily play a seat for its owner."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from game.store.game import Game


class Proxy(models.Model):
    """A period in which somebody plays another person's seat. During it `user` sees and plays the seat, while its
    sitting, with results and rating, stays with `owner`. The row stays after its end: a person who saw a hand may not
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
        verbose_name_plural = "proxies"
        ordering = ["game", "number", "began_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=models.Q(ended_at=None), name="one_proxy_at_a_time"
            )
        ]
        indexes = [models.Index(fields=["until"], condition=models.Q(ended_at=None), name="proxies_to_end")]

    def __str__(self) -> str:
        return f"{self.user or 'somebody'} for {self.owner or 'somebody'} on seat {self.number + 1} of {self.game_id}"
