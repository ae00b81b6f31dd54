"""The charts of a game in full size, each with its figures as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.flow import Flow
from game.engine.language import say
from game.history import charts
from game.history.earnings import earnings_context
from game.history.ledger import may_read_books, movements_of
from game.history.past import Course as Past
from game.history.past import course_of
from game.history.viewer import Viewer, viewer_of
from game.history.views import find_played, missing_page
from game.play.panel import private
from game.play.receipts import draft_of
from game.store.board_rows import labels_of, places_of, with_moments
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
    past = course_of(viewer.game)
    companies = _companies_of(viewer, course)
    seat = _requested_seat(viewer, request.GET.get("seat"))
    company = _requested_company(course, companies, request.GET.get("company"))
    labels, flow = labels_of(course), viewer.game.rules.flow(viewer.game.read_options())
    own_companies = frozenset(
        row.company for row in viewer.board.rows(viewer.view).holdings if row.seat == viewer.seat and row.shares
    )
    return (
        {
            "labels": labels,
            "moments": charts.moments_of(course, viewer.board.rules, flow),
            "order_marks": () if viewer.is_over else viewer.board.marks(viewer.view, _requests(viewer, request.user)),
            "companies": companies,
            "names": {key: viewer.board.line(key, 0)[1] for key in companies},
            "company": company,
            "company_name": _company_name(viewer, company),
            "seat": seat,
        }
        | _lines_context(viewer, own_companies, flow)
        | _cash_context(viewer, seat, labels, past)
        | earnings_context(viewer, past, places_of(course))
        | _share_context(viewer, company, labels, course)
    )


def _company_name(viewer: Viewer, company: str) -> str:
    """The company's whole name, or its letters; empty where there is no company yet."""
    return charts.names_of(viewer).get(company) or (viewer.board.line(company, 0)[1] if company else "")


def _lines_context(viewer: Viewer, own_companies: frozenset[str], flow: Flow) -> dict[str, Any]:
    """Prices and scores, as lines with the moments within turns, and as tables by turn."""
    points = with_moments(viewer.game.course)
    price_sheet, worth_sheet = charts.course_sheets(viewer)
    return {
        "line_labels": labels_of(points),
        "line_moments": charts.moments_of(points, viewer.board.rules, flow),
        "has_moments": len(points) > len(viewer.game.course),
        "prices": charts.price_series(viewer.board, points, own_companies, charts.names_of(viewer)),
        "price_sheet": price_sheet,
        "worths": charts.worth_series(viewer, points),
        "worth_sheet": worth_sheet,
    }


def _cash_context(viewer: Viewer, seat: int, labels: Sequence[str], past: Past) -> dict[str, Any]:
    game: Game = viewer.game
    movements = movements_of(game, past)
    flows = charts.flows_of(movements, seat, [point["turn"] for point in game.course])
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


def _companies_of(viewer: Viewer, course: Course) -> list[str]:
    """Every company that had a price, in the board's order; those that are no longer on the board come last."""
    board_order = [row.key for row in viewer.board.rows(viewer.view).companies]
    priced = dict.fromkeys(company for point in course for company in point["prices"])
    return [*(key for key in board_order if key in priced), *(key for key in priced if key not in board_order)]


def _requested_company(course: Course, companies: Sequence[str], company: str | None) -> str:
    """The requested company; without a request, the first of which anybody held a share. Raises `NoSuchChart`."""
    if company is None:
        held = (each for each in companies if any(map(any, charts.ownership_of(course, each))))
        return next(held, companies[0] if companies else "")
    if company not in companies:
        raise NoSuchChart(say("This game has no company of that name."))
    return company
