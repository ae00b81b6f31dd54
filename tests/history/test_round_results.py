"""The results of a game, round by round: what the tables say is what happened, and nobody reads another's secrets."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.boards.reports import PhaseEvents, all_of
from game.boards.sectors.round_orders import orders_table
from game.boards.sheets import Sheet
from game.history.past import course_of, log_between
from game.history.round_reports import phases_of, reports_of, span_of
from game.history.viewer import viewer_of
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.events import operations, orders
from game.store.game import Game
from tests import kept_games
from tests.scenes import play_on
from tests.tables import READY, at_phase, fresh, new_game, person, send, shortest, steps_to_the_end
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
        assert rows.get("dividends", 0) == len({event.company for event in all_of(phases, operations.DividendPaid)})
        assert rows.get("company_votes", 0) == len(all_of(phases, operations.CompanyVoted))
        revealed = {event.order for event in all_of(phases, orders.OrderRevealed)}
        assert rows.get("orders", 0) >= len(revealed)
        seen += sum(rows.values())
    assert seen > 20


def tables_of(game: Game, reader: Any, turns: Sequence[int] = (1, 2, 3)) -> list[Sheet]:
    course, viewer = course_of(game), viewer_of(game, reader)
    return [
        table for turn in turns for report in reports_of(viewer, course, turn, viewer.names) for table in report.tables
    ]


def test_an_order_is_a_sentence_with_its_outcome_and_its_cause(settings: Any) -> None:
    game = finished("sectors", settings, concealed=True)
    rows = [row for table in tables_of(game, None) if table.key == "orders" for row in table.rows]
    placed = [row for row in rows if not row.key.startswith("pass.")]
    assert placed
    for row in placed:
        company, sentence, outcome, why, _ = row.cells
        assert row.name
        assert re.match(r"Buy the option on \d+|(Buy|Sell) \d+ [A-Z]+ (from the|on the|at \d+|short)", str(sentence))
        assert str(company) in str(sentence)
        assert outcome in {"Filled", "Rejected", "Open", "Triggered"}
        assert re.search(r"a share|\(Rule|waits|premium", str(why))


def test_an_order_that_is_not_revealed_is_told_as_far_as_it_is_known() -> None:
    sealed = orders.OrderSealed(order=1, seat=0, company="ACME")
    located = orders.OrderLocated(order=1, seat=0, company="ACME", location="ipo")
    for events, sentence in (
        ((sealed,), "Sealed order for ACME"),
        ((sealed, located), "Sealed order for ACME in the IPO"),
    ):
        phases = [PhaseEvents("stock_orders", "9", "Orders", events)]
        (row,) = orders_table(phases, ("ada", "ben")).rows
        assert row.cells == ("ACME", sentence, "", "", None)


def test_who_passed_stands_in_the_table_of_orders_and_each_order_with_its_cash(settings: Any) -> None:
    """Each sub-round has a row with all who gave no order; the cash of the others is that of the ledger."""
    game = finished("sectors", settings)
    course, viewer = course_of(game), viewer_of(game, person("ada"))
    seen = 0
    for turn in (1, 2, 3):
        phases = list(phases_of(log_between(game, course, *span_of(course, turn)), turn, seat=None, revealed=True))
        rows = [row for table in tables_of(game, person("ada"), (turn,)) if table.key == "orders" for row in table.rows]
        passed = [row for row in rows if row.key.startswith("pass.")]
        assert len(passed) <= sum(phase.name == "stock_orders" for phase in phases)
        moved = sum(
            event.quantity * event.price * (1 if event.side == "sell" else -1)
            for event in all_of(phases, orders.OrderFilled)
        )
        shorts = [*all_of(phases, orders.ShortOpened), *all_of(phases, orders.ShortCovered)]
        if not (shorts or all_of(phases, orders.ContractBought) or all_of(phases, orders.ShortInterestPaid)):
            assert sum(int(row.cells[-1] or 0) for row in rows) == moved
            seen += bool(moved)
        for row in rows:
            assert row in passed or (row.seat is not None and row.name == viewer.names[row.seat])
    assert seen
    assert "passed in sub-round 1" in results(game, sits("ada"), 1)


def test_the_reader_s_own_order_is_marked() -> None:
    game = at_phase(new_game("ada", bots=3), "stock_orders")
    company = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": company, "side": "buy", "location": "ipo", "quantity": 1}
    send(game, 0, order, READY)
    turn = game.turn
    for now in steps_to_the_end(game):
        if now.phase_name not in {"stock_orders", "order_review", "order_reveal"}:
            break
    own = r'<tr data-tone class="mine"><th class="stick" scope="row"><span class="cell-p">'
    assert re.search(own, results(game, sits("ada"), turn))
    assert 'class="mine"' not in results(game, Client(), turn)


def test_votes_name_the_decision_and_the_shares_of_each_voter(settings: Any) -> None:
    game = finished("sectors", settings)
    votes = [row for table in tables_of(game, None) if table.key.endswith("_votes") for row in table.rows]
    assert len(votes) > 5
    for row in votes:
        decision, voters, others = row.cells
        assert decision
        assert voters == "Nobody" or re.search(r"\w+ \d+", str(voters))
        assert not others or re.search(r"^[\w ]+: \w+ \d+", str(others))


@pytest.mark.parametrize("ruleset", GAMES)
def test_no_table_of_results_says_yes_or_no_or_a_change_without_its_sign(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    for turn in {stop.turn for stop in course_of(game).stops}:
        page = results(game, sits("ada"), turn)
        assert not re.search(r"<td[^>]*>(yes|no)</td>", page)
        for change in re.findall(r'<td data-heading="Change"[^>]*>(.*?)</td>', page):
            assert re.search(r"delta--(up|down)\">.*[+−]\d|delta--flat\">0", change)


def test_a_year_says_which_cards_made_each_price(settings: Any) -> None:
    game = finished("stock_market_tycoon", settings)
    rows = [row for table in tables_of(game, None, (1,)) if table.key == "prices" for row in table.rows]
    assert rows
    for row in rows:
        *figures, why = row.cells
        was, now, change = (int(figure or 0) for figure in figures)
        assert now - was == change
        total = sum(int(value.replace("−", "-")) for value in re.findall(r"[+−]\d+", str(why)))
        assert now == max(was + total, 0)


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
    assert re.search(r"Visible only to ada: “You drew the \d+", results(game, Client(), 1))


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
    result = results(game, sits("ada"))
    assert 'id="operating-production"' in result or "Production" in result
    assert "Votes on revenue" not in result
