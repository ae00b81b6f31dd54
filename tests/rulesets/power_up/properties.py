"""What holds in every position of Power Up that play can reach, and in every game. (PU 10)"""

from __future__ import annotations

from collections import Counter

from game.engine.ledger import cash_of
from game.rulesets.power_up.forecast import NEUTRAL
from game.rulesets.power_up.numbers import CELLS, NEIGHBOURS
from game.rulesets.power_up.state import DOE, PowerUpState
from game.rulesets.power_up.tables import COMPANIES


def assert_sound(state: PowerUpState) -> None:
    """Shares, tiles, cash and who may lie beside whom."""
    assert_shares(state)
    assert_tiles(state)
    assert all(state.ledger.balance(account) >= 0 for account in (DOE, *map(cash_of, range(state.seats))))
    assert_neighbours(state)
    assert not (state.tile_lock and not state.tile_played)
    assert state.end or state.actions_left > 0 or state.acting is None  # P-1


def assert_shares(state: PowerUpState) -> None:
    """25 of every active company, none of an inactive one; after the final sale none at all. (PU 4.3, P-11)"""
    sizes = state.sizes()
    for company in COMPANIES:
        is_alive = company in sizes and state.acting is not None
        assert state.ledger.existing(company) == (25 if is_alive else 0)
        assert sum(state.holdings(company).values()) + state.unsold(company) == state.ledger.existing(company)
    assert set(state.headquarters) == set(sizes)
    assert all(state.board[tile] == company for company, tile in state.headquarters.items())
    assert all(size > 1 for size in sizes.values())


def assert_tiles(state: PowerUpState) -> None:
    """A hundred tiles, each in one place."""
    places = Counter([*state.bag, *state.board, *(tile for hand in state.hands for tile in hand)])
    assert places == Counter(CELLS)
    assert all(len(hand) <= 5 for hand in state.hands)


def assert_neighbours(state: PowerUpState) -> None:
    """No neutral tile beside a company, no two companies beside each other. (PU 4.2)"""
    for cell, owner in state.board.items():
        near = {state.board[other] for other in NEIGHBOURS[cell] if other in state.board}
        assert near <= {owner}, (cell, owner, near)
    if len(state.sizes()) < len(COMPANIES) and state.merger is None:
        alone = [cell for cell, owner in state.board.items() if owner == NEUTRAL]
        assert not [cell for cell in alone if any(state.board.get(other) == NEUTRAL for other in NEIGHBOURS[cell])]
