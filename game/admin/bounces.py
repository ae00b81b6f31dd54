"""Addresses to which email about games is no longer sent, and resuming them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_pages import AdminPage
from accounts.models import Bounce
from game.admin.read_only import moderator_of
from game.delivery.bounces import lift_bounces
from game.engine.actions import Refused
from game.moderation import permissions
from game.store.log import Intervention


class LiftForm(ActionForm):
    """The reason, beside the action on the ticked addresses; the service requires it."""

    reason = forms.CharField(label="Reason, mailed to the owner", required=False, max_length=permissions.LONGEST_REASON)


@admin.register(Bounce)
class BounceAdmin(AdminPage[Bounce]):
    """Staff with the permission can resume mail to an address, with a reason, on the record."""

    list_display = ("address", "why", "words", "at")
    list_filter = ("why",)
    search_fields = ("address",)
    ordering = ("-at",)
    action_form = LiftForm
    actions = ("lift",)
    readonly_fields = ("address", "why", "words", "at")

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return permissions.may(Intervention.LIFT_BOUNCE, moderator_of(request))

    @admin.action(description="Send mail to these addresses again", permissions=["lift"])
    def lift(self, request: HttpRequest, bounces: QuerySet[Bounce]) -> None:
        arguments: dict[str, Any] = {
            "numbers": list(bounces.values_list("pk", flat=True)),
            "reason": request.POST.get("reason", ""),
        }
        try:
            address_count = lift_bounces(moderator=moderator_of(request), **arguments)
        except Refused as refused:
            messages.error(request, str(refused))
            return
        messages.success(request, f"Mail goes to {address_count} address{'' if address_count == 1 else 'es'} again.")
