"""Influence bid, start of a turn, and headlines. (S 1.5, 1.10, 7.8; phases 1–3b)"""

from __future__ import annotations

from fractions import Fraction

from game.engine.ledger import BANK, cash_of
from game.engine.modifiers import still_to_come
from game.engine.play import Play
from game.rulesets.sectors import numbers
from game.rulesets.sectors.actions import BidInfluence, PledgeHeadline
from game.rulesets.sectors.companies import open_company
from game.rulesets.sectors.events.opening import (
    BidRevealed,
    HeadlineOffered,
    HeadlinePaid,
    IpoDiscounted,
    PledgeDropped,
    PrioritySet,
)
from game.rulesets.sectors.phases.tranches import offer_tranches
from game.rulesets.sectors.sequence import has_headlines, is_tranche_turn
from game.rulesets.sectors.state import FLOATED, INACTIVE, LIVE, Headline, SectorsState
from game.rulesets.sectors.tables.common import HEADLINE_MOVES, HEADLINE_SLOTS, IPO_DISCOUNT
from game.rulesets.sectors.tables.names import LATER
from game.rulesets.sectors.tables.sectors import SECTORS


def take_bids(play: Play[SectorsState]) -> None:
    """Keep the bids for their resolution; seats without a bid bid 0. (S 1.5)"""
    bids = {action.actor: action.points for action in play.inputs_of(BidInfluence)}
    play.state.bids = {seat: bids.get(seat, 0) for seat in range(play.state.seats)}


def resolve_bids(play: Play[SectorsState]) -> None:
    """Set priority by the bids, ties drawn, and pay a dollar for every unused point. (S 1.5, A8)"""
    state = play.state
    state.priority = []
    for points in sorted(set(state.bids.values()), reverse=True):
        tied = [seat for seat, bid in state.bids.items() if bid == points]
        state.priority += play.chance.order("influence_tie", tied) if len(tied) > 1 else tied
    for place, seat in enumerate(state.priority, 1):
        refund = state.tables.influence_points - state.bids[seat]
        play.pay(BANK, cash_of(seat), refund, why="influence refund")
        play.emit(BidRevealed(seat=seat, points=state.bids[seat], refund=refund, priority=place))


def start_turn(play: Play[SectorsState]) -> None:
    """Begin a turn: reset what counts per turn, set priority, open companies, deal headlines and tranches, discount
    IPOs. (S 7.8)"""
    state = play.state
    _reset_turn(state)
    idle = [company for company in state.companies.values() if company.status == INACTIVE]
    _set_priority(play)
    if state.turn % state.tables.new_company_turns == 0:
        _open_companies(play)
    if has_headlines(state):
        _refresh_headlines(play)
    if is_tranche_turn(state):
        offer_tranches(play)
    if state.options.ipo_discount:
        for company in idle:
            company.ipo_price = max(IPO_DISCOUNT, company.ipo_price - IPO_DISCOUNT)
            play.emit(IpoDiscounted(company=company.ticker, price=company.ipo_price))


def _reset_turn(state: SectorsState) -> None:
    """Count the turn and reset what belonged to the last one."""
    state.turn += 1
    state.turn_is_over = False
    state.incomes = [0] * state.seats
    state.tranches = []
    state.sub_round, state.trades = 0, []
    state.queue, state.acted, state.executed, state.done = [], [], {}, {}
    state.orders = {key: order for key, order in state.orders.items() if order.status in LIVE}
    for company in state.companies.values():
        company.frozen_moves = company.produced = company.sold = company.revenue = 0
        company.choice = ""
        company.modifiers = still_to_come(company.modifiers, state.turn)


def _set_priority(play: Play[SectorsState]) -> None:
    """Give priority to the poorest first; equal net worths keep their order. (S 7.8, A70)"""
    state = play.state
    state.priority = sorted(state.priority, key=lambda seat: numbers.net_worth(state, seat))
    play.emit(PrioritySet(order=tuple(state.priority)))


def _open_companies(play: Play[SectorsState]) -> None:
    """Open a company in the sector with the highest average price, and one in every sector that has none left.
    (S 7.8)"""
    state = play.state
    richest = _richest_sector(state)
    empty = [
        s.key for s in numbers.sectors_in_order(state) if not numbers.companies_of(state, s.key, (*FLOATED, INACTIVE))
    ]
    openings = [(richest, state.tables.richest_sector_tier)] if richest else []
    if state.tables.dead_sector_tier:
        openings += [(sector, state.tables.dead_sector_tier) for sector in empty]
    for sector, tier in openings:
        open_company(play, sector, tier, LATER[sector])
        state.sectors[sector].base_demand += 1


def _richest_sector(state: SectorsState) -> str | None:
    """The sector with the highest exact average price of floated companies; a tie goes to the better sector priority.
    (R-5)"""
    averages: dict[str, Fraction] = {}
    for sector in numbers.sectors_in_order(state):
        prices = [company.price for company in numbers.companies_of(state, sector.key)]
        if prices:
            averages[sector.key] = Fraction(sum(prices), len(prices))
    return max(averages, key=lambda key: averages[key]) if averages else None


def _refresh_headlines(play: Play[SectorsState]) -> None:
    """Remove the first headline of a full row; the others move up and new ones fill the slots. (S 1.10, A12)"""
    state = play.state
    headlines = [headline for headline in state.headlines if headline is not None]
    headlines = headlines[1:] if len(headlines) == HEADLINE_SLOTS else headlines
    state.headlines = [*headlines, *(_draw_headline(play) for _ in range(HEADLINE_SLOTS - len(headlines)))]
    for slot, headline in enumerate(state.headlines, 1):
        if headline is not None and slot > len(headlines):
            title = SECTORS[headline.sector].title
            play.emit(HeadlineOffered(slot=slot, sector=title, move=headline.move, cost=headline.cost))


def _draw_headline(play: Play[SectorsState]) -> Headline:
    move = play.chance.pick("headline_delta", HEADLINE_MOVES)
    sector = play.chance.pick("headline_sector", list(play.state.sectors))
    return Headline(sector, move, play.state.tables.headline_costs[abs(move)])


def take_pledges(play: Play[SectorsState]) -> None:
    """Keep the pledges for phase 3b. (S 1.10)"""
    pledges = play.inputs_of(PledgeHeadline)
    play.state.pledges = {action.actor: action.headline for action in pledges}


def resolve_headlines(play: Play[SectorsState]) -> None:
    """Phase 3b: split each cost among those who can pay, move the sector, empty the slot. (S 1.10)"""
    state = play.state
    for slot, headline in enumerate(state.headlines, 1):
        pledged = state.by_priority([seat for seat, wanted in state.pledges.items() if wanted == slot])
        if headline is not None and pledged:
            _sell_headline(play, slot, headline, pledged)
    state.pledges = {}


def _sell_headline(play: Play[SectorsState], slot: int, headline: Headline, payers: list[int]) -> None:
    """Drop players who cannot pay their part and split the cost again, until all can pay or none is left. (A13)"""
    state = play.state
    while payers and (broke := [seat for seat in payers if state.cash(seat) < headline.cost // len(payers)]):
        for seat in broke:
            play.emit(PledgeDropped(seat=seat, share=headline.cost // len(payers), cash=state.cash(seat)))
        payers = [seat for seat in payers if seat not in broke]
    if not payers:
        return
    each = headline.cost // len(payers)
    for seat in payers:
        play.pay(cash_of(seat), BANK, each, why="headline")
    move_sector(state, headline.sector, headline.move)
    state.headlines[slot - 1] = None
    title, place = SECTORS[headline.sector].title, state.sectors[headline.sector].priority
    play.emit(HeadlinePaid(sector=title, move=headline.move, payers=tuple(payers), each=each, priority=place))


def move_sector(state: SectorsState, key: str, places: int) -> None:
    """Move a sector earlier (positive) or later; the sectors jumped over shift by one. (S 1.10)"""
    order = [sector.key for sector in numbers.sectors_in_order(state)]
    at = order.index(key)
    order.insert(min(max(at - places, 0), len(order) - 1), order.pop(at))
    for place, sector in enumerate(order, 1):
        state.sectors[sector].priority = place
