"""Builds a complete position from what one seat sees, and draws hands, discards and decks. Search bots continue such
positions. It uses nothing but the view, so it cannot leak anything hidden."""

from __future__ import annotations

from collections import Counter

from game.engine.chance import Chance
from game.engine.ledger import BANK, OUTSIDE, Ledger, cash_of, hand_of, treasury_of
from game.engine.position import AnyPosition, Position
from game.engine.search import cursor_of
from game.rulesets.big_shoulders.effects import ASSET_KEYS, ERAS, LAST_START_ASSET, START_ASSETS, TILES, Asset, tiles_of
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.setup import ALL_WORKERS
from game.rulesets.big_shoulders.state import (
    BAG,
    HAYMARKET,
    MARKET,
    SUPPLY,
    UNISSUED,
    WORKERS,
    CompanyState,
    DemandTile,
    FactoryState,
    ShouldersState,
    certificate,
    staff_of,
    unissued,
)
from game.rulesets.big_shoulders.tables import (
    APPEAL_BONUSES,
    DECADES,
    DEMAND,
    HAND_SIZE,
    PARTNERS,
    PARTNERS_DECADE,
    SLOTS,
    TRADES,
    VALUES,
    Trade,
    demand_of,
)
from game.rulesets.big_shoulders.view import CompanyView, ShouldersSeat, ShouldersView

PARTNER_SPACE = next(space for space, bonus in APPEAL_BONUSES.items() if bonus == "partner")
DEALT_AGAIN = 2  # tiles that fill a hand up from the second decade on


def determinise(view: ShouldersView, chance: Chance) -> AnyPosition:
    """A position that looks the same to the view's seat. `chance` draws the tiles of the others and those of the decks,
    the demand tiles and the assets to come; sealed inputs of others and standing orders are left out, so that they
    decide again. A turn that should end after an open bonus must be ended explicitly."""
    state = _table(view)
    _note_progress(state, view)
    _note_partners(state, view)
    state.asset_deck = _asset_deck(view, chance)
    _lay_demand(state, view, chance)
    _deal(state, view, chance)
    return Position(state, cursor_of(view))


def _table(view: ShouldersView) -> ShouldersState:
    """The players, the companies and everything else that is public."""
    players = sorted(view.players, key=lambda player: player.seat)
    return ShouldersState(
        seats=len(players),
        turn=view.turn,
        options=Options(**view.options),
        ledger=_ledger(view),
        companies={company.key: _company(company) for company in view.companies if company.is_started},
        track=[row.key for row in sorted(view.companies, key=lambda row: row.rank) if row.is_started],
        sold=[list(player.sold_this_decade) for player in players],  # type: ignore[arg-type]
        partners=[player.partners for player in players],
        ready=[player.ready_partners for player in players],
        first_companies=[player.first_company or None for player in players],  # type: ignore[misc]
        built=[list(player.built) for player in players],
        assets=list(view.assets),
        goals=[row.goal for row in view.goals],
        awards=[0] * len(players),
        resigned=view.left or ShouldersState(seats=0).resigned,
    )


def _note_progress(state: ShouldersState, view: ShouldersView) -> None:
    """Note whose turn it is and who is next, and what has been done in this turn and decade."""
    assert view.phase is not None
    state.is_setting_up = view.phase.name == "first_company"
    state.acting, state.queue = view.acting_seat, list(view.queue)
    state.priority, state.passes, state.last_dealer = view.priority_seat, view.passes, _last_dealer(view)
    state.has_sold, state.has_placed = view.has_sold, view.has_placed
    state.order, state.next_order, state.sequence = list(view.order), list(view.next_order), list(view.sequence)
    state.used, state.visits, state.owed = list(view.used), list(view.visits), list(view.owed)
    state.operation, state.operating = view.operation, list(view.operating)


def _company(company: CompanyView) -> CompanyState:
    assert company.director_seat is not None
    return CompanyState(
        director=company.director_seat,
        value=VALUES.index(company.price),
        appeal=company.appeal,
        factories=[FactoryState(factory.automated, factory.has_manager) for factory in company.factories],
        goods=company.goods,
        tokens=company.tokens,
        salespeople=company.salespeople,
        asset=company.asset,
        is_exhausted=company.is_exhausted,
    )


def _ledger(view: ShouldersView) -> Ledger:
    """Everybody's money, certificates, workers and cubes; the outside account holds the balance, so that the total is
    zero."""
    started = [company for company in view.companies if company.is_started]
    cash = {BANK: 0} | {cash_of(player.seat): player.cash for player in view.players}
    cash |= {treasury_of(company.key): company.cash for company in started}
    cash[OUTSIDE] = -sum(cash.values())
    shares = unissued()
    for company in started:
        for place, kinds in ((treasury_of(company.key), company.treasury), (BANK, company.pool)):
            for kind, number in kinds.items():
                _move(shares[certificate(company.key, kind)], place, number)
    for player in view.players:
        for name, number in player.certificates.items():
            _move(shares[name], hand_of(player.seat), number)
    places = {BAG: view.bag, HAYMARKET: view.haymarket} | view.supply
    for place, cubes in (places | {company.key: company.cubes for company in started}).items():
        for cube, number in cubes.items():
            shares.setdefault(cube, {})[place] = number
    staff = {staff_of(row.key, at): one.workers for row in started for at, one in enumerate(row.factories, 1)}
    shares[WORKERS] = {SUPPLY: ALL_WORKERS - view.market - sum(staff.values()), MARKET: view.market} | staff
    return Ledger(cash, {name: {place: held for place, held in at.items() if held} for name, at in shares.items()})


def _move(places: dict[str, int], to: str, number: int) -> None:
    places[UNISSUED] -= number
    places[to] = places.get(to, 0) + number


def _last_dealer(view: ShouldersView) -> int | None:
    """The seat that sold, bought or started last in the stock phase: the one before all that have passed since. While
    none has, the seat with which the marker stays in place."""
    assert view.phase is not None
    if view.phase.name != "stock" or view.acting_seat is None:
        return None
    return view.acting_seat if view.has_sold else (view.acting_seat - view.passes - 1) % len(view.players)


def _note_partners(state: ShouldersState, view: ShouldersView) -> None:
    """Note which seats have had the partner of the appeal track and the one for factories, judged by their numbers of
    partners. (B-37)"""
    leading = {row.director_seat for row in view.companies if row.is_started and row.appeal >= PARTNER_SPACE}
    for player in view.players:
        gained = player.partners - PARTNERS - (len(player.built) >= PARTNERS_DECADE)
        is_of_track = gained > 1 or (gained == 1 and player.seat in leading)
        if is_of_track:
            state.appeal_partners.append(player.seat)
        if gained > is_of_track:
            state.factory_partners.append(player.seat)


def _asset_deck(view: ShouldersView, chance: Chance) -> list[Asset]:
    """A deck drawn among the assets that are neither in the row nor with a company; some of those have left the
    game."""
    seen = {*START_ASSETS, LAST_START_ASSET, *view.assets, *(company.asset for company in view.companies)}
    return chance.sample("asset", [asset for asset in ASSET_KEYS if asset not in seen], view.assets_left)


def _lay_demand(state: ShouldersState, view: ShouldersView, chance: Chance) -> None:
    """The tiles on the board, and decks drawn among those that are not there."""
    board: dict[Trade, list[DemandTile | None]] = {trade: [] for trade in TRADES}
    for slot in view.demand:
        board[slot.trade].append(None if slot.is_printed else DemandTile(slot.pips, slot.capacity, slot.goods))
    state.demand = board
    state.printed = {slot.trade: slot.goods * slot.is_printed for slot in view.demand if slot.slot == SLOTS[1]}
    for pips in DEMAND:
        rest = Counter(demand_of(pips, state.seats))
        rest.subtract(slot.capacity for slot in view.demand if slot.pips == pips and not slot.is_printed)
        state.demand_deck[pips] = sorted(chance.sample("demand", sorted(rest.elements()), view.demand_left[pips]))


# --- building tiles


def _deal(state: ShouldersState, view: ShouldersView, chance: Chance) -> None:
    """Deal hands: the seat's own tiles, and to each other seat as many of each era as it was dealt and has not built,
    the newest in hand. This is always possible. (BS 6.1)"""
    own = next((player for player in view.players if player.is_you), None)
    seen = {tile for built in state.built for tile in built}
    seen |= {*own.hand, *own.discarded} if own else set()
    unseen = {
        era: chance.order("tiles", [tile for tile in tiles_of(era, state.seats) if tile not in seen])
        for era in view.tiles_left
    }
    for player in sorted(view.players, key=lambda player: player.seat):
        hidden = [] if player.is_you else _hidden_tiles(player, unseen)
        hand = list(player.hand) if player.is_you else hidden[: player.hand_size]
        state.hands.append(sorted(hand))
        state.discarded.append(list(player.discarded) if player.is_you else hidden[player.hand_size :])
    state.era_decks = {era: sorted(tiles) for era, tiles in unseen.items()}


def _hidden_tiles(player: ShouldersSeat, unseen: dict[int, list[int]]) -> list[int]:
    """What a seat was dealt and has not built, taken from the unseen tiles, the newest eras first."""
    decades = min(DECADES, len(player.built) + (player.hand_size == HAND_SIZE))
    counts = Counter({ERAS[1]: HAND_SIZE - DEALT_AGAIN})
    for decade in range(1, decades + 1):
        counts[ERAS[decade]] += DEALT_AGAIN
    counts.subtract(TILES[tile].era for tile in player.built)
    hidden: list[int] = []
    for era in sorted(counts, reverse=True):
        hidden += [unseen[era].pop() for _ in range(min(counts[era], len(unseen[era])))]
    return hidden
