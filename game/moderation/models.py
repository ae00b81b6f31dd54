"""Fingerprints of the addresses from which people signed in or sat down, and games whose players share one."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from game.store.game import Game


class Fingerprint(models.Model):
    """A fingerprint of an address, a network or a browser from which somebody signed in or sat down on a day.

    It is a keyed hash: without the site's secret nobody can recover the address. `multi_accounts` deletes it after
    `FINGERPRINT_DAYS`."""

    class Kind(models.TextChoices):
        ADDRESS = "address"
        NETWORK = "network", "neighbouring addresses"
        DEVICE = "device", "the same browser"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="fingerprints")
    kind = models.CharField(max_length=8, choices=Kind)
    digest = models.CharField(max_length=32)
    day = models.DateField()

    class Meta:
        db_table = "game_trace"
        constraints = [models.UniqueConstraint(fields=["user", "kind", "digest", "day"], name="one_trace_a_day")]
        indexes = [models.Index(fields=["day"], name="traces_to_forget")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id} on {self.day}"


class SharedTable(Game):
    """A game in which two people left the same fingerprint: a proxy model for the moderators' list."""

    class Meta:
        proxy = True
        verbose_name = "game with shared addresses"
        verbose_name_plural = "games with shared addresses"
        default_permissions = ()
        permissions = [("can_see_hints", "Can see which players share an address or a browser")]
