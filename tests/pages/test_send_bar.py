"""What stays in sight beside the buttons: the reader's figures, the first warning, and whether a change counts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from game.boards.registry import board_of
from game.boards.shapes import Panel
from game.engine import referee
from game.engine.chance import Chance
from game.engine.progress import NOT_ASKED
from tests.pages.panels import drawn, page_engine, panel, panel_at, places_at
from tests.pages.test_previews import NAMES, filled, made_panel, market, position
from tests.rulesets.sectors.table import Table


def bidding() -> Table:
    table = Table().seats("ada", "bob").at("influence_bid")
    table.ada.asks("bid_influence", points=20)
    return table


def edited(table: Table, points: int) -> Panel:
    """The panel of ada, whose form now holds another bid than the one submitted."""
    form = filled(table.position, [{"kind": "bid_influence", "points": points}])
    return panel(table.position, places_at(["ada", "bob"], 0), filled=form)


def test_an_edited_bid_is_not_called_submitted() -> None:
    send = edited(bidding(), 35).send
    assert (send.words, send.colour_state) == ("Change not submitted", "draft")
    assert send.note == "What you submitted still counts: bid 20"


def test_a_bid_that_is_the_submitted_one_again_is_submitted() -> None:
    send = edited(bidding(), 20).send
    assert (send.words, send.colour_state, send.summary) == ("Submitted", "submitted", "Bid 20")


def test_a_change_kept_as_a_draft_is_still_none_after_the_page_is_loaded_again() -> None:
    draft = [{"kind": "bid_influence", "points": 35}]
    send = panel(bidding().position, places_at(["ada", "bob"], 0), draft=draft).send
    assert send.words == "Change not submitted"


def test_the_bar_repeats_the_first_warning() -> None:
    """The preview may stand behind the bar."""
    made = made_panel(position("stock_orders"), market("sell", 5))
    assert made.send.warning
    assert "You own only 3 of these 5 shares" in made.send.warning.text
    assert made_panel(position("stock_orders"), market("buy", 1)).send.warning is None


@pytest.mark.parametrize(("seat", "rank"), [(0, "1st of 3"), (1, "2nd of 3"), (2, "3rd of 3")])
def test_own_figures_are_in_the_panel(seat: int, rank: str) -> None:
    """Cash 59 each; Marta owns three shares at 20, Oskar two, Wen none."""
    own = dict(made_panel(position("stock_orders"), market("buy", 1), seat=seat).send.own)
    assert own == {"Cash": "59", "Net worth": str(59 + 20 * (3 - seat if seat < 2 else 0)), "Rank": rank}


def test_own_figures_stay_where_nothing_is_decided() -> None:
    at = position("revenue_vote", companies={"SOLAR": {"sector": "energy", "price": 20, "revenue": 90, "ipo": 5}})
    page = drawn(page_engine(), at, 2)
    assert "<dt>Rank</dt><dd>3rd of 3</dd>" in page


def test_strangers_have_no_figures() -> None:
    made: Any = panel(position("stock_orders"), places_at(NAMES, None), None)
    assert made.send.own == ()
    assert not re.search(r'class="own"', drawn(page_engine(), position("stock_orders"), None))


def test_an_edited_bid_has_the_colour_of_a_draft() -> None:
    """The green of a submission is for what counts."""
    table = bidding()
    form = filled(table.position, [{"kind": "bid_influence", "points": 35}])
    page = drawn(page_engine(), table.position, 0, filled=form)
    assert "sendbar-s--draft" in page
    assert "sendbar-s--submitted" not in page


@pytest.mark.parametrize("key", ["power_up", "stock_market_tycoon", "big_shoulders"])
def test_only_who_was_asked_reads_what_counted_instead(key: str) -> None:
    board = board_of(key)
    position = referee.start(board.rules, board.rules.parse_options({}), 3, Chance(key)).position
    deciding_seats = {each.seat for each in board.rules.view(position, 0).players if each.state not in NOT_ASKED}
    assert 0 < len(deciding_seats) < 3
    for seat in range(3):
        assert bool(panel_at(board, position, seat).send.ran) == (seat in deciding_seats)


def test_the_bar_of_a_phone_names_the_draft() -> None:
    """Half of a narrow bar is not enough to say first that it was saved."""
    table = Table().seats("ada", "bob").at("influence_bid")
    page = drawn(page_engine(), table.position, 0, draft=[{"kind": "bid_influence", "points": 35}])
    bar = re.sub(r"<[^>]+>", " ", page.partition('id="sendbar-m"')[2].partition("</p>")[0])
    assert "Draft: Bid 35" in " ".join(bar.split())
