"""Stored responses of the API, for idempotency keys."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class StoredResponse(models.Model):
    """A stored response: a repeated request with the same key gets it again for 24 hours."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", help_text="Empty: a visitor."
    )
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=b"")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "game_keptanswer"
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key"),
            models.UniqueConstraint(fields=["key"], condition=models.Q(user=None), name="one_answer_per_visitors_key"),
        ]

    def __str__(self) -> str:
        return f"response {self.pk}"
