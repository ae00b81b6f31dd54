"""The forms of a person's own pages."""

from collections.abc import Collection
from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.account.utils import filter_users_by_email
from allauth.core import context as current
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts import addresses, blocked_addresses, passwords, sign_ups
from accounts.api_tokens import LIFETIMES, SCOPES
from accounts.models import Language, Theme, User
from accounts.time_zones import offered_zones, zone_changed, zone_choices


class SignInForm(LoginForm):  # type: ignore[misc]
    """Allauth's form in our words; the page itself links to the forgotten password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login, password = self.fields["login"], self.fields["password"]
        login.label, password.help_text = gettext("Name or email"), ""
        self.fields["remember"].label = gettext("Keep me signed in")
        for field in (login, password):
            field.widget.attrs.pop("placeholder", None)
        login.widget.attrs["autocomplete"] = "username"

    def clean_login(self) -> str:
        """An address in any of its spellings; no name has an @."""
        login: str = super().clean_login()
        return addresses.folded(login) if "@" in login else login

    def user_credentials(self) -> dict[str, str]:
        """An address is tried only as an address: no name looks like one, and a second try would take longer for
        addresses that have an account."""
        credentials: dict[str, str] = super().user_credentials()
        if "email" in credentials:
            credentials.pop("username", None)
        return credentials


class SignUpForm(SignupForm):  # type: ignore[misc]
    """Allauth's form in our words: what each field is for, said once. The time zone is what zone.js finds in the
    browser."""

    timezone = forms.Field(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))
    account_already_exists: bool
    own: User | None = None  # an earlier sign-up of theirs, whose address they correct

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told = {
            "username": (gettext("Name"), gettext("What other players see.")),
            "email": (
                gettext("Email"),
                _("To confirm your account, email you about decisions, and reset your password."),
            ),
            "password1": (
                gettext("Password"),
                passwords.asked_of(),
            ),
        }
        for name, (label, hint) in told.items():
            field = self.fields[name]
            field.label, field.help_text = label, hint
            field.widget.attrs.pop("placeholder", None)

    def clean_username(self) -> str:
        """Who mistyped the address signs up again: name and password show that it is they."""
        request, name = current.request, self.cleaned_data["username"]
        self.own = sign_ups.own_sign_up(request, name, self.data.get("password1", ""))
        return self.own.username if self.own else str(super().clean_username())

    def validate_unique_email(self, value: str) -> str:
        """An address that cannot be used to sign up is answered like one that has an account: by an email to it. If no
        email is sent, the page says so. Raises `ValidationError`."""
        is_refused = blocked_addresses.is_refused(value)
        email: str = super().validate_unique_email(value)
        if is_refused and settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
            raise forms.ValidationError(gettext("You cannot sign up with this email address."))
        others = [user for user in filter_users_by_email(email) if user != self.own]
        self.account_already_exists = bool(others) or is_refused
        return email

    def try_save(self, request: HttpRequest) -> Any:
        """An address that already has an account, or is refused, is answered as slowly as any other: the password is
        hashed, although it is not used."""
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
        """A zone that the site does not offer is ignored: times stay in UTC, and pages say so."""
        zone = self.cleaned_data["timezone"]
        if zone in offered_zones():
            user.timezone, user.zone_known = zone, True
        user.language = get_language() or Language.ENGLISH
        user.save(update_fields=["timezone", "zone_known", "language"])


class PreferencesForm(forms.ModelForm[User]):
    """What a person may choose for themselves."""

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
        """Submitting this form confirms the zone that it shows."""
        self.instance.zone_known = True
        user: User = super().save(commit=commit)
        if "timezone" in self.changed_data:
            zone_changed.send(User, user=user)
        return user


class TokenForm(forms.Form):
    """What a new API token is called, what it may do and for how long."""

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
        """`games`: those of which one may be chosen, by their numbers."""
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["game"].choices = [("", gettext("In all games")), *games]


class ThemeForm(forms.Form):
    """The theme switch in the head of every page."""

    theme = forms.ChoiceField(choices=Theme.choices)


class LanguageForm(forms.Form):
    """The language switch at the foot of every page."""

    language = forms.ChoiceField(choices=Language.choices)
