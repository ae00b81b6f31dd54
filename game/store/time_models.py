"""People's weekly playing hours and declared vacations."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

ALL_HOURS = 168


class PlayTimes(models.Model):
    """The weekly hours in which a person usually plays, as a number of 168 bits: bit 0 is Monday from 0:00 to 1:00 in
    their zone."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="play_times")
    week = models.CharField("hours", max_length=42, help_text="Hexadecimal.")

    def __str__(self) -> str:
        return f"the hours of {self.user}"

    @property
    def hours(self) -> frozenset[int]:
        """The hours, from 0 to 167."""
        return hours_of(self.week)


class Vacation(models.Model):
    """A period in which deadlines wait for a person. Ending it early sets `ends_at`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    declared_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["begins_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("begins_at")), name="vacations_end_after_they_begin"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} from {self.begins_at:%Y-%m-%d} to {self.ends_at:%Y-%m-%d}"

    @property
    def last_day(self) -> datetime:
        """An instant on its last day."""
        return self.ends_at - timedelta(seconds=1)


def hours_of(week: str) -> frozenset[int]:
    """The hours of a stored week."""
    bits = int(week or "0", 16)
    return frozenset(hour for hour in range(ALL_HOURS) if bits >> hour & 1)


def week_of(hours: frozenset[int]) -> str:
    """Hours in the stored format of a week."""
    return f"{sum(1 << hour for hour in hours):x}"
