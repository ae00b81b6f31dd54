"""The list of guests: when they came, when they were last here, and how many games they have."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from accounts.models import Guest
from game.admin.read_only import ReadOnlyAdmin


@admin.register(Guest)
class GuestAdmin(ReadOnlyAdmin[Guest]):
    """There are no interventions on guests: they are deleted when they stay away."""

    list_display = ("username", "date_joined", "seen_at", "games", "becomes")
    search_fields = ("username",)
    list_select_related = ("becomes",)
    ordering = ("-seen_at",)
    fields = ("username", "date_joined", "seen_at", "becomes")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Guest]:
        guests = super().get_queryset(request).filter(is_guest=True)
        return guests.annotate(game_count=Count("seats"))

    @admin.display(description="games", ordering="game_count")
    def games(self, guest: Guest) -> int:
        return int(getattr(guest, "game_count", 0))
