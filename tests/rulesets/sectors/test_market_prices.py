"""How market orders move the price, and the price freeze. (S 5.3, 3.4, A55)"""

import pytest

from game.engine.modifiers import Modifier
from tests.rulesets.sectors.table import Table


def test_no_net_no_move(floor: Table) -> None:
    """S 5.3: net 0 leaves price and slots alone."""
    floor.company("ACME", filled=1).holdings("ACME", bob=2)
    floor.ada.buys("ACME", 2)
    floor.bob.sells("ACME", 2)
    floor.clock_runs_out()
    assert (floor.price("ACME"), floor.filled("ACME"), floor.events("price_moved")) == (47, 1, [])


def test_only_filled_orders_count(floor: Table) -> None:
    """S 5.3."""
    floor.ada.buys("ACME", 2)
    floor.bob.buys("ACME", 7)
    floor.cid.sells("ACME", 1)
    floor.clock_runs_out()
    assert (floor.price("ACME"), floor.filled("ACME")) == (51, 0)


def test_slots_carry_over_from_one_sub_round_to_the_next(floor: Table) -> None:
    """S 3.4: each sub-round has its own net."""
    for price, filled in ((47, 1), (51, 0), (51, 1)):
        floor.ada.buys("ACME", 1)
        floor.clock_runs_out()
        assert (floor.price("ACME"), floor.filled("ACME")) == (price, filled)


def test_companies_move_independently(floor: Table) -> None:
    """S 5.3."""
    floor.company("BOLT", price=20).holdings("BOLT", bob=2)
    floor.ada.buys("ACME", 4)
    floor.bob.sells("BOLT", 2)
    floor.clock_runs_out()
    assert (floor.price("ACME"), floor.price("BOLT")) == (55, 16)


# --- the price freeze


@pytest.fixture
def frozen(floor: Table) -> Table:
    """AGRO's price is frozen this turn: it stands at 47."""
    freeze = Modifier("price_freeze", 1, "price_freeze", turn=2)
    return floor.company("AGRO", sector="defensive", price=47, existing=30, modifiers=[freeze])


def test_a_frozen_price_moves_two_steps_at_most(frozen: Table) -> None:
    """A55: shares beyond the two steps count for nothing, and the slots are empty."""
    frozen.ada.buys("AGRO", 7)
    frozen.clock_runs_out()
    assert (frozen.price("AGRO"), frozen.filled("AGRO")) == (55, 0)


def test_a_frozen_price_falls_two_steps_at_most(frozen: Table) -> None:
    """A55: either way."""
    frozen.holdings("AGRO", ada=5)
    frozen.ada.sells("AGRO", 5)
    frozen.clock_runs_out()
    assert frozen.price("AGRO") == 39


def test_slots_survive_where_the_clamp_does_not_bite(frozen: Table) -> None:
    """A55 detail."""
    frozen.ada.buys("AGRO", 5)
    frozen.clock_runs_out()
    assert (frozen.price("AGRO"), frozen.filled("AGRO")) == (55, 1)


def test_the_freeze_sums_over_the_turns_sub_rounds(frozen: Table) -> None:
    """A55: +2, then nothing more up; down to -2 of the start there are four steps."""
    frozen.holdings("AGRO", bob=6)
    frozen.ada.buys("AGRO", 4)
    frozen.clock_runs_out()
    frozen.ada.buys("AGRO", 4)
    frozen.clock_runs_out()
    assert (frozen.price("AGRO"), frozen.filled("AGRO")) == (55, 0)
    frozen.bob.sells("AGRO", 6)
    frozen.clock_runs_out()
    assert frozen.price("AGRO") == 39


def test_other_moves_are_not_clamped(frozen: Table) -> None:
    """A55: settlements, covers and shorts are free and do not count."""
    frozen.at("limit_settlement").holdings("AGRO", ada=4)
    frozen.limit("ada", "sell", "AGRO", 4, 50, status="filled_pending_settlement").play_on()
    assert frozen.price("AGRO") == 32
    frozen.bob.buys("AGRO", 6)
    frozen.clock_runs_out()
    assert frozen.price("AGRO") == 39


def test_the_freeze_is_over_next_turn(frozen: Table) -> None:
    """S 6.10."""
    frozen.at("stock_orders", turn=3)
    frozen.ada.buys("AGRO", 7)
    frozen.clock_runs_out()
    assert frozen.price("AGRO") == 60
