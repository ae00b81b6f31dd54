"""What holds in every position of City of the Big Shoulders that play can reach."""

from __future__ import annotations

from collections import Counter

from game.engine.ledger import BANK, hand_of, treasury_of
from game.rulesets.big_shoulders.effects import ASSET_KEYS, TILES, tiles_of
from game.rulesets.big_shoulders.setup import ALL_WORKERS
from game.rulesets.big_shoulders.state import (
    BAG,
    HAYMARKET,
    MARKET,
    SUPPLY,
    UNISSUED,
    WORKERS,
    ShouldersState,
    certificate,
    staff_of,
)
from game.rulesets.big_shoulders.tables import (
    COLUMNS,
    COMPANIES,
    COMPANY_KEYS,
    CUBES,
    CUBES_IN_GAME,
    DEMAND,
    DIRECTOR,
    GOODS_TOKENS,
    ISSUED,
    MOST_SHARES,
    MOST_WORKERS,
    PREFERRED,
    SHARES_PER_COMPANY,
    SLOTS,
    TRADES,
    UNITS,
    VALUES,
    Company,
    demand_of,
)


def assert_sound(state: ShouldersState) -> None:
    """Shares, cubes, workers, money, tiles."""
    assert min(state.ledger.cash[account] for account in state.ledger.cash if account.startswith("cash:")) >= 0
    for company in COMPANY_KEYS:
        assert_shares(state, company)
        if company in state.companies:
            assert_company(state, company)
        else:
            assert not state.treasury(company)
    assert sorted(state.track) == sorted(state.companies)
    appeals = [state.companies[company].appeal for company in state.track]
    assert appeals == sorted(appeals, reverse=True)
    assert_cubes(state)
    assert_workers(state)
    assert_tiles(state)
    assert_partners(state)


def assert_shares(state: ShouldersState, company: Company) -> None:
    """Ten shares and seven certificates, in places that exist; the director holds the director's certificate."""
    places = {UNISSUED} if company not in state.companies else {BANK, treasury_of(company)}
    hands = {hand_of(seat) for seat in range(state.seats)}
    units = 0
    for kind, number in ISSUED.items():
        there = state.ledger.shares[certificate(company, kind)]
        held = {place for place, count in there.items() if count}
        assert held <= places | (hands if company in state.companies else set())
        assert min(there.values()) >= 0
        assert sum(there.values()) == number
        units += UNITS[kind] * number
    assert units == SHARES_PER_COMPANY
    if company in state.companies:
        assert state.held(state.companies[company].director, company, DIRECTOR) == 1
        for seat in range(state.seats):
            assert state.units(seat, company) <= MOST_SHARES
            assert not (state.held(seat, company, DIRECTOR) and state.held(seat, company, PREFERRED))


def assert_company(state: ShouldersState, company: Company) -> None:
    own, row = state.companies[company], COMPANIES[company]
    assert state.treasury(company) >= 0
    assert 0 <= own.value < len(VALUES)
    assert row.appeal <= own.appeal <= 16
    assert 0 <= own.salespeople <= row.most_salespeople
    assert own.goods >= 0
    assert own.asset is None or row.has_slot
    for printed, factory, workers, free in zip(
        row.factories, own.factories, state.workers_in(company), state.free_spaces(company), strict=True
    ):
        assert 0 <= factory.automated <= printed.staff
        assert free == printed.staff - factory.automated - workers >= 0


def assert_cubes(state: ShouldersState) -> None:
    """Seventy cubes, in the bag, the supply chain, Haymarket and companies."""
    places = {BAG, HAYMARKET, *COLUMNS, *state.companies}
    for cube in CUBES:
        there = state.ledger.shares[cube]
        assert set(there) <= places
        assert min(there.values()) >= 0
        assert sum(there.values()) == CUBES_IN_GAME[cube]
    assert sum(CUBES_IN_GAME.values()) == 70


def assert_workers(state: ShouldersState) -> None:
    there = state.ledger.shares[WORKERS]
    factories = {staff_of(key, number) for key, row in COMPANIES.items() for number in range(1, len(row.factories) + 1)}
    assert set(there) <= {MARKET, SUPPLY, *factories}
    assert sum(there.values()) == ALL_WORKERS
    assert 0 <= state.market <= MOST_WORKERS
    assert there[SUPPLY] > 0


def assert_tiles(state: ShouldersState) -> None:
    """Every building tile, demand tile and asset is in one place at most."""
    dealt = [*state.tiles_built(), *(tile for hand in (*state.hands, *state.discarded) for tile in hand)]
    tiles = Counter([*dealt, *(tile for deck in state.era_decks.values() for tile in deck)])
    assert tiles == Counter(tile for era in (1, 2, 3) for tile in tiles_of(era, state.seats))
    assert all(tile in TILES for tile in dealt)
    for pips in DEMAND:
        items = [
            tile.capacity for row in state.demand.values() for tile in row if tile is not None and tile.pips == pips
        ]
        assert not Counter([*items, *state.demand_deck[pips]]) - Counter(demand_of(pips, state.seats))
    for trade in TRADES:
        assert len(state.demand[trade]) == len(SLOTS)
        assert all(tile is None or 0 <= tile.goods <= tile.capacity for tile in state.demand[trade])
        assert 0 <= state.printed[trade] <= 6
        assert not state.printed[trade] or state.demand[trade][1] is None
    rows = [own.asset for own in state.companies.values() if own.asset]
    assets = [*rows, *state.asset_deck, *(asset for asset in state.assets if asset)]
    assert len(assets) == len(set(assets)) <= len(ASSET_KEYS)
    assert sum(own.tokens for own in state.companies.values()) <= GOODS_TOKENS


def assert_partners(state: ShouldersState) -> None:
    for seat in range(state.seats):
        assert 0 <= state.ready[seat] <= state.partners[seat] <= 5
        assert state.options.advanced or state.certificates(seat) <= state.limit
        assert len(state.built[seat]) <= 5
    if not state.options.advanced:
        for seat, first in enumerate(state.first_companies):
            assert first is None or state.companies[first].director == seat
