"""People's shares of the bot workers."""

from __future__ import annotations

from django.db import models


class BotShare(models.Model):
    """When a worker last started a bot job for one person, and until when that job counts as running. The person is the
    host of the game; the guests of a network have one share, with a number below those of games; a game without a host
    counts for itself, with its negative number."""

    person = models.BigIntegerField(primary_key=True)
    dealt_at = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text="Empty: none of their jobs is under way.")

    def __str__(self) -> str:
        return f"{self.person}, {self.dealt_at:%Y-%m-%d %H:%M:%S}"
