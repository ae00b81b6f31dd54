"""Users, sign-in links of private copies, API tokens, and emails that wait to be sent."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import (
    NAME_LENGTH,
    SKELETON_LENGTH,
    digest_of,
    is_link,
    is_reserved,
    skeleton_of,
    validate_letters,
    validate_name,
    validate_script,
)
from accounts.time_zones import validate_timezone

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class Theme(models.TextChoices):
    """The look of pages; `auto` follows the device."""

    AUTO = "auto", _("As my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class Language(models.TextChoices):
    """The languages of the site, each named in itself."""

    ENGLISH = "en", "English"
    GERMAN = "de", "Deutsch"


class User(AbstractUser):
    """A player: a person, a guest without a password, or a bot, as whom nobody can sign in."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        "name", max_length=NAME_LENGTH, unique=True, validators=[validate_name, validate_letters, validate_script]
    )
    skeleton = models.CharField(
        max_length=SKELETON_LENGTH,
        unique=True,
        null=True,
        editable=False,
        help_text="Equal for names that look alike; none where two already did when this was first compared.",
    )
    email = models.EmailField("email address", blank=True)
    timezone = models.CharField("time zone", max_length=64, default="UTC", validators=[validate_timezone])
    zone_known = models.BooleanField("time zone chosen, or told by the browser", default=False)
    theme = models.CharField(max_length=5, choices=Theme, default=Theme.AUTO)
    language = models.CharField("language", max_length=2, choices=Language, default=Language.ENGLISH)
    quiet_from = models.PositiveSmallIntegerField(_("quiet from"), default=22, choices=HOURS)
    quiet_until = models.PositiveSmallIntegerField(_("quiet until"), default=8, choices=HOURS)
    digest_hour = models.PositiveSmallIntegerField(_("daily digest at"), default=8, choices=HOURS)
    stays_ready = models.BooleanField(_("tick “ready” for me when I submit"), default=False)
    shortcuts = models.BooleanField(_("keyboard shortcuts"), default=True)
    notes_seen = models.JSONField(
        default=list, editable=False, help_text="Which notes for newcomers were read; * for somebody who wants none."
    )
    is_bot = models.BooleanField("bot", default=False)
    is_guest = models.BooleanField("guest", default=False)
    way_back = models.TextField(
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="Where the first sign-in leads: to where they came from when they signed up.",
    )
    shares_device = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="Whether other people play games in their browser."
    )
    seen_at = models.DateTimeField("last here", null=True, editable=False, help_text="Kept of guests alone.")
    guest_network = models.PositiveSmallIntegerField(
        null=True,
        editable=False,
        help_text="A number for the network that a guest came from; many networks have the same one.",
    )
    becomes = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="guests",
        help_text="The account that this guest has signed up for; it takes their games over when it is signed in to.",
    )

    banned_until = models.DateTimeField(
        null=True, editable=False, help_text="Until when a moderator's decision keeps them from playing."
    )

    stored: Mapping[str, Any] = {}  # the columns as they were loaded or last written

    @property
    def is_banned(self) -> bool:
        """True if a ban keeps them from playing now; for a bot, the owner's ban counts."""
        return self.banned_until is not None and self.banned_until > timezone.now()

    class Meta:
        indexes = [models.Index(fields=["seen_at"], condition=models.Q(is_guest=True), name="guests_by_last_visit")]
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_name_in_any_case",
                violation_error_message=_("That name is taken."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="one_account_per_address",
                condition=~models.Q(email=""),
                violation_error_message=_("That email address already has an account."),
            ),
            models.CheckConstraint(
                condition=models.Q(quiet_from__lt=24, quiet_until__lt=24, digest_hour__lt=24), name="hours_are_of_a_day"
            ),
            models.CheckConstraint(condition=models.Q(theme__in=Theme.values), name="theme_is_known"),
            models.CheckConstraint(condition=models.Q(language__in=Language.values), name="language_is_known"),
        ]

    def __str__(self) -> str:
        return self.username

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any) -> "User":
        user = super().from_db(db, field_names, values, **more)
        user.stored = dict(zip(field_names, values, strict=True))
        return user

    @property
    def stored_name(self) -> str:
        """The name that the database has."""
        return str(self.stored.get("username", ""))

    def clean(self) -> None:
        """An account keeps its name; a new name must be free."""
        super().clean()
        if self.username != self.stored_name:
            try:
                refuse_taken_name(self.username, but=self.pk, is_bot=self.is_bot)
            except ValidationError as error:
                raise ValidationError({"username": error}) from error

    def save(self, *, update_fields: Iterable[str] | None = None, **more: Any) -> None:  # type: ignore[override]
        """Write the columns that were changed here: a form must not undo a ban, a closing or a new password of a moment
        ago. A JSON value is replaced, never changed in place. Do not recreate an account that was deleted meanwhile.
        Raises `DatabaseError`."""
        if self.username != self.stored_name:
            self.skeleton = skeleton_of(self.username)
            update_fields = update_fields if update_fields is None else {*update_fields, "skeleton"}
        if not self._state.adding:
            more["force_update"] = True
            update_fields = self._changed_columns() if update_fields is None else [*update_fields]
        super().save(update_fields=update_fields, **more)
        columns = self._columns()
        self.stored = {**self.stored, **{name: columns[name] for name in columns.keys() & (update_fields or columns)}}

    def check_password(self, raw_password: str | None) -> bool:
        """True if it is the password. A digest of an earlier kind is replaced, unless the password was changed
        meanwhile."""

        def renew(raw_password: str) -> None:
            former, self.password = self.password, make_password(raw_password)
            User.objects.filter(pk=self.pk, password=former).update(password=self.password)

        return check_password(raw_password, self.password, renew)

    def _changed_columns(self) -> list[str]:
        columns = self._columns().items()
        return [name for name, value in columns if name not in self.stored or value != self.stored[name]]

    def _columns(self) -> dict[str, Any]:
        """The columns that are loaded or set."""
        names = [field.attname for field in self._meta.concrete_fields if not field.primary_key]
        return {name: self.__dict__[name] for name in names if name in self.__dict__}

    @property
    def is_zone_assumed(self) -> bool:
        """True if times are in UTC only because no zone was chosen."""
        return self.timezone == "UTC" and not self.zone_known

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


def refuse_taken_name(name: str, *, but: int | None = None, is_bot: bool = False) -> None:
    """Refuse a name that is reserved, reads as a link, or looks like another account's. Raises `ValidationError`."""
    if is_link(name):
        raise ValidationError(gettext("This name looks like a link. Write a space after the dot."), code="link")
    if is_reserved(name, is_bot=is_bot):
        raise ValidationError(gettext("This name is reserved for the site. Choose another name."), code="reserved")
    if User.objects.filter(skeleton=skeleton_of(name)).exclude(pk=but or 0).exists():
        raise ValidationError(
            gettext("This name looks like another player's name. Choose another name."), code="look_alike"
        )
    if KeptName.objects.filter(digest=digest_of(name), until__gt=timezone.now()).exists():
        raise ValidationError(
            gettext("This was the name of another player, whose account was deleted. Choose another name."), code="kept"
        )


class KeptName(models.Model):
    """A keyed digest of the name of a deleted account; nobody may take the name until then. See
    `accounts.sign_ups`."""

    digest = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"kept name {self.pk}"


class Guest(User):
    """A proxy for the admin page that lists guests separately."""

    class Meta:
        proxy = True


class SignInLinkQuerySet(models.QuerySet["SignInLink"]):
    """Sign-in links that are still valid."""

    def open_at(self, moment: datetime) -> "SignInLinkQuerySet":
        # No join here: PostgreSQL would run it as a subquery, and two clicks at once could both win.
        return self.filter(used_at=None, expires_at__gt=moment)


class SignInLink(models.Model):
    """A link that signs one user in once; only the digest of its token is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = SignInLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"sign-in link of {self.user}"


class ApiToken(models.Model):
    """A key for the API; only the digest of its text is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=40)
    prefix = models.CharField(max_length=12, help_text="How its text begins, for its owner to recognise it.")
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    only_game = models.BigIntegerField(null=True, help_text="The number of the one game that it is for; empty: all.")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_on = models.DateField(null=True, help_text="The day of its last use, and nothing more exact.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"token {self.prefix}…"


class WaitingMail(models.Model):
    """An account email until it is sent. It may hold a link that opens the account: it is in no admin and no log."""

    token = models.UUIDField(default=uuid4, editable=False)
    recipient = models.EmailField()
    subject = models.TextField()
    text = models.TextField()
    page = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    handed_at = models.DateTimeField(
        null=True, help_text="When it was given to the mail server; without an answer it is never given again."
    )
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"waiting mail {self.pk}"


class RefusedAddress(models.Model):
    """A keyed digest of an address blocked for sign-up until then: see `accounts.sign_ups`."""

    digest = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+", help_text="Empty: it was deleted.")
    until = models.DateTimeField(null=True, db_index=True, help_text="Empty: as long as the account is closed.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["digest", "user"], name="one_refusal_per_address_and_account")]

    def __str__(self) -> str:
        return f"refused address {self.pk}"


class Bounce(models.Model):
    """An address that gets no more game emails, because one bounced or its reader marked it as spam. Email that the
    user has just requested, such as a password reset, is still sent."""

    class Why(models.TextChoices):
        """The reason that the mail server or service gave."""

        UNKNOWN = "unknown", _("the address does not exist or refuses mail")
        SPAM = "spam", _("an email was marked as spam there")

    address = models.EmailField(unique=True, help_text="In lower case.")
    why = models.CharField(max_length=8, choices=Why)
    words = models.CharField(max_length=200, blank=True, help_text="What was answered.")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.address
