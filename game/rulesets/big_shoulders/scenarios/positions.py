"""Positions of City of the Big Shoulders as scenarios describe them, and the states built from them."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of, treasury_of
from game.engine.scenarios.language import DescriptionError, known
from game.engine.scenarios.standing import Count, Given, Situation, is_in_front, row_named, stand_at
from game.rulesets.big_shoulders.effects import ASSET_KEYS, LAST_START_ASSET, START_ASSETS, TILES, Asset, Space
from game.rulesets.big_shoulders.flow import flow_of
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.scenarios.notation import certificates_in, cubes_in
from game.rulesets.big_shoulders.setup import setup
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
    Operation,
    ShouldersState,
    certificate,
    staff_of,
)
from game.rulesets.big_shoulders.tables import (
    COMPANIES,
    COMPANY_KEYS,
    CUBES,
    DIRECTOR,
    HAYMARKET_START,
    ISSUED,
    STARTING_CASH,
    VALUES,
    Company,
    Trade,
)

Small = Annotated[int, Meta(ge=0, le=99)]
POOL = "pool"


class PlayerDescription(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The possessions of a player."""

    cash: Count = STARTING_CASH
    partners: Small | None = None
    ready: Small | None = None
    hand: list[int] = []
    built: list[int] = []
    sold: list[Company] = []
    first_company: Company | None = None
    had_appeal_partner: bool = False
    had_factory_partner: bool = False


class CompanyDescription(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The condition of a company that has started."""

    held: dict[str, str] = {}
    value: int = 50
    cash: Count = 0
    appeal: Small | None = None
    goods: Small = 0
    tokens: Small = 0
    salespeople: Small = 0
    asset: Asset | None = None
    exhausted: bool = False
    factories: list[str] = []
    cubes: str = ""


class OperationDescription(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The company that operates now, and how far it has come."""

    company: Company
    runs: Small = 0
    revenue: Count = 0
    raised: bool = False
    bought: bool = False
    stopped: bool = False
    sold: bool = False
    paid: bool = False


class ShouldersDescription(Given, kw_only=True, forbid_unknown_fields=True):
    """A position of City of the Big Shoulders."""

    turn: Annotated[int, Meta(ge=1, le=5)] = 2
    players: dict[str, PlayerDescription] = {}
    companies: dict[Company, CompanyDescription] = {}
    acting: str = ""
    priority: str = ""
    last: str = ""  # the last dealer
    passes: Small = 0
    order: list[str] = []
    next_order: list[str] = []
    placed: bool = False
    used: list[Space] = []
    market: Annotated[int, Meta(ge=0, le=12)] = 4
    supply: dict[Literal["10", "20", "30", "X"], str] = {}
    haymarket: str = "LLSSCCWW"
    bag: str | None = None
    assets: list[Asset | None] = []
    asset_deck: list[Asset] | None = None
    demand: dict[Trade, list[str]] = {}
    demand_left: dict[int, list[int]] | None = None
    printed: dict[Trade, Small] = {}  # goods on the spaces printed on the board
    goals: list[int] = []
    operation: OperationDescription | None = None
    operating: list[Company] = []
    options: Options = msgspec.field(default_factory=Options)


def stand(given: ShouldersDescription) -> Situation:
    """The described state, with the described phase open. Raises `DescriptionError`."""
    state = setup(given.options, len(given.players))
    state.turn = given.turn
    for company, words in given.companies.items():
        _start(state, given, company, words)
    _fill_purses(state, given)
    _lay_out_tiles(state, given)
    _fill_supply(state, given)
    _fill_boards(state, given)
    _give_the_turn(state, given)
    return stand_at(flow_of(given.options.advanced), given, state)


def _seat(given: ShouldersDescription, name: str) -> int:
    names = list(given.players)
    return names.index(known(name, names, "player"))


def _start(state: ShouldersState, given: ShouldersDescription, company: Company, words: CompanyDescription) -> None:
    """Start a company. Certificates that nobody is said to hold are in its treasury. Of companies on one space of the
    appeal track, the one described first is ahead."""
    row, treasury = COMPANIES[company], treasury_of(company)
    for kind, number in ISSUED.items():
        state.ledger.hand_over(certificate(company, kind), UNISSUED, treasury, number)
    for holder, held in words.held.items():
        place = BANK if holder == POOL else hand_of(_seat(given, holder))
        for kind, number in certificates_in(held).items():
            if number > state.in_treasury(company, kind):
                raise DescriptionError(f"there are fewer than {number} {kind} of {company} for {holder}")
            state.ledger.hand_over(certificate(company, kind), treasury, place, number)
    directors = [seat for seat in range(state.seats) if state.held(seat, company, DIRECTOR)]
    if not directors:
        raise DescriptionError(f"nobody holds the director's certificate of {company}; write held: {{ada: D}}")
    if words.value not in VALUES:
        raise DescriptionError(f"{words.value} is not a value; the values are {', '.join(map(str, VALUES))}")
    own = CompanyState(
        director=directors[0],
        value=VALUES.index(words.value),
        appeal=row.appeal if words.appeal is None else words.appeal,
        factories=[FactoryState() for _ in row.factories],
        goods=words.goods,
        tokens=words.tokens,
        salespeople=words.salespeople,
        asset=words.asset,
        is_exhausted=words.exhausted,
    )
    state.companies[company] = own
    state.track.insert(sum(state.companies[other].appeal >= own.appeal for other in state.track), company)
    state.ledger.pay(OUTSIDE, treasury, words.cash)
    _staff(state, company, words.factories)
    for cube, number in cubes_in(words.cubes).items():
        state.ledger.hand_over(cube, BAG, company, number)


def _staff(state: ShouldersState, company: Company, factories: list[str]) -> None:
    for at, staff in enumerate(factories):
        if at >= len(COMPANIES[company].factories) or not re.fullmatch(r"w*a*m?", staff):
            raise DescriptionError(f"“{staff}” cannot staff factory {at + 1} of {company}: use w, a, m in this order")
        state.ledger.hand_over(WORKERS, SUPPLY, staff_of(company, at + 1), staff.count("w"))
        own = state.companies[company].factories[at]
        own.automated, own.has_manager = staff.count("a"), "m" in staff
        if state.free_spaces(company)[at] < 0:
            raise DescriptionError(f"factory {at + 1} of {company} has fewer spaces than “{staff}”")


def _fill_purses(state: ShouldersState, given: ShouldersDescription) -> None:
    for seat, player in enumerate(given.players.values()):
        state.ledger.pay(OUTSIDE, cash_of(seat), player.cash)
        if player.partners is not None:
            state.partners[seat] = player.partners
        state.ready[seat] = state.partners[seat] if player.ready is None else player.ready
        state.sold[seat] = list(player.sold)
        own = state.directed_by(seat)
        if given.phase != "first_company" or own:
            state.first_companies[seat] = player.first_company or (own[0] if own else COMPANY_KEYS[seat])
        if player.had_appeal_partner:
            state.appeal_partners.append(seat)
        if player.had_factory_partner:
            state.factory_partners.append(seat)


def _lay_out_tiles(state: ShouldersState, given: ShouldersDescription) -> None:
    """Hands and built tiles. Nobody has a tile of somebody else, or one that is not used with this many players."""
    for seat, (name, player) in enumerate(given.players.items()):
        for tile in (*player.hand, *player.built):
            deck = state.era_decks[TILES[tile].era] if tile in TILES else []
            if tile not in deck:
                raise DescriptionError(f"{name} cannot have tile {tile}")
            deck.remove(tile)
        state.hands[seat], state.built[seat] = list(player.hand), list(player.built)


def _fill_supply(state: ShouldersState, given: ShouldersDescription) -> None:
    """Cubes that are nowhere else are in the bag. If the bag is described, the last company has the rest."""
    for cube in CUBES:
        state.ledger.hand_over(cube, HAYMARKET, BAG, HAYMARKET_START)
    for place, letters in (*given.supply.items(), (HAYMARKET, given.haymarket)):
        for cube, number in cubes_in(letters).items():
            if number > state.cubes(cube, BAG):
                raise DescriptionError(f"there are not enough {cube} cubes for “{letters}”")
            state.ledger.hand_over(cube, BAG, place, number)
    if given.bag is not None:
        left = cubes_in(given.bag)
        for cube in CUBES:
            surplus = state.cubes(cube, BAG) - left.get(cube, 0)
            state.ledger.hand_over(cube, BAG, _spare_company(given), surplus)


def _spare_company(given: ShouldersDescription) -> str:
    """The place of cubes that are neither in the bag nor described to be elsewhere."""
    if not given.companies:
        raise DescriptionError("describe a company: it takes the cubes that are neither in the bag nor anywhere else")
    return list(given.companies)[-1]


def _fill_boards(state: ShouldersState, given: ShouldersDescription) -> None:
    state.ledger.hand_over(WORKERS, MARKET, SUPPLY, state.market)
    state.ledger.hand_over(WORKERS, SUPPLY, MARKET, given.market)
    assets = [own.asset for own in state.companies.values() if own.asset]
    row = list(given.assets) or [*START_ASSETS, LAST_START_ASSET]
    state.assets = [*(asset for asset in row if asset not in assets), *[None] * 5][:5]
    left = [asset for asset in ASSET_KEYS if asset not in (*assets, *row, *START_ASSETS, LAST_START_ASSET)]
    state.asset_deck = left if given.asset_deck is None else list(given.asset_deck)
    for trade, row_words in given.demand.items():
        for column, words in enumerate(row_words):
            if words:
                state.demand[trade][column] = _tile(state, words)
    if given.demand_left is not None:
        state.demand_deck = {pips: given.demand_left.get(pips, []) for pips in state.demand_deck}
    state.printed |= given.printed
    state.goals = list(given.goals)
    state.used = list(given.used)


def _tile(state: ShouldersState, words: str) -> DemandTile:
    """`3/1`: a tile of capacity 3 with one good, from the deck with the lowest pips that still has such a tile."""
    capacity, _, goods = words.partition("/")
    pips = next((pips for pips, left in state.demand_deck.items() if int(capacity) in left), None)
    if pips is None:
        raise DescriptionError(f"no demand tile of capacity {capacity} is left")
    state.demand_deck[pips].remove(int(capacity))
    return DemandTile(pips, int(capacity), int(goods or 0))


def _give_the_turn(state: ShouldersState, given: ShouldersDescription) -> None:
    """Set the seat to act, and those after it."""
    seats = list(range(state.seats))
    state.order = [_seat(given, name) for name in given.order] or seats
    state.next_order = [_seat(given, name) for name in given.next_order] or list(state.order)
    state.priority = _seat(given, given.priority) if given.priority else 0
    state.last_dealer = _seat(given, given.last) if given.last else None
    state.passes, state.has_placed = given.passes, given.placed
    state.is_setting_up = given.phase == "first_company"
    acting = _seat(given, given.acting) if given.acting else None
    is_open = not is_in_front(given, row_named(flow_of(given.options.advanced), given.phase))
    if given.phase == "stock":
        first = state.priority if acting is None else acting
        state.queue = [(first + step) % state.seats for step in range(state.seats)]
    elif given.phase == "first_company":
        first = 0 if acting is None else acting
        others = [(first - step) % state.seats for step in range(state.seats)]
        state.queue = [seat for seat in others if state.first_companies[seat] is None]
    elif given.phase == "action":
        first = state.order[0] if acting is None else acting
        state.sequence = state.order[state.order.index(first) :]
    if is_open and given.phase in ("stock", "first_company"):
        state.acting = state.queue.pop(0)
    elif is_open and given.phase == "action":
        state.acting = state.sequence.pop(0)
    _open_operation(state, given, is_open=is_open)


def _open_operation(state: ShouldersState, given: ShouldersDescription, *, is_open: bool) -> None:
    if given.phase != "operation":
        return
    words = given.operation
    state.operating = list(given.operating)
    if words is None:
        raise DescriptionError("say which company operates: operation: {company: swift}")
    if words.company not in state.companies:
        raise DescriptionError(f"{words.company} has not started")
    if not is_open:
        state.operating = [words.company, *state.operating]
        return
    state.operation = Operation(
        company=words.company,
        has_raised=words.raised,
        has_bought=words.bought,
        has_stopped=words.stopped,
        has_sold=words.sold,
        runs=words.runs,
        revenue=words.revenue,
        is_paid=words.paid,
    )
    state.acting = state.companies[words.company].director
