"""The forms for a new password and for signing out everywhere else. Both offer to revoke the account's tokens, which
would otherwise stay valid."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm, ResetPasswordKeyForm
from allauth.core import context as current
from allauth.usersessions.forms import ManageUserSessionsForm
from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from accounts import addresses, api_tokens, passwords
from accounts.models import User
from accounts.sessions import others_shut_out

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
        others_shut_out.send(NewPasswordForm, request=current.request, user=self.user)


class AskedPasswordForm(ResetPasswordForm):  # type: ignore[misc]
    """Allauth's form that requests a password reset; the address is normalized."""

    def clean_email(self) -> str:
        return addresses.written(super().clean_email())


class ForgottenPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
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
        others_shut_out.send(SignOutForm, request=request, user=request.user)


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
    form.fields["password1"].help_text = passwords.asked_of(user)


def _offer_revoking(form: forms.Form, user: User) -> None:
    """Add a ticked box if there is something to revoke."""
    count = api_tokens.count_with_bots(user=user)
    if count:
        label = ngettext("Also revoke my API token", "Also revoke my %(count)s API tokens", count) % {"count": count}
        help_text = gettext("Those of your bots are included. Programs that use one need a new one to continue.")
        form.fields[REVOKE_FIELD] = forms.BooleanField(label=label, help_text=help_text, required=False, initial=True)


def _revoke_if_asked(form: forms.Form, user: Any) -> None:
    if form.cleaned_data.get(REVOKE_FIELD):
        api_tokens.revoke_with_bots(user=user)
        messages.success(current.request, gettext("Your API tokens are revoked."))
