"""Games in the admin: the list, the desk of one game, the page that asks a moderator for a reason, and the games whose
players share an address or a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.models import Bounce, User
from game.admin import game_pages
from game.admin.acts import carry_out
from game.admin.filters import GameFilter, title_of
from game.admin.forms import ReasonForm
from game.admin.read_only import ReadOnlyAdmin, desk_page, moderator_of, outside_own_games
from game.admin.record_words import Change, changes_between, words_of
from game.admin.rows import shown_notices
from game.admin.verbs import VERBS, Verb, verbs_for
from game.engine.actions import Refused
from game.moderation import approvals, interventions, multi_accounts, permissions
from game.moderation.cases import cases_for
from game.moderation.models import SharedTable
from game.outbox import preferences
from game.people import two_people
from game.rulesets.registry import listed_rules
from game.seats.page import stand_ins_of, with_stand_ins
from game.store.badges import SeatBadge, badges_of
from game.store.game import Game, Seat
from game.store.heartbeats import DryRun
from game.store.log import Notice
from game.store.log_notes import rounded_words
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.readers import get_game, seats_of
from game.table.board import read_log
from game.templatetags.times import moment

MOST_CHAPTERS, MOST_CASES = 12, 10
PAGES = (
    ("rerun", "Last resolution again", Intervention.REWIND_TO),
    ("pairs", "Pairs of players", Intervention.COMPARE_PLAYERS),
    ("secrets", "Sealed orders", Intervention.READ_SECRETS),
    ("bundle", "Export for engineers", Intervention.EXPORT_BUNDLE),
)
LARGE = ("state", "inputs", "course", "secret")
PERMISSION = "game.can_see_hints"


class HostFilter(admin.SimpleListFilter):
    """Guests' games, which are against bots alone, have a list of their own."""

    title, parameter_name = "host", "of"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("guests", "Guests")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        own, *others = super().choices(changelist)
        return iter([{**own, "display": "Accounts"}, *others])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        guest_games = queryset.filter(host__is_guest=True)
        return guest_games if self.value() == "guests" else queryset.exclude(pk__in=guest_games.values("pk"))


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin[Game]):
    """Shows the public facts of a game, and the moderators' buttons."""

    list_display = ("name", "title", "status", "pace", "now_in", "closes", "held_reason", "host")
    list_filter = (HostFilter, "status", "pace", ("ruleset", GameFilter))
    search_fields = ("name", "host__username", "seats__user__username")
    list_select_related = ("host",)
    ordering = ("-id",)
    fields = ("name", "status")
    lookups = ("host__id__exact", HostFilter.parameter_name)
    has_public_keys = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).defer(*LARGE)

    @admin.display(description="game", ordering="ruleset")
    def title(self, game: Game) -> str:
        return title_of(game.ruleset)

    @admin.display(description="now", ordering="turn")
    def now_in(self, game: Game) -> str:
        turn = listed_rules(game.ruleset).turn_words(game.turn) if game.turn else ""
        return ": ".join(filter(None, (turn, game.phase.title if game.phase else "")))

    @admin.display(description="closes", ordering="deadline_at")
    def closes(self, game: Game) -> str:
        return moment(game.deadline_at, "D")

    def get_urls(self) -> list[URLPattern]:
        verb = path("<int:game_id>/<slug:key>/", self.admin_site.admin_view(self.verb_view), name="moderate")
        # Django's own pages come first: `history` is not a verb.
        own = super().get_urls()
        return [*own[:-1], *game_pages.urls(), verb, own[-1]]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The desk of one game; it reads none of the row's large or secret fields."""
        game = find_game(object_id)
        return self._page(request, "admin/game/desk.html", desk_context(game, moderator_of(request)), game)

    def verb_view(self, request: HttpRequest, game_id: int, key: str) -> HttpResponse:
        game, verb = find_game(str(game_id)), VERBS.get(key)
        if verb is None:
            raise Http404("There is no such verb.")
        if not permissions.may(verb.what, moderator_of(request)):
            raise PermissionDenied
        form, status = verb.form(request.POST or None, game=game), 200
        context: dict[str, Any] = {"needs_two": approvals.needs_two(verb.what, game)}
        if context["needs_two"]:
            context["is_alone"] = not approvals.others_who_may(verb.what, moderator_of(request), game=game)
        if request.method == "POST":
            is_preview = request.POST.get("do") == "preview"
            act = partial(_preview, context=context) if is_preview else _run_verb
            status = act(request, game, verb, form) if form.is_valid() else 422
            if status == 302:
                return redirect("admin:game_game_change", game.pk)
            if status == 409:
                game = find_game(str(game_id))
                form = verb.form(request.POST.dict() | interventions.seen_of(game)._asdict(), game=game)
        context |= {"verb": verb, "form": form, "title": verb.label}
        response = self._page(request, "admin/game/confirm.html", context, game)
        response.status_code = status
        return response

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any], game: Game) -> TemplateResponse:
        return desk_page(request, template, {"title": game.name, "game": game, "opts": self.opts} | context)


@admin.register(SharedTable)
class SharedTableAdmin(ReadOnlyAdmin[SharedTable]):
    """Games whose players share an address or a browser, newest first, each with all its hints. Families share
    addresses: a hint is a reason to look."""

    list_display = ("name", "status", "host", "hints")
    list_filter = ("status", ("ruleset", GameFilter))
    list_select_related = ("host",)
    ordering = ("-id",)
    fields = ("name", "status", "host", "hints")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and moderator_of(request).has_perm(PERMISSION)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and moderator_of(request).has_perm(PERMISSION)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SharedTable]:
        """The games of the list, except those in which the moderator plays or played."""
        games = super().get_queryset(request).filter(pk__in=multi_accounts.suspect_games().values("pk"))
        return games.filter(outside_own_games(moderator_of(request), "pk")).defer(*LARGE)

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Load the hints of all rows together."""
        changelist = super().get_changelist_instance(request)
        hints_by_game = multi_accounts.hints_of_games([table.pk for table in changelist.result_list])
        for table in changelist.result_list:
            table.row_hints = hints_by_game[table.pk]
        return changelist

    @admin.display(description="hints")
    def hints(self, table: SharedTable) -> SafeString:
        """One line for each hint, with its strength."""
        rows = getattr(table, "row_hints", None) or multi_accounts.hints_of_game(table.pk)
        return format_html_join("", "<div><b>{}</b>: {}</div>", ((hint.strength, hint.words) for hint in rows))


def find_game(object_id: str) -> Game:
    """The game of a URL, or 404."""
    game = get_game(game_id=int(object_id)) if object_id.isdecimal() and len(object_id) < 18 else None
    if game is None:
        raise Http404("There is no such game.")
    return game


def desk_context(game: Game, moderator: User) -> dict[str, Any]:
    """Context of the desk: what a stranger sees, the outbox, and what moderators did."""
    seats = seats_of(game)
    places = with_stand_ins(
        badges_of(seats, ruleset=game.ruleset, user_id=None, states=game.shown_states(None)), stand_ins_of(game)
    )
    notices = shown_notices(Notice.objects.filter(game=game))
    phase = game.phase
    has_log = game.has_position and game.is_described
    chapters, _ = read_log(game=game, places=places, seat=None) if has_log else ([], None)
    barred, verbs = permissions.why_barred(game, moderator), verbs_for(game, moderator)
    return {
        "verbs": {place: [verb for verb in verbs if verb.place == place] for place in ("clock", "seats", "position")},
        "barred": barred,
        "phase": phase,
        "rows": _rows_with_counts(places, seats, _count_notices(notices)),
        "chapters": chapters[:MOST_CHAPTERS],
        "mail_off": preferences.without_mail(game.pk),
        "bounced": _bounced_addresses(seats),
        "unready": len(game.shown_waiting(None)),
        "dry_run": DryRun.objects.filter(game=game).first(),
        "pages": [] if barred else [(name, label) for name, label, what in PAGES if permissions.may(what, moderator)],
        "waiting": notices.filter(handed_at=None, sent_at=None, cancelled_at=None).count(),
        "sent": notices.exclude(sent_at=None).count(),
        "troubled": [] if barred else list(notices.exclude(trouble="").select_related("user")[:5]),
        "cases": cases_for(moderator).filter(game=game).select_related("assignee")[:MOST_CASES],
        "record": [] if barred else _record_of(game),
        "left_words": rounded_words(game.paused_left) if game.paused_left else "",
    }


def _rows_with_counts(
    places: Iterable[SeatBadge], seats: Iterable[Seat], counts: dict[int, tuple[int, int, int]]
) -> list[tuple[SeatBadge, Seat, tuple[int, int, int]]]:
    pairs = zip(places, seats, strict=True)
    return [(place, seat, counts.get(seat.user_id or 0, (0, 0, 0))) for place, seat in pairs]


def _bounced_addresses(seats: Iterable[Seat]) -> frozenset[str]:
    """The players' addresses that mail came back from."""
    addresses = {seat.user.email.lower() for seat in seats if seat.user}
    return frozenset(Bounce.objects.filter(address__in=addresses).values_list("address", flat=True))


def _count_notices(notices: QuerySet[Notice]) -> dict[int, tuple[int, int, int]]:
    """Counts of sent, waiting and troubled notices by person."""
    is_waiting = Q(handed_at=None, sent_at=None, cancelled_at=None)
    rows = notices.order_by().values_list("user_id").annotate(
        sent=Count("pk", filter=~Q(sent_at=None)), waiting=Count("pk", filter=is_waiting),
        troubled=Count("pk", filter=~Q(trouble="")),
    )  # fmt: skip
    return {user_id: (sent, waiting, troubled) for user_id, sent, waiting, troubled in rows}


def _record_of(game: Game) -> list[tuple[ModeratorAction, str, list[Change]]]:
    acts = ModeratorAction.objects.filter(game=game).select_related("user")[:50]
    return [(act, words_of(act), changes_between(act.before, act.after)) for act in acts]


def _run_verb(request: HttpRequest, game: Game, verb: Verb, form: ReasonForm) -> int:
    """Carry out a verb, or ask a second person to. Returns the HTTP status."""
    service = (
        partial(two_people.request_game_act, what=verb.what) if approvals.needs_two(verb.what, game) else verb.service
    )
    return carry_out(request, partial(service, **_service_arguments(request, game, form)), verb.done)


def _service_arguments(request: HttpRequest, game: Game, form: ReasonForm) -> dict[str, Any]:
    arguments = dict(form.cleaned_data)
    seen = interventions.Seen(arguments.pop("version"), arguments.pop("serial"))
    return {**arguments, "game_id": game.pk, "moderator": moderator_of(request), "seen": seen}


def _preview(request: HttpRequest, game: Game, verb: Verb, form: ReasonForm, *, context: dict[str, Any]) -> int:
    """Try a verb, roll it back, and show what it would change for everyone. Returns the HTTP status. Results of closing
    a phase are sealed, so they are not shown."""
    if not verb.is_sealed:
        try:
            after = two_people.try_out(verb.service, **_service_arguments(request, game, form))
        except Refused as refused:
            messages.error(request, str(refused))
            return 409 if isinstance(refused, interventions.Stale) else 422
        context["changes"] = changes_between(interventions.facts_of(game.pk), after)
    context["is_previewed"] = True
    return 200
