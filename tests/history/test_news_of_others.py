"""The news above a decision: what concerns the reader leads, and in games in which all decide at once the others' deeds
are told too."""

import pytest
from django.db.models.functions import Now
from django.utils.timezone import now

from game.boards.outcomes import Outcome
from game.history.since import DeedLine, Deeds, Happened
from game.store.game import Game, Seat
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import READY, send
from tests.toy_scenes import news_of, page_of, sits, words_of

pytestmark = pytest.mark.django_db
BUY = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market", "quantity": 2}


@pytest.fixture
def table() -> Table:
    laid = Table().seats("ada", "bob", cash=500).company("ACME", price=47, ipo=4, market=4)
    return laid.sector("industrial", consumers=5).options(max_sub_rounds=4)


def news(game: Game, name: str) -> str:
    return news_of(page_of(game, sits(name)))


def test_whoever_passed_reads_what_the_others_did(table: Table) -> None:
    game = lay(table.at("stock_orders"))
    send(game, 0, READY)
    send(game, 1, BUY, READY)
    text = words_of(news(game, "ada"))
    assert "What the others did" in text
    assert "bob bought 2 ACME on the open market." in text
    assert "ordered to buy" not in text, "the order and its result are one thing that was done"


def test_own_outcomes_come_first_and_the_others_after_them(table: Table) -> None:
    game = lay(table.at("stock_orders"))
    Seat.objects.filter(game=game).update(seen_version=game.version, seen_at=Now())
    for seat in (0, 1):
        send(game, seat, BUY, READY)
    text = words_of(news(game, "ada"))
    assert text.index("You bought 2 ACME") < text.index("bob bought 2 ACME")
    assert "What the others did (1)" in text


def test_what_befalls_the_reader_without_an_own_order_is_not_folded(table: Table) -> None:
    """A dividend that the others voted for: the heading has it below, not a fold alone."""
    table.company("ACME", produced=4, sold=4, revenue=200).holdings("ACME", ada=2, bob=6)
    game = lay(table.at("revenue_vote"))
    send(game, 0, READY)
    send(game, 1, {"kind": "vote_revenue", "company": "ACME", "choice": "full"}, READY)
    block = news(game, "ada")
    text = block.partition("</h2>")[2].partition("<details")[0]
    assert "ACME paid you dividends" in text
    assert 'id="happened-others"' not in block


def happened(*own: str) -> Happened:
    outcomes = tuple(Outcome(kind="order", label="Filled", text=text) for text in own)
    lines = [DeedLine(f"player {seat} bought 2 ACME.", seat=seat) for seat in (1, 2, 3, 4, 5)]
    return Happened(outcomes, (), "Orders", now(), by_others=tuple(Deeds(line.seat, "", (line,)) for line in lines))


def test_the_reader_s_own_outcomes_take_the_room_of_the_others_on_a_phone() -> None:
    one, two, three = "You bought 2 ACME.", "ACME fell from 51 to 47.", "BOLT fell from 51 to 47."
    assert [len(happened(*own).leads) for own in ((one,), (one, two), (one, two, three))] == [4, 3, 2]
    long = "You bought 2 ACME on the open market, which was more than there were of it anywhere."
    assert happened(one, long, long).leads == ()
    assert len(happened().leads) == 4
