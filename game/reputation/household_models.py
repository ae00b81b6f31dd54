"""Links between people who share a home or an internet connection, declared by both or recorded by a moderator."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User


class HouseholdLink(models.Model):
    """A link between two accounts, the lower key first: requested by one, confirmed `since` by the other.

    `kept_until` is empty while it is open. An ended link still applies until then, and a declined request cannot be
    repeated before; then the row is deleted."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    two = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    since = models.DateTimeField(null=True)
    kept_until = models.DateTimeField(null=True)
    by_moderator = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(one__lt=F("two")), name="two_people_in_one_order"),
            models.UniqueConstraint(fields=["one", "two"], condition=Q(kept_until=None), name="one_open_link_a_pair"),
        ]
        indexes = [
            models.Index(fields=["kept_until"], condition=Q(kept_until__isnull=False), name="links_to_forget"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.two_id}"

    def other(self, user: User) -> User:
        """The other one of the two."""
        return self.two if self.one_id == user.pk else self.one
