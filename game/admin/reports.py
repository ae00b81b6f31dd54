"""Reported messages at the desk: the message and those around it at that time, and what a moderator may do."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern

from accounts.models import User
from game.admin.acts import DONE, Act, allowed, carry_out, table_of
from game.admin.forms import SilenceForm
from game.admin.read_only import ReadOnlyAdmin, desk_page, moderator_of, outside_own_games
from game.chat.models import Report
from game.chat.writing import FORMER_PLAYER
from game.moderation import chat_moderation, permissions
from game.store.moderation_models import Intervention
from game.store.row_addresses import numbered
from game.templatetags.times import moment

LARGE = ("game__state", "game__inputs", "game__course", "game__secret")


VERBS = table_of(
    Act(
        "remove",
        Intervention.REMOVE_MESSAGE,
        "Remove the message",
        "Its text is deleted. Readers see that a moderator removed it, and the reason. The report keeps the text. "
        "Its author and everybody who reported it get an email, and its case closes.",
        chat_moderation.remove_message,
    ),
    Act(
        "silence",
        Intervention.SILENCE,
        "Silence the author",
        "The author cannot write in any chat during this time, and reads the reason there and in an email. "
        "Everybody who reported the message gets an email that a moderator acted, and its case closes.",
        chat_moderation.silence,
        SilenceForm,
    ),
    Act(
        "close",
        Intervention.CLOSE_REPORT,
        "Close the report",
        "Nothing happens to the message. With its last report its case closes: the author and everybody who "
        "reported it get an email that nothing against the rules was found. The reason is for the record.",
        chat_moderation.close_report,
    ),
)


class QuotedMessage(NamedTuple):
    name: str
    text: str
    at: datetime
    is_reported: bool


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin[Report]):
    """Players' reports, for moderators who may act on them and do not play there."""

    list_display = ("moment", "game", "author", "reason", "state")
    search_fields = ("game__name", "author__username")
    list_select_related = ("game", "author")
    ordering = ("closed_at", "-id")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and bool(allowed(VERBS, moderator_of(request)))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and bool(allowed(VERBS, moderator_of(request)))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Reports, except those of the moderator's own games: players must not learn who reported what."""
        return super().get_queryset(request).filter(outside_own_games(moderator_of(request), "game")).defer(*LARGE)

    @admin.display(description="when", ordering="at")
    def moment(self, report: Report) -> str:
        return moment(report.at, "D")

    @admin.display(description="state", ordering="closed_at")
    def state(self, report: Report) -> str:
        return report.outcome or "open"

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        verb = path(
            f"<{numbered(Report)}:report_id>/<slug:key>/",
            self.admin_site.admin_view(self.verb_view),
            name="answer_report",
        )
        return [*own[:-1], verb, own[-1]]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        report, moderator = self.find(request, object_id), moderator_of(request)
        verbs = allowed(VERBS, moderator)
        context = {"title": "Reported message", "quoted": quoted_of(report), "verbs": verbs}
        return self._page(request, "admin/game/report.html", report, context)

    def verb_view(self, request: HttpRequest, report_id: str, key: str) -> HttpResponse:
        report, verb = self.find(request, report_id), VERBS.get(key)
        if verb is None:
            raise Http404("There is no such verb.")
        if not permissions.may(verb.what, moderator_of(request)):
            raise PermissionDenied
        form = verb.form(request.POST or None)
        if request.method == "POST" and form.is_valid():
            perform = partial(verb.service, report_id=report.pk, moderator=moderator_of(request), **form.cleaned_data)
            notice = f"{verb.done} It is on record."
            if carry_out(request, perform, notice) == DONE:
                return redirect("admin:game_report_change", report.pk)
        context = {"title": verb.label, "verb": verb, "form": form}
        return self._page(request, "admin/game/report_verb.html", report, context, 422 if request.POST else 200)

    def _page(
        self, request: HttpRequest, template: str, report: Report, context: dict[str, Any], status: int = 200
    ) -> TemplateResponse:
        return desk_page(request, template, {"report": report, "opts": self.opts} | context, status)


def quoted_of(report: Report) -> list[QuotedMessage]:
    """The reported message among those around it, as they were then."""
    context_messages = report.context
    people = User.objects.in_bulk([each["author"] for each in context_messages if each["author"]])
    number = report.message.number
    quoted = [
        (
            each["number"],
            QuotedMessage(_name(people.get(each["author"])), each["text"], datetime.fromisoformat(each["at"]), False),
        )
        for each in context_messages
    ]
    quoted.append((number, QuotedMessage(_name(report.author), report.text, report.message.at, True)))
    return [each for _, each in sorted(quoted, key=lambda pair: pair[0])]


def _name(person: User | None) -> str:
    return person.username if person else FORMER_PLAYER
