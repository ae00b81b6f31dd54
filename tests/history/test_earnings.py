"""Revenues by turn: what the log says, each in the turn whose phase was open."""

import re
from typing import Any

import pytest
from django.test import Client

from game.boards.registry import board_of
from game.engine.events import PhaseOpened
from game.history.earnings import earned_in
from game.history.past import course_of
from game.history.round_reports import reports_of
from game.history.viewer import viewer_of
from game.rulesets.big_shoulders.company_events import GoodsSold, OperationBegun, Withheld
from game.rulesets.big_shoulders.tables import COMPANIES
from game.templatetags.charts import SIZES
from tests import kept_games
from tests.rulesets.games import games_of
from tests.tables import new_game, person

EARNINGS = board_of("big_shoulders").earnings
assert EARNINGS


def opened(turn: int, phase: str) -> PhaseOpened:
    return PhaseOpened(serial=turn * 10, turn=turn, phase=phase, number="1", title=phase, seat=None)


def test_the_last_sale_of_a_turn_counts_for_it_though_orders_given_ahead_play_on_in_the_same_step() -> None:
    step = [
        opened(1, "operation"),
        OperationBegun(seat=0, company="swift"),
        GoodsSold(company="swift", trade="meat", goods=2, amount=130),
        opened(2, "stock"),
        opened(2, "building"),
        opened(2, "operation"),
        OperationBegun(seat=0, company="swift"),
    ]
    assert earned_in(EARNINGS, step) == {1: {"swift": 130}, 2: {"swift": 0}}


def test_each_company_operates_once_a_decade_and_what_is_withheld_is_what_it_earned() -> None:
    withheld = 0
    for game in games_of("big_shoulders"):
        events = [event for step in game.all() if not step.is_taken_back for event in step.events]
        turn, operated = 0, set()
        for event in events:
            turn = event.turn if isinstance(event, PhaseOpened) else turn
            if isinstance(event, OperationBegun):
                assert (turn, event.company) not in operated
                operated.add((turn, event.company))
        earned = earned_in(EARNINGS, events)
        assert {(turn, company) for turn, amounts in earned.items() for company in amounts} == operated
        withheld += sum(isinstance(event, Withheld) for event in events)
    assert withheld


@pytest.mark.django_db
def test_the_chart_has_the_revenues_of_the_reports_in_one_colour_a_company() -> None:
    game = kept_games.finished("big_shoulders")
    viewer = viewer_of(game, person("ada"))
    course = course_of(game)
    reported: dict[str, dict[int, Any]] = {}
    for turn in range(1, 6):
        for report in reports_of(viewer, course, turn, viewer.names):
            for row in next((sheet.rows for sheet in report.tables if sheet.key == "operations"), ()):
                reported.setdefault(row.key, {})[turn] = row.cells[2]
    page = str(Client().get(f"/games/{game.pk}/charts/").content.decode())
    table = page.partition('id="table-earnings"')[2].partition("</table>")[0]
    rows = dict(re.findall(r'(?s)scope="row">([^<]*)</th>(.*?)</tr>', table.partition("<tbody>")[2]))
    columns = {name: re.findall(r">([\d,]*)</td>", cells) for name, cells in rows.items()}
    for key, amounts in reported.items():
        name = COMPANIES[key].title.replace("&", "&amp;")  # type: ignore[index]
        assert columns[name] == [f"{amounts[turn]:,}" if turn in amounts else "" for turn in range(1, 6)], name
    revenue = page.partition('id="earnings"')[2].partition("</section>")[0]
    colours = re.findall(r'class="ln bs-(\w+)', revenue)
    assert sorted(colours) == sorted([*reported] * len(SIZES))
    assert all(
        0 < float(x) < SIZES[1].width - 12
        for x in re.findall(r'class="end[^"]*" x="([\d.]+)"', revenue)[len(reported) :]
    )


@pytest.mark.django_db
def test_a_game_without_revenues_has_no_such_chart() -> None:
    game = new_game("ada", bots=1, ruleset="power_up")
    assert 'id="earnings"' not in Client().get(f"/games/{game.pk}/charts/").content.decode()
