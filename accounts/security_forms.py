"""Allauth's forms for passwords, second factors and sessions, with our limits and texts.

Users who change their password or sign out everywhere else may also revoke the account's tokens, which would otherwise
stay valid."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm, ResetPasswordKeyForm
from allauth.core import context
from allauth.core import context as current
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
    SignupWebAuthnForm,
)
from allauth.usersessions.forms import ManageUserSessionsForm
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from accounts import addresses, api_tokens, security
from accounts.models import User
from accounts.security import other_sessions_ended, use_code
from accounts.sign_ins import count_code

REVOKE_FIELD = "revoke_tokens"


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Allauth's form for changing the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self, self.user)
        _offer_revoking(self, self.user)

    def save(self) -> None:
        super().save()
        _revoke_if_asked(self, self.user)
        other_sessions_ended.send(NewPasswordForm, request=current.request, user=self.user)


class PasswordResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Allauth's form that requests a password reset; the address is normalized."""

    def clean_email(self) -> str:
        return addresses.clean_address(super().clean_email())


class SetPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """Allauth's form that sets a new password after a reset."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self, self.user)


class SignOutForm(ManageUserSessionsForm):  # type: ignore[misc]
    """Allauth's form that ends all other sessions."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer_revoking(self, self.request.user)

    def save(self, request: HttpRequest) -> None:
        super().save(request)
        _revoke_if_asked(self, request.user)
        other_sessions_ended.send(SignOutForm, request=request, user=request.user)


def _name_fields(form: forms.Form, user: User) -> None:
    """Set our labels and remove the placeholders that repeat them."""
    labels = {
        "oldpassword": gettext("Current password"),
        "password1": gettext("New password"),
        "password2": gettext("New password again"),
    }
    for name, field in form.fields.items():
        field.label = labels.get(name, field.label)
        field.widget.attrs.pop("placeholder", None)
    form.fields["password1"].help_text = security.password_hint(user)


def _offer_revoking(form: forms.Form, user: User) -> None:
    """Add a ticked box if there is something to revoke."""
    count = api_tokens.count_with_bots(user=user)
    if count:
        label = ngettext("Also revoke my API token", "Also revoke my %(count)s API tokens", count) % {"count": count}
        help_text = gettext(
            "Tokens of your bots are included. A program whose token is revoked needs a new one to continue."
        )
        form.fields[REVOKE_FIELD] = forms.BooleanField(label=label, help_text=help_text, required=False, initial=True)


def _revoke_if_asked(form: forms.Form, user: Any) -> None:
    if form.cleaned_data.get(REVOKE_FIELD):
        api_tokens.revoke_with_bots(user=user)
        messages.success(current.request, gettext("Your API tokens are revoked."))


class LimitedCode:
    """Counts a code as wrong until it has been checked. Raises `limits.TooMany`."""

    user: Any
    authenticator: Authenticator

    def clean_code(self) -> str:
        usages = count_code(context.request, self.user)
        code: str = super().clean_code()  # type: ignore[misc]
        if not use_code(self.authenticator, code):
            raise get_adapter().validation_error("incorrect_code")
        for each in usages:
            each.refund()
        return code


class CodeForm(LimitedCode, AuthenticateForm):  # type: ignore[misc]
    """The second factor at sign-in."""


class ReauthenticationCodeForm(LimitedCode, ReauthenticateForm):  # type: ignore[misc]
    """A code that proves that the session still belongs to the owner."""


class CredentialField(forms.JSONField):
    def to_python(self, value: Any) -> Any:
        """Refuse very long runs of brackets or digits, on which the JSON parser fails."""
        try:
            return super().to_python(value)
        except (RecursionError, ValueError) as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": ""}) from error


class PasskeyForm(forms.Form):
    credential = CredentialField(required=True, widget=forms.HiddenInput)


class AddPasskeyForm(PasskeyForm, AddWebAuthnForm):  # type: ignore[misc]
    """Adds a passkey, in the preferences."""


class PasskeySignUpForm(PasskeyForm, SignupWebAuthnForm):  # type: ignore[misc]
    """Signs up with a passkey."""


class PasskeyFactorForm(PasskeyForm, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second factor, after the password."""


class PasskeySignInForm(PasskeyForm, LoginWebAuthnForm):  # type: ignore[misc]
    """Signs in with a passkey instead of the password."""


class PasskeyReauthenticationForm(PasskeyForm, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey that proves that the session still belongs to the owner."""
