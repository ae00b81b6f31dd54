"""People in the admin: no passwords, no links, no preferences; nothing is changed by a plain form."""

from typing import Any

from allauth.account.admin import EmailAddress  # by way of its page, which is then there to be taken away
from allauth.mfa.admin import Authenticator
from allauth.usersessions.admin import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.admin_pages import AdminPage, M
from accounts.models import User

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")

# Allauth's page would change a person's address, or mark it as confirmed, without telling them.
admin.site.unregister(EmailAddress)
admin.site.unregister(Group)
# Its page would show where people sign in from, and that of second factors the keys themselves.
admin.site.unregister(UserSession)
admin.site.unregister(Authenticator)


class SuperusersAdmin(AdminPage[M]):
    """What other staff do not see."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)


@admin.register(Group)
class GroupsAdmin(SuperusersAdmin[Group], GroupAdmin):
    """Which permissions each group has. Groups cannot be changed here: roles are code, and anyone who could change a
    group could grant themselves every permission, without a reason."""

    fields = readonly_fields = ("name", "permissions")


@admin.register(Authenticator)
class SecondFactorAdmin(SuperusersAdmin[Authenticator]):
    """Who has which. They are taken away by an intervention, of which the owner is told."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")


@admin.register(User)
class UserAdmin(AdminPage[User]):
    """A person as all staff who open the list may see them. A name or an address changes only by an intervention, of
    which the owner is told; so do powers. People sign up themselves, and an account is closed by the button on its
    page, because its seats go to bots."""

    list_display = ("username", "is_active", "is_bot", "is_staff", "date_joined")
    list_filter = ("is_active", "is_bot", "is_staff")
    search_fields = ("username",)
    ordering = ("username",)
    fields = ("username", "is_bot", "is_active", *POWERS, "date_joined")
