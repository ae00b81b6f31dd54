"""Acts on an account, each on its own page: second factors and powers."""

from __future__ import annotations

from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern

from accounts.admin import is_key
from accounts.models import User
from game.admin.acts import DONE, carry_out
from game.admin.forms import WhyForm
from game.admin.read_only import moderator_of
from game.moderation import approvals, roles
from game.moderation import permissions as powers
from game.moderation.roles import Powers
from game.people import identity
from game.store.moderation_models import Intervention
from game.templatetags.isolated_i18n import isolated

MAILED_LABEL = "Reason, mailed to the owner"


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

    @property
    def wanted(self) -> Powers:
        rows = (frozenset(row.pk for row in self.cleaned_data[name]) for name in ("groups", "permissions"))
        return Powers(self.cleaned_data["is_staff"], self.cleaned_data["is_superuser"], *rows)


def urls() -> list[URLPattern]:
    """URLs next to those of a person's form."""
    return [
        path("<int:user_id>/factors/", admin.site.admin_view(factors), name="take_second_factor"),
        path("<int:user_id>/powers/", admin.site.admin_view(change_powers), name="change_powers"),
    ]


def factors(request: HttpRequest, user_id: int) -> HttpResponse:
    """Ask a second moderator to remove the second factors of an account."""
    person = person_of(request, user_id, Intervention.TAKE_SECOND_FACTOR)
    form = WhyForm(request.POST or None)
    form.fields["reason"].label = MAILED_LABEL

    if request.method == "POST" and form.is_valid():
        who: dict[str, Any] = {"user_id": person.pk, "moderator": moderator_of(request)}
        if carry_out(request, partial(identity.request_factor_removal, **who, **form.cleaned_data), "") == DONE:
            return redirect("admin:accounts_user_change", person.pk)
    authenticators = Authenticator.objects.filter(user=person).defer("data").order_by("pk")
    others = approvals.others_who_may(Intervention.TAKE_SECOND_FACTOR, moderator_of(request), person=person)
    context = {"title": "Remove the second factors", "form": form, "factors": authenticators, "is_alone": not others}
    return render_page(request, person, "admin/game/factors.html", context)


def change_powers(request: HttpRequest, user_id: int) -> HttpResponse:
    """Show the form with somebody's powers, then change them."""
    person, moderator = person_of(request, user_id, Intervention.CHANGE_POWERS), moderator_of(request)
    if not roles.may_change(moderator):
        raise PermissionDenied
    form = PowersForm(request.POST or None, initial=roles.powers_of(person)._asdict())

    if request.method == "POST" and form.is_valid():
        who: dict[str, Any] = {"user_id": person.pk, "moderator": moderator, "reason": form.cleaned_data["reason"]}
        change = partial(roles.change_powers, **who, wanted=form.wanted)
        done = f"The powers of {isolated(person)} are changed. They get an email."
        if carry_out(request, change, done) == DONE:
            return redirect("admin:accounts_user_change", person.pk)
    return render_page(request, person, "admin/game/powers.html", {"title": "Change powers", "form": form})


def person_of(request: HttpRequest, user_id: int, what: Intervention) -> User:
    """The account to act on, if the moderator may."""
    if not powers.may(what, moderator_of(request)):
        raise PermissionDenied
    return get_object_or_404(User, pk=user_id, is_bot=False, is_guest=False)


def render_page(
    request: HttpRequest, person: User, template: str, context: dict[str, Any], status: int = 0
) -> HttpResponse:
    """The page of a form; its status is 422 if the form was sent and refused."""
    shared_context = admin.site.each_context(request) | {"person": person, "opts": User._meta}
    return TemplateResponse(
        request, template, shared_context | context, status=status or (422 if request.method == "POST" else 200)
    )
