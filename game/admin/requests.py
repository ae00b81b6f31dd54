"""Requests at the desk: what one moderator asks for and another one confirms, refuses or lets expire."""

from __future__ import annotations

from collections.abc import Callable
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

from game.admin.addresses import numbered
from game.admin.changes import changes_between
from game.admin.own_tables import not_of
from game.admin.read_only import ReadOnlyAdmin, moderator_of
from game.admin.reports import LARGE, WhyForm
from game.admin.verbs import MOST, UNSEEN, VERBS
from game.engine.actions import Refused
from game.engine.phrases import thousands
from game.infra.once import made_once
from game.moderation import approvals, interventions, permissions, rewind, rewind_votes, two_people
from game.people import confirming
from game.reputation import households
from game.store.approval_models import SecondOpinion
from game.store.case_models import Case
from game.store.game import Game
from game.store.log import Intervention
from game.store.numbers import number_of
from game.templatetags.times import moment


class Asked(admin.SimpleListFilter):
    """What can be asked for, in words."""

    title, parameter_name = "what is asked for", "what"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(what.value, what.label.capitalize()) for what in (*two_people.GAME_ACTS, *confirming.PEOPLE_ACTS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[SecondOpinion]) -> QuerySet[SecondOpinion]:
        return queryset.filter(what=self.value()) if self.value() else queryset


class SeenForm(forms.Form):
    """The game as it was when the page was made."""

    version = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput, error_messages=UNSEEN)
    serial = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput, error_messages=UNSEEN)


def do_once(request: HttpRequest, act: Callable[[], Any], done: str) -> str:
    """Carry an act out once, however often its form is sent, and say that it is `done` or that a second moderator was
    asked to confirm it; returns the key of that request, if any. Raises `Refused`."""

    def make() -> str:
        asked = act()
        return str(asked.pk) if isinstance(asked, SecondOpinion) else ""

    key = made_once(request, make)
    if key:
        _say_asked(request, key)
    else:
        messages.success(request, done)
    return key


def _say_asked(request: HttpRequest, key: str) -> None:
    """Say that a request was made, with the way to its page."""
    page = reverse("admin:game_secondopinion_change", args=[key])
    hours = round(approvals.LASTS.total_seconds() / 3600)
    words = '<a href="{}">Request {}</a>: nothing has changed yet. A second moderator must confirm it within {} hours.'
    number = number_of(SecondOpinion, int(key))
    messages.success(request, format_html(words, page, number, hours))


@admin.register(SecondOpinion)
class RequestAdmin(ReadOnlyAdmin[SecondOpinion]):
    """Requests that wait for a second person, and their results: for staff who may do such a thing themselves."""

    list_display = ("asked_at", "what", "about", "asker", "reason", "state")
    list_filter = ("answer", Asked)
    lookups = ("game__id__exact", Asked.parameter_name)
    search_fields = ("game__name", "person__username", "asker__username", "reason")
    list_select_related = ("game", "person", "asker")
    ordering = ("answer", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SecondOpinion]:
        """Nothing about the moderator or somebody they share a home with, nor about games in which one of them plays or
        played."""
        moderator = moderator_of(request)
        able = [what.value for what in Intervention if permissions.may(what, moderator)]
        about = Q(game=None) | not_of(moderator, "game")
        shown = super().get_queryset(request).filter(about, what__in=able)
        shown = shown.exclude(person__in=households.together_with(moderator.pk))
        return shown.defer(*LARGE)

    @admin.display(description="asked", ordering="at")
    def asked_at(self, row: SecondOpinion) -> str:
        return moment(row.at, "D")

    @admin.display(description="about")
    def about(self, row: SecondOpinion) -> str:
        return str(row.game or row.person or "the site")

    @admin.display(description="state", ordering="answer")
    def state(self, row: SecondOpinion) -> str:
        is_late = row.answer == approvals.Answer.WAITING and not approvals.is_open(row)
        return "expired" if is_late else row.get_answer_display()

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        answer = path(
            f"<{numbered(SecondOpinion)}:request_id>/<slug:key>/",
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
        asked = self.find(request, request_id)
        if key not in ANSWERS:
            raise Http404("There is no such answer.")
        if request.method != "POST":
            return redirect("admin:game_secondopinion_change", asked.pk)
        try:
            words = ANSWERS[key](request, asked)
        except Refused as refused:
            messages.error(request, str(refused))
            return self._page(request, asked, 409 if isinstance(refused, interventions.Stale) else 422)
        messages.success(request, words)
        return redirect("admin:game_secondopinion_change", asked.pk)

    def _page(self, request: HttpRequest, asked: SecondOpinion, status: int = 200) -> TemplateResponse:
        own = asked.asker_id == moderator_of(request).pk
        context = {
            "title": Intervention(asked.what).label.capitalize(), "asked": asked, "opts": self.opts, "own": own,
            "is_open": approvals.is_open(asked), "state": self.state(asked), "terms": terms_of(asked),
            "votes": rewind_votes.votes_of(asked), "seen": SeenForm(initial=_seen(asked)), "no": WhyForm(),
        }  # fmt: skip
        if own and asked.asker is not None:
            context["is_alone"] = not approvals.who_may_confirm(asked, asked.asker)
        if context["is_open"] and not own:
            context |= _consequences(asked)
        everywhere = self.admin_site.each_context(request)
        return TemplateResponse(request, "admin/game/request.html", everywhere | context, status=status)


def terms_of(asked: SecondOpinion) -> list[tuple[str, str]]:
    """What exactly is asked for, in words."""
    if asked.what == Intervention.REWIND_TO and asked.game is not None:
        moments = {each.number: str(each) for each in rewind.moments_of(asked.game)}
        return [("Back to the start of", moments.get(asked.asked["number"], "a phase that is gone"))]
    fields = _fields_of(asked)
    said = {name: value for name, value in asked.asked.items() if value is not None and name != approvals.RECEIVER}
    names = sorted(said, key=[*fields, *said].index)
    return [_term(fields.get(name), name, said[name]) for name in names]


def _fields_of(asked: SecondOpinion) -> dict[str, forms.Field]:
    """The fields of the form with which an intervention on a game was requested: they have the words."""
    form = next((verb.form for verb in VERBS.values() if verb.what == asked.what), None)
    return form(game=asked.game).fields if form is not None and asked.game is not None else {}


def _term(field: forms.Field | None, name: str, value: Any) -> tuple[str, str]:
    if name == "case":
        page = reverse("admin:game_case_change", args=[value])
        return "Case", format_html('<a href="{}">{}</a>', page, number_of(Case, value))
    label = str(field.label) if field is not None and field.label else name.capitalize()
    known = dict(field.choices) if isinstance(field, forms.ChoiceField) else {}  # type: ignore[arg-type]
    if value in known:
        return label, str(known[value])
    if name == "seat_number":  # the account is deleted; people see seats counted from 1
        value += 1
    return label, thousands(value) if type(value) is int else str(value)


def _consequences(asked: SecondOpinion) -> dict[str, Any]:
    """How the game would change if this were confirmed now."""
    act = two_people.GAME_ACTS.get(Intervention(asked.what))
    if act is None or asked.game is None or asked.asker is None:
        return {}
    game = Game.objects.get(pk=asked.game.pk)
    who: dict[str, Any] = {"moderator": asked.asker, "reason": asked.reason, "seen": interventions.seen_of(game)}
    try:
        after = two_people.try_out(act, game_id=game.pk, **who, **asked.asked)
    except Refused as refused:
        return {"trouble": str(refused)}
    return {"changes": changes_between(interventions.facts_of(game.pk), after)}


def _seen(asked: SecondOpinion) -> dict[str, int]:
    return interventions.seen_of(Game.objects.get(pk=asked.game.pk))._asdict() if asked.game else {}


def _confirm(request: HttpRequest, asked: SecondOpinion) -> str:
    form, seen = SeenForm(request.POST), None
    if asked.what not in confirming.PEOPLE_ACTS:
        if not form.is_valid():
            raise Refused("This form does not say which version of the game it is about: reload it.", code="no_version")
        seen = interventions.Seen(form.cleaned_data["version"], form.cleaned_data["serial"])
    words = confirming.confirm(request_id=asked.pk, moderator=moderator_of(request), seen=seen)
    return f"{words} Both names are on record."


def _refuse(request: HttpRequest, asked: SecondOpinion) -> str:
    form = WhyForm(request.POST)
    if not form.is_valid():
        raise Refused("Enter a reason. It is recorded.", code="reason_missing")
    approvals.refuse(request_id=asked.pk, moderator=moderator_of(request), reason=form.cleaned_data["reason"])
    return "The request is settled. Nothing was done."


def _put_to_players(request: HttpRequest, asked: SecondOpinion) -> str:
    rewind_votes.put_to_players(request_id=asked.pk, moderator=moderator_of(request))
    return "The players are asked. The game is rewound once everybody who is present has agreed."


ANSWERS = {"confirm": _confirm, "refuse": _refuse, "players": _put_to_players}
