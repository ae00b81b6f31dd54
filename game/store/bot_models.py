"""The bots of people: accounts that play through the API alone, each with an owner."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class BotAccount(models.Model):
    """Marks an account as a person's bot and says which games it joins. Nobody can sign in as it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bot_account")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bots")
    rulesets = models.JSONField(default=list)
    paces = models.JSONField(default=list)
    least_seats = models.PositiveSmallIntegerField(default=2)
    most_seats = models.PositiveSmallIntegerField(default=8)
    most_games = models.PositiveSmallIntegerField(default=1, help_text="At the same time.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(most_seats__gte=models.F("least_seats")), name="bots_play_at_tables_that_exist"
            )
        ]

    def __str__(self) -> str:
        return f"bot {self.user_id} of {self.owner_id}"
