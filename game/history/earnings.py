"""The earnings of each company in each turn, from the log. A turn has the earnings of its own phases, even if the next
one began at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from game.boards.base import Board
from game.boards.sheets import Earnings
from game.engine.events import Event, PhaseOpened
from game.engine.language import say
from game.history.charts import Series, names_of, series_sheet
from game.history.past import Course, whole_log
from game.history.round_reports import events_of
from game.history.viewer import Viewer
from game.store import eyes

Amounts = Mapping[int, Mapping[str, int]]
"""By turn and company, in whole dollars, in the order in which companies earned for the first time."""


def earnings_of(viewer: Viewer, course: Course) -> Amounts:
    """What companies earned in the turns that are over; empty for a game whose board names nothing."""
    if viewer.board.earnings is None:
        return {}
    entries = whole_log(viewer.game, course)
    events = (event for entry in entries for event in eyes.read(events_of(entry), None, is_over=viewer.is_over))
    earned = earned_in(viewer.board.earnings, events)
    return {turn: amounts for turn, amounts in earned.items() if turn < viewer.game.turn or viewer.is_over}


def earned_in(earnings: Earnings, events: Iterable[Event]) -> dict[int, dict[str, int]]:
    """All that companies earned in a game's events, by the turn whose phase was open."""
    earned: dict[int, dict[str, int]] = {}
    turn = 0
    for event in events:
        if isinstance(event, PhaseOpened):
            turn = event.turn
        elif gain := earnings.of_event(event):
            company, amount = gain
            amounts = earned.setdefault(turn, {})
            amounts[company] = amounts.get(company, 0) + amount
    return earned


def earning_series(
    board: Board, earnings: Amounts, places: Mapping[str, int], names: Mapping[str, str]
) -> list[Series]:
    """A line for each company that ever earned, in the colour and under the name that it has in every chart."""
    companies = {company for amounts in earnings.values() for company in amounts}
    lines = []
    for company in sorted(companies & places.keys(), key=places.__getitem__):
        css, label = board.line(company, places[company])
        amounts = [amounts.get(company) for amounts in earnings.values()]
        lines.append(Series(label, css, amounts, names.get(company, ""), is_level=False))
    return lines


def earnings_context(viewer: Viewer, course: Course, places: Mapping[str, int]) -> dict[str, Any]:
    """The lines of the chart with their labels, and the same figures as a table; `places` are the companies' numbers in
    all charts."""
    rules, words, earnings = viewer.board.rules, viewer.board.earnings, earnings_of(viewer, course)
    lines, labels = earning_series(viewer.board, earnings, places, names_of(viewer)), [str(turn) for turn in earnings]
    return {
        "earnings": lines,
        "earning_labels": labels,
        "earning_moments": [rules.turn_inside(turn) for turn in earnings],
        "earning_sheet": series_sheet("earnings", say(words.of_each) if words else "", labels, lines, rules.turn_title),
    }
