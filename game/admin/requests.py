"""Approval requests at the desk: one moderator asks, another one confirms or refuses, or the request expires."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.urls.resolvers import URLPattern
from django.utils.html import format_html

from game.admin.forms import LARGEST_INTEGER, NO_VERSION, WhyForm
from game.admin.read_only import ReadOnlyAdmin, desk_page, moderator_of, outside_own_games
from game.admin.record_words import changes_between
from game.admin.reports import LARGE
from game.admin.verbs import VERBS
from game.engine.actions import Refused
from game.engine.phrases import thousands
from game.moderation import approvals, interventions, permissions, rewind
from game.people import two_people
from game.reputation import households
from game.store.case_models import Case
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, number_of
from game.store.row_addresses import numbered
from game.templatetags.times import moment
from game.votes import rewinds


class RequestedAct(admin.SimpleListFilter):
    """Filters by what is asked for."""

    title, parameter_name = "what is asked for", "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(what.value, what.label.capitalize()) for what in (*two_people.GAME_ACTS, *two_people.PEOPLE_ACTS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApprovalRequest]) -> QuerySet[ApprovalRequest]:
        return queryset.filter(what=self.value()) if self.value() else queryset


class SeenForm(forms.Form):
    """The state of the game when the page was made."""

    version = forms.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, widget=forms.HiddenInput, error_messages=NO_VERSION
    )
    serial = forms.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, widget=forms.HiddenInput, error_messages=NO_VERSION
    )


@admin.register(ApprovalRequest)
class RequestAdmin(ReadOnlyAdmin[ApprovalRequest]):
    """Requests that wait for approval, and their results: for staff who may do the same act."""

    list_display = ("asked_at", "what", "about", "asker", "reason", "state")
    list_filter = ("answer", RequestedAct)
    lookups = ("game__id__exact", RequestedAct.parameter_name)
    search_fields = ("game__name", "person__username", "asker__username", "reason")
    list_select_related = ("game", "person", "asker")
    ordering = ("answer", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApprovalRequest]:
        """Requests, except those about the moderator, their household, and games in which one of them plays or
        played."""
        moderator = moderator_of(request)
        permitted = [what.value for what in Intervention if permissions.may(what, moderator)]
        about = Q(game=None) | outside_own_games(moderator, "game")
        requests = super().get_queryset(request).filter(about, what__in=permitted)
        requests = requests.exclude(person__in=households.together_with(moderator.pk))
        return requests.defer(*LARGE)

    @admin.display(description="asked", ordering="at")
    def asked_at(self, row: ApprovalRequest) -> str:
        return moment(row.at, "D")

    @admin.display(description="about")
    def about(self, row: ApprovalRequest) -> str:
        return str(row.game or row.person or "the site")

    @admin.display(description="state", ordering="answer")
    def state(self, row: ApprovalRequest) -> str:
        is_late = row.answer == approvals.Answer.WAITING and not approvals.is_open(row)
        return "expired" if is_late else row.get_answer_display()

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        answer = path(
            f"<{numbered(ApprovalRequest)}:request_id>/<slug:key>/",
            self.admin_site.admin_view(self.answer_view),
            name="second",
        )
        return [*own[:-1], answer, own[-1]]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self._page(request, self.find(request, object_id))

    def answer_view(self, request: HttpRequest, request_id: str, key: str) -> HttpResponse:
        """Confirm, refuse with a reason, or put it to the players."""
        approval = self.find(request, request_id)
        if key not in ANSWERS:
            raise Http404("There is no such answer.")
        if request.method != "POST":
            return redirect("admin:game_approvalrequest_change", approval.pk)
        try:
            success_text = ANSWERS[key](request, approval)
        except Refused as refused:
            messages.error(request, str(refused))
            return self._page(request, approval, 409 if isinstance(refused, interventions.Stale) else 422)
        messages.success(request, success_text)
        return redirect("admin:game_approvalrequest_change", approval.pk)

    def _page(self, request: HttpRequest, approval: ApprovalRequest, status: int = 200) -> TemplateResponse:
        game = approval.game
        seen = interventions.seen_of(Game.objects.get(pk=game.pk))._asdict() if game else {}
        is_own = approval.asker_id == moderator_of(request).pk
        context = {
            "title": Intervention(approval.what).label.capitalize(), "asked": approval, "opts": self.opts,
            "own": is_own, "is_open": approvals.is_open(approval), "state": self.state(approval),
            "terms": terms_of(approval), "votes": rewinds.votes_of(approval),
            "seen": SeenForm(initial=seen), "no": WhyForm(),
        }  # fmt: skip
        if is_own and approval.asker is not None:
            context["is_alone"] = not approvals.who_may_confirm(approval, approval.asker)
        if context["is_open"] and not is_own:
            context |= _preview(approval)
        return desk_page(request, "admin/game/request.html", context, status)


def terms_of(approval: ApprovalRequest) -> list[tuple[str, str]]:
    """The exact terms of a request, in words."""
    if approval.what == Intervention.REWIND_TO and approval.game is not None:
        moments = {each.number: str(each) for each in rewind.moments_of(approval.game)}
        return [("Back to the start of", moments.get(approval.asked["number"], "a phase that is gone"))]
    fields = _form_fields(approval)
    arguments = {
        name: value for name, value in approval.asked.items() if value is not None and name != permissions.RECEIVER
    }
    names = sorted(arguments, key=[*fields, *arguments].index)
    return [_term(fields.get(name), name, arguments[name]) for name in names]


def _form_fields(approval: ApprovalRequest) -> dict[str, forms.Field]:
    """The fields of the form that made a request about a game: they have the labels."""
    form = next((verb.form for verb in VERBS.values() if verb.what == approval.what), None)
    return form(game=approval.game).fields if form is not None and approval.game is not None else {}


def _term(field: forms.Field | None, name: str, value: Any) -> tuple[str, str]:
    if name == "case":
        page = reverse("admin:game_case_change", args=[value])
        return "Case", format_html('<a href="{}">{}</a>', page, number_of(Case, value))
    label = str(field.label) if field is not None and field.label else name.capitalize()
    choices = dict(field.choices) if isinstance(field, forms.ChoiceField) else {}  # type: ignore[arg-type]
    if value in choices:
        return label, str(choices[value])
    if name == "seat_number":  # the account is deleted; users see seats counted from 1
        value += 1
    return label, thousands(value) if type(value) is int else str(value)


def _preview(approval: ApprovalRequest) -> dict[str, Any]:
    """How the game would change if this were confirmed now."""
    act = two_people.GAME_ACTS.get(Intervention(approval.what))
    if act is None or approval.game is None or approval.asker is None:
        return {}
    game = Game.objects.get(pk=approval.game.pk)
    who: dict[str, Any] = {"moderator": approval.asker, "reason": approval.reason, "seen": interventions.seen_of(game)}
    try:
        after = two_people.try_out(act, game_id=game.pk, **who, **approval.asked)
    except Refused as refused:
        return {"trouble": str(refused)}
    return {"changes": changes_between(interventions.facts_of(game.pk), after)}


def _confirm(request: HttpRequest, approval: ApprovalRequest) -> str:
    form, seen = SeenForm(request.POST), None
    if approval.what not in two_people.PEOPLE_ACTS:
        if not form.is_valid():
            raise Refused("This form does not say which version of the game it is about: reload it.", code="no_version")
        seen = interventions.Seen(form.cleaned_data["version"], form.cleaned_data["serial"])
    text = two_people.confirm(request_id=approval.pk, moderator=moderator_of(request), seen=seen)
    return f"{text} Both names are on record."


def _refuse(request: HttpRequest, approval: ApprovalRequest) -> str:
    form = WhyForm(request.POST)
    if not form.is_valid():
        raise Refused("Enter a reason. It is recorded.", code="reason_missing")
    approvals.refuse(request_id=approval.pk, moderator=moderator_of(request), reason=form.cleaned_data["reason"])
    return "The request is settled. Nothing was done."


def _put_to_players(request: HttpRequest, approval: ApprovalRequest) -> str:
    rewinds.put_to_players(request_id=approval.pk, moderator=moderator_of(request))
    return "The players are asked. The game is rewound once everybody who is present has agreed."


ANSWERS = {"confirm": _confirm, "refuse": _refuse, "players": _put_to_players}
