"""The chat of a game: messages, read marks, mutes, reports, and private notes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from game.store.case_models import LONGEST_WHY
from game.store.game import Game

LONGEST_MESSAGE = 1000  # characters
LONGEST_NOTES = 10_000  # characters


class Chat(models.Model):
    """The chat of one game. Its row is locked while a message is written, so that numbers have no gaps."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="chat")
    is_off = models.BooleanField(default=False, help_text="Whether the host has switched it off.")
    messages = models.PositiveIntegerField(default=0, help_text="How many have been written.")
    version = models.PositiveIntegerField(default=0, help_text="Grows when its readers see something new.")

    def __str__(self) -> str:
        return f"chat of game {self.game_id}"


class MessageQuerySet(models.QuerySet["Message"]):
    """Messages that one reader may read, or has not read yet."""

    def readable_by(self, user_id: int) -> MessageQuerySet:
        """Messages that are neither removed nor written by somebody whom the reader has muted."""
        mutes = Mute.objects.filter(game=OuterRef("game"), user=user_id, muted=OuterRef("author"))
        return self.filter(~Exists(mutes), removed_at=None)

    def unread_by(self, user_id: int) -> MessageQuerySet:
        marks = ReadMark.objects.filter(game=OuterRef("game"), user=user_id, number__gte=OuterRef("number"))
        return self.filter(~Exists(marks))


class Message(models.Model):
    """One message, or the line that says that the host switched the chat off or on. `turn` and `phase` are the game's
    when it was written; `is_after`: written after its end. Messages of a deleted account have no author."""

    class Kind(models.TextChoices):
        SAID = "said"
        OFF = "off", "chat switched off"
        ON = "on", "chat switched on"

    game = models.ForeignKey(Game, models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=4, choices=Kind, default=Kind.SAID)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="messages")
    text = models.TextField(blank=True)
    turn = models.PositiveSmallIntegerField(default=0)
    phase = models.CharField(max_length=80, blank=True)
    is_after = models.BooleanField(default=False)
    token = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(db_default=Now())
    removed_at = models.DateTimeField(null=True)
    removed_why = models.CharField(max_length=LONGEST_WHY, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_message_per_number"),
            models.UniqueConstraint(
                fields=["game", "author", "token"], condition=~models.Q(token=""), name="one_message_per_token"
            ),
        ]
        indexes = [models.Index(fields=["author", "at"], name="messages_of_a_person")]

    def __str__(self) -> str:
        # Its text is for the players of the game: no list and no log prints it.
        return f"message {self.number} of game {self.game_id}"


class Mention(models.Model):
    """A user named with `@` in a message."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="mentions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "user"], name="one_mention_per_message")]

    def __str__(self) -> str:
        return f"{self.user} in {self.message}"


class ReadMark(models.Model):
    """The last message of a game's chat that a user has read."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_mark_per_reader")]

    def __str__(self) -> str:
        return f"{self.user} has read {self.number} of game {self.game_id}"


class Mute(models.Model):
    """A player whose messages one reader hides in one game. Only the reader knows."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user", "muted"], name="one_mute_per_pair")]

    def __str__(self) -> str:
        return f"mute in game {self.game_id}"


class Notebook(models.Model):
    """A user's notes on one game. They remain the user's when the seat changes hands."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notebooks")
    text = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=0, help_text="Grows with each save.")
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_notebook_per_player")]

    def __str__(self) -> str:
        return f"notebook of {self.user_id} in game {self.game_id}"


class Report(models.Model):
    """A reported message, stored with the messages around it. `context` names people by their keys."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    message = models.ForeignKey(Message, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=LONGEST_WHY)
    text = models.TextField()
    context = models.JSONField(default=list)
    at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name = "reported message"
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["message", "reporter"], name="one_report_per_reader")]
        indexes = [models.Index(fields=["reporter", "at"], name="reports_of_a_person")]

    def __str__(self) -> str:
        return f"report {self.pk}"
