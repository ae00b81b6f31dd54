"""What a seat can decide ahead: the entries of a plan or a list, and answers for the whole game."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.actions import Action
from game.engine.language import mark, say
from game.engine.offers import Choice, Field, Flag, Offer, Queue, Range
from game.engine.phrases import percent
from game.rulesets.stock_market_tycoon import cards
from game.rulesets.stock_market_tycoon.finance import most_buyback_price, most_dividend, shares_of_others
from game.rulesets.stock_market_tycoon.plans import (
    ANY,
    MOST_ENTRIES,
    Batch,
    Plan,
    PlannedBuy,
    PlannedBuyback,
    PlannedDebenture,
    PlannedDividend,
    PlannedFollow,
    PlannedLoan,
    PlannedOption,
    PlannedPass,
    PlannedRights,
    PlannedSell,
    PlannedShort,
    lots,
    most_options,
    sub_rounds_left,
)
from game.rulesets.stock_market_tycoon.standing import (
    CHOICES,
    KeepFollowing,
    KeepPremium,
    KeepStriking,
    KeepWithholding,
    LimitTender,
)
from game.rulesets.stock_market_tycoon.state import CHAIRMAN, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, LOT, RIGHTS_RATIO, SHORT_CAP, Company
from game.rulesets.stock_market_tycoon.trading import most_rights, title

MOST_PRICE = 9_999
GROUP = mark("For the whole game")


def plan_offer(state: TycoonState, seat: int) -> Offer:
    """The plan for the year. (T-37)"""
    sub_rounds = tuple(sub_rounds_left(state, seat))
    if not sub_rounds:
        refused = say("You have no turn left this year.")
        return Offer("plan", say(Plan.title), refused=refused, rule="T-37", slot="plan")
    turns = (ANY, say("Any turn")), *((each, say("Turn of sub-round {number}", number=each)) for each in sub_rounds)
    terms = (Choice("sub_round", say("When"), turns),)
    entries = Queue("entries", say("Entry"), tuple(_entries(state, seat, terms)), MOST_ENTRIES, least=1)
    return Offer("plan", say(Plan.title), fields=(entries,), rule="T-37", slot="plan")


def batch_offers(state: TycoonState, seat: int) -> Iterator[Offer]:
    """The list for a sub-round, and answers for the whole game. (T-30)"""
    entries = Queue("entries", say("Entry"), tuple(_entries(state, seat, ())), MOST_ENTRIES, least=1)
    yield Offer("batch", say(Batch.title), fields=(entries,), rule="T-30", slot="batch")
    yield from standing_offers(state, seat)


def _entries(state: TycoonState, seat: int, terms: tuple[Field, ...]) -> Iterator[Offer]:
    """The entries that a turn can have, with the currently possible numbers as suggestions."""
    for company in COMPANY_KEYS:
        for kind, label, fields in _of_company(state, seat, company):
            yield Offer(_tag(kind), label, {"company": company}, (*fields, *terms), group=title(company))
    if cards.LOAN in state.hands[seat]:
        yield Offer(_tag(PlannedLoan), say(PlannedLoan.title), fields=terms)
    yield Offer(_tag(PlannedPass), say(PlannedPass.title), fields=terms)


def _tag(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


def _of_company(
    state: TycoonState, seat: int, company: Company
) -> Iterator[tuple[type[Action], str, tuple[Field, ...]]]:
    price, held, all_shares = state.prices[company], state.held(seat, company), state.outstanding(company)
    name = title(company)
    affordable = lots(min(state.pool(company), state.cash(seat) // price)) if price else 0
    yield PlannedBuy, say("Buy {company}", company=name), _amount(state, LOT, lots(all_shares), affordable, LOT)
    yield PlannedSell, say("Sell {company}", company=name), _amount(state, 1, all_shares, held)
    if held >= RIGHTS_RATIO:
        most, now = held // RIGHTS_RATIO, most_rights(state, seat, company)
        if cards.RIGHTS in state.hands[seat]:
            yield PlannedRights, say("Issue rights of {company}", company=name), _amount(state, 1, most, now)
        yield PlannedFollow, say("Follow the rights of {company}", company=name), _amount(state, 1, most, now)
    if held and cards.DEBENTURE in state.hands[seat]:
        yield PlannedDebenture, say("Play a Debenture for {company}", company=name), ()
    if state.options.has_shorts:
        fields = _amount(state, LOT, SHORT_CAP, 0 if held else state.short_left(company), LOT)
        yield PlannedShort, say("Sell {company} short", company=name), fields
    if state.options.has_options:
        yield from _of_strategist(state, seat, company)


def _of_strategist(
    state: TycoonState, seat: int, company: Company
) -> Iterator[tuple[type[Action], str, tuple[Field, ...]]]:
    name, all_shares = title(company), lots(state.outstanding(company))
    contract = Choice("contract", say("Kind"), (("call", say("Call")), ("put", say("Put"))))
    options = _amount(state, LOT, all_shares, most_options(state, seat, company), LOT)
    yield PlannedOption, say("Option on {company}", company=name), (contract, *options)
    if most := most_dividend(state, seat, company):
        dividend = Range("dividend", say("Dollars a share"), 1, most, most)
        yield PlannedDividend, say("Declare a dividend of {company}", company=name), (dividend,)
    others = lots(shares_of_others(state, seat, company))
    if state.office_of(seat, company) == CHAIRMAN and others:
        price = max(1, state.prices[company])
        price = min(price, most_buyback_price(state, company) or price)
        fields = (
            Range("shares", say("Shares"), LOT, others, LOT, step=LOT),
            Range("price", say("Price"), 1, price, price),
        )
        yield PlannedBuyback, say("Buy {company} back from the others", company=name), fields


def _amount(state: TycoonState, low: int, high: int, now: int, step: int = 1) -> tuple[Field, ...]:
    """A number of shares, and its conditions: prices move within a year only if there are dividends and buybacks."""
    shares = Range("shares", say("Shares"), low, max(low, high), max(low, now), step=step)
    limit = (Range("limit", say("Price limit (0: none)"), 0, MOST_PRICE, 0),) if state.options.has_options else ()
    return shares, Flag("is_up_to", say("Up to this many")), *limit


def standing_offers(state: TycoonState, seat: int) -> Iterator[Offer]:
    """Answers for the whole game. With lists, rights are followed by an entry instead."""
    for keep in (KeepWithholding, KeepStriking):
        yield _keep_card(keep)
    if state.options.has_options:
        yield premium_offer(state)
    for company in COMPANY_KEYS:
        if not state.held(seat, company):
            continue
        if state.options.trade_mode != "batch":
            shares = Range("shares", say("Shares"), 1, state.outstanding(company), state.outstanding(company))
            label = say("Always follow the rights of {company}", company=title(company))
            yield _standing(KeepFollowing, label, f"follow:{company}", shares, company=company)
        if state.options.has_options:
            yield limit_offer(state, seat, company)


def premium_offer(state: TycoonState) -> Offer:
    rates = tuple((rate, percent(rate)) for rate in sorted(state.options.premium_rates))
    return _standing(
        KeepPremium, say(KeepPremium.title), "keep_premium", Choice("rate", say("Percent of the price"), rates)
    )


def withhold_offer() -> Offer:
    return _keep_card(KeepWithholding)


def strike_offer() -> Offer:
    return _keep_card(KeepStriking)


def limit_offer(state: TycoonState, seat: int, company: Company) -> Offer:
    price = max(1, state.prices[company])
    return _standing(
        LimitTender,
        say("Tender limit for {company}", company=title(company)),
        f"limit:{company}",
        Range("shares", say("Shares"), 0, state.outstanding(company), state.held(seat, company)),
        Range("price", say("Minimum price"), 1, MOST_PRICE, min(price, MOST_PRICE)),
        company=company,
    )


def _keep_card(keep: type[KeepWithholding] | type[KeepStriking]) -> Offer:
    choices = tuple((key, say(words)) for key, words in CHOICES.items())
    return _standing(keep, say(keep.title), _tag(keep), Choice("card", say("Card"), choices))


def _standing(kind: type[Action], label: str, slot: str, *fields: Field, company: Company | None = None) -> Offer:
    fixed = {"company": company} if company else {}
    return Offer(_tag(kind), label, fixed, fields, rule="ST 8", slot=slot, group=say(GROUP))
