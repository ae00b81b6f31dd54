"""A seat's current offers, with the ranges that the rules allow. (ST 4)"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from game.engine.actions import Action, Refused, tag_of
from game.engine.flow import Flow, Phase
from game.engine.language import mark, say
from game.engine.offers import Choice, Field, Offer, Range, Several
from game.engine.phrases import percent, thousands
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.finance import (
    AnnounceBuyback,
    BuyOption,
    DeclareDividend,
    SellShort,
    most_buyback_price,
    most_dividend,
    shares_of_others,
)
from game.rulesets.stock_market_tycoon.offers_ahead import (
    batch_offers,
    limit_offer,
    plan_offer,
    premium_offer,
    standing_offers,
    strike_offer,
    withhold_offer,
)
from game.rulesets.stock_market_tycoon.plans import is_to_act, most_options
from game.rulesets.stock_market_tycoon.state import CHAIRMAN, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANIES, COMPANY_KEYS, LEAST_PURCHASE, LOT, Company
from game.rulesets.stock_market_tycoon.trading import (
    Buy,
    EndTurn,
    FollowRights,
    PlayDebenture,
    PlayLoan,
    PlayRights,
    Sell,
    most_rights,
    shares_of,
    title,
)
from game.rulesets.stock_market_tycoon.year_decisions import revealed_of, suspensions_of

MOST_DOLLARS = 999_999_999


def offers(state: TycoonState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """Every offer of the open phase for a seat."""
    return list(OFFERS[phase.name](state, seat))


def _trading(state: TycoonState, seat: int) -> Iterator[Offer]:
    if is_to_act(state, seat):
        yield from _turn(state, seat)
    if state.options.trade_mode == "plan":
        yield plan_offer(state, seat)
    yield from standing_offers(state, seat)


def _turn(state: TycoonState, seat: int) -> Iterator[Offer]:
    for company in COMPANY_KEYS:
        yield from _of_company(state, seat, company)
    if cards.LOAN in state.hands[seat]:
        yield _offer(state, PlayLoan(actor=seat), say(PlayLoan.title), "ST 4.3")
    yield Offer("end_turn", say(EndTurn.title), rule="ST 4.0", slot="end_turn")


def _of_company(state: TycoonState, seat: int, company: Company) -> Iterator[Offer]:
    """Everything that can be done with the shares of one company."""
    yield _buying(state, seat, company)
    if held := state.held(seat, company):
        price = thousands(state.prices[company])
        yield _offer(
            state,
            Sell(actor=seat, company=company, shares=1),
            say("Sell {company} at {price}", company=title(company), price=price),
            "ST 4.2",
            Range("shares", say("Shares"), 1, held, held),
        )
        yield from _cards_of(state, seat, company)
    if state.options.has_shorts:
        yield _shorting(state, seat, company)
    if state.options.has_options:
        yield _buying_option(state, seat, company)
        yield from _by_office(state, seat, company)


def _buying(state: TycoonState, seat: int, company: Company) -> Offer:
    price = state.prices[company]
    least = LOT * max(1, -(-LEAST_PURCHASE // (price * LOT))) if price else LOT
    most = min(state.pool(company), state.cash(seat) // price if price else 0) // LOT * LOT
    label = say("Buy {company} at {price}", company=title(company), price=thousands(price))
    text = say("{left} left in the bank", left=shares_of(state.pool(company)))
    shares = Range("shares", say("Shares"), least, most, least, step=LOT)
    return _offer(state, Buy(actor=seat, company=company, shares=least), label, "ST 4.1", shares, text=text)


def _cards_of(state: TycoonState, seat: int, company: Company) -> Iterator[Offer]:
    """Debenture and rights, for a company whose shares the seat holds."""
    if cards.DEBENTURE in state.hands[seat] and not state.prices[company]:
        label = say("Play a Debenture for {company}", company=title(company))
        yield _offer(state, PlayDebenture(actor=seat, company=company), label, "ST 4.4")
    most = most_rights(state, seat, company)
    shares = Range("shares", say("Shares"), 1, most, most)
    if cards.RIGHTS in state.hands[seat]:
        label = say("Issue rights of {company}", company=title(company))
        yield _offer(state, PlayRights(actor=seat, company=company, shares=1), label, "ST 4.5", shares)
    if company in state.windows:
        label = say("Follow the rights of {company}", company=title(company))
        yield _offer(state, FollowRights(actor=seat, company=company, shares=1), label, "ST 4.6", shares)


def _shorting(state: TycoonState, seat: int, company: Company) -> Offer:
    available = state.short_left(company)
    label = say("Sell {company} short at {price}", company=title(company), price=thousands(state.prices[company]))
    shares = Range("shares", say("Shares"), LOT, available, LOT, step=LOT)
    return _offer(state, SellShort(actor=seat, company=company, shares=LOT), label, "ST 4.7", shares)


def _buying_option(state: TycoonState, seat: int, company: Company) -> Offer:
    most = most_options(state, seat, company)
    label = say("Option on {company} at {price}", company=title(company), price=thousands(state.prices[company]))
    text = say("premium {rate} of the price", rate=percent(state.rate(company)))
    contract = Choice("contract", say("Kind"), (("call", say("Call")), ("put", say("Put"))))
    shares = Range("shares", say("Shares"), LOT, most, LOT, step=LOT)
    action = BuyOption(actor=seat, contract="call", company=company, shares=LOT)
    return _offer(state, action, label, "ST 4.8", contract, shares, text=text)


def _by_office(state: TycoonState, seat: int, company: Company) -> Iterator[Offer]:
    """Dividends and buybacks, for office holders."""
    office = state.office_of(seat, company)
    if not office:
        return
    most = most_dividend(state, seat, company)
    yield _offer(
        state,
        DeclareDividend(actor=seat, company=company, dividend=1),
        say("Declare a dividend of {company}", company=title(company)),
        "ST 4.9",
        Range("dividend", say("Dollars a share"), 1, most, most),
    )
    others, cap = shares_of_others(state, seat, company) // LOT * LOT, most_buyback_price(state, company)
    if office != CHAIRMAN or not others:
        return
    most_shares = min(others, state.cash(seat) // LOT * LOT)
    most_price = min(cap or MOST_DOLLARS, state.cash(seat) // LOT)
    yield _offer(
        state,
        AnnounceBuyback(actor=seat, company=company, shares=LOT, price=1),
        say("Buy {company} back from the others", company=title(company)),
        "ST 4.10",
        Range("shares", say("Shares"), LOT, most_shares, LOT, step=LOT),
        Range("price", say("Dollars a share"), 1, most_price, max(1, min(state.prices[company], most_price))),
    )


def _offer(state: TycoonState, action: Action, label: str, rule: str, *fields: Field, text: str = "") -> Offer:
    """An offer, with the reason if even its smallest request is refused."""
    refused = ""
    try:
        action.check(state)
    except Refused as refusal:
        refused, rule = refusal.text, refusal.rule
    company = getattr(action, "company", None)
    fixed = {"company": company} if company else {}
    return Offer(tag_of(action), label, fixed, () if refused else fields, refused, rule, slot=action.slot(), text=text)


def _tendering(state: TycoonState, seat: int) -> Iterator[Offer]:
    offer = state.buyback
    if offer is None:
        return
    held = state.held(seat, offer.company)
    label = say("Tender {company} at {price}", company=title(offer.company), price=thousands(offer.price))
    shares = Range("shares", say("Shares"), 0, held, 0)
    yield Offer("tender", label, fields=(shares,), rule="ST 4.10", slot="tender")
    yield limit_offer(state, seat, offer.company)


def _premiums(state: TycoonState, seat: int) -> Iterator[Offer]:
    for company in COMPANY_KEYS:
        if state.office_of(seat, company) == CHAIRMAN:
            rates = tuple((rate, percent(rate)) for rate in sorted(state.options.premium_rates))
            label = say("Option premium of {company}", company=title(company))
            field = Choice("rate", say("Percent of the price"), rates)
            yield Offer("set_premium", label, {"company": company}, (field,), rule="ST 4.11", slot=f"premium:{company}")
    yield premium_offer(state)


def _withholding(state: TycoonState, seat: int) -> Iterator[Offer]:
    for company in COMPANY_KEYS:
        own = dict.fromkeys(cards.cards_of(company, state.hands[seat]))
        if own and state.office_of(seat, company) == "director":
            field = Choice("card", say("Card"), tuple((card, cards.title_of(card)) for card in own))
            label = say("Withhold a card of {company}", company=title(company))
            slot = f"withhold:{company}"
            yield Offer("withhold", label, {"company": company}, (field,), rule="ST 4.11", slot=slot)
    yield withhold_offer()


def _striking(state: TycoonState, seat: int) -> Iterator[Offer]:
    """One offer for each player whose cards of the company were shown."""
    for company in COMPANY_KEYS:
        if state.office_of(seat, company) != CHAIRMAN:
            continue
        on_table = revealed_of(state, company)
        for owner in dict.fromkeys(card.seat for card in on_table):
            of_owner = dict.fromkeys(card.card for card in on_table if card.seat == owner)
            field = Choice("card", say("Card"), tuple((card, cards.title_of(card)) for card in of_owner))
            label = say("Strike a card of {company}", company=title(company))
            fixed = {"company": company, "owner": owner}
            yield Offer("strike", label, fixed, (field,), rule="ST 4.11", slot=f"strike:{company}")
    yield strike_offer()


def _suspending(state: TycoonState, seat: int) -> Iterator[Offer]:
    companies = tuple((company, title(company)) for company in COMPANIES)
    held = suspensions_of(state, seat)
    field = Several("companies", say("Companies"), companies, held, least=1)
    yield Offer("suspend", say("Suspend a share"), fields=(field,), rule="ST 4.11", slot="suspend")


OFFERS: dict[str, Callable[[TycoonState, int], Iterator[Offer]]] = {
    "orders": batch_offers,
    "trade": _trading,
    "tender": _tendering,
    "premium": _premiums,
    "withhold": _withholding,
    "strike": _striking,
    "suspend": _suspending,
}
LABEL_OF_OFFICE = {CHAIRMAN: mark("Chairman"), "director": mark("Director")}
