"""Admin pages that show and never change: staff see what a stranger sees, and cannot search for more."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import URLPattern

from accounts.admin_pages import AdminPage, M
from accounts.models import User
from game.admin.addresses import with_numbers


class ReadOnlyAdmin(AdminPage[M]):
    """Rows as they are, for all staff."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    lookups: tuple[str, ...] = ("game__id__exact",)
    has_public_keys = False  # whether everybody knows its rows by their keys

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        return own if self.has_public_keys else with_numbers(self.model, own)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_staff(request)

    def find(self, request: HttpRequest, object_id: str, rows: QuerySet[M] | None = None) -> M:
        """The row of an address, among those that this moderator may look at; 403 or 404 else."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        known = object_id.isdecimal() and len(object_id) < 18
        shown = self.get_queryset(request) if rows is None else rows
        found = shown.filter(pk=int(object_id)).first() if known else None
        if found is None:
            raise Http404(f"There is no such {self.opts.verbose_name}.")
        return found


def moderator_of(request: HttpRequest) -> User:
    """The signed-in person: Django's own check of every admin page admits no one else."""
    assert isinstance(request.user, User)
    return request.user


def _is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff
