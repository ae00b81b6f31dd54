"""Addresses that mail about games no longer goes to, and trying them again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.lookups import AllowedLookups
from accounts.models import Bounce


@admin.register(Bounce)
class BounceAdmin(AllowedLookups[Bounce]):
    """Who may delete a bounce lifts it: the next mail goes to the address again. The admin's own history keeps who did
    so."""

    list_display = ("address", "why", "words", "at")
    list_filter = ("why",)
    search_fields = ("address",)
    ordering = ("-at",)
    actions = ("lift",)
    readonly_fields = ("address", "why", "words", "at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Bounce | None = None) -> bool:
        return False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """One way to do it: the other would ask first, as if something were lost."""
        found = super().get_actions(request)
        found.pop("delete_selected", None)
        return found

    @admin.action(description="Send mail to these addresses again", permissions=["delete"])
    def lift(self, request: HttpRequest, bounces: QuerySet[Bounce]) -> None:
        lifted = len(bounces)
        self.log_deletions(request, bounces)
        bounces.delete()
        messages.success(request, f"Mail goes to {lifted} address{'' if lifted == 1 else 'es'} again.")
