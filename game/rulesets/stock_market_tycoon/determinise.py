"""Builds a complete position from what one seat sees, and draws the other hands. Search bots continue such positions.
It uses nothing but the view, so it cannot leak anything hidden."""

from __future__ import annotations

from collections import Counter

from game.engine.chance import Chance
from game.engine.ledger import BANK, OUTSIDE, Ledger, cash_of, hand_of
from game.engine.position import AnyPosition, Position
from game.engine.search import cursor_of
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.state import ESCROW, RETIRED, Office, OwnedCard, TycoonState
from game.rulesets.stock_market_tycoon.tables import Company
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView


def determinise(view: TycoonView, chance: Chance) -> AnyPosition:
    """A position that looks the same to the view's seat. `chance` draws the hands of the others, and a card that one of
    them withheld; sealed inputs of others are left out, so that they decide again. Only for office holders is it known
    who reached a threshold first."""
    hands = _hands(view, chance)
    state = TycoonState(
        seats=len(view.players),
        turn=view.turn,
        options=Options(**view.options),
        ledger=_ledger(view),
        dealer=view.dealer_seat,
        order=list(view.order),
        sub_round=view.sub_round,
        queue=list(view.queue),
        acting=view.acting_seat,
        prices={company.key: company.price for company in view.companies},
        closes=[{company.key: company.closes[year] for company in view.companies} for year in _years(view)],
        offices={company.key: _office(view, company) for company in view.companies},
        movements=1,
        rates={company.key: company.rate for company in view.companies},
        hands=hands,
        bought=[company.key for company in view.companies if company.was_bought],
        windows=[company.key for company in view.companies if company.has_rights_issue],
        shorts=list(view.shorts),
        contracts=list(view.contracts),
        buyback=view.buyback,
        withheld=_withheld(view, hands, chance),
        revealed=list(view.revealed),
        struck=list(view.struck),
        debts=[view.player(seat).debt for seat in range(len(view.players))],
        bankrupts=list(view.bankrupts),
        year_end=view.year_end,
        resigned=view.left or TycoonState(seats=0).resigned,
    )
    return Position(state, cursor_of(view))


def _years(view: TycoonView) -> range:
    return range(len(view.companies[0].closes))


def _ledger(view: TycoonView) -> Ledger:
    """Everybody's money and shares; the outside account holds the balance, so that the total is zero."""
    cash = {BANK: 0} | {cash_of(player.seat): player.cash for player in view.players}
    if view.buyback:
        cash[ESCROW] = view.buyback.shares * view.buyback.price
    cash[OUTSIDE] = -sum(cash.values())
    shares = {
        company.key: {BANK: company.pool, RETIRED: company.retired}
        | {hand_of(player.seat): player.shares.get(company.key, 0) for player in view.players}
        for company in view.companies
    }
    return Ledger(cash, {key: {place: held for place, held in at.items() if held} for key, at in shares.items()})


def _office(view: TycoonView, company: CompanyView) -> Office:
    """An office whose holders have been at their thresholds longest."""
    held = {player.seat: player.shares.get(company.key, 0) for player in view.players}
    first = {company.chairman_seat, company.director_seat}
    return Office(
        company.chairman_seat,
        company.director_seat,
        {seat: seat not in first for seat, shares in held.items() if shares >= company.for_chairman},
        {seat: seat not in first for seat, shares in held.items() if shares >= company.for_director},
    )


def _hands(view: TycoonView, chance: Chance) -> list[list[str]]:
    """The seat's own hand, and for each other seat the cards that it has shown, filled up with drawn ones."""
    open_cards = [(owned.seat, owned.card) for owned in (*view.revealed, *view.struck)]
    hands = [
        list(player.hand) if player.is_you else [card for seat, card in open_cards if seat == player.seat]
        for player in sorted(view.players, key=lambda player: player.seat)
    ]
    rest = Counter(cards.deck_of(view.variant))
    rest.subtract(card for hand in hands for card in hand)
    deck = list(rest.elements())
    for seat, hand in enumerate(hands):
        for card in chance.sample("hand", deck, view.player(seat).cards - len(hand)):
            deck.remove(card)
            hand.append(card)
    return hands


def _withheld(view: TycoonView, hands: list[list[str]], chance: Chance) -> dict[Company, OwnedCard]:
    """A card that its Director holds and has not shown, for each company of which one was withheld."""
    withheld = {}
    for company in view.companies:
        if company.has_withheld_card and company.director_seat is not None:
            own = Counter(cards.cards_of(company.key, hands[company.director_seat]))
            own.subtract(owned.card for owned in (*view.revealed, *view.struck) if owned.seat == company.director_seat)
            if secret := list(own.elements()):
                withheld[company.key] = OwnedCard(company.director_seat, chance.pick("withheld", secret))
    return withheld
