"""Users in the admin: no passwords, links or preferences; plain forms change nothing."""

from typing import Any

from allauth.account.admin import EmailAddress  # imports its admin page too, so that it can be unregistered
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.admin_pages import AdminPage, M
from accounts.models import User

PERMISSION_FIELDS = ("is_staff", "is_superuser", "groups", "user_permissions")

# Allauth's page changes or confirms a user's address without notifying them.
admin.site.unregister(EmailAddress)
admin.site.unregister(Group)
# These pages would show where users sign in from, and the keys of second factors.
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
