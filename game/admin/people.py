"""The page of a person gets one more button: closing the account, with all its seats."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern

from accounts.admin import UserAdmin
from accounts.models import User
from game.admin.read_only import moderator_of
from game.engine.actions import Refused
from game.models import Intervention, Seat
from game.services import closing, moderation

admin.site.unregister(User)


class CloseForm(forms.Form):
    """Why; the table is not told."""

    reason = forms.CharField(
        label="Reason, for the record only",
        max_length=moderation.LONGEST_REASON,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
    )


@admin.register(User)
class PersonAdmin(UserAdmin):
    """A person, whose account a moderator may close."""

    change_form_template = "admin/game/person.html"

    def get_urls(self) -> list[URLPattern]:
        return [path("<int:user_id>/close/", self.admin_site.admin_view(self.close_view), name="close_account"), *super().get_urls()]

    def close_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Ask why, then close."""
        if not moderation.may(Intervention.CLOSE_ACCOUNT, moderator_of(request)):
            raise PermissionDenied
        person = get_object_or_404(User, pk=user_id, is_bot=False)
        form = CloseForm(request.POST or None)
        if request.method == "POST" and form.is_valid() and _close(request, person, form.cleaned_data["reason"]):
            return redirect("admin:accounts_user_change", person.pk)
        context: dict[str, Any] = {"title": "Close the account", "person": person, "form": form, "opts": self.opts}
        held = Seat.objects.filter(user=person, game__status__in=moderation.BEGUN)
        context["seats"] = held.select_related("game").defer("game__state", "game__inputs")
        status = 422 if request.method == "POST" else 200
        return TemplateResponse(request, "admin/game/close.html", self.admin_site.each_context(request) | context, status=status)


def _close(request: HttpRequest, person: User, reason: str) -> bool:
    try:
        games = closing.close_account(user_id=person.pk, moderator=moderator_of(request), reason=reason)
    except Refused as refused:
        messages.error(request, str(refused))
        return False
    messages.success(request, f"The account of {person} is closed; bots took its seats at {len(games)} tables.")
    return True
