"""Push subscriptions, webhooks with their deliveries, and notification preferences."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from game.store.game import Game
from game.store.log import Channel
from game.store.moderation_models import number_of


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


class Webhook(models.Model):
    """A URL that messages are posted to, signed with its own secret. It gets no messages before it has echoed a
    challenge."""

    class State(models.TextChoices):
        WAITING = "waiting", _("not confirmed yet")
        ACTIVE = "active", _("active")
        DISABLED = "disabled", _("disabled")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    types = models.JSONField(default=list, help_text="What it is told of; everything where it names nothing.")
    secret = models.CharField(max_length=64)
    earlier_secret = models.CharField(max_length=64, blank=True, help_text="Signs as well, for a day after a change.")
    rotated_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    why = models.CharField(max_length=200, blank=True, help_text="Why it is disabled.")
    challenge = models.CharField(max_length=43)
    made_at = models.DateTimeField(default=timezone.now)
    failing_since = models.DateTimeField(null=True, help_text="The first failure since its last success.")
    busy_until = models.DateTimeField(null=True, help_text="Until then its owner is sent no other message.")
    served_at = models.DateTimeField(null=True, help_text="When a message for it was last taken up.")
    slow_at = models.DateTimeField(null=True, help_text="When it last took more than two seconds to answer.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.user_id}"


class Delivery(models.Model):
    """A message for one webhook: sent until it is accepted, at least once, always with the same name."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    name = models.UUIDField(default=uuid4, unique=True, editable=False)
    type = models.CharField(max_length=24)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    serial = models.PositiveIntegerField(null=True, help_text="Of the phase that was open.")
    version = models.PositiveIntegerField(null=True)
    number = models.PositiveIntegerField(
        db_default=0, default=0, help_text="Of what may come again at one version: a message, a proposal."
    )
    body = models.TextField(blank=True, help_text="Written before the first attempt, the same for all.")
    made_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True, help_text="It was no longer true, or its owner had turned it off.")
    failed_at = models.DateTimeField(null=True, help_text="All attempts have failed.")
    status = models.PositiveSmallIntegerField(null=True, help_text="The HTTP status of the last answer.")
    trouble = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "type", "game", "seat", "serial", "version", "number"],
                name="one_delivery_per_occasion",
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(sent_at=None, cancelled_at=None, failed_at=None),
                name="deliveries_to_send",
            )
        ]

    def __str__(self) -> str:
        return f"{self.type} for webhook {self.webhook_id}"

    @property
    def public_number(self) -> int:
        """Its number for its owner; its key would count the messages to others."""
        return number_of(self, self.pk)

    @property
    def how(self) -> str:
        """Its status in the API."""
        if self.sent_at:
            return "sent"
        if self.cancelled_at:
            return "cancelled"
        return "failed" if self.failed_at else "waiting"


DONE = ~Q(sent_at=None) | ~Q(cancelled_at=None) | ~Q(failed_at=None)


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


class NoticeTiming(models.TextChoices):
    """The timing of a notification."""

    NOW = "now", _("At once")
    DIGEST = "digest", _("Daily digest")
    OFF = "off", _("Off")


class NotificationPreference(models.Model):
    """A person's preference that is not the default: for one game, or for all games if `game` is null."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notification_preferences")
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="notification_preferences")
    topic = models.CharField(max_length=10, choices=Topic)
    channel = models.CharField(max_length=10, choices=Channel)
    how = models.CharField(max_length=6, choices=NoticeTiming)

    class Meta:
        db_table = "game_wish"
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "topic", "channel"], name="one_wish_per_game"),
            models.UniqueConstraint(
                fields=["user", "topic", "channel"], condition=models.Q(game=None), name="one_wish_for_all_games"
            ),
            models.CheckConstraint(condition=models.Q(how__in=NoticeTiming.values), name="how_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} by {self.channel}: {self.how}"
