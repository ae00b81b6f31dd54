"""The page of a person, with a button for each act on their account; the lists of guests, and of addresses to which
email about games is no longer sent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls.resolvers import URLPattern

from accounts.admin import AdminPage, UserAdmin
from accounts.models import Bounce, Guest, User
from game.admin import person_acts, person_desk
from game.admin.read_only import ReadOnlyAdmin, moderator_of
from game.delivery.bounces import lift_bounces
from game.engine.actions import Refused
from game.moderation import permissions
from game.store.moderation_models import Intervention

admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(UserAdmin):
    """A person, with acts on their account."""

    change_form_template = "admin/game/person.html"
    of_identity = ("email", "last_login")  # only for staff who may change names and addresses

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Guests have a list of their own."""
        return super().get_queryset(request).filter(is_guest=False)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return (*self.list_display, *self._of_identity(request))

    def get_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return (*self.fields, *self._of_identity(request))

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Staff who may not read addresses cannot search them."""
        return (*self.search_fields, "email") if self._of_identity(request) else self.search_fields

    def _of_identity(self, request: HttpRequest) -> tuple[str, ...]:
        return self.of_identity if permissions.may(Intervention.CHANGE_IDENTITY, moderator_of(request)) else ()

    def get_urls(self) -> list[URLPattern]:
        return [*person_desk.urls(), *person_acts.urls(), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        moderator = moderator_of(request)
        is_other = str(moderator.pk) != object_id
        acts = [act for act in person_acts.acts_for(moderator) if is_other or act is not person_acts.POWERS]
        buttons = {"acts": acts, "has_desk": is_other and permissions.may(Intervention.HANDLE_CASES, moderator)}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **buttons})


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


class LiftForm(ActionForm):
    """The reason for the action on the ticked addresses; the service requires it."""

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
