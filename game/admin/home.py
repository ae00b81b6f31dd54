"""The front page of the desk: what is to be done, the most urgent first. Each list has what this moderator may see."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.contrib import admin
from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import Truncator

from accounts.admin import M
from game.admin.cases import clock_of
from game.admin.games import LARGE
from game.admin.read_only import moderator_of, outside_own_games
from game.chat.models import Report
from game.engine.phrases import listed
from game.play import leases
from game.store.case_models import Case
from game.store.game import Game, GameQuerySet, Status
from game.store.log import LoggedAction
from game.store.moderation_models import ApprovalRequest, Intervention, number_of
from game.store.readers import seats_of

MOST_ROWS = 10
OPEN = Q(closed_at=None)


class Row(NamedTuple):
    """One thing to be done: its page, what it is, since or until when, and a word about it."""

    url: str
    title: str
    about: str
    at: datetime | None = None
    words: str = ""


class Matter(NamedTuple):
    """A list of the front page: its title, the heading of its times, its rows, and the address of all of them."""

    title: str
    when: str
    rows: list[Row]
    number: int
    url: str


def index(request: HttpRequest) -> HttpResponse:
    """Django's front page, with what is to be done before its lists."""
    return admin.site.index(request, {"matters": list(matters_of(request))})


def matters_of(request: HttpRequest) -> Iterator[Matter]:
    """The lists that are not empty."""
    every = (_on_hold, _overdue, _cases, _reports, _requests, _waiting)
    return (matter for matter in (read(request) for read in every) if matter is not None and matter.rows)


def _on_hold(request: HttpRequest) -> Matter:
    games = _games(request).filter(status=Status.HELD).annotate(last_at=_last_at()).order_by("last_at")
    rows = [Row(_page(game), game.name, game.held_reason, game.last_at) for game in games[:MOST_ROWS]]
    return Matter("Games on hold", "Since", rows, games.count(), _list(Game) + f"?status__exact={Status.HELD}")


def _overdue(request: HttpRequest) -> Matter:
    """Open phases whose deadline passed longer ago than a sweep takes to close them."""
    games = _games(request).filter(pk__in=leases.due_games().filter(attempts__gt=0).values("pk"))
    rows = [
        Row(_page(game), game.name, _phase(game), game.deadline_at, f"{game.attempts} attempts")
        for game in games.order_by("deadline_at")[:MOST_ROWS]
    ]
    return Matter("Phases past their deadline", "Due", rows, games.count(), _list(Game) + "?status__exact=running")


def _waiting(request: HttpRequest) -> Matter:
    """Games among people, by how long their phase has been open. The times are public: a sealed submission changes none
    of them."""
    people = Count("seats", filter=Q(seats__bot="", seats__user__isnull=False, seats__user__is_guest=False))
    games = _games(request).filter(status=Status.RUNNING, lesson="").annotate(people=people, last_at=_last_at())
    rows = [
        Row(_page(game), game.name, _phase(game), game.last_at, _awaited(game))
        for game in games.filter(people__gt=1).order_by("last_at")[:MOST_ROWS]
    ]
    return Matter("Waiting longest", "Open since", rows, games.filter(people__gt=1).count(), _list(Game))


def _cases(request: HttpRequest) -> Matter | None:
    cases = _visible(request, Case)
    if cases is None:
        return None
    rows = [
        Row(
            reverse("admin:game_case_change", args=[case.pk]),
            f"Case {number_of(case, case.pk)}: {case.get_kind_display()}",
            Truncator(case.words).words(16),
            words=f"{clock_of(case)}, {case.assignee or 'nobody works on it'}",
        )
        for case in cases.filter(OPEN).select_related("assignee", "game").order_by("due_at")[:MOST_ROWS]
    ]
    late = cases.filter(OPEN, due_at__lte=Now()).count()
    title = f"Open cases, {late} overdue" if late else "Open cases"
    return Matter(title, "", rows, cases.filter(OPEN).count(), _list(Case))


def _reports(request: HttpRequest) -> Matter | None:
    reports = _visible(request, Report)
    if reports is None:
        return None
    rows = [
        Row(reverse("admin:game_report_change", args=[each.pk]), each.game.name, each.reason, each.at)
        for each in reports.filter(OPEN).select_related("game").order_by("at")[:MOST_ROWS]
    ]
    return Matter("Reported messages", "Reported", rows, reports.filter(OPEN).count(), _list(Report))


def _requests(request: HttpRequest) -> Matter | None:
    requests = _visible(request, ApprovalRequest)
    if requests is None:
        return None
    waiting = requests.filter(answer="", expires_at__gt=Now())
    rows = [
        Row(
            reverse("admin:game_approvalrequest_change", args=[each.pk]),
            f"{each.asker or ''} asks to {Intervention(each.what).label}",
            each.reason,
            each.expires_at,
        )
        for each in waiting.select_related("asker").order_by("expires_at")[:MOST_ROWS]
    ]
    url = _list(ApprovalRequest) + "?answer__exact="
    return Matter("Requests for a second person", "Expires", rows, waiting.count(), url)


def _visible(request: HttpRequest, model: type[M]) -> QuerySet[M] | None:
    """The rows of a list that this moderator may see; None if they may not see the list."""
    desk = admin.site.get_model_admin(model)
    return desk.get_queryset(request) if desk.has_view_permission(request) else None


def _games(request: HttpRequest) -> GameQuerySet:
    return Game.objects.filter(outside_own_games(moderator_of(request), "pk")).defer(*LARGE)


def _last_at() -> Subquery:
    """When the open phase began, or the game was stopped."""
    entries = LoggedAction.objects.filter(game=OuterRef("pk")).exclude(opened_serial=None, note="")
    return Subquery(entries.order_by("-number").values("at")[:1])


def _awaited(game: Game) -> str:
    """The players for whom the game publicly waits, and when each of them last opened it."""
    seats = seats_of(game)
    return listed(seats[number].shown_name for number in game.shown_waiting(None))


def _phase(game: Game) -> str:
    return f"{game.rules.turn_inside(game.turn)}, {game.phase.title}" if game.phase else ""


def _page(game: Game) -> str:
    return reverse("admin:game_game_change", args=[game.pk])


def _list(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
