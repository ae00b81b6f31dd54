"""What people have of the workers."""

from __future__ import annotations

from django.db import models


class BotShare(models.Model):
    """When a worker last took up bots for one person, and until when a job of theirs counts as under way. The person is
    the host of the game; a game without a host counts by itself, with its number below zero."""

    person = models.BigIntegerField(primary_key=True)
    dealt_at = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text="Empty: none of their jobs is under way.")

    def __str__(self) -> str:
        return f"{self.person}, {self.dealt_at:%Y-%m-%d %H:%M:%S}"
