"""Acts on an account, each with a page of its own: closing it, a new name or address, second factors and powers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.urls.resolvers import URLPattern
from django.utils.html import format_html

from accounts.admin import is_key
from accounts.models import User
from accounts.names import NAME_LENGTH
from game.admin.acts import DONE, REFUSED, STALE, Act, allowed, carry_out, table_of
from game.admin.forms import DecisionForm, WhyForm, reason_field
from game.admin.read_only import desk_page, moderator_of
from game.engine.phrases import listed
from game.moderation import approvals, roles
from game.moderation.roles import Powers
from game.people import account_closure, identity
from game.people.identity import Identity
from game.store.game import BEGUN, Seat
from game.store.moderation_models import Intervention
from game.templatetags.times import moment_inside

# Keeps browsers from filling in the moderator's own name and address.
OF_OTHERS = {"class": "vTextField", "autocomplete": "off"}


class MailedForm(WhyForm):
    reason = reason_field("Reason, mailed to the owner")


class CloseForm(DecisionForm):
    """The reason goes to the person. Other players see in the log that the account was closed, not why."""

    field_order = ["reason", "case", "exculpatory"]


class IdentityForm(MailedForm):
    """The new name and address of an account, the ones it had when the form was made, and why."""

    username = forms.CharField(label="Name", max_length=NAME_LENGTH, widget=forms.TextInput(attrs=OF_OTHERS))
    email = forms.EmailField(label="Email address", required=False, widget=forms.EmailInput(attrs=OF_OTHERS))
    was_username = forms.CharField(widget=forms.HiddenInput, strip=False)
    was_email = forms.CharField(widget=forms.HiddenInput, required=False, strip=False)
    field_order = ["username", "email", "reason"]

    def clean(self) -> dict[str, Any]:
        """What the moderator saw, and the new identity. An address that differs only in case counts as unchanged."""
        data = self.cleaned_data
        if self.errors:
            return data
        email, was = data["email"], data["was_email"]
        wanted = Identity(data["username"], was if email.lower() == was.lower() else email.lower())
        return {"reason": data["reason"], "seen": Identity(data["was_username"], was), "wanted": wanted}


class RowsField(forms.ModelMultipleChoiceField[Any]):
    """Rows by their keys; Django's own field breaks at a number that no database holds."""

    def clean(self, value: Any) -> Any:
        for each in value or ():
            if not is_key(str(each)):
                code = "invalid_pk_value"
                raise forms.ValidationError(self.error_messages[code], code=code, params={"pk": each})
        return super().clean(value)


class PowersForm(WhyForm):
    """All powers an account is to have, and why."""

    is_staff = forms.BooleanField(label="Staff: may open the desk", required=False)
    is_superuser = forms.BooleanField(label="Superuser: may do everything", required=False)
    groups = RowsField(Group.objects.order_by("name"), required=False, widget=forms.CheckboxSelectMultiple)
    permissions = RowsField(
        Permission.objects.select_related("content_type").order_by("content_type__app_label", "codename"),
        label="Further permissions", required=False, widget=forms.SelectMultiple(attrs={"size": 12}),
    )  # fmt: skip
    field_order = ["is_staff", "is_superuser", "groups", "permissions", "reason"]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        rows = (frozenset(row.pk for row in data[name]) for name in ("groups", "permissions"))
        return {"reason": data["reason"], "wanted": Powers(data["is_staff"], data["is_superuser"], *rows)}


def _current_identity(person: User) -> dict[str, Any]:
    names = {"username": person.username, "email": person.email}
    return names | {f"was_{name}": value for name, value in names.items()}


def _seats_to_lose(person: User) -> list[str]:
    seats = Seat.objects.filter(user=person, game__status__in=BEGUN).order_by("game_id")
    games = [str(seat.game) for seat in seats.select_related("game").defer("game__state", "game__inputs")]
    where = f"in {len(games)} running games" if len(games) > 3 else f"at {listed(games)}"
    return [f"Bots take the seats {where}." if games else "No running game is affected."]


def _factors(person: User) -> list[str]:
    factors = Authenticator.objects.filter(user=person).defer("data").order_by("pk")
    lines = [format_html("{}, since {}", each.get_type_display(), moment_inside(each.created_at)) for each in factors]
    return [*lines] or ["This account has no second factor."]


def _no_facts(person: User) -> list[str]:
    return []


def _no_values(person: User) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class AccountAct(Act):
    """An act on one account. `facts` are lines about the account, `initial` are values of the form, `second_confirms`
    names what needs a second moderator, and `is_of_closed` offers the act for closed accounts too."""

    address: str = ""
    facts: Callable[[User], list[str]] = _no_facts
    initial: Callable[[User], dict[str, Any]] = _no_values
    second_confirms: str = ""
    is_of_closed: bool = False

    @property
    def url_name(self) -> str:
        return f"admin:{self.key}"


POWERS = AccountAct(
    "change_powers", Intervention.CHANGE_POWERS, "Change powers",
    "The person is told by email what they may do from now on, with your reason, and the record keeps what was before.",
    roles.change_powers, PowersForm, "The powers are changed. Their owner gets an email.",
    address="powers", initial=lambda person: roles.powers_of(person)._asdict(), is_of_closed=True,
)  # fmt: skip
ACTS = table_of(
    POWERS,
    AccountAct(
        "change_identity", Intervention.CHANGE_IDENTITY, "Change name or address",
        "A new name counts at once. A second moderator must confirm a new address; afterwards the owner is signed out "
        "everywhere, links for a new password are void, and the address counts once they have confirmed it. The owner "
        "is told by email, with your reason: of a new address when you ask for it and when it is changed, then at both "
        "addresses.",
        identity.change_identity, IdentityForm, "The account is changed. Its owner gets an email.",
        address="identity", initial=_current_identity, second_confirms="a new address",
    ),
    AccountAct(
        "take_second_factor", Intervention.TAKE_SECOND_FACTOR, "Remove the second factors",
        "Only for somebody who has lost every one of theirs, once you are sure that it is them. A second moderator "
        "must confirm it; afterwards the password alone signs in. The owner is told by email, with your reason.",
        identity.request_factor_removal, MailedForm, address="factors", facts=_factors, second_confirms="it",
    ),
    AccountAct(
        "close_account", Intervention.CLOSE_ACCOUNT, "Close the account",
        "A second moderator must confirm this. Then the person can no longer sign in, and gets an email with the "
        "reason and a way to appeal. The other players read in the log that the account was closed, not why. In games "
        "not yet started the seat is freed, or the game is cancelled if this player hosts it.",
        account_closure.request_closure, CloseForm, address="close", facts=_seats_to_lose, second_confirms="it",
    ),
)  # fmt: skip


def urls() -> list[URLPattern]:
    """The URLs of these pages, below a person's form."""
    view = admin.site.admin_view(act_on_account)
    return [path(f"<int:user_id>/{act.address}/", view, {"key": key}, name=key) for key, act in ACTS.items()]


def acts_for(moderator: User) -> list[AccountAct]:
    """The acts that this moderator may do; only superusers change powers."""
    return [act for act in allowed(ACTS, moderator) if act is not POWERS or roles.may_change(moderator)]


def act_on_account(request: HttpRequest, user_id: int, key: str) -> HttpResponse:
    """Show an act on an account with its form, then do it or ask a second moderator."""
    act, moderator = ACTS[key], moderator_of(request)
    if act not in acts_for(moderator):
        raise PermissionDenied
    person, status = _find(user_id), 200
    form = act.form(request.POST or None, initial=act.initial(person))
    if request.method == "POST":
        who: dict[str, Any] = {"user_id": person.pk, "moderator": moderator}
        status = REFUSED
        if form.is_valid():
            status = carry_out(request, partial(act.service, **who, **form.cleaned_data), act.done)
        if status == DONE:
            return redirect("admin:accounts_user_change", person.pk)
        if status == STALE:
            person = _find(user_id)
            current = act.initial(person)
            hidden = {name: current[name] for name in current if name.startswith("was_")}
            form = act.form(initial=current | request.POST.dict() | hidden)
    context = {
        "title": act.label, "act": act, "person": person, "opts": User._meta, "form": form, "facts": act.facts(person),
        "is_alone": bool(act.second_confirms) and not approvals.others_who_may(act.what, moderator, person=person),
    }  # fmt: skip
    return desk_page(request, "admin/game/account_act.html", context, status)


def _find(user_id: int) -> User:
    return get_object_or_404(User, pk=user_id, is_bot=False, is_guest=False)
