"""Notification preferences: topics, channels and timing."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from game.store.game import Game


class Topic(models.TextChoices):
    """A topic of notifications: a row of the preferences page."""

    TURN = "turn", _("You must decide")
    REMINDER = "reminder", _("A deadline is near")
    MISSED = "missed", _("You missed a decision")
    MENTION = "mention", _("A player mentions you")
    STARTED = "started", _("A game starts")
    FINISHED = "finished", _("A game ends")
    SEAT = "seat", _("Your seat or the game changes")
    INVITED = "invited", _("A player invites you to a game")
    STEP = "step", _("A phase closes")


class How(models.TextChoices):
    """When people are told."""

    NOW = "now", _("At once")
    DIGEST = "digest", _("Daily digest")
    OFF = "off", _("Off")


class Channel(models.TextChoices):
    """A channel of notifications. `game.delivery.notices` delivers email and browser notifications; webhooks have
    messages of their own."""

    MAIL = "mail", _("Email")
    PUSH = "push", _("Browser")
    HOOK = "hook", _("Webhooks")


class Wish(models.Model):
    """A person's preference that is not the default: for one game, or for all games if `game` is null."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="wishes")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="wishes")
    topic = models.CharField(max_length=10, choices=Topic)
    channel = models.CharField(max_length=10, choices=Channel)
    how = models.CharField(max_length=6, choices=How)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "topic", "channel"], name="one_wish_per_game"),
            models.UniqueConstraint(
                fields=["user", "topic", "channel"], condition=models.Q(game=None), name="one_wish_for_all_games"
            ),
            models.CheckConstraint(condition=models.Q(how__in=How.values), name="how_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} by {self.channel}: {self.how}"
