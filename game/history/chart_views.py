"""The charts of a game in full size, each with its figures as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.history import charts
from game.history.ledger import may_read_books, movements_of
from game.history.past import course_of
from game.history.viewer import Viewer, viewer_of
from game.history.views import find_played, missing_page
from game.play.panel import private
from game.play.receipts import draft_of
from game.store.game import Game
from game.store.readers import Reader, own_seat

Course = Sequence[Mapping[str, Any]]


class NoSuchChart(Exception):
    """The requested player or company is not in this game; the text is for the reader."""


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """All charts; `seat` chooses whose cash is drawn, `company` whose shares."""
    game = find_played(request, game_id)
    viewer = viewer_of(game, request.user)
    try:
        context = _chart_context(viewer, request)
    except NoSuchChart as error:
        return missing_page(request, game, error, back="game_charts")
    return private(render(request, "history/charts.html", viewer.context("charts") | context))


def _chart_context(viewer: Viewer, request: HttpRequest) -> dict[str, Any]:
    course: Course = viewer.game.course
    companies = list(dict.fromkeys(company for point in course for company in point["prices"]))
    seat = _requested_seat(viewer, request.GET.get("seat"))
    company = _requested_company(companies, request.GET.get("company"))
    labels, turn = charts.labels_of(course), viewer.board.rules.turn_title
    own_companies = frozenset(
        row.company for row in viewer.board.rows(viewer.view).holdings if row.seat == viewer.seat and row.shares
    )
    price_lines = charts.price_series(viewer.board, course, own_companies)
    worth_lines = charts.worth_series(viewer, course)
    return {
        "labels": labels,
        "moments": charts.moments_of(course, viewer.board.rules),
        "prices": price_lines,
        "price_sheet": charts.series_sheet("prices", say("Share prices"), labels, price_lines, turn),
        "order_marks": ()
        if viewer.is_over
        else viewer.board.marks(viewer.view, _requests(viewer, request.user)),
        "worths": worth_lines,
        "worth_sheet": charts.series_sheet("worth", say(viewer.board.score), labels, worth_lines, turn),
        "companies": companies,
        "names": {key: viewer.board.line(key, 0)[1] for key in companies},
        "company": company,
        "seat": seat,
    } | _cash_context(viewer, seat, labels, course) | _share_context(viewer, company, labels, course)  # fmt: skip


def _cash_context(viewer: Viewer, seat: int, labels: Sequence[str], course: Course) -> dict[str, Any]:
    game: Game = viewer.game
    movements = movements_of(game, course_of(game))
    flows = charts.flows_of(movements, seat, [point["turn"] for point in course])
    sheet = charts.flows_sheet(labels, flows, game.rules.turn_title)
    return {"flows": flows, "flow_sheet": sheet, "has_books": may_read_books(game)}


def _share_context(viewer: Viewer, company: str, labels: Sequence[str], course: Course) -> dict[str, Any]:
    shares_by_moment = charts.ownership_of(course, company)
    sheet = charts.ownership_sheet(labels, viewer.names, shares_by_moment, viewer.board.rules.turn_title)
    return {"shares": shares_by_moment, "held_sheet": sheet}


def _requests(viewer: Viewer, user: Reader) -> list[Mapping[str, Any]]:
    """The reader's draft for the open phase, otherwise what they submitted; empty for strangers."""
    if viewer.seat is None or viewer.view.phase is None:
        return []
    draft = draft_of(game=viewer.game, seat=own_seat(game_id=viewer.game.pk, user=user))
    return [*(draft.content if draft else viewer.view.mine.values())]


def _requested_seat(viewer: Viewer, seat_number: str | None) -> int:
    if seat_number is None:
        return viewer.seat or 0
    if not seat_number.isdecimal() or len(seat_number) > 2 or not 1 <= int(seat_number) <= len(viewer.seats):
        raise NoSuchChart(say("This game has seats 1 to {last}.", last=len(viewer.seats)))
    return int(seat_number) - 1


def _requested_company(companies: Sequence[str], company: str | None) -> str:
    if company is None:
        return companies[0] if companies else ""
    if company not in companies:
        raise NoSuchChart(say("This game has no company of that name."))
    return company
