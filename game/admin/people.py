"""The page of a person, with a button for each act on an account: a new name or address, closing it, and more; the
lists of guests, and of addresses to which email about games is no longer sent."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.urls.resolvers import URLPattern

from accounts.admin import AdminPage, UserAdmin
from accounts.models import Bounce, Guest, User
from accounts.names import NAME_LENGTH
from game.admin import person_acts, person_desk
from game.admin.acts import DONE, REFUSED, STALE, carry_out
from game.admin.forms import DecisionForm, reason_field
from game.admin.read_only import ReadOnlyAdmin, moderator_of
from game.delivery.bounces import lift_bounces
from game.engine.actions import Refused
from game.moderation import approvals, permissions, roles
from game.people import account_closure, identity
from game.people.identity import Identity
from game.store.game import BEGUN, Seat
from game.store.moderation_models import Intervention
from game.templatetags.isolated_i18n import isolated

admin.site.unregister(User)
# Keeps browsers from filling in the moderator's own name and address.
OF_OTHERS = {"class": "vTextField", "autocomplete": "off"}


class CloseForm(DecisionForm):
    """The reason goes to the person. Other players see in the log that the account was closed, not why."""

    field_order = ["reason", "case", "exculpatory"]


class IdentityForm(forms.Form):
    """The new name and address of an account, the ones it had when the form was made, and why."""

    username = forms.CharField(label="Name", max_length=NAME_LENGTH, widget=forms.TextInput(attrs=OF_OTHERS))
    email = forms.EmailField(label="Email address", required=False, widget=forms.EmailInput(attrs=OF_OTHERS))
    reason = reason_field("Reason, mailed to the owner")
    was_username = forms.CharField(widget=forms.HiddenInput, strip=False)
    was_email = forms.CharField(widget=forms.HiddenInput, required=False, strip=False)

    @classmethod
    def about(cls, person: User, sent: Any = None) -> IdentityForm:
        """The form for this person; `sent` is the submitted data of an earlier one."""
        current = {"was_username": person.username, "was_email": person.email}
        return cls(
            initial={"username": person.username, "email": person.email, **(sent.dict() if sent else {}), **current}
        )

    @property
    def seen(self) -> Identity:
        """The person as the moderator's form showed them."""
        return Identity(self.cleaned_data["was_username"], self.cleaned_data["was_email"])

    @property
    def wanted(self) -> Identity:
        """The new name and address. An address that differs only in case counts as unchanged."""
        email, was = self.cleaned_data["email"], self.cleaned_data["was_email"]
        return Identity(self.cleaned_data["username"], was if email.lower() == was.lower() else email.lower())


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
        guarded = self.admin_site.admin_view
        acts = [
            path("<int:user_id>/close/", guarded(self.close_view), name="close_account"),
            path("<int:user_id>/identity/", guarded(self.identity_view), name="change_identity"),
        ]
        return [*acts, *person_desk.urls(), *person_acts.urls(), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        moderator = moderator_of(request)
        allowed = {
            "may_change_powers": roles.may_change(moderator) and str(moderator.pk) != object_id,
            "has_desk": permissions.may(Intervention.HANDLE_CASES, moderator) and str(moderator.pk) != object_id,
            "may_close": permissions.may(Intervention.CLOSE_ACCOUNT, moderator),
            "may_change_identity": permissions.may(Intervention.CHANGE_IDENTITY, moderator),
            "may_take_factors": permissions.may(Intervention.TAKE_SECOND_FACTOR, moderator),
        }
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **allowed})

    def close_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Ask why, then ask a second moderator."""
        person = person_acts.person_of(request, user_id, Intervention.CLOSE_ACCOUNT)
        form = CloseForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            who: dict[str, Any] = {"user_id": person.pk, "moderator": moderator_of(request)}
            if carry_out(request, partial(account_closure.request_closure, **who, **form.cleaned_data), "") == DONE:
                return redirect("admin:accounts_user_change", person.pk)
        seats = Seat.objects.filter(user=person, game__status__in=BEGUN).order_by("game_id")
        others = approvals.others_who_may(Intervention.CLOSE_ACCOUNT, moderator_of(request), person=person)
        context = {
            "title": "Close the account",
            "is_alone": not others,
            "seats": seats.select_related("game").defer("game__state", "game__inputs"),
        }
        return person_acts.render_page(request, person, "admin/game/close.html", context | {"form": form})

    def identity_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Change the name, or ask a second moderator to change the address."""
        person = person_acts.person_of(request, user_id, Intervention.CHANGE_IDENTITY)
        form, status = IdentityForm.about(person), 200
        if request.method == "POST":
            form = IdentityForm(request.POST)
            status = _change_identity(request, person, form) if form.is_valid() else REFUSED
            if status == DONE:
                return redirect("admin:accounts_user_change", person.pk)
            if status == STALE:
                form = IdentityForm.about(
                    person_acts.person_of(request, user_id, Intervention.CHANGE_IDENTITY), request.POST
                )
        others = approvals.others_who_may(Intervention.CHANGE_IDENTITY, moderator_of(request), person=person)
        context = {"title": "Change name or address", "form": form, "is_alone": not others}
        return person_acts.render_page(request, person, "admin/game/identity.html", context, status)


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


def _change_identity(request: HttpRequest, person: User, form: IdentityForm) -> int:
    """Change it or ask for approval. Returns the status of the answer."""
    arguments = {"reason": form.cleaned_data["reason"], "seen": form.seen, "wanted": form.wanted}
    change = partial(identity.change_identity, user_id=person.pk, moderator=moderator_of(request), **arguments)
    return carry_out(request, change, f"The account of {isolated(person)} is changed. Its owner gets an email.")
