"""The charts of a game: what they draw is what happened, and nobody sees another's orders on them."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.boards.drawing import Line, draw_lines
from game.boards.registry import board_of
from game.history.charts import CashFlow, flows_of
from game.history.ledger import balance_of, movements_of
from game.history.past import course_of
from game.play import drafts
from game.rulesets.registry import RULESETS
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS
from game.store.board_rows import places_of, with_moments
from game.store.game import Game, Seat
from game.store.replay import rebuild_projections
from game.templatetags.charts import LETTER, SIZES, flow_plot
from tests import kept_games
from tests.scenes import play_on
from tests.tables import at_phase, fresh, new_game, send, shortest, steps_to_the_end
from tests.toy_scenes import at_turns, sits, words_of

pytestmark = [pytest.mark.django_db]
GAMES = sorted(RULESETS)
MOST_STATEMENTS = 9


def charts(game: Game, who: Client, **asked: Any) -> str:
    answer = who.get(f"/games/{game.pk}/charts/", asked)
    assert answer.status_code == 200
    return str(answer.content.decode())


def finished(ruleset: str, settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    options = shortest(ruleset, max_turns=3)
    return kept_games.finished(ruleset, bots=3 if ruleset == "sectors" else 2, **options)


def figures(page: str, key: str) -> dict[str, list[int]]:
    """A chart's table: the figures of each row by its name."""
    table = page.partition(f'id="table-{key}"')[2].partition("</table>")[0].partition("<tbody>")[2]
    found = {}
    for row in table.split("</tr>")[:-1]:
        cells = [
            re.sub(r"<[^>]*>|[\s,]", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        found[cells[0]] = [int(cell.replace("−", "-") or 0) for cell in cells[1:]]
    return found


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_has_charts(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    ada = sits("ada")
    for who in (ada, Client()):
        page = charts(game, who)
        worth = figures(page, "worth")
        names = [seat.shown_name for seat in game.seats.order_by("number")]
        assert list(worth) == (["You", *names[1:]] if who is ada else names)
        assert [values[-1] for values in worth.values()] == game.course[-1]["worth"]
        assert f", {game.rules.turn_inside(1)}: " in page


def test_the_reader_is_you_in_every_chart_and_its_figures(settings: Any) -> None:
    game, ada = finished("sectors", settings), sits("ada")
    board = ada.get(f"/games/{game.pk}/").content.decode()
    assert '<text class="end p1 ' in board
    for page in (board, charts(game, ada)):
        assert not re.search(r"<text[^>]*>ada <", page)
        assert re.search(r"<text[^>]*>You <", page)
    assert "Your cash by source" in charts(game, ada, seat=1)
    held = figures(charts(game, ada), "ownership")
    assert "You" in held
    assert "ada" not in held


def test_lines_have_the_moments_within_a_turn_and_tables_do_not(settings: Any) -> None:
    game = finished("big_shoulders", settings)
    page = charts(game, Client())
    assert "a number marks the end of its decade" in page
    for phase in ("First company", "Actions", "Operations"):
        assert f", decade 1, {phase}: " in page
    assert len(with_moments(game.course)) > len(game.course)
    assert {len(values) for values in figures(page, "worth").values()} == {len(game.course)}


def test_prices_and_shares_are_those_of_each_turn(settings: Any) -> None:
    game = finished("sectors", settings)
    view = game.rules.view(game.load_position(), None)
    held = next(company for company in view.companies if company.holdings)
    page = charts(game, Client(), company=held.ticker)
    assert {name: row[-1] for name, row in figures(page, "prices").items()} == {
        re.sub(r"\s", "", company.name): company.price for company in view.companies
    }
    shares = list(figures(page, "ownership").values())
    assert [row[-1] for row in shares] == [held.holdings.get(seat, 0) for seat in range(4)]
    assert shares[0][0] == 0


@pytest.mark.parametrize("ruleset", GAMES)
def test_cash_by_source_adds_up_to_the_cash_of_every_player(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    movements = movements_of(game, course_of(game))
    turns = [point["turn"] for point in game.course]
    cash = game.load_position().state.ledger.cash
    for seat in range(game.seats.count()):
        flows = flows_of(movements, seat, turns)
        assert sum(flow.total for flow in flows) == cash[f"cash:{seat}"]
        assert sum(figures(charts(game, Client(), seat=seat + 1), "cash")["Total"][:-1]) == cash[f"cash:{seat}"]
    assert balance_of("cash:0", [movement.transfer for movement in movements]) == cash["cash:0"]


def test_who_held_what_is_kept_with_the_course_and_rebuilt_from_the_log(settings: Any) -> None:
    game = finished("sectors", settings)
    assert any(point["held"] for point in game.course)
    Game.objects.filter(pk=game.pk).update(course=[])
    rebuild_projections(game_id=game.pk)
    assert fresh(game).course == game.course


def test_a_course_from_before_shares_were_kept_is_still_drawn(settings: Any) -> None:
    game = finished("sectors", settings)
    without = [{key: value for key, value in point.items() if key != "held"} for point in game.course]
    Game.objects.filter(pk=game.pk).update(course=without)
    assert "Nobody has held a share" in charts(game, Client())


def test_my_order_is_on_the_chart_for_me_alone() -> None:
    game = at_phase(new_game("ada", "bob", max_turns=8), "stock_orders")
    company = game.rules.view(game.load_position(), None).companies[0]
    order = {"kind": "market_order", "company": company.ticker, "side": "buy", "quantity": 2, "location": "ipo"}
    drafts.save_draft(seat=Seat.objects.get(game=game, number=0), serial=game.phase_serial, requests=[order])
    assert charts(game, sits("ada")).count('class="ghost') == len(SIZES)
    for who in (sits("bob"), Client()):
        assert 'class="ghost' not in charts(game, who)
    send(game, 0, order)
    assert charts(game, sits("ada")).count('class="ghost') == len(SIZES)
    for who in (sits("bob"), Client()):
        assert 'class="ghost' not in charts(game, who)


def test_companies_stand_in_the_board_s_order_and_the_first_that_was_held_is_shown() -> None:
    game = kept_games.finished("stock_market_tycoon", bots=1, years=3)
    page = charts(game, sits("ada"))
    nav = page[page.index('id="ownership"') :]
    assert re.findall(r'href="\?company=(\w+)&', nav) == list(COMPANY_KEYS)
    held = [key for key in COMPANY_KEYS if any(any(point["held"].get(key, ())) for point in game.course)]
    assert re.search(rf'href="\?company={held[0]}&[^"]*" aria-current="true"', nav)


def test_bars_of_millions_leave_room_for_their_sum() -> None:
    """On a phone the last bar ends before the sum begins."""
    labels, flows = ["1", "2"], [CashFlow("dividend", [0, 12_345_678])]
    narrow = flow_plot("cf", "Cash", labels, labels, flows).split("<svg")[-1]
    bars = re.findall(r'class="flow[^>]* x="([\d.]+)"[^>]*width="([\d.]+)"', narrow)
    (end,) = re.findall(r'class="value" x="([\d.]+)"', narrow)
    assert max(float(left) + float(wide) for left, wide in bars) <= float(end) - len("+12,345,678") * LETTER


def test_bars_say_their_amounts_as_their_scale() -> None:
    """Each where it fits, otherwise the largest of each source."""
    flows = [CashFlow("dividend", [0, 400]), CashFlow("tax", [-30, -7])]
    wide = flow_plot("cf", "Cash", ["1", "2"], ["turn 1", "turn 2"], flows).split("<svg")[1]
    assert re.findall(r'text-anchor="middle">([+−][\d,]+)<', wide) == ["+400", "−30", "−7"]
    heights = [float(height) for height in re.findall(r'class="flow[^>]*height="([\d.]+)"', wide)]
    assert heights == [56, 4.2, 1]
    turns = [str(turn) for turn in range(60)]
    dense = flow_plot("cf", "Cash", turns, turns, [CashFlow("dividend", [*range(100, 160)])])
    assert set(re.findall(r'text-anchor="middle">([+−][\d,]+)<', dense)) == {"+159"}


@pytest.mark.parametrize("ruleset", ["stock_market_tycoon", "big_shoulders", "power_up"])
def test_the_owners_of_a_company_are_told_with_its_whole_name(ruleset: str) -> None:
    game = kept_games.finished(ruleset)
    page = words_of(charts(game, sits("ada")))
    titles = [row.name for row in board_of(ruleset).rows(game.rules.view(game.load_position(), None)).companies]
    assert any(f"Shares of {title} in players’ hands" in page for title in titles)


@pytest.mark.parametrize("asked", [{"seat": "0"}, {"seat": "9"}, {"seat": "x"}, {"seat": "1" * 30}, {"company": "NO"}])
def test_a_chart_of_nobody_is_answered_in_a_sentence(asked: dict[str, str]) -> None:
    answer = Client().get(f"/games/{new_game('ada', 'bob').pk}/charts/", asked)
    assert answer.status_code == 404
    assert "This game has" in answer.content.decode()


def test_charts_are_private_where_the_game_is() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    statuses = [who.get(f"/games/{game.pk}/charts/").status_code for who in (sits("ada"), sits("eve"), Client())]
    assert statuses == [200, 404, 404]


def test_cash_that_may_be_hidden_is_drawn_at_the_end_alone() -> None:
    game = at_turns()
    assert "can be read when the game is over" in charts(game, sits("ada"))
    assert "table-cash" in charts(play_on(game), Client())


def test_charts_ask_a_constant_number_of_questions(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game, ada, counts = new_game("ada", bots=3, max_turns=3), sits("ada"), set()
    for now in steps_to_the_end(game):
        if now.entries % 40 == 0 or not now.is_running:
            charts(game, ada)
            with CaptureQueriesContext(connection) as asked:
                charts(game, ada)
            counts.add(len([query for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= MOST_STATEMENTS, counts


def test_a_company_looks_the_same_in_every_chart_and_has_a_name(settings: Any) -> None:
    """Power Up in the colours of its pieces; Sectors by the order in which the companies were founded."""
    page = charts(finished("power_up", settings), Client())
    assert '<text class="end pu-eclipse' in page
    assert ">Eclipse <" in page
    assert re.search(r">\s*Eclipse</a>", page)
    game = finished("sectors", settings)
    page, places = charts(game, Client()), places_of(game.course)
    for company, place in places.items():
        if company in game.course[-1]["prices"]:
            assert re.search(rf'class="end k{place % 8 + 1} [^"]*"[^>]*>{company} ', page), company


def test_letters_have_a_key_and_figures_of_the_axis_are_whole_on_a_phone(settings: Any) -> None:
    """What short labels stand for is below their chart; an axis of hundreds of thousands begins further right."""
    game = kept_games.finished("stock_market_tycoon", bots=1, years=3)
    page = charts(game, sits("ada"))
    keys = re.findall(r'<ul class="chart-key" aria-hidden="true">(.*?)</ul>', page)
    assert '<li><b class="ty-ab d1">AB</b> Atlas Bank</li>' in keys[0]
    ticks = re.findall(r'class="tick" x="([\d.]+)" y="[\d.]+" text-anchor="end">([^<]+)<', page)
    assert any(len(figure) >= len("500,000") for _, figure in ticks)
    assert all(float(x) >= 6.5 * len(figure) for x, figure in ticks)


def test_nothing_is_shaded_where_nothing_is_said_to_be_new() -> None:
    labels, lines = ["Start", "", "1", "", "2"], [Line("AB", "k1", [1, 2, 3, 4, 5], "Atlas Bank")]
    assert 'class="since"' not in draw_lines(labels, lines, "cp", "Price")
    assert 'class="since"' in draw_lines(labels, lines, "cp", "Price", since="1")


@pytest.mark.parametrize("ruleset", ["power_up", "stock_market_tycoon", "big_shoulders"])
def test_a_board_says_what_is_shaded_only_where_something_is(ruleset: str) -> None:
    game = kept_games.finished(ruleset, bots=1, **shortest(ruleset))
    page = sits("ada").get(game.get_absolute_url()).content.decode()
    assert ("Shaded: since your last decision" in page) == ('class="since"' in page)


@pytest.mark.parametrize("ruleset", ["sectors", "big_shoulders"])
def test_the_names_of_lines_stay_inside_the_narrow_chart(ruleset: str, settings: Any) -> None:
    page = charts(finished(ruleset, settings), Client())
    narrow = [part.partition("</svg>")[0] for part in page.split("plot-box--narrow")[1:]]
    assert len(narrow) >= 3
    for chart in narrow[: 2 + (ruleset == "big_shoulders")]:
        for x, name, figure in re.findall(r'class="end [^"]*" x="([\d.]+)"[^>]*>([^<]*)<tspan[^>]*>([^<]*)<', chart):
            assert float(x) + 7 * (len(name) + len(figure)) <= 358, (x, name, figure)


def test_the_labels_of_the_axes_stand_apart_and_inside() -> None:
    """52 turns, of which every seventh is named, and figures of five digits."""
    drawn = str(draw_lines(["Start", *map(str, range(1, 53))], [Line("ada", "p1", range(6000, 59001, 1000))], "k", "t"))
    below = dict(re.findall(r'<text class="tick" x="([\d.]+)" y="223" text-anchor="\w+">(\w+)</text>', drawn))
    places = sorted((float(x), label) for x, label in below.items())
    assert [label for _, label in places][:2] == ["Start", "14"], "7 would stand on the word"
    left = [(float(x), text) for x, text in re.findall(r'x="([\d.]+)" y="[\d.]+" text-anchor="end">([\d,]+)<', drawn)]
    assert max(len(text) for _, text in left) == len("60,000")
    assert min(x - 6 * len(text) for x, text in left) >= 0
