"""The forms of a user's own pages."""

from collections.abc import Collection
from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.account.utils import filter_users_by_email
from allauth.core import context as current
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts import addresses, limits, security, sign_ups
from accounts.api_tokens import LIFETIMES, SCOPES
from accounts.models import Language, Theme, User
from accounts.names import sought
from accounts.time_zones import offered_zones, zone_changed, zone_changing, zone_choices


class SignInForm(LoginForm):  # type: ignore[misc]
    """Allauth's form with our texts; the page itself links to the password reset."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login, password = self.fields["login"], self.fields["password"]
        login.label, password.help_text = gettext("Name or email"), ""
        self.fields["remember"].label = gettext("Keep me signed in")
        for field in (login, password):
            field.widget.attrs.pop("placeholder", None)
        login.widget.attrs["autocomplete"] = "username"

    def clean_login(self) -> str:
        """Normalize an address; no name contains an @."""
        login: str = sought(super().clean_login())
        return addresses.normalize(login) if "@" in login else login

    def user_credentials(self) -> dict[str, str]:
        """Try an address only as an address: no name looks like one, and a second try would take longer for addresses
        that have an account."""
        credentials: dict[str, str] = super().user_credentials()
        if "email" in credentials:
            credentials.pop("username", None)
        return credentials


class SignUpForm(SignupForm):  # type: ignore[misc]
    """Allauth's form with our texts. The time zone comes from zone.js."""

    timezone = forms.Field(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))
    account_already_exists: bool
    own: User | None = None  # their earlier sign-up with a mistyped address

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        texts = {
            "username": (gettext("Name"), gettext("What other players see.")),
            "email": (
                gettext("Email"),
                _("To confirm your account, email you about decisions, and reset your password."),
            ),
            "password1": (
                gettext("Password"),
                security.password_hint(),
            ),
        }
        for name, (label, hint) in texts.items():
            field = self.fields[name]
            field.label, field.help_text = label, hint
            field.widget.attrs.pop("placeholder", None)

    def clean_username(self) -> str:
        """Users who mistyped their address sign up again; name and password prove who they are."""
        request, name = current.request, self.cleaned_data["username"]
        self.own = sign_ups.own_sign_up(request, name, self.data.get("password1", ""))
        return self.own.username if self.own else str(super().clean_username())

    def validate_unique_email(self, value: str) -> str:
        """An address that is blocked gets the same answer as one that has an account: an email to it. If no email is
        sent, the page says so. Raises `ValidationError`."""
        is_refused = sign_ups.is_blocked(value)
        email: str = super().validate_unique_email(value)
        if is_refused and settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
            raise forms.ValidationError(gettext("You cannot sign up with this email address."))
        others = [user for user in filter_users_by_email(email) if user != self.own]
        self.account_already_exists = bool(others) or is_refused
        return email

    def try_save(self, request: HttpRequest) -> Any:
        """Hash the password even if it is not used, so that the answer takes as long for an address that has an account
        or is blocked."""
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])
        return super().try_save(request)

    def save(self, request: HttpRequest) -> User:
        if self.own is None:
            user: User = super().save(request)
            return user
        sign_ups.correct_address(self.own, self.cleaned_data["email"])
        self.custom_signup(request, self.own)
        return self.own

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Ignore a zone that the site does not offer: times stay in UTC, and pages say so."""
        zone = self.cleaned_data["timezone"]
        if zone in offered_zones():
            user.timezone, user.zone_known = zone, True
        user.language = get_language() or Language.ENGLISH
        user.save(update_fields=["timezone", "zone_known", "language"])


class PreferencesForm(forms.ModelForm[User]):
    """The user's own preferences."""

    timezone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Deadlines are shown and emailed in this zone."),
    )

    language = forms.ChoiceField(label=_("Language"), choices=Language.choices, required=False)

    class Meta:
        model = User
        labels = {"theme": _("Theme")}
        fields = [
            "language",
            "timezone",
            "theme",
            "stays_ready",
            "shortcuts",
        ]

    def clean_language(self) -> str:
        """A form from before the site had languages does not change the language."""
        return self.cleaned_data["language"] or self.instance.language

    def save(self, commit: bool = True) -> User:
        """Submitting the form confirms the time zone that it shows. Another one moves deadlines for fellow players, as
        other hours do, and counts like them. Raises `limits.TooMany`."""
        self.instance.zone_known = True
        if "timezone" not in self.changed_data:
            unmoved: User = super().save(commit=commit)
            return unmoved
        limits.spend("times", self.instance.pk)
        with transaction.atomic():
            zone_changing.send(User, user=self.instance)
            user: User = super().save(commit=commit)
            zone_changed.send(User, user=user)
        return user


class TokenForm(forms.Form):
    """Name, permissions and lifetime of a new API token."""

    name = forms.CharField(label=_("Name"), max_length=40, help_text=_("For you alone, such as “bot on my laptop”."))
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=list(SCOPES.items()),
        initial=list(SCOPES),
        widget=forms.CheckboxSelectMultiple,
    )
    game = forms.TypedChoiceField(label=_("In which games"), required=False, coerce=int, empty_value=None)
    days = forms.TypedChoiceField(label=_("Valid for"), choices=list(LIFETIMES.items()), initial=365, coerce=int)

    def __init__(self, *args: Any, games: Collection[tuple[int, str]], **kwargs: Any) -> None:
        """`games`: number and title of each game that may be chosen."""
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["game"].choices = [("", gettext("In all games")), *games]


class ThemeForm(forms.Form):
    """The theme switch in the head of every page."""

    theme = forms.ChoiceField(choices=Theme.choices)


class LanguageForm(forms.Form):
    """The language switch at the foot of every page."""

    language = forms.ChoiceField(choices=Language.choices)
