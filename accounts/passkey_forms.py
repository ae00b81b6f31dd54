"""Allauth's forms for passkeys: a credential that is no JSON a computer can read is refused, not an error."""

from typing import Any

from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
    SignupWebAuthnForm,
)
from django import forms
from django.core.exceptions import ValidationError


class CredentialField(forms.JSONField):
    def to_python(self, value: Any) -> Any:
        """Refuses brackets or digits without end, which the reader of JSON does not take."""
        try:
            return super().to_python(value)
        except (RecursionError, ValueError) as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": ""}) from error


class WithCredential(forms.Form):
    credential = CredentialField(required=True, widget=forms.HiddenInput)


class AddForm(WithCredential, AddWebAuthnForm):  # type: ignore[misc]
    """In the preferences."""


class SignUpForm(WithCredential, SignupWebAuthnForm):  # type: ignore[misc]
    """At sign-up."""


class SecondFactorForm(WithCredential, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """After the password."""


class SignInForm(WithCredential, LoginWebAuthnForm):  # type: ignore[misc]
    """Instead of the password."""


class AgainForm(WithCredential, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """To confirm that the session still belongs to the owner."""
