"""The results of a game, round by round: what the tables say is what happened, and nobody reads another's secrets."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.boards.reports import all_of
from game.history.past import course_of, log_between
from game.history.round_reports import phases_of, reports_of, span_of
from game.history.viewer import viewer_of
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.events import operations, orders
from game.store.game import Game
from tests import kept_games
from tests.scenes import play_on
from tests.tables import at_phase, fresh, new_game, person, send, shortest, steps_to_the_end
from tests.toy_scenes import at_turns, sits, words_of

pytestmark = [pytest.mark.django_db]
GAMES = sorted(RULESETS)
MOST_STATEMENTS = 7


def results(game: Game, who: Client, turn: Any = None) -> str:
    answer = who.get(f"/games/{game.pk}/results/", {} if turn is None else {"turn": turn})
    assert answer.status_code == 200
    return str(answer.content.decode())


def finished(ruleset: str, settings: Any, **more: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    options = shortest(ruleset, max_turns=3)
    return kept_games.finished(ruleset, bots=4 if ruleset == "sectors" else 2, **options, **more)


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_turn_has_its_results(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    for who in (sits("ada"), Client()):
        for turn in dict.fromkeys(stop.turn for stop in course_of(game).stops):
            assert '<section class="sec round"' in results(game, who, turn)


def test_a_turn_is_told_from_its_start_whatever_phase_began_it(settings: Any) -> None:
    """The end of a year begins the next one; what it says of that stands at the start of the new year."""
    game = finished("stock_market_tycoon", settings)
    course, viewer = course_of(game), viewer_of(game, person("ada"))
    for turn in (1, 2, 3):
        start, *later = reports_of(viewer, course, turn, viewer.names)
        assert [start.key, *(report.key for report in later)][:3] == ["year_start", "trading", "year_end"]
        assert (
            any(line.text.startswith(f"Year {turn}: ") for each in start.chapters for line in each.entries) or turn == 1
        )


def test_the_tables_of_sectors_tell_every_order_price_vote_and_production(settings: Any) -> None:
    game = finished("sectors", settings)
    course, viewer = course_of(game), viewer_of(game, person("ada"))
    seen = 0
    for turn in (1, 2, 3):
        entries = log_between(game, course, *span_of(course, turn))
        phases = list(phases_of(entries, turn, seat=None, revealed=True))
        rows: dict[str, int] = {}
        for report in reports_of(viewer, course, turn, viewer.names):
            for table in report.tables:
                rows[table.key] = rows.get(table.key, 0) + len(table.rows)
        assert rows.get("prices", 0) == len(all_of(phases, orders.PriceMoved))
        assert rows.get("production", 0) == len(all_of(phases, operations.Produced))
        assert rows.get("dividends", 0) == len(all_of(phases, operations.DividendPaid))
        votes = sum(len(event.tallies) for event in all_of(phases, operations.CompanyVoted))
        assert rows.get("company_votes", 0) == votes
        revealed = {event.order for event in all_of(phases, orders.OrderRevealed)}
        assert rows.get("orders", 0) >= len(revealed)
        seen += sum(rows.values())
    assert seen > 20


def test_an_order_is_told_from_what_was_known_first_to_its_outcome(settings: Any) -> None:
    game = finished("sectors", settings, concealed=True)
    course, viewer = course_of(game), viewer_of(game, None)
    told = [
        (row.name, *row.cells)
        for turn in (1, 2, 3)
        for report in reports_of(viewer, course, turn, viewer.names)
        for table in report.tables
        if table.key == "orders"
        for row in table.rows
    ]
    filled = [cells for cells in told if str(cells[4]).startswith("filled: ")]
    assert filled
    for player, company, first, revealed, *_ in filled:
        assert player
        assert company
        assert first in {"company, IPO", "company, open market"} or revealed
    assert any(str(cells[2]).startswith("company, ") and str(cells[3]).startswith("market buy") for cells in filled)


def test_who_passed_stands_in_the_table_of_orders_and_each_order_with_its_cash(settings: Any) -> None:
    """Each sub-round has a row for every player who gave no order; the cash of the others is that of the ledger."""
    game = finished("sectors", settings)
    course, viewer = course_of(game), viewer_of(game, person("ada"))
    seen = 0
    for turn in (1, 2, 3):
        phases = list(phases_of(log_between(game, course, *span_of(course, turn)), turn, seat=None, revealed=True))
        tables = [table for report in reports_of(viewer, course, turn, viewer.names) for table in report.tables]
        rows = [row for table in tables if table.key == "orders" for row in table.rows]
        sub_rounds = sum(phase.name == "stock_orders" for phase in phases)
        placed = len(all_of(phases, orders.OrderRevealed))
        assert sum(row.key.startswith("pass.") for row in rows) == sub_rounds * len(viewer.names) - placed
        moved = sum(
            event.quantity * event.price * (1 if event.side == "sell" else -1)
            for event in all_of(phases, orders.OrderFilled)
        )
        shorts = [*all_of(phases, orders.ShortOpened), *all_of(phases, orders.ShortCovered)]
        if not (shorts or all_of(phases, orders.ContractBought) or all_of(phases, orders.ShortInterestPaid)):
            assert sum(int(row.cells[-1] or 0) for row in rows) == moved
            seen += bool(moved)
        for row in rows:
            assert row.seat is not None
            assert row.name == viewer.names[row.seat]
    assert seen
    assert "passed in sub-round 1" in results(game, sits("ada"), 1)
    assert '<tr class="mine"><th class="stick" scope="row">You' in results(game, sits("ada"), 1)
    assert '<tr class="mine">' not in results(game, Client(), 1)


def test_votes_name_the_shares_of_each_voter(settings: Any) -> None:
    game = finished("sectors", settings)
    course, viewer = course_of(game), viewer_of(game, None)
    tables = [
        table
        for turn in (1, 2, 3)
        for report in reports_of(viewer, course, turn, viewer.names)
        for table in report.tables
    ]
    votes = [row for table in tables if table.key in {"revenue_votes", "company_votes"} for row in table.rows]
    voted = [(int(row.cells[1] or 0), str(row.cells[2])) for row in votes if row.cells[2]]
    assert len(voted) > 10
    for shares, voters in voted:
        assert sum(int(each) for each in re.findall(r" (\d+)(?:,|$| and )", voters)) == shares
        assert any(name in voters for name in viewer.names)


@pytest.mark.parametrize(("asked", "status"), [("9", 404), ("x", 400), ("-1", 400), ("1" * 30, 400), ("", 400)])
def test_a_turn_that_was_not_played_is_answered_in_a_sentence(asked: str, status: int) -> None:
    answer = Client().get(f"/games/{new_game('ada', 'bob').pk}/results/", {"turn": asked})
    assert answer.status_code == status
    assert "turn" in words_of(answer.content.decode())


def test_results_are_private_where_the_game_is() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    statuses = [who.get(f"/games/{game.pk}/results/").status_code for who in (sits("ada"), sits("eve"), Client())]
    assert statuses == [200, 404, 404]


def test_what_one_seat_was_told_is_in_no_other_s_results_until_the_end() -> None:
    game = at_turns()
    send(game, 0, {"kind": "draw"})
    assert "You drew the" in results(game, sits("ada"))
    for who in (sits("ben"), Client()):
        assert "drew the" not in results(game, who)
    game = play_on(fresh(game))
    assert re.search(r"Only ada read: “You drew the \d+", results(game, Client(), 1))


def test_results_ask_a_constant_number_of_questions(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game, ada, counts = new_game("ada", bots=3, max_turns=3), sits("ada"), set()
    for now in steps_to_the_end(game):
        if now.entries % 40 == 0 or not now.is_running:
            results(game, ada)
            with CaptureQueriesContext(connection) as asked:
                results(game, ada)
            counts.add(len([query for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= MOST_STATEMENTS, counts


def test_a_round_that_is_being_played_tells_what_is_known_so_far() -> None:
    game = at_phase(new_game("ada", bots=3), "revenue_vote")
    told = results(game, sits("ada"))
    assert 'id="operating-production"' in told or "Production" in told
    assert "Votes on revenue" not in told
