"""A seat's offers in the open phase, one function for each kind of action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from game.engine.actions import Action, Refused
from game.engine.flow import Flow, Phase
from game.engine.language import mark, say
from game.engine.offers import Choice, Field, Flag, Offer, Range, Several, Split
from game.rulesets.sectors import actions as ask
from game.rulesets.sectors import numbers, orders
from game.rulesets.sectors.effects import COMPANY_ACTIONS, cost_of, prestige_cost_of, refusal_of, unlocked_actions
from game.rulesets.sectors.forecast import Forecast, figures, forecast_from, pack
from game.rulesets.sectors.ledger import IPO
from game.rulesets.sectors.sequence import acting_company, companies_to_act, tranche_of
from game.rulesets.sectors.standing_orders import StandingOrder
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FULL, HALF, RETAIN, VETO, Company, SectorsState
from game.rulesets.sectors.tables.common import LARGEST_NUMBER
from game.rulesets.sectors.tables.sectors import SECTORS

Maker = Callable[[SectorsState, int], Iterator[Offer]]


def offers(state: SectorsState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """Every offer of the open phase's actions for this seat; those for a later phase have a mark to be ready for it."""
    ready = Flag("ready", say("Ready for that phase"))
    return [
        offer
        if not kind.phases or phase.name in kind.phases or kind.is_lasting
        else msgspec.structs.replace(offer, fields=(*offer.fields, ready))
        for kind in phase.actions
        for offer in MAKERS[kind](state, seat)
    ]


def _offer(
    state: SectorsState,
    seat: int,
    kind: type[Action],
    label: str,
    *fields: Field,
    sample: dict[str, Any],
    text: str = "",
) -> Offer:
    """An offer whose `sample` values, the form's initial values, are checked to find out whether it is refused. Values
    left open by a field's range are not fixed."""
    tried = kind(actor=seat, **sample)
    refused, rule = _refusal(tried, state)
    opened = {field.name for field in fields}
    fixed = {name: value for name, value in sample.items() if name not in opened}
    tag = str(kind.__struct_config__.tag)
    return Offer(tag, label, fixed, fields, refused, rule, tried.slot(), text)


def _refusal(action: Action, state: SectorsState) -> tuple[str, str]:
    try:
        action.check(state)
    except Refused as refused:
        return refused.text, refused.rule
    return "", ""


def _is_refused(action: Action, state: SectorsState) -> bool:
    try:
        action.check(state)
    except Refused:
        return True
    return False


SUGGESTED_BID_PERCENT = 80  # house bots bid up to 70: who orders after them rarely gets the shares that float a company


def _bids(state: SectorsState, seat: int) -> Iterator[Offer]:
    most = state.tables.influence_points
    suggested = most * SUGGESTED_BID_PERCENT // 100
    points = Range("points", say("Influence points"), 0, most, suggested)
    yield _offer(state, seat, ask.BidInfluence, say("Bid influence"), points, sample={"points": suggested})


def _pledges(state: SectorsState, seat: int) -> Iterator[Offer]:
    for slot, headline in enumerate(state.headlines, 1):
        if headline is not None:
            label = say(
                "Pledge: {sector} {places} earlier" if headline.move > 0 else "Pledge: {sector} {places} later",
                sector=say(SECTORS[headline.sector].title),
                places=abs(headline.move),
            )
            text = say("costs {cost}, shared", cost=headline.cost)
            yield _offer(state, seat, ask.PledgeHeadline, label, sample={"headline": slot}, text=text)


def _tranche_votes(state: SectorsState, seat: int) -> Iterator[Offer]:
    for number, pool in enumerate(state.tranches, 1):
        label = say(
            "Tranche {number}: {cash} cash, {prestige} prestige, {sector}",
            number=number,
            cash=pool.cash,
            prestige=pool.prestige,
            sector=say(SECTORS[pool.sector].title),
        )
        yield _offer(state, seat, ask.VoteTranche, label, sample={"tranche": number})


def _distributions(state: SectorsState, seat: int) -> Iterator[Offer]:
    """The tranche won; before the votes are counted, each tranche that can be won."""
    won, is_counted = tranche_of(state, seat), any(pool.winner is not None for pool in state.tranches)
    for number, pool in enumerate(state.tranches, 1):
        if is_counted and number != won:
            continue
        values = tuple((c.ticker, c.name) for c in _living(state) if c.sector == pool.sector)
        fields: list[Field] = [Split("cash", say("Cash"), pool.cash, tuple(range(state.seats)))]
        fields += [Choice("prestige_to", say("Prestige to"), values, optional=True)] if pool.prestige else []
        fields += [Choice("ability_to", say("Ability to"), values, optional=True)]
        label = (
            say("Distribute the tranche") if is_counted else say("Distribute tranche {number} if won", number=number)
        )
        sample = {} if is_counted else {"tranche": number}
        yield _offer(state, seat, ask.DistributeTranche, label, *fields, sample=sample)


def _market_orders(state: SectorsState, seat: int) -> Iterator[Offer]:
    for company in _living(state):
        for side, location in (("buy", "ipo"), ("buy", "market"), ("sell", "market")):
            yield _market_order(state, seat, company, side, location)


MARKET_LABELS = {
    ("buy", "ipo"): mark("Buy {ticker} from the IPO at {price}"),
    ("buy", "market"): mark("Buy {ticker} on the open market at {price}"),
    ("sell", "market"): mark("Sell {ticker} on the open market at {price}"),
}


def _market_order(state: SectorsState, seat: int, company: Company, side: str, location: str) -> Offer:
    price = company.ipo_price if location == IPO else company.price
    there = state.shares(company.ticker, seat) if side == "sell" else state.ledger.at(company.ticker, location)
    existing = state.ledger.existing(company.ticker)
    fields: list[Field] = [Range("quantity", say("Shares"), 1, existing, min(max(there, 1), existing))]
    sample: dict[str, Any] = {"company": company.ticker, "side": side, "location": location, "quantity": 1}
    if side == "buy" and state.options.distribution == "bid":
        fields.append(Range("bid", say("Bid per share"), price, LARGEST_NUMBER, price))
        sample["bid"] = price
    label = say(MARKET_LABELS[side, location], ticker=company.ticker, price=price)
    return _offer(state, seat, orders.MarketOrder, label, *fields, sample=sample)


def _limit_orders(state: SectorsState, seat: int) -> Iterator[Offer]:
    for company in _living(state):
        for side in ("buy", "sell"):
            value = max(company.price - 1, 1)
            fields = (
                Range("value", say("Limit price"), 1, LARGEST_NUMBER, value),
                Range("quantity", say("Shares"), 1, state.ledger.existing(company.ticker)),
            )
            sample = {"company": company.ticker, "side": side, "value": value, "quantity": 1}
            label = say(
                "Limit buy {ticker}, now {price}" if side == "buy" else "Limit sell {ticker}, now {price}",
                ticker=company.ticker,
                price=company.price,
            )
            yield _offer(state, seat, orders.LimitOrder, label, *fields, sample=sample)


def _short_orders(state: SectorsState, seat: int) -> Iterator[Offer]:
    for company in _living(state):
        most = state.options.max_short_quantity or state.ledger.existing(company.ticker)
        label = say("Short {ticker} at {price}", ticker=company.ticker, price=company.price)
        fields = (Range("quantity", say("Shares"), 1, most),)
        yield _offer(state, seat, orders.ShortOrder, label, *fields, sample={"company": company.ticker, "quantity": 1})


def _option_orders(state: SectorsState, seat: int) -> Iterator[Offer]:
    for contract in [c for c in numbers.contracts_of(state) if c.owner is None]:
        sample: dict[str, Any] = {"contract": contract.id}
        fields: tuple[Field, ...] = ()
        if state.options.distribution == "bid":
            fields = (Range("bid", say("Bid"), contract.premium, LARGEST_NUMBER, contract.premium),)
            sample["bid"] = contract.premium
        label = say(
            "Option on {shares} {ticker}, strike {strike}, premium {premium}",
            shares=contract.shares,
            ticker=contract.company,
            strike=contract.strike,
            premium=contract.premium,
        )
        yield _offer(state, seat, orders.OptionOrder, label, *fields, sample=sample)


def _standing_orders(state: SectorsState, seat: int) -> Iterator[Offer]:
    for company in _living(state):
        for side, label in STANDING_LABELS.items():
            sample: dict[str, Any] = {"company": company.ticker, "side": side, "limit": company.price, "quantity": 1}
            limit = Range("limit", say("Limit price"), 1, LARGEST_NUMBER, company.price)
            waiting = _waiting(limit, side)
            later = StandingOrder(actor=seat, **sample | {"limit": waiting.suggested})
            if _is_refused(StandingOrder(actor=seat, **sample), state) and not _is_refused(later, state):
                limit = waiting
            quantity = Range("quantity", say("Shares"), 1, state.ledger.existing(company.ticker))
            words = say(label, ticker=company.ticker, price=company.price)
            yield _offer(state, seat, StandingOrder, words, limit, quantity, sample=sample | {"limit": limit.suggested})


def _waiting(limit: Range, side: str) -> Range:
    """The limits with which an order waits: what is refused now may be possible once the price has moved."""
    price = limit.suggested
    if side == "buy":
        below = max(price - 1, limit.low)
        return msgspec.structs.replace(limit, high=below, suggested=below)
    return msgspec.structs.replace(limit, low=price + 1, suggested=price + 1)


STANDING_LABELS = {
    "buy": mark("Buy {ticker} at up to a price you set, now {price}"),
    "sell": mark("Sell {ticker} from a price you set, now {price}"),
}


def _covers(state: SectorsState, seat: int) -> Iterator[Offer]:
    for short in numbers.open_shorts(state, seat):
        cost = state.companies[short.company].price * short.quantity
        label = say("Cover {shares} {ticker} for {cost}", shares=short.quantity, ticker=short.company, cost=cost)
        text = say("frees a margin of {margin}", margin=short.margin)
        yield _offer(state, seat, ask.CoverShort, label, sample={"order": short.id}, text=text)


def _exercises(state: SectorsState, seat: int) -> Iterator[Offer]:
    for contract in [c for c in numbers.contracts_of(state) if c.owner == seat]:
        gain = (state.companies[contract.company].price - contract.strike) * contract.shares
        label = say(
            "Exercise {shares} {ticker} for {gain}",
            shares=contract.shares,
            ticker=contract.company,
            gain=max(gain, 0),
        )
        yield _offer(state, seat, ask.ExerciseOption, label, sample={"contract": contract.id})


REVENUE_CHOICES = ((FULL, mark("Full dividends")), (HALF, mark("Half dividends")), (RETAIN, mark("Retain")))


def _revenue_votes(state: SectorsState, seat: int) -> Iterator[Offer]:
    choice = Choice("choice", say("Distribute"), tuple((key, say(words)) for key, words in REVENUE_CHOICES))
    for company in numbers.companies_in_order(state):
        if company.revenue and state.shares(company.ticker, seat):
            label = say("{ticker}: revenue {revenue}", ticker=company.ticker, revenue=company.revenue)
            yield _offer(
                state, seat, ask.VoteRevenue, label, choice, sample={"company": company.ticker, "choice": FULL}
            )


def _done_ordering(state: SectorsState, seat: int) -> Iterator[Offer]:
    yield _offer(state, seat, orders.StopOrdering, say("No more orders in this stock round"), sample={})


def _full_revenue(state: SectorsState, seat: int) -> Iterator[Offer]:
    yield _offer(state, seat, ask.VoteFullRevenue, say("Full dividends from now on"), sample={})


def _ballots(state: SectorsState, seat: int) -> Iterator[Offer]:
    """The acting company's ballot first, then those of later companies, to be cast ahead."""
    acting = acting_company(state)
    for company in companies_to_act(state):
        if company.status != ACTIVE or not state.shares(company.ticker, seat):
            continue
        values = tuple((key, say(COMPANY_ACTIONS[key].title)) for key in unlocked_actions(state, company))
        most, is_ahead = numbers.tier(state, company).actions, company is not acting
        fields: list[Field] = [Several("actions", say("Actions"), values, most, least=0 if is_ahead else 1)]
        fields += [Flag("ready", say("Ready for that vote"))] if is_ahead else []
        label = say("{ticker} votes" if company is acting else "{ticker}, in advance", ticker=company.ticker)
        yield _offer(
            state, seat, ask.VoteActions, label, *fields, sample={"company": company.ticker, "actions": [VETO]}
        )


class BallotLine(msgspec.Struct, frozen=True):
    """A company action on a ballot: its current cost, its effect, why it would fail today, and the next production
    after it."""

    key: str
    title: str
    text: str
    cost: int
    prestige: int
    treasury_left: int
    refused: str
    rule: str
    next: Forecast | None


def explain(state: SectorsState, offer: Offer) -> tuple[BallotLine, ...]:
    """The lines of a ballot with today's costs; an action that would fail now can still be voted for. All of it is
    public. (S 6.7)"""
    return ballot_lines(state, offer.fixed["company"]) if offer.kind == "vote_actions" else ()


def ballot_lines(state: SectorsState, ticker: str) -> tuple[BallotLine, ...]:
    """A company's ballot."""
    company = state.companies[ticker]
    packed, before = pack(state), figures(state, company)
    return tuple(
        _ballot_line(state, company, key, lambda key: forecast_from(packed, before, ticker, key))
        for key in unlocked_actions(state, company)
    )


def _ballot_line(
    state: SectorsState, company: Company, key: str, foresee: Callable[[str], Forecast | None]
) -> BallotLine:
    action, cost = COMPANY_ACTIONS[key], cost_of(state, company, key)
    refused = refusal_of(state, company, key)
    treasury_after = state.treasury(company.ticker) - cost
    words, rule = (refused.text, refused.rule) if refused else ("", "")
    forecast = None if refused else foresee(key)
    text = say(state.tables.action_texts.get(key, action.text))
    return BallotLine(
        key, say(action.title), text, cost, prestige_cost_of(state, key), treasury_after, words, rule, forecast
    )


def _contributions(state: SectorsState, seat: int) -> Iterator[Offer]:
    company = acting_company(state)
    if company is None:
        return
    cash, held = state.cash(seat), state.shares(company.ticker, seat)
    shares = say("Shares at {price}", price=company.price)
    fields = (Range("cash", say("Cash"), 0, cash, 0), Range("shares", shares, 0, held, 0))
    needed = numbers.shortfall_of(state, company)
    label = say("Help {ticker}: it needs {needed}", ticker=company.ticker, needed=needed)
    sample = {"cash": 1, "shares": 0} if cash else {"cash": 0, "shares": 1}
    yield _offer(state, seat, ask.Contribute, label, *fields, sample=sample)


def _living(state: SectorsState) -> list[Company]:
    return [company for company in state.companies.values() if company.status != BANKRUPT]


MAKERS: dict[type[Action], Maker] = {
    ask.BidInfluence: _bids,
    ask.PledgeHeadline: _pledges,
    ask.VoteTranche: _tranche_votes,
    ask.DistributeTranche: _distributions,
    orders.MarketOrder: _market_orders,
    orders.LimitOrder: _limit_orders,
    orders.ShortOrder: _short_orders,
    orders.OptionOrder: _option_orders,
    StandingOrder: _standing_orders,
    orders.StopOrdering: _done_ordering,
    ask.CoverShort: _covers,
    ask.ExerciseOption: _exercises,
    ask.VoteRevenue: _revenue_votes,
    ask.VoteFullRevenue: _full_revenue,
    ask.VoteActions: _ballots,
    ask.Contribute: _contributions,
}
