"""Allauth's forms for a code of the second factor, with our limit of wrong ones; a right one counts once."""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator

from accounts.login_throttling import count_code
from accounts.second_factor import use_code


class Counted:
    """A code counts as a wrong one until it is known to be right. Raises `limits.TooMany`."""

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
    """To confirm that it is still the owner."""
