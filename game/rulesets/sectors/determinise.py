"""Builds a complete position from what one seat sees and draws the rest at random. Search bots continue such positions.
Only the view is used, so nothing hidden can leak."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine.chance import Chance
from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of, treasury_of
from game.engine.play import Play
from game.engine.position import AnyPosition, Position
from game.engine.search import cursor_of
from game.rulesets.sectors.effects import COMPANY_ACTIONS, RESEARCH_CARDS
from game.rulesets.sectors.effects.abilities import ABILITIES, give_ability
from game.rulesets.sectors.effects.prestige import INJECTION, PRESTIGE_SPACES, lay_track
from game.rulesets.sectors.effects.research import BLANK
from game.rulesets.sectors.ledger import ASIDE, IPO, MARKET, SectorsLedger, margin_of
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.state import (
    BANKRUPT,
    FLOATED,
    Company,
    Contract,
    Contribution,
    Headline,
    Order,
    Pool,
    Sector,
    SectorsState,
    Space,
)
from game.rulesets.sectors.tables.common import BLANKS
from game.rulesets.sectors.view import CompanyView, SectorsView

ABILITY_KEYS = {ability.title: key for key, ability in ABILITIES.items()}
ACTION_KEYS = {action.title: key for key, action in COMPANY_ACTIONS.items()}
CARD_KEYS = {card.title: key for key, card in RESEARCH_CARDS.items()}
SPACE_KEYS = {space.title: key for key, space in PRESTIGE_SPACES.items()}
LASTING_CARDS = {"economies_of_scale", "automation"}  # the effects of all other cards are over
SETTLED = {"start_turn"}  # phases before which the last turn is over


def determinise(view: SectorsView, chance: Chance) -> AnyPosition:
    """A position that looks the same to the view's seat. `chance` draws only the deck and the coming spaces of the
    prestige track; sealed inputs of others are left out, so that they decide again."""
    state = _table(view)
    for company in sorted(view.companies, key=lambda c: c.status == BANKRUPT):
        _open(state, company)
    _give_effects(state, view, chance)
    _fund(state, view)
    state.deck, state.track = _deck(view, chance), _track(view, chance)
    return Position(state, cursor_of(view))


def _table(view: SectorsView) -> SectorsState:
    """Everything except companies, money and draws."""
    assert view.phase is not None
    name = view.phase.name
    return SectorsState(
        seats=len(view.players),
        turn=view.turn,
        options=Options(**view.options),
        priority=[player.seat for player in view.players],
        sectors={sector.key: _sector(view, sector) for sector in sorted(view.sectors, key=lambda s: s.priority)},
        pool=view.pool,
        economy=view.economy,
        marker=view.track.index,
        passed=sorted(view.track.seen),
        headlines=_headlines(view),
        tranches=[Pool(each.sector, each.cash, each.prestige, each.winner) for each in view.tranches],
        contracts={each.id: _contract(each) for each in view.contracts},
        orders={each.id: _order(each) for each in view.orders if each.kind is not None},
        next_id=1 + max([*(each.id for each in view.orders), *(each.id for each in view.contracts)], default=0),
        sub_round=view.phase.sub_round - (name == "stock_orders"),
        bids={player.seat: player.bid for player in view.players if player.bid is not None},
        incomes=[view.player(seat).income for seat in range(len(view.players))],
        queue=list(view.queue),
        acted=[ticker for ticker in view.queue if view.company(ticker).has_acted],
        done={c.ticker: [ACTION_KEYS[title] for title in c.done] for c in view.companies if c.done},
        contribution=Contribution(view.company(view.acting).contributed if view.acting else 0),
        turn_is_over=name in SETTLED,
        resigned=view.left or msgspec.UNSET,
    )


def _headlines(view: SectorsView) -> list[Headline | None]:
    """The headlines by slot, up to the last one on offer; None for a headline that was sold."""
    on_offer = {each.slot: Headline(each.sector, each.move, each.cost) for each in view.headlines}
    return [on_offer.get(slot) for slot in range(1, max(on_offer, default=0) + 1)]


def _sector(view: SectorsView, sector: Any) -> Sector:
    has_floated = view.economy_moves or any(company.status in (*FLOATED, BANKRUPT) for company in sector.companies)
    return Sector(
        sector.key, sector.priority, sector.base_demand, sector.temporary_demand, sector.consumers, has_floated
    )


def _contract(contract: Any) -> Contract:
    age = 0 if contract.turns_left is None else contract.term - contract.turns_left
    return Contract(
        contract.id,
        contract.company,
        contract.term,
        contract.shares,
        contract.bonus,
        contract.strike,
        contract.premium,
        contract.owner,
        age,
    )


def _order(order: Any) -> Order:
    return Order(
        order.id, order.seat, order.kind, order.company, order.quantity or 0, order.side or "buy", order.location,
        order.price or 0, order.contract, order.status, order.turn, order.sub_round, order.paid or 0, order.margin or 0,
        shown="all", reason=order.reason,
    )  # fmt: skip


def _open(state: SectorsState, company: CompanyView) -> None:
    """A company with its shares; its effects and its money are added later."""
    state.companies[company.ticker] = Company(
        company.ticker,
        company.name,
        company.sector,
        company.tier,
        len(state.companies),
        company.step,
        company.ipo_price,
        company.unit_price,
        status=company.status,
        filled=company.filled,
        base_demand=company.base_demand,
        temporary_demand=company.temporary_demand,
        base_supply=company.supply - company.tier_supply - company.temporary_supply,
        temporary_supply=company.temporary_supply,
        prestige=company.prestige,
        has_loan=company.has_loan,
        cards=[CARD_KEYS[title] for title in company.cards],
        produced=company.produced,
        sold=company.sold,
        revenue=company.revenue,
        choice=company.choice,
    )
    places = {IPO: company.ipo, MARKET: company.market, ASIDE: company.aside}
    state.ledger.shares[company.ticker] = places | {hand_of(seat): held for seat, held in company.holdings.items()}


def _give_effects(state: SectorsState, view: SectorsView, chance: Chance) -> None:
    """Add the lasting effects by carrying out again what caused them."""
    play = Play(state, state.ledger, chance, {})
    for company_view in view.companies:
        company = state.companies[company_view.ticker]
        for title in company_view.abilities:
            give_ability(state, ABILITY_KEYS[title], company)
        for key in LASTING_CARDS.intersection(company.cards):
            RESEARCH_CARDS[key].body(play, company)
        state.turn = (
            view.turn if company_view.has_acted else view.turn - 1
        )  # an effect may begin the turn after it was caused
        for title in company_view.effects:
            COMPANY_ACTIONS[ACTION_KEYS[title]].body(play, company)
        state.turn = view.turn


def _fund(state: SectorsState, view: SectorsView) -> None:
    """Fund every visible account; the outside account holds the balance, so that the total is zero."""
    cash = {BANK: view.bank} | {treasury_of(company.ticker): company.treasury for company in view.companies}
    for player in view.players:
        cash |= {cash_of(player.seat): player.cash, margin_of(player.seat): player.margin}
    cash[OUTSIDE] = -sum(cash.values())
    state.ledger = SectorsLedger(cash, state.ledger.shares, 0 if view.bank_broke else None)


def _deck(view: SectorsView, chance: Chance) -> list[str]:
    """A deck of as many cards as are left: the blanks not drawn yet, and findings drawn at random, each equally
    likely."""
    drawn = sum(title == RESEARCH_CARDS[BLANK].title for company in view.companies for title in company.cards)
    blanks = min(BLANKS - drawn, view.deck_left)
    findings = [key for key in RESEARCH_CARDS if key != BLANK]
    return [BLANK] * blanks + [chance.pick("deck", findings) for _ in range(view.deck_left - blanks)]


def _track(view: SectorsView, chance: Chance) -> list[Space]:
    """The prestige track: spaces that were seen, and the others drawn at random."""
    track = lay_track(chance)
    for index, title in view.track.seen.items():
        key = SPACE_KEYS[title]
        track[index] = Space(key, view.track.injection if key == INJECTION else 0)
    track[view.track.index] = Space(view.track.kind, view.track.injection)
    return track
