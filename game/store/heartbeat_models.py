"""Heartbeats of background jobs, and outages, during which no process closed phases."""

from __future__ import annotations

from django.db import models


class Heart(models.TextChoices):
    """A background job that records heartbeats."""

    CLOCK = "clock", "the clock process"
    DEADLINES = "deadlines"
    BOTS = "bots"
    MAIL = "mail"
    HOOKS = "hooks", "webhooks"
    PUSH = "push", "notifications of browsers"
    UPKEEP = "upkeep", "archiving and cleaning up"


class Heartbeat(models.Model):
    """When a background job last ran."""

    name = models.CharField(max_length=12, choices=Heart, unique=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.beat_at:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A period in which no process closed phases. Every clock that ran in it is moved by its length, in chunks of
    games; no phase is closed until all are moved."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    moved_up_to = models.BigIntegerField(default=0, help_text="The games up to this number have been moved.")
    settled_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], condition=models.Q(settled_at=None), name="outages_to_settle")]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.ended_at:%Y-%m-%d %H:%M:%S}"
