"""What holds in every position of Stock Market Tycoon that play can reach."""

from __future__ import annotations

from collections import Counter

from game.engine.ledger import BANK, hand_of
from game.rulesets.stock_market_tycoon.cards import deck_of, sum_of
from game.rulesets.stock_market_tycoon.state import ESCROW, RETIRED, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, HAND_SIZE, LOT, RIGHTS_RATIO, SHORT_CAP, Company


def assert_sound(state: TycoonState) -> None:
    """Shares, cash, caps, offices and cards."""
    assert all(state.cash(seat) >= 0 and state.debts[seat] >= 0 for seat in range(state.seats))
    assert state.ledger.balance(ESCROW) == (state.buyback.shares * state.buyback.price if state.buyback else 0)
    assert len(state.closes) == state.turn + (state.end == "years")
    for company in COMPANY_KEYS:
        assert_shares(state, company)
        assert_caps(state, company)
        assert_offices(state, company)
    assert_cards(state)
    assert_year_end(state)
    for seat in state.bankrupts:
        assert (state.cash(seat), state.debts[seat], state.hands[seat]) == (0, 0, [])
        assert state.ledger.held_in(hand_of(seat)) == {}
    if state.end == "survivor":
        assert len(state.active) == 1


def assert_year_end(state: TycoonState) -> None:
    """The report on the last end of a year adds up to its prices. (ST 5)"""
    report = state.year_end
    if report is None or not report.changes:
        return
    counted = Counter(card.card for card in report.shown) - Counter(card.card for card in report.struck)
    for change in report.changes:
        assert change.total == sum_of(change.company, counted.elements())
        assert change.price == max(0, change.was + change.total)
    if report.worths_after:
        prices = {change.company: change.price for change in report.changes}
        prices |= {suspension.company: suspension.price for suspension in report.suspensions}
        assert state.closes[report.year] == prices


def assert_shares(state: TycoonState, company: Company) -> None:
    """Bank, players and retired shares add up to the issue; a price is a whole number and not below 0."""
    places = state.ledger.shares[company]
    assert sum(places.values()) == state.options.numbers.shares_per_company
    assert set(places) <= {BANK, RETIRED, *map(hand_of, range(state.seats))}
    assert min(places.values()) >= 0
    assert type(state.prices[company]) is int
    assert state.prices[company] >= 0


def assert_caps(state: TycoonState, company: Company) -> None:
    shorts = [short for short in state.shorts if short.company == company]
    contracts = [contract for contract in state.contracts if contract.company == company]
    assert sum(short.shares for short in shorts) <= SHORT_CAP
    assert sum(one.shares for one in contracts) <= state.options.numbers.shares_per_company // 5
    assert not any(short.shares % LOT for short in shorts)
    assert not any(contract.shares % LOT for contract in contracts)
    assert state.options.has_shorts or not shorts
    assert state.options.has_options or not contracts
    assert len(state.windows) <= 2 * RIGHTS_RATIO


def assert_offices(state: TycoonState, company: Company) -> None:
    """Whoever holds one is at its threshold, and nobody is passed over. (ST 4.12)"""
    office, outstanding, numbers = state.offices[company], state.outstanding(company), state.options.numbers
    held = {seat: state.held(seat, company) for seat in range(state.seats)}
    for_chair = {
        seat for seat, shares in held.items() if shares and 100 * shares >= numbers.chairman_percent * outstanding
    }
    for_director = {
        seat
        for seat, shares in held.items()
        if shares and 100 * shares >= numbers.director_percent * outstanding and seat != office.chairman
    }
    assert set(office.at_chairman) == for_chair
    assert (office.chairman in for_chair) if for_chair else office.chairman is None
    if not for_director:
        assert office.director is None
    else:
        assert office.director in for_director
        assert held[office.director] == max(held[seat] for seat in for_director)


def assert_cards(state: TycoonState) -> None:
    """Nobody holds a card that the deck does not have."""
    deck = Counter(deck_of(state.options.variant))
    assert not Counter(card for hand in state.hands for card in hand) - deck
    most = HAND_SIZE + (len(COMPANY_KEYS) if state.options.director_keeps_card else 0)
    assert all(len(hand) <= most for hand in state.hands)
    for shown in (*state.revealed, *state.struck, *state.withheld.values()):
        assert shown.card in state.hands[shown.seat]
    shown_once = Counter((one.seat, one.card) for one in (*state.revealed, *state.struck, *state.withheld.values()))
    assert all(state.hands[seat].count(card) >= times for (seat, card), times in shown_once.items())
