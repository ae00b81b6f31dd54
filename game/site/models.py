"""Settings of the whole site by admins: banner, read-only mode, stopped deadlines, features off. They are changed, and
read for pages, in `game.moderation.site_desk`."""

from __future__ import annotations

from django.db import models


class SiteState(models.Model):
    """A single row, or none while nothing is set."""

    ONLY = 1

    banner_en = models.CharField("banner, in English", max_length=200, blank=True)
    banner_de = models.CharField("banner, in German", max_length=200, blank=True)
    banner_until = models.DateTimeField(null=True)
    is_read_only = models.BooleanField(default=False, help_text="Whether players can read only.")
    is_stopped = models.BooleanField(default=False, db_default=False, help_text="Whether an admin stopped deadlines.")
    stopped_since = models.DateTimeField(
        null=True, help_text="Since when no deadline closes a phase: because of either of these."
    )
    restored = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text="A word that each restore from a backup changes.",
    )
    features_off = models.JSONField(default=list, help_text="What is switched off: keys of `game.site.features`.")

    class Meta:
        verbose_name = "site"
        verbose_name_plural = "the site"

    def __str__(self) -> str:
        return "the site"
