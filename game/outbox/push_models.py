"""Push subscriptions of people's browsers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class PushSubscription(models.Model):
    """The push endpoint of a person's browser (RFC 8030), and the keys that encrypt messages to it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    session = models.CharField(
        max_length=32, blank=True, db_default="", default="", help_text="Digest of the session that allowed it last."
    )
    made_at = models.DateTimeField(default=timezone.now)
    has_taken = models.BooleanField(default=False, db_default=False)  # it has accepted a message
    refusals = models.PositiveSmallIntegerField(default=0, db_default=0)  # since the last success
    failing_since = models.DateTimeField(null=True, help_text="The first failure since its last success.")
    failed_on = models.DateField(null=True, help_text="The last day with a failure since then.")
    failed_days = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="How many such days there were.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"browser of {self.user_id}"
