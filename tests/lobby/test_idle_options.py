"""The form that creates a game says which options cannot matter beside the others."""

from typing import Any

import pytest

from tests.toy_scenes import sits

pytestmark = [pytest.mark.django_db]
BANK = "“Bank” makes no difference here: within 8 turns no bank can run out"
SHORTS = "“Maximum shares per short” makes no difference here: there are no short orders."


def meant(**chosen: Any) -> str:
    """What the form says under “What this means”."""
    fields = {"filled": "1", "game": "sectors", "pace": "daily", "seats": "5", "bots": "0", **chosen}
    page = sits("ada").get("/games/new/", fields).content.decode()
    return str(page.partition('id="effect"')[2].partition("</section>")[0])


@pytest.mark.parametrize(
    ("preset", "is_idle"), [("short", True), ("tuned_short", True), ("standard", False), ("long", False)]
)
def test_a_bank_that_cannot_break_in_the_chosen_length(preset: str, is_idle: bool) -> None:
    assert (BANK in meant(preset=preset)) is is_idle


def test_a_limit_of_orders_that_are_not_played() -> None:
    assert SHORTS in meant(preset="standard", max_short_quantity="3")
    assert SHORTS not in meant(preset="standard", max_short_quantity="3", short_orders="on")
    assert SHORTS not in meant(preset="standard", max_short_quantity="0")


def test_a_game_whose_options_always_matter() -> None:
    assert "makes no difference" not in meant(game="power_up", preset="plain")


BUYBACKS, RATES = "Maximum price in a buyback", "Option premiums"


def asked(**chosen: Any) -> str:
    """The whole form."""
    form = {"filled": "1", "game": "stock_market_tycoon", "pace": "daily", "seats": "4", "bots": "0", **chosen}
    return str(sits("ada").get("/games/new/", form).content.decode())


@pytest.mark.parametrize(
    ("chosen", "is_asked"),
    [
        ({"preset": "trader_planned"}, False),
        ({"preset": "investor_short"}, False),
        ({"preset": "strategist_short"}, True),
        ({"preset": "trader_planned", "mode": "strategist"}, True),
    ],
)
def test_what_a_mode_lacks_is_neither_asked_nor_shown(chosen: dict[str, Any], is_asked: bool) -> None:
    page = asked(**chosen)
    assert [words in page for words in (BUYBACKS, RATES)] == [is_asked] * 2
    assert "makes no difference" not in page
