"""The desk of the whole site: banner, read-only pages, deadlines, and the state of mail and queues."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Max, Min, Q
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from accounts.models import Bounce, WaitingMail
from game.admin.acts import DONE, Act, allowed, carry_out, table_of
from game.admin.forms import WhyForm
from game.admin.read_only import ReadOnlyAdmin, desk_page, moderator_of
from game.moderation import cases, site_desk
from game.play import leases
from game.rulesets.registry import RULESETS
from game.site import features
from game.site.models import SiteState
from game.store.game import Game, Status
from game.store.heartbeats import Heartbeat
from game.store.log import Channel, Notice
from game.store.moderation_models import Intervention

ONE_DAY = timedelta(days=1)


class BannerForm(WhyForm):
    """Both texts of the banner, its duration, and whether the site is read-only."""

    english = forms.CharField(max_length=200, required=False)
    german = forms.CharField(max_length=200, required=False)
    until = forms.DateTimeField(required=False, help_text="Until when, as 2030-12-31 18:00; empty: until changed.")
    is_read_only = forms.BooleanField(
        label="Players can read only (maintenance)", required=False,
        help_text="Deadlines are stopped during this time. When they run again, each is later by as long as they "
        "were stopped.",
    )  # fmt: skip
    field_order = ["english", "german", "until", "is_read_only", "reason"]


class ShiftForm(WhyForm):
    hours = forms.IntegerField(
        min_value=1, max_value=site_desk.MOST_HOURS, initial=6,
        help_text="If phases close at fixed times, the phase lasts until the first of them that is not before that.",
    )  # fmt: skip


class FeaturesForm(WhyForm):
    """The parts that are on; unticked ones are switched off."""

    is_on = forms.MultipleChoiceField(
        label="Switched on", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="What runs already goes on: games that have begun, messages that were sent.",
    )  # fmt: skip
    field_order = ["is_on", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        every, off = features.feature_keys(), site_desk.state().features_off
        self.fields["is_on"].choices = [(each, _feature_name(each)) for each in every]  # type: ignore[attr-defined]
        self.fields["is_on"].initial = [each for each in every if each not in off]


def _feature_name(feature: str) -> str:
    key = feature.removeprefix(features.RULESET)
    return f"New games of {RULESETS[key].title}" if key in RULESETS else FEATURE_NAMES[key]


FEATURE_NAMES = {
    features.SIGN_UP: "Signing up", features.GUESTS: "New guests", features.CHAT: "Chats", features.API: "API",
    features.WEBHOOKS: "Webhooks", features.PUSH: "Notifications in browsers",
}  # fmt: skip


STOP = Intervention.STOP_RESOLVING
ACTS = table_of(
    Act("banner", Intervention.SET_BANNER, "Set the banner", "", site_desk.set_banner, BannerForm),
    Act("stop", STOP, "Stop all deadlines", "", partial(site_desk.stop_resolving, is_stopped=True)),
    Act("run", STOP, "Let deadlines run again", "", partial(site_desk.stop_resolving, is_stopped=False)),
    Act(
        "features",
        Intervention.SWITCH_FEATURES,
        "Switch parts of the site",
        "",
        site_desk.switch_features,
        FeaturesForm,
    ),
    Act("shift", Intervention.SHIFT_DEADLINES, "Move all deadlines", "", site_desk.shift_deadlines, ShiftForm),
)


@admin.register(SiteState)
class SiteAdmin(ReadOnlyAdmin[SiteState]):
    """One page in place of a list."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and bool(allowed(ACTS, moderator_of(request)))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        acts = {act.key: act for act in allowed(ACTS, moderator_of(request))}
        if not acts:
            raise PermissionDenied
        submitted: dict[str, forms.Form] = {}
        if request.method == "POST":
            act = acts.get(request.POST.get("do", ""))
            if act is None:
                raise PermissionDenied
            form = submitted[act.key] = act.form(request.POST)
            if form.is_valid():
                perform = partial(act.service, moderator=moderator_of(request), **form.cleaned_data)
                if carry_out(request, perform, act.done) == DONE:
                    return redirect("admin:game_sitestate_changelist")
        blocks = [(key, act.label, submitted.get(key) or act.form(auto_id=f"{key}_%s")) for key, act in acts.items()]
        context = {"title": "The site", "opts": self.opts, "blocks": blocks, "sent": sorted(submitted), **figures()}
        late_cases = cases.cases_for(moderator_of(request)).filter(closed_at=None, due_at__lte=timezone.now())
        context["late_cases"] = late_cases.count()
        return desk_page(request, "admin/game/site.html", context, 422 if submitted else 200)


def figures() -> dict[str, Any]:
    """The state of the site, in a constant number of queries."""
    yesterday = timezone.now() - ONE_DAY
    beats = Heartbeat.objects.annotate(age=Now() - F("beat_at")).values_list("name", "age")
    waiting = Notice.objects.filter(_open_now())
    mail = WaitingMail.objects.filter(handed_at=None).aggregate(n=Count("pk"), oldest=Min("due_at"))
    stuck = leases.due_games().annotate(late=Now() - F("deadline_at")).only("name", "deadline_at", "attempts")[:20]
    games = dict(Game.objects.order_by().values_list("status").annotate(n=Count("pk")))
    state = site_desk.state()
    lag = waiting.aggregate(oldest=Min("due_at"))["oldest"]
    return {
        "state": state, "lag": lag, "off": ", ".join(_feature_name(each) for each in state.features_off),
        "beats": [(name, round(age.total_seconds())) for name, age in beats],
        "waiting": waiting.count(), "troubled": waiting.exclude(trouble="").count(), "mail": mail, "stuck": list(stuck),
        "bounced": Bounce.objects.count(), "bounced_today": Bounce.objects.filter(at__gte=yesterday).count(),
        "channels": list(_channels(yesterday)),
        "held": games.get(Status.HELD, 0), "running": games.get(Status.RUNNING, 0),
    }  # fmt: skip


def _open_now() -> Q:
    """Due notices that no process has claimed, sent or cancelled."""
    return Q(handed_at=None, sent_at=None, cancelled_at=None, due_at__lte=timezone.now())


def _channels(yesterday: datetime) -> Iterator[dict[str, Any]]:
    """A row for each channel: when its provider last accepted a notice, how many it refused since yesterday, and how
    many wait."""
    open_now = _open_now()
    refused = Q(sent_at=None, due_at__gte=yesterday, attempts__gt=0) & ~Q(trouble="")
    rows = Notice.objects.order_by("channel").values("channel").annotate(
        accepted=Max("sent_at"), refused=Count("pk", filter=refused), waiting=Count("pk", filter=open_now),
        oldest=Min("due_at", filter=open_now),
    )  # fmt: skip
    return ({**row, "name": Channel(row["channel"]).label} for row in rows)
