"""The person, and the link that signs the owner of a private copy in."""

import unicodedata
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.zones import validate_timezone

NAME_LENGTH = 24
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")  # those whose letters pass for each other's
validate_name = RegexValidator(r"^\w(?:[\w .'-]*\w)?\Z", "Use letters, digits and spaces; begin and end with a letter or a digit.")


def validate_script(name: str) -> None:
    """Nobody is to sit at a table under a name that only looks like another's."""
    scripts = {unicodedata.name(letter, "").split(" ", 1)[0] for letter in name if letter.isalpha()}
    if len(scripts.intersection(SCRIPTS)) > 1:
        raise ValidationError("Use the letters of one alphabet.", code="mixed_scripts")


class Theme(models.TextChoices):
    """How pages look; `auto` follows the device."""

    AUTO = "auto", "As my device"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class User(AbstractUser):
    """Somebody who can sit at a table: a person, or a bot that nobody can sign in as."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField("name", max_length=NAME_LENGTH, unique=True, validators=[validate_name, validate_script])
    email = models.EmailField("e-mail address", blank=True)
    timezone = models.CharField("time zone", max_length=64, default="UTC", validators=[validate_timezone])
    zone_known = models.BooleanField("time zone chosen, or told by the browser", default=False)
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.AUTO)
    mail_turns = models.BooleanField("mail me when a decision is mine", default=True)
    mail_reminders = models.BooleanField("remind me once before a deadline", default=True)
    stays_ready = models.BooleanField("tick “ready” for me when I submit", default=False)
    shortcuts = models.BooleanField("keyboard shortcuts", default=True)
    is_bot = models.BooleanField("bot", default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="one_name_in_any_case", violation_error_message="That name is taken."),
            models.UniqueConstraint(
                Lower("email"),
                name="one_account_per_address",
                condition=~models.Q(email=""),
                violation_error_message="That e-mail address already has an account.",
            ),
            models.CheckConstraint(condition=models.Q(theme__in=Theme.values), name="theme_is_known"),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def is_zone_assumed(self) -> bool:
        """Whether times are in UTC only because nobody said otherwise."""
        return self.timezone == "UTC" and not self.zone_known

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class SignInLinkQuerySet(models.QuerySet["SignInLink"]):
    """Which links still open."""

    def open_at(self, moment: datetime) -> "SignInLinkQuerySet":
        # No join here: PostgreSQL would run it as a subquery, and two clicks at once could both win.
        return self.filter(used_at=None, expires_at__gt=moment)


class SignInLink(models.Model):
    """A link that signs one person in once; only the digest of its token is kept."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = SignInLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"sign-in link of {self.user}"
