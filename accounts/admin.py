"""The base of all admin pages, which are read-only, and the pages of users: no passwords, links or preferences."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from allauth.account.admin import EmailAddress  # imports its admin page too, so that it can be unregistered
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IS_POPUP_VAR, TO_FIELD_VAR
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import BadRequest
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from accounts.models import User

M = TypeVar("M", bound=Model)
PERMISSION_FIELDS = ("is_staff", "is_superuser", "groups", "user_permissions")
MOST_SEARCHED = 100  # letters
KEY_LENGTH = 18  # digits of a number that every database can store
TOO_LARGE = re.compile(rf"\d{{{KEY_LENGTH + 1}}}")


def is_key(text: str) -> bool:
    """True if a row can have this key."""
    return text.isascii() and text.isdecimal() and len(text) <= KEY_LENGTH


class AdminPage(admin.ModelAdmin[M]):
    """The base of every admin page of this site; pages of other apps are replaced or removed. Staff change things by
    interventions, with a reason."""

    lookups: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Refuse filters that are not offered: Django lets a URL filter by any column, enough to guess a secret
        letter by letter. A list of numbers may also contain one too large for the column, an error in the database."""
        if TOO_LARGE.search(str(value)):
            return False
        rows = [each[0] if isinstance(each, tuple) else each for each in self.list_filter]
        filters = [name for name in rows if isinstance(name, str)]
        return lookup in {
            *self.lookups,
            *filters,
            *(f"{name}__{operator}" for name in filters for operator in ("exact", "in", "isnull")),
        }

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[M], search_term: str) -> Any:
        """Shorten a long search: each word adds a condition, and databases refuse statements with thousands."""
        return super().get_search_results(request, queryset, search_term[:MOST_SEARCHED])

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list with the plural name of the model as its title. Never as a popup in which a form chooses a row:
        no form of this desk does, and its links would contain the keys of the rows."""
        if not {IS_POPUP_VAR, TO_FIELD_VAR}.isdisjoint(request.GET):
            raise Http404("No list is chosen from.")
        return super().changelist_view(
            request, {"title": str(self.opts.verbose_name_plural).capitalize(), **(extra_context or {})}
        )

    def response_action(self, request: HttpRequest, queryset: QuerySet[M], *place: Any, **more: Any) -> Any:
        """Ignore ticked values that are no keys, since Django's own code fails on them."""
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(map(is_key, ticked)):
            raise BadRequest("What is ticked is no row.")
        return super().response_action(request, queryset, *place, **more)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# Allauth's page changes or confirms a user's address without notifying them.
admin.site.unregister(EmailAddress)


admin.site.unregister(Group)


# These pages would show the places from which users sign in, and the keys of second factors.
admin.site.unregister(UserSession)


admin.site.unregister(Authenticator)


class SuperusersAdmin(AdminPage[M]):
    """Visible to superusers only."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)


@admin.register(Group)
class GroupsAdmin(SuperusersAdmin[Group], GroupAdmin):
    """The permissions of each group, read-only: roles are code, and whoever could change a group could grant themselves
    every permission without a reason."""

    fields = readonly_fields = ("name", "permissions")


@admin.register(Authenticator)
class SecondFactorAdmin(SuperusersAdmin[Authenticator]):
    """Who has which factor. Factors are removed by an intervention, which notifies the owner."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")


@admin.register(User)
class UserAdmin(AdminPage[User]):
    """A user, as all staff with access to the list see them. Names, addresses and permissions change only by an
    intervention, which notifies the owner. Users sign up themselves, and an account is closed by the button on its
    page, because its seats go to bots."""

    list_display = ("username", "is_active", "is_bot", "is_staff", "date_joined")
    list_filter = ("is_active", "is_bot", "is_staff")
    search_fields = ("username",)
    ordering = ("username",)
    fields = ("username", "is_bot", "is_active", *PERMISSION_FIELDS, "date_joined")
