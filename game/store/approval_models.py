"""Requests of moderators that a second person must confirm."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from game.store.game import Game
from game.store.log import Intervention


class SecondOpinion(models.Model):
    """An intervention that one moderator requests and another one confirms; nothing happens until then.

    `asked` are the arguments for the service, without the reason. `ends_at` is when the confirmed permission expires;
    `told_at` is when the players were notified."""

    class Answer(models.TextChoices):
        WAITING = "", "waiting for a second person"
        CONFIRMED = "confirmed"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    what = models.CharField(max_length=32, choices=Intervention)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)
    asked = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True, default=Answer.WAITING)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "request for a second person"
        verbose_name_plural = "requests for a second person"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(answer="")
                | models.Q(answered_by=None)
                | models.Q(answer="withdrawn")
                | ~models.Q(answered_by=models.F("asker")),
                name="nobody_confirms_their_own_request",
            )
        ]
        indexes = [
            models.Index(
                fields=["game"],
                condition=models.Q(what="read_secrets", answer="confirmed", told_at=None),
                name="secret_views_to_tell",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()}: {self.reason}"
