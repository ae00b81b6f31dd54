"""What happened to the reader: first on the board's page, stored, reachable later, and nobody else's."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from game.bots import playing
from game.history.archive import archive_game
from game.play import moves
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import READY, at_phase, clock_runs_out, everybody_ready, fresh, new_game, person, send, without_chance
from tests.toy_scenes import news_of

pytestmark = pytest.mark.django_db
BUY = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market"}


def look(client: Client, game: Game, name: str = "ada", where: str = "") -> str:
    client.force_login(person(name))
    answer = client.get(f"/games/{game.pk}/{where}")
    assert answer.status_code == 200
    return str(answer.content.decode())


def happened(page: str) -> str:
    """The block's text without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", news_of(page)).split())


@pytest.fixture
def market() -> Game:
    """Two shares on the market, three people who want them and have seen the board; bob comes first."""
    table = Table().seats("ada", "bob", "cid", cash=500).company("ACME", price=47, ipo=8, market=2)
    table.company("BOLT", price=20).priority("bob", "ada", "cid").options(max_sub_rounds=3)
    game = lay(table.at("stock_orders"))
    Seat.objects.filter(game=game).update(seen_version=game.version, seen_at=Now())
    return game


def bought(game: Game) -> None:
    """Bob gets both, ada none, cid decides nothing."""
    send(game, 0, BUY | {"quantity": 2})
    send(game, 1, BUY | {"quantity": 2})
    clock_runs_out(game)


def test_own_outcomes_stand_first_with_their_reasons(client: Client, market: Game) -> None:
    bought(market)
    page = look(client, market)
    assert page.index('id="happened"') < page.index('id="panel"') < page.index('id="head"')
    result = happened(page)
    assert "What happened to you Turn 2, phase 9: Place stock orders" in result
    assert "Rejected Your order to buy 2 ACME was rejected. You wanted 2 shares; none were left" in result
    assert "bob bought first." in result
    assert 'href="/rules/sectors/' in page.partition('id="happened"')[2].partition("</section>")[0]
    assert "Filled You bought 2 ACME on the open market at 47 each." in happened(look(client, market, "bob"))
    assert "Missed You made no decision in phase 9, Place stock orders." in happened(look(client, market, "cid"))


def test_it_is_read_out_and_not_announced_as_somebody_s_order(client: Client, market: Game) -> None:
    bought(market)
    status = look(client, market).partition('id="push" data-region role="status">')[2].partition("</div>")[0]
    assert status.startswith('<p class="vh">What happened to you. Rejected: Your order to buy 2 ACME was rejected.')
    assert "bob&#39;s" not in status


def test_it_stays_until_the_next_resolution(client: Client, market: Game) -> None:
    bought(market)
    before = happened(look(client, market))
    send(market, 0, BUY | {"quantity": 1})
    assert happened(look(client, market)) == before
    send(market, 1, READY)
    assert happened(look(client, market)) == before
    clock_runs_out(market)
    newest, _, earlier = happened(look(client, market)).partition("Earlier in turn")
    assert "buy 2 ACME" not in newest
    assert "buy 2 ACME" in earlier


def test_what_was_resolved_while_nothing_was_asked_of_the_reader_is_told_too(client: Client) -> None:
    """The vote of ACME does not ask cid, who has heard of the revenue before."""
    table = Table().company("ACME", revenue=157, treasury=100).holdings("ACME", ada=3, bob=2)
    game = lay(table.company("BOLT", revenue=40).holdings("BOLT", cid=2).at("revenue_vote"))
    send(game, 2, {"kind": "vote_revenue", "company": "BOLT", "choice": "full"})
    clock_runs_out(game)
    assert fresh(game).phase_name == "company_vote"
    while 2 in fresh(game).waiting_seats:
        clock_runs_out(game)
    assert "Won BOLT pays full dividends, as you voted." in happened(look(client, game, "cid"))


def test_what_concerns_the_reader_is_not_folded_where_nothing_of_their_own_stands_before_it(client: Client) -> None:
    """ada abstained and was paid: above an open decision only what is not folded is in sight on a phone."""
    table = Table().company("ACME", revenue=157, treasury=100).holdings("ACME", ada=3, bob=2)
    game = lay(table.at("revenue_vote"))
    send(game, 1, {"kind": "vote_revenue", "company": "ACME", "choice": "full"}, READY)
    send(game, 0, {"kind": "pass"}, READY)
    page = look(client, game)
    assert "happened--asks" in page
    news = news_of(page)
    assert "ACME paid you dividends on 3 shares." in news.partition("<details")[0]
    assert "Also about you" not in news


def test_a_stranger_and_an_older_page_have_no_such_block(client: Client, market: Game) -> None:
    bought(market)
    assert happened(look(client, market, "eve")) == ""
    assert client.get(f"/games/{market.pk}/outcomes/").status_code == 404
    client.logout()
    assert client.get(f"/games/{market.pk}/outcomes/").status_code == 302
    assert happened(look(client, market, "ada", f"?before={fresh(market).version}")) == ""


def test_it_is_reachable_later_phase_by_phase(client: Client, market: Game) -> None:
    bought(market)
    serial = LoggedAction.objects.filter(game=market, phase_name="stock_orders").latest("number").serial
    everybody_ready(market)
    page = look(client, market, where="outcomes/?turn=2")
    section = page.partition(f'id="p-{serial}"')[2].partition("</section>")[0]
    assert "Your order to buy 2 ACME was rejected." in section
    assert "bob bought 2 ACME on the open market." in section, "the whole story is there, folded"
    assert "You bought" not in section


def test_phases_of_one_title_are_counted(client: Client, market: Game) -> None:
    for _ in range(2):
        send(market, 0, BUY | {"quantity": 1})
        everybody_ready(market)
    page = look(client, market, where="outcomes/?turn=2")
    assert re.findall(r"Place stock orders\s+\((\d) of (\d)\)", page) == [("2", "2"), ("1", "2")], "newest first"


def test_calm_phases_are_folded_together(client: Client, market: Game) -> None:
    """Bob waits for a price, which is nobody else's business."""
    for _ in range(2):
        send(market, 1, {"kind": "limit_order", "company": "ACME", "side": "buy", "value": 10, "quantity": 1})
        everybody_ready(market)
    calm = look(client, market, where="outcomes/?turn=2").partition('<details class="calm">')[2]
    assert "2 phases in which nothing affects you" in calm
    assert calm.partition("</main>")[0].count("Nothing here affects you.") == 2


@pytest.mark.parametrize("turn", ["0", "99", "-1", "x", "1e9", "9999999999"])
def test_a_turn_that_there_is_not_shows_the_newest(client: Client, market: Game, turn: str) -> None:
    bought(market)
    assert ", turn 2</p>" in look(client, market, where=f"outcomes/?turn={turn}")


def test_queries_of_the_page_of_outcomes_do_not_grow(client: Client, django_assert_max_num_queries: Any) -> None:
    game = at_phase(new_game("ada", bots=3, max_turns=8), "company_vote")
    client.force_login(person("ada"))
    for _ in range(2):
        with django_assert_max_num_queries(9):
            assert client.get(f"/games/{game.pk}/outcomes/").status_code == 200
        clock_runs_out(game)
        playing.play_bots(game_id=game.pk)


def test_a_finished_and_archived_game_still_tells(client: Client) -> None:
    game = new_game("ada", bots=1, max_turns=8)
    for _ in range(400):
        if not fresh(game).is_running:
            break
        if not playing.play_bots(game_id=game.pk):
            everybody_ready(game)
    assert archive_game(game_id=game.pk)
    assert "You finished" in look(client, game, where="outcomes/")
    assert "You bid" in look(client, game, where="outcomes/?turn=1")


# --- secrets


@pytest.mark.parametrize("where", ["", "outcomes/"])
def test_what_was_sealed_is_in_nobody_else_s_bytes(client: Client, where: str) -> None:
    """Two courses of one game that differ in a concealed order have the same pages for everybody but its owner."""
    table = Table().seats("ada", "bob", cash=500).company("ACME", price=47).options(concealed=True, max_sub_rounds=3)
    game = lay(table.at("stock_orders", reviews=True))
    seen = [pages_after(client, game, where, quantity) for quantity in (1, 3)]
    assert fresh(game).phase_name == "stock_orders"
    assert {name: seen[0][name] == seen[1][name] for name in seen[0]} == dict.fromkeys(seen[0], True) | {
        "ada": bool(where)
    }


def pages_after(client: Client, game: Game, where: str, quantity: int) -> dict[str, str]:
    """What everybody sees after ada's short of so many and a pass of bob's; then all of it is undone."""
    with transaction.atomic():
        send(game, 0, {"kind": "short_order", "company": "ACME", "quantity": quantity})
        pages = {f"{name}, sealed": look(client, game, name, where) for name in ("bob",)}
        Game.objects.filter(pk=game.pk).update(deadline_at=Now())
        # One step, where a sweep would close the review as well: here it takes no time.
        moves.close_phase(game_id=game.pk, expected_serial=fresh(game).phase_serial)
        assert fresh(game).phase_name == "order_review"
        names = ("ada", "bob") if where else ("ada", "bob", "eve")
        pages |= {name: look(client, game, name, where) for name in names}
        transaction.set_rollback(True)
    return {name: stripped(without_chance(page)) for name, page in pages.items()}


def stripped(page: str) -> str:
    """Without the times."""
    return re.sub(r'<time datetime="[^"]+">[^<]+</time>', "", page)


def test_a_private_miss_is_told_to_its_seat_alone(client: Client, market: Game) -> None:
    bought(market)
    for name in ("ada", "bob", "eve"):
        for where in ("", "outcomes/") if name != "eve" else ("",):
            assert "You made no decision" not in look(client, market, name, where)
    assert "You made no decision in phase 9, Place stock orders" in look(client, market, "cid", "outcomes/")
