"""Allauth's forms for second-factor codes, with our limit on wrong codes; each correct code works once."""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator

from accounts.login_throttling import count_code
from accounts.second_factor import use_code


class Counted:
    """Counts a code as wrong until it has been checked. Raises `limits.TooMany`."""

    user: Any
    authenticator: Authenticator

    def clean_code(self) -> str:
        spent = count_code(context.request, self.user)
        code: str = super().clean_code()  # type: ignore[misc]
        if not use_code(self.authenticator, code):
            raise get_adapter().validation_error("incorrect_code")
        for each in spent:
            each.give_back()
        return code


class CodeForm(Counted, AuthenticateForm):  # type: ignore[misc]
    """At sign-in."""


class CodeAgainForm(Counted, ReauthenticateForm):  # type: ignore[misc]
    """To confirm that the session still belongs to the owner."""
