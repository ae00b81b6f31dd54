"""The spreadsheet of a game and its files: all that a reader may know, sorted, and never anything else."""

import codecs
import csv
import io
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.history.ledger import balance_of, may_read_books, movements_of
from game.history.past import course_of
from game.history.spreadsheet_views import harmless
from game.play import moves
from game.rulesets.registry import RULESETS
from game.store.game import Game
from game.store.log_notes import Sentence
from tests import kept_games
from tests.scenes import play_on
from tests.tables import READY, at_phase, fresh, new_game, send, shortest, steps_to_the_end, without_chance
from tests.toy_scenes import at_turns, bid, hand, sits

pytestmark = [pytest.mark.django_db]
GAMES = sorted(RULESETS)
MOST_STATEMENTS = 8


def sheet(game: Game, who: Client, sort: str = "") -> str:
    answer = who.get(f"/games/{game.pk}/spreadsheet/", {"sort": sort} if sort else {})
    assert answer.status_code == 200
    return str(answer.content.decode())


def export(game: Game, who: Client, what: str) -> list[dict[str, Any]]:
    """A table as JSON; the CSV must say the same."""
    result = json.loads(who.get(f"/games/{game.pk}/export/{what}.json").content)
    table = who.get(f"/games/{game.pk}/export/{what}.csv").content
    assert table.startswith(codecs.BOM_UTF8)  # or Excel shows umlauts as two letters
    read = list(csv.reader(io.StringIO(table.decode("utf-8-sig"))))
    assert read[0] == result["columns"]
    cells = [["" if row[name] is None else str(harmless(row[name])) for name in read[0]] for row in result["rows"]]
    assert read[1:] == cells
    return list(result["rows"])


def files(game: Game, who: Client) -> bytes:
    """Every file that this reader can have of a game, the page included."""
    page = sheet(game, who)
    links = re.findall(r'href="(/games/\d+/export/[^"]+)"', page)
    assert len(links) >= 4
    return without_chance(page).encode() + b"".join(who.get(link).content for link in links)


def rows_of(page: str, key: str) -> list[list[str]]:
    """The cells of one table of the page, as they are printed."""
    table = page.partition(f'<section class="sec" id="{key}"')[2].partition("</tbody>")[0].partition("<tbody>")[2]
    return [
        [re.sub(r"<[^>]*>|\s", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in table.split("</tr>")[:-1]
    ]


def finished(ruleset: str, settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return kept_games.finished(ruleset, **shortest(ruleset))


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_has_a_spreadsheet(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    for who in (sits("ada"), Client()):
        assert len(rows_of(sheet(game, who), "players")) == 3
        assert [row["player"] for row in export(game, who, "players")] == ["ada", "Abacus", "Bramble"]
        assert export(game, who, "log")
        assert export(game, who, "ledger")


def test_companies_and_players_say_what_the_board_says(settings: Any) -> None:
    game = finished("sectors", settings)
    view = game.rules.view(game.load_position(), None)
    companies = {row["company"]: row for row in export(game, Client(), "companies")}
    players = {row["player"]: row for row in export(game, Client(), "players")}
    assert set(companies) == {company.ticker for company in view.companies}
    for company in view.companies:
        row = companies[company.ticker]
        assert (row["price"], row["treasury"], row["demand"]) == (company.price, company.treasury, company.demand)
        assert [row[f"shares_{seat}"] for seat in range(3)] == [company.holdings.get(seat, 0) for seat in range(3)]
    assert players["ada"]["cash"] == view.player(0).cash
    assert players["ada"]["net_worth"] == view.player(0).net_worth


def test_companies_stand_in_their_sectors_with_who_holds_them_and_how_the_price_moved(settings: Any) -> None:
    """Words, not keys; what is held first, the sum below, and the rest in a table of its own."""
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = at_phase(new_game("ada", bots=2, max_turns=2), "stock_orders")
    page = sheet(game, Client())
    for band in ("Stock", "Shares", "On offer", "Production", "Money"):
        assert f'scope="colgroup">{band}</th>' in page
    view = game.rules.view(game.load_position(), None)
    rows = rows_of(page, "companies")
    named = [row for row in rows if len(row) == 2]
    assert [row[0] for row in named] == ["".join(sector.title.split()) for sector in view.sectors if sector.companies]
    assert named[0][1].startswith("priority1,demand")
    assert len(rows) == len(named) + len(view.companies)
    assert "notfloated" in {row[3] for row in rows_of(page, "companies-more")}
    assert "inactive" in {row["status"] for row in export(game, Client(), "companies")}, "files hold keys"
    assert "Total; certificate limit" in page
    assert 'id="course-worth"' in page


def test_the_change_is_that_of_the_turn(settings: Any) -> None:
    game = finished("sectors", settings)
    before, after = (point["worth"][0] for point in game.course[-2:])
    ada = export(game, Client(), "players")[0]
    assert (ada["net_worth"], ada["change"]) == (after, after - before)


def test_a_link_sorts_by_any_column() -> None:
    game = at_phase(new_game("ada", bots=3), "stock_orders")
    page = sheet(game, Client())
    links = re.findall(r'<a href="\?sort=([^"#]+)#', page)
    assert len(links) > 40
    for link in links:
        assert sheet(game, Client(), link)
    up, down = (
        [int(row[1].replace(",", "")) for row in rows_of(sheet(game, Client(), sort), "companies")]
        for sort in ("companies.price", "-companies.price")
    )
    assert len(up) > 1
    assert up == sorted(up)
    assert down == up[::-1]
    assert 'aria-sort="descending"' in sheet(game, Client(), "-companies.price")


@pytest.mark.parametrize("sort", ["companies.secret", "x", "-", "players", "companies.price;drop", "é" * 500])
def test_a_column_that_is_none_is_answered_in_a_sentence(sort: str) -> None:
    answer = Client().get(f"/games/{new_game('ada', 'bob').pk}/spreadsheet/", {"sort": sort})
    assert answer.status_code == 400
    assert "No table here has a column" in answer.content.decode()


def test_there_is_no_other_file(settings: Any) -> None:
    game, nobody = new_game("ada", "bob"), Client()
    for path in ("secrets.csv", "log.xml", "state.json", "companies.html", "log.csv.exe"):
        assert nobody.get(f"/games/{game.pk}/export/{path}").status_code == 404


def test_a_private_game_s_tables_are_its_players_alone() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    for path in ("spreadsheet/", "export/log.csv", "export/ledger.json", "export/companies.csv"):
        statuses = [who.get(f"/games/{game.pk}/{path}").status_code for who in (sits("ada"), sits("eve"), Client())]
        assert statuses == [200, 404, 404], path


# --- secrets


def test_no_file_holds_what_its_reader_may_not_know() -> None:
    """Hands and sealed bids of Toy; the bytes of every file are searched, the ledger's included."""
    game = at_turns()
    send(game, 0, {"kind": "draw"})
    held = b", ".join(str(card).encode() for card in sorted(hand(fresh(game), 0)))
    mine, theirs, public = (files(game, who) for who in (sits("ada"), sits("ben"), Client()))
    assert held in mine
    for each in (theirs, public):
        assert held not in each
        assert b"drew the" not in each
    for each in (mine, theirs, public):
        assert game.secret.encode() not in each


def test_sealed_orders_are_in_their_owner_s_files_alone(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = at_phase(new_game("ada", "bob", max_turns=2, pace="live"), "influence_bid")
    send(game, 0, {"kind": "bid_influence", "points": 37}, READY)
    before = files(game, sits("bob"))
    with moves.transaction.atomic():
        send(game, 0, {"kind": "bid_influence", "points": 41})
    assert files(game, sits("bob")) == before


def test_the_ledger_is_closed_where_accounts_may_be_hidden_until_the_end() -> None:
    """Toy does not say that every account is public."""
    game = at_turns()
    assert not may_read_books(game)
    assert sits("ada").get(f"/games/{game.pk}/export/ledger.csv").status_code == 404
    game = play_on(game)
    assert export(game, Client(), "ledger")


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"), ("ok", "ok"),
     (-5, -5), (None, None), ("a=b", "a=b")],
)  # fmt: skip
def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless(cell: Any, written: Any) -> None:
    assert harmless(cell) == written


def test_a_name_that_is_a_formula_comes_out_as_a_name() -> None:
    game = new_game("=HYPERLINK(1)", "bob")
    rows = list(csv.reader(io.StringIO(Client().get(f"/games/{game.pk}/export/players.csv").content.decode())))
    assert rows[1][0] == "'=HYPERLINK(1)"


# --- the ledger adds up


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_movements_add_up_to_every_account(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    transfers = [movement.transfer for movement in movements_of(game, course_of(game))]
    accounts = game.load_position().state.ledger.cash
    assert {account: balance_of(account, transfers) for account in accounts} == accounts
    assert all(transfer.turn <= game.turn and 0 <= transfer.serial <= game.phase_serial for transfer in transfers)


def test_what_was_taken_back_and_what_was_rewound_moved_nothing() -> None:
    game = at_turns()
    cards = sorted(hand(game, 0))
    high = next((card for card in cards if card >= 15), None)
    if high is not None:
        send(game, 0, {"kind": "place", "card": high, "cell": "A1", "wager": 1})
        send(game, 0, {"kind": "undo"})
    target = course_of(fresh(game)).stops[0]
    moves.rewind(game_id=game.pk, number=target.number, user_id=None, note=Sentence.COPY_GOES_BACK())
    for seat in (0, 1):
        send(game, seat, bid(1), READY)
    game = play_on(fresh(game))
    transfers = [movement.transfer for movement in movements_of(game, course_of(game))]
    accounts = game.load_position().state.ledger.cash
    assert {account: balance_of(account, transfers) for account in accounts} == accounts
    assert all(transfer.amount > 0 for transfer in transfers)


def test_the_spreadsheet_asks_a_constant_number_of_questions(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game, ada, counts = new_game("ada", bots=3, max_turns=3), sits("ada"), set()
    for now in steps_to_the_end(game):
        if now.entries % 40 == 0 or not now.is_running:
            sheet(game, ada)
            for path in ("spreadsheet/", "export/log.csv", "export/ledger.csv"):
                with CaptureQueriesContext(connection) as asked:
                    assert ada.get(f"/games/{game.pk}/{path}").status_code == 200
                counts.add(len([query for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= MOST_STATEMENTS, counts
