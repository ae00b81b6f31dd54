"""Cases of the moderation desk, sanctions of people, and notes about both."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from game.engine.language import mark
from game.store.game import Game

LONGEST_WHY = 200  # characters of a reason


LONGEST_WORDS = 1000


class Sanction(models.Model):
    """A moderator's sanction of a person; it ends at `until`, or when it is lifted."""

    class Kind(models.TextChoices):
        WARNING = "warning", mark("Warning")
        MUTE = "mute", mark("No writing in chats")
        NO_JOIN = "no_join", mark("No joining of games")
        BAN = "ban", mark("Ban")
        CLOSED = "closed", mark("Account closed")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=8, choices=Kind)
    reason = models.CharField(max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", help_text="Where it took two."
    )
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, help_text="None for a warning.")
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    case = models.ForeignKey("Case", models.SET_NULL, null=True, related_name="sanctions")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["user", "kind", "until"], name="sanctions_of_a_person")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.reason}"

    @property
    def is_in_force(self) -> bool:
        """True if it is still in force; a warning never is."""
        return self.lifted_at is None and self.until is not None and self.until > timezone.now()


class KeptSanction(models.Model):
    """A decision about a person who deleted the account, as far as it still applies: a keyed digest of an address
    replaces the person."""

    digest = models.CharField(max_length=64, db_index=True)
    kind = models.CharField(max_length=8, choices=Sanction.Kind)
    reason = models.CharField(max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"kept sanction {self.pk}"


class Case(models.Model):
    """Something that moderators look into. `evidence` is a copy from the time of filing; it never changes, except that
    the names of deleted accounts are removed. `key` identifies an automatic cause, so that one cause opens one case."""

    class Source(models.TextChoices):
        PLAYER = "player", "a player's report"
        CHAT = "chat", "a reported message"
        DETECTOR = "detector", "a detector"
        BOUNCE = "bounce", "an email that came back"
        HELD = "held", "a game on hold"
        BROKEN = "broken", "rules that failed on a request"
        APPEAL = "appeal", "an appeal"

    class Kind(models.TextChoices):
        PAUSE = "pause", mark("Pause the game")
        REPLACE = "replace", mark("Replace an absent player")
        PROXY = "proxy", mark("Let somebody play for me while I am away")
        COLLUSION = "collusion", mark("Players who help each other unfairly")
        CHAT = "chat", mark("Insults or spam")
        RULES = "rules", mark("A rule is carried out wrongly")
        NAME = "name", mark("Offensive name")
        OTHER = "other", mark("Something else")

    class Severity(models.IntegerChoices):
        URGENT = 1, "urgent"
        HIGH = 2, "high"
        NORMAL = 3, "normal"
        LOW = 4, "low"

    class Outcome(models.TextChoices):
        HELPED = "helped", "helped: a moderator did what was asked"
        NOTHING = "nothing", "nothing against the rules was found"
        ACTED = "acted", "against the rules: a moderator acted"
        UPHELD = "upheld", "appeal: the decision stands"
        LIFTED = "lifted", "appeal: the decision is taken back"

    HOURS = {Severity.URGENT: 4, Severity.HIGH: 12, Severity.NORMAL: 48, Severity.LOW: 168}

    source = models.CharField(max_length=8, choices=Source)
    kind = models.CharField(max_length=9, choices=Kind, default=Kind.OTHER)
    severity = models.PositiveSmallIntegerField(choices=Severity, default=Severity.NORMAL)
    words = models.TextField(max_length=LONGEST_WORDS)
    key = models.CharField(max_length=60, unique=True, null=True)
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="cases_filed")
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="cases")
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="cases")
    games = models.ManyToManyField(Game, related_name="+", help_text="Others that belong to it.")
    appealed = models.OneToOneField(Sanction, models.SET_NULL, null=True, related_name="appeal")
    evidence = models.JSONField(default=dict)
    assignee = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True)
    exculpatory = models.TextField(blank=True, help_text="What speaks for those a case of collusion is about.")
    reopened = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["closed_at", "due_at"]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(closed_at=None), name="open_cases"),
            models.Index(fields=["reporter", "at"], name="cases_of_a_reporter"),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"

    def due_after(self) -> timedelta:
        """How soon somebody must answer, by severity."""
        return timedelta(hours=self.HOURS[self.Severity(self.severity)])


class CaseNote(models.Model):
    """An internal note of a moderator about a case or a person; players never see it."""

    case = models.ForeignKey(Case, models.CASCADE, null=True, related_name="notes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(max_length=LONGEST_WORDS)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"note {self.pk}"


class Comparison(models.Model):
    """A finished game that the detectors have checked."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True)
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"comparison of game {self.game_id}"


class Silence(models.Model):
    """A person who may not write in any chat until an instant, by a moderator's decision."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="silence")
    until = models.DateTimeField()
    reason = models.CharField(max_length=LONGEST_WHY)

    def __str__(self) -> str:
        return f"{self.user} until {self.until:%Y-%m-%d %H:%M}"
