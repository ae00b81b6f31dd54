"""Games whose players share an address or a browser, for moderators who do not play there."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from game.admin.own_tables import not_of
from game.admin.read_only import ReadOnlyAdmin, moderator_of
from game.moderation import multi_accounts
from game.moderation.models import SharedTable

PERMISSION = "game.can_see_hints"
LARGE = ("state", "inputs", "course", "secret")


@admin.register(SharedTable)
class SharedTableAdmin(ReadOnlyAdmin[SharedTable]):
    """Newest first, with all hints of each. Families share addresses: a hint is a reason to look."""

    list_display = ("name", "status", "host", "told")
    list_filter = ("status", "ruleset")
    list_select_related = ("host",)
    ordering = ("-id",)
    fields = ("name", "status", "host", "told")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and moderator_of(request).has_perm(PERMISSION)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and moderator_of(request).has_perm(PERMISSION)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SharedTable]:
        """Without the moderator's own games."""
        games = super().get_queryset(request).filter(pk__in=multi_accounts.suspect_games().values("pk"))
        return games.filter(not_of(moderator_of(request), "pk")).defer(*LARGE)

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Load the hints of all rows together."""
        changelist = super().get_changelist_instance(request)
        hints_by_game = multi_accounts.hints_of_games([table.pk for table in changelist.result_list])
        for table in changelist.result_list:
            table.found = hints_by_game[table.pk]
        return changelist

    @admin.display(description="hints")
    def told(self, table: SharedTable) -> SafeString:
        """One line for each hint, with its strength."""
        hints = getattr(table, "found", None) or multi_accounts.hints_of_game(table.pk)
        return format_html_join("", "<div><b>{}</b>: {}</div>", ((hint.strength, hint.words) for hint in hints))
