"""The queue of cases: reports and findings, the evidence at that time, and what moderators do about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator, capfirst
from django.utils.timesince import timesince, timeuntil

from accounts.models import User
from game.admin.acts import DONE, Act, carry_out, table_of
from game.admin.forms import WhyForm
from game.admin.read_only import ReadOnlyAdmin, desk_page, moderator_of
from game.admin.record_words import words_of
from game.admin.reports import LARGE, QuotedMessage, quoted_of
from game.chat.models import Report
from game.moderation import cases, permissions
from game.store.case_models import Case
from game.store.moderation_models import Intervention, ModeratorAction, number_of
from game.store.row_addresses import numbered
from game.templatetags.times import moment_inside

SHOWN_ELSEWHERE = {"log", "view", "report", "at", "detectors", "seats_compared", "text", "around"}
FIGURE_PERMISSIONS = {"accounts": "game.can_see_hints", "play": Intervention.COMPARE_PLAYERS.permission}
"""Detectors' figures are shown only to those who may see their source."""


class SeverityForm(WhyForm):
    severity = forms.TypedChoiceField(choices=Case.Severity.choices, coerce=int)


class NoteForm(forms.Form):
    """A note that only moderators read."""

    text = forms.CharField(max_length=cases.MOST_TEXT, widget=forms.Textarea(attrs={"rows": 3}))


class CloseForm(WhyForm):
    """The answer to both sides of a case, and the reason."""

    outcome = forms.ChoiceField(choices=Case.Outcome.choices)
    exculpatory = forms.CharField(
        label="Points in the players' favour", required=False, max_length=cases.MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}), help_text="Required to close a case as collusion.",
    )  # fmt: skip


CASES = Intervention.HANDLE_CASES
VERBS = table_of(
    Act("take", CASES, "Take the case", "", partial(cases.assign, to_me=True), forms.Form),
    Act("leave", CASES, "Leave it to others", "", partial(cases.assign, to_me=False), forms.Form),
    Act("weigh", CASES, "Change the severity", "", cases.set_severity, SeverityForm),
    Act("note", CASES, "Add a note", "", cases.add_note, NoteForm),
    Act("close", CASES, "Close and answer both sides", "", cases.close, CloseForm),
    Act("reopen", CASES, "Open again", "", cases.reopen),
)


class StateFilter(admin.SimpleListFilter):
    """Shows open cases by default."""

    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("mine", "Mine"), ("late", "Overdue"), ("closed", "Closed"), ("all", "All")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        own, *others = super().choices(changelist)
        return iter([{**own, "display": "Open"}, *others])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        if self.value() == "all":
            return queryset
        if self.value() == "closed":
            return queryset.exclude(closed_at=None)
        own = Q(assignee=moderator_of(request)) if self.value() == "mine" else Q()
        late = Q(due_at__lte=timezone.now()) if self.value() == "late" else Q()
        return queryset.filter(own, late, closed_at=None)


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin[Case]):
    """Cases, for moderators who may work on them. Cases about the moderator or their games are not listed."""

    list_display = ("number", "severity", "clock", "words_short", "about", "game", "assignee")
    list_filter = (StateFilter, "severity", "source", "kind")
    search_fields = ("words", "game__name", "people__username", "reporter__username")
    list_select_related = ("game", "reporter", "assignee")
    ordering = ("severity", "due_at")
    lookups = ("game__id__exact", "people__id__exact", StateFilter.parameter_name)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and _may(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and _may(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        return cases.cases_for(moderator_of(request)).defer("evidence", *LARGE)

    @admin.display(description="case", ordering="pk")
    def number(self, case: Case) -> str:
        return f"Case {number_of(case, case.pk)}"

    @admin.display(description="what")
    def words_short(self, case: Case) -> str:
        return Truncator(case.words).words(20)

    @admin.display(description="kind", ordering="kind")
    def about(self, case: Case) -> SafeString:
        return format_html('{}<div class="desk-none">{}</div>', case.get_kind_display(), case.get_source_display())

    @admin.display(description="to be answered", ordering="due_at")
    def clock(self, case: Case) -> str:
        return clock_of(case)

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        verb = path(
            f"<{numbered(Case)}:case_id>/<slug:key>/", self.admin_site.admin_view(self.verb_view), name="handle_case"
        )
        return [*own[:-1], verb, own[-1]]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self._page(request, self._find(request, object_id))

    def verb_view(self, request: HttpRequest, case_id: str, key: str) -> HttpResponse:
        """Carry out one verb on a case."""
        case, verb = self._find(request, case_id), VERBS.get(key)
        if verb is None:
            raise Http404("There is no such verb.")
        form = verb.form(request.POST or None)
        if request.method == "POST" and form.is_valid():
            perform = partial(verb.service, case_id=case.pk, moderator=moderator_of(request), **form.cleaned_data)
            if carry_out(request, perform, verb.done) == DONE:
                return redirect("admin:game_case_change", case.pk)
        return self._page(request, case, {key: form}, 422 if request.method == "POST" else 200)

    def _find(self, request: HttpRequest, object_id: str) -> Case:
        visible = cases.cases_for(moderator_of(request)).select_related("game", "reporter", "assignee", "appealed")
        return self.find(request, object_id, visible.defer(*LARGE))

    def _page(
        self, request: HttpRequest, case: Case, submitted: dict[str, forms.Form] | None = None, status: int = 200
    ) -> TemplateResponse:
        is_tied = permissions.is_tied(moderator_of(request), people=cases.people_of(case))
        blocks = [
            (key, verb.label, (submitted or {}).get(key) or verb.form(auto_id=f"{key}_%s"))
            for key, verb in _offered_verbs(case, moderator_of(request), is_tied=is_tied).items()
        ]
        for key, _, form in blocks:
            if key == "close":
                _choose_outcomes(form, is_appeal=case.source == Case.Source.APPEAL)
        context = {
            "title": self.number(case), "case": case, "opts": self.opts, "clock": clock_of(case), "blocks": blocks,
            "people": case.people.all(), "games": case.games.defer("state", "inputs", "course", "secret"),
            "notes": case.notes.select_related("author"),
            "facts": facts_of(_visible_evidence(moderator_of(request), case.evidence)),
            "report": case.evidence.get("report"), "pair": _pair_to_compare(case, moderator_of(request)),
            "log": [_log_line(line) for line in case.evidence.get("log", [])], "quoted": _quoted(case),
            "view": json.dumps(case.evidence.get("view"), indent=1)[:40_000] if "view" in case.evidence else "",
            "sent": sorted(submitted or {}), "is_tied": is_tied,
            "record": _record_of(case),
        }  # fmt: skip
        return desk_page(request, "admin/game/case.html", context, status)


def _record_of(case: Case) -> list[tuple[ModeratorAction, str]]:
    acts = ModeratorAction.objects.filter(details__case=case.pk).select_related("user")[:50]
    return [(act, capfirst(act.details.get("did") or words_of(act))) for act in acts]


def clock_of(case: Case) -> str:
    """The time left to answer a case, or how overdue it is."""
    if case.closed_at is not None:
        return format_html("closed {}", moment_inside(case.closed_at))
    late = case.due_at <= timezone.now()
    return f"overdue for {timesince(case.due_at)}" if late else f"{timeuntil(case.due_at)} left"


def facts_of(evidence: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The evidence besides the log and the position, each with its lines in words."""
    for name, value in evidence.items():
        if name not in SHOWN_ELSEWHERE and value:
            lines = [_value_text(each) for each in (value if isinstance(value, list) else [value])]
            yield name.replace("_", " "), [", ".join(lines)] if name == "seats" else lines


def _pair_to_compare(case: Case, moderator: User) -> str:
    """The query of the page that compares the two seats of a detector's case, for those who may open it."""
    seats = case.evidence.get("seats_compared")
    if not seats or case.game_id is None or not moderator.has_perm(Intervention.COMPARE_PLAYERS.permission):
        return ""
    return f"?a={seats[0] - 1}&b={seats[1] - 1}#beside"


def _visible_evidence(moderator: User, evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence without figures that this moderator may not see."""
    hidden = {
        name
        for name, permission in FIGURE_PERMISSIONS.items()
        if evidence.get(name) and not moderator.has_perm(permission)
    }
    visible = {name: value for name, value in evidence.items() if name not in hidden}
    return {**visible, "not_shown": "figures that your role does not see"} if hidden else visible


def _quoted(case: Case) -> list[QuotedMessage]:
    """The reported message among those around it, with authors and times; none if its game was deleted."""
    report = Report.objects.select_related("message", "author").filter(pk=case.evidence.get("report") or 0).first()
    return [] if report is None else quoted_of(report)


def _log_line(line: str | Mapping[str, str]) -> tuple[datetime | None, str]:
    """The time and the text of a line; cases of earlier releases have no times."""
    return (None, line) if isinstance(line, str) else (datetime.fromisoformat(line["at"]), line["text"])


def _value_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name.replace('_', ' ')}: {each}" for name, each in value.items() if name != "at")
    return str(value)


def _offered_verbs(case: Case, moderator: User, *, is_tied: bool) -> dict[str, Act]:
    """The verbs that are possible now; a moderator who is tied to the people of a case can only leave it to others."""
    excluded = {"reopen"} if case.closed_at is None else {"take", "leave", "weigh", "close"}
    excluded.add("leave" if case.assignee is None else "")
    excluded.add("take" if case.assignee == moderator else "")
    if case.source == Case.Source.APPEAL and not permissions.may(Intervention.LIFT_SANCTION, moderator):
        excluded.add("close")
    excluded |= VERBS.keys() - {"leave"} if is_tied else set()
    return {key: verb for key, verb in VERBS.items() if key not in excluded}


def _choose_outcomes(form: forms.Form, *, is_appeal: bool) -> None:
    """Offer only outcomes that fit: appeals have outcomes of their own."""
    field = form.fields["outcome"]
    assert isinstance(field, forms.ChoiceField)
    field.choices = [(each.value, each.label) for each in Case.Outcome if (each in cases.APPEAL_OUTCOMES) == is_appeal]


def _may(request: HttpRequest) -> bool:
    return permissions.may(Intervention.HANDLE_CASES, moderator_of(request))
