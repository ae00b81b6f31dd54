"""A person's desk: facts, earlier decisions, and possible ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Model, Q, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.urls.resolvers import URLPattern

from accounts.models import Bounce, User
from game.admin.acts import DONE, Act, allowed, carry_out, table_of
from game.admin.cases import NoteForm
from game.admin.forms import DecisionForm, WhyForm
from game.admin.read_only import desk_page, moderator_of
from game.moderation import approvals, cases, collusion, multi_accounts, permissions, sanctions
from game.reputation import households
from game.reputation.models import HouseholdLink
from game.reputation.reliability import reliability_of
from game.store.case_models import Case, CaseNote, Sanction
from game.store.moderation_models import Intervention
from game.store.row_addresses import numbered
from game.store.seat_models import Tenure

HEAVY = ("game__state", "game__inputs", "game__course", "game__secret")
EFFECTS = (
    "A warning is an email with the reason; it changes nothing. A player who cannot write in chats or join games plays "
    "on. A banned player keeps their seats; at each deadline the game decides for them. The player is emailed at once "
    "and can appeal; each decision ends by itself."
)


class SanctionForm(DecisionForm):
    """A decision with its duration and reason; the person reads the reason."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.label) for kind in sanctions.POWERS], help_text=EFFECTS)
    days = forms.IntegerField(
        min_value=0, max_value=3650, initial=7,
        help_text=f"A warning takes none. A ban for more than {sanctions.ALONE_DAYS} days needs a second moderator; "
        "one that prolongs another counts from the day that one began.",
    )  # fmt: skip
    field_order = ["kind", "days", "reason", "case", "exculpatory"]


class LinkForm(WhyForm):
    """The other person of a shared home or connection, and the evidence for it."""

    username = forms.CharField(
        label="Name of the other player", widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"})
    )
    field_order = ["username", "reason"]


CASES, LINK = Intervention.HANDLE_CASES, Intervention.LINK_PLAYERS


@dataclass(frozen=True)
class PersonAct(Act):
    """An act on a person. One that ends a row of theirs names the model in `rows`; the service takes its key as
    `number`."""

    rows: type[Model] | None = None


ACTS = table_of(
    PersonAct("decide", CASES, "Decide and tell the player", "", sanctions.impose, SanctionForm, "The player is told."),
    PersonAct("note", CASES, "Add a note", "", sanctions.add_note, NoteForm, "Noted."),
    PersonAct(
        "link", LINK, "Record a shared home or connection and tell both", "", multi_accounts.record_link, LinkForm,
        "Recorded. Both are told.",
    ),
    PersonAct(
        "lift_sanction", Intervention.LIFT_SANCTION, "End it now", "", sanctions.lift,
        success_text="The sanction has ended.", rows=Sanction,
    ),
    PersonAct(
        "unlink_players", LINK, "End it now", "", multi_accounts.remove_link,
        success_text="The link has ended. Both are told.", rows=HouseholdLink,
    ),
)  # fmt: skip


def urls() -> list[URLPattern]:
    """URLs next to those of a person's form."""
    guarded = admin.site.admin_view
    return [
        path("<int:user_id>/desk/", guarded(desk), name="person_desk"),
        path("<int:user_id>/desk/<slug:key>/", guarded(act), name="act_on_person"),
        *(
            path(
                f"<int:user_id>/desk/{key}/<{numbered(act_on_row.rows)}:number>/", guarded(act), {"key": key}, name=key
            )
            for key, act_on_row in ACTS.items()
            if act_on_row.rows
        ),
    ]


def desk(request: HttpRequest, user_id: int) -> HttpResponse:
    return _page(request, _person(request, user_id))


def act(request: HttpRequest, user_id: int, key: str, number: str = "") -> HttpResponse:
    """Decide about a person, leave a note, record a link, or end a decision or a link."""
    person = _person(request, user_id)
    if key not in ACTS or bool(ACTS[key].rows) != bool(number):
        raise Http404("There is no such act.")
    if request.method != "POST":
        return _page(request, person)
    form = ACTS[key].form(request.POST)
    if form.is_valid():
        row = {"number": int(number)} if number else {}
        perform = partial(ACTS[key].service, person=person, moderator=moderator_of(request), **row, **form.cleaned_data)
        if carry_out(request, perform, ACTS[key].done) == DONE:
            return redirect("admin:person_desk", person.pk)
    elif number:
        messages.error(request, f"Reason: {form.errors['reason'][0]}")
    return _page(request, person, {key: form}, 422)


def _person(request: HttpRequest, user_id: int) -> User:
    moderator = moderator_of(request)
    if not permissions.may(Intervention.HANDLE_CASES, moderator) or user_id in households.together_with(moderator.pk):
        raise PermissionDenied
    return get_object_or_404(User, pk=user_id, is_bot=False, is_guest=False)


def _page(
    request: HttpRequest, person: User, submitted: dict[str, forms.Form] | None = None, status: int = 200
) -> HttpResponse:
    acts = {act.key: act for act in allowed(ACTS, moderator_of(request))}
    blank = {key: act.form(auto_id=f"{key}_%s") for key, act in acts.items() if not act.rows}
    page_forms = {key: (submitted or {}).get(key, form) for key, form in blank.items()}
    if not _offer_kinds(page_forms["decide"], moderator_of(request)):
        del page_forms["decide"]
    visible_cases = cases.cases_for(moderator_of(request))
    tenures = Tenure.objects.filter(user=person).select_related("game").defer(*HEAVY).order_by("-pk")[:30]
    decisions = Sanction.objects.filter(user=person).select_related("by", "confirmed_by")
    context: dict[str, Any] = {
        "title": person.username, "person": person, "opts": User._meta,
        "forms": [(acts[key], form) for key, form in page_forms.items()],
        "standing": standing_of(person), "companions": collusion.companions_of(person),
        "tenures": tenures, "sanctions": decisions[:50],
        "notes": CaseNote.objects.filter(person=person).select_related("author")[:50],
        "cases": visible_cases.filter(pk__in=Case.objects.filter(people=person).values("pk")).defer("evidence")[:30],
        "may": set(acts), "sent": set(submitted or {}), "links": households.others_of(person),
        "long_ban": f"a ban for more than {sanctions.ALONE_DAYS} days",
        "is_alone": not approvals.others_who_may(Intervention.BAN, moderator_of(request), person=person),
    }  # fmt: skip
    return desk_page(request, "admin/game/person_desk.html", context, status)


def _offer_kinds(form: forms.Form, moderator: User) -> bool:
    """Offer only decisions that the moderator's role may make. Returns whether there are any."""
    field = form.fields["kind"]
    assert isinstance(field, forms.ChoiceField)
    field.choices = [
        (kind.value, kind.label) for kind, what in sanctions.POWERS.items() if permissions.may(what, moderator)
    ]
    return bool(field.choices)


def standing_of(person: User) -> dict[str, Any]:
    """Sessions, the email address, decisions made and missed in all games, and the reliability in open games. Contains
    no IP address and no password."""
    sessions = UserSession.objects.filter(user=person).aggregate(n=Count("pk"), last=Max("last_seen_at"))
    address = EmailAddress.objects.filter(user=person, primary=True).first()
    bounce = Bounce.objects.filter(address=person.email.lower()).first() if person.email else None
    decision_counts = Tenure.objects.filter(user=person).aggregate(
        decisions=Sum("decisions"), missed=Sum("missed"), excused=Sum("excused"), sat=Count("pk"),
        given_up=Count("pk", filter=~Q(end="")),
    )  # fmt: skip
    return {
        "sessions": sessions["n"],
        "last_day": sessions["last"].date() if sessions["last"] else None,
        "is_verified": bool(address and address.verified),
        "bounce": bounce,
        "reliability": reliability_of([person.pk]).get(person.pk),
        **decision_counts,
    }
