"""The forms for a new password and for signing out everywhere else: both offer to revoke the account's tokens too,
because those would otherwise stay valid."""

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

REVOKE = "revoke_tokens"


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Allauth's form of a new password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self, self.user)
        _offer_revoking(self, self.user)

    def save(self) -> None:
        super().save()
        _revoke_if_asked(self, self.user)
        others_shut_out.send(NewPasswordForm, request=current.request, user=self.user)


class AskedPasswordForm(ResetPasswordForm):  # type: ignore[misc]
    """Allauth's form for a link to a new password, which goes to the mailbox in the spelling of the account."""

    def clean_email(self) -> str:
        return addresses.written(super().clean_email())


class ForgottenPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """Allauth's form of a new password for somebody who has forgotten theirs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_fields(self, self.user)


class SignOutForm(ManageUserSessionsForm):  # type: ignore[misc]
    """Allauth's form that ends all sessions but this one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer_revoking(self, self.request.user)

    def save(self, request: HttpRequest) -> None:
        super().save(request)
        _revoke_if_asked(self, request.user)
        others_shut_out.send(SignOutForm, request=request, user=request.user)


def _name_fields(form: forms.Form, user: User) -> None:
    """In our words, each once: no field says its name inside itself too."""
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
    """A ticked box, where there is something to revoke."""
    count = api_tokens.count_with_bots(user=user)
    if count:
        label = ngettext("Also revoke my API token", "Also revoke my %(count)s API tokens", count) % {"count": count}
        told = gettext("Those of your bots are included. Programs that use one need a new one to continue.")
        form.fields[REVOKE] = forms.BooleanField(label=label, help_text=told, required=False, initial=True)


def _revoke_if_asked(form: forms.Form, user: Any) -> None:
    if form.cleaned_data.get(REVOKE):
        api_tokens.revoke_with_bots(user=user)
        messages.success(current.request, gettext("Your API tokens are revoked."))
