"""The order ticket: the possible orders, and the current form. (S 5.1–5.7)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import Decision, Filled, Question, Request, Values, has_field, offer_of, one_of
from game.boards.sectors.decisions import fills, reach
from game.boards.sectors.decisions.order_fields import READERS, SENTENCES, filled_of
from game.boards.sectors.decisions.ticks import DONE, STOP_ORDERING, done_tick, done_words
from game.boards.shapes import Option, Preview, Say, Ticket
from game.engine.language import count, mark, mark_as, say, say_as
from game.engine.offers import Offer
from game.engine.phrases import thousands

DRAWN = ("drawn_for", "drawn_as")  # the choice for which the ticket was drawn, to see what has changed
KINDS = {
    "market_order": mark_as("kind of order", "Market"),
    "limit_order": mark_as("kind of order", "Limit"),
    "short_order": mark_as("kind of order", "Short"),
    "option_order": mark_as("kind of order", "Option"),
    "standing_order": mark_as("kind of order", "Standing"),
}
SIDES = {"buy": mark("Buy"), "sell": mark("Sell")}


class OrderForm(msgspec.Struct, frozen=True):
    """The ticket's fields, shared by all kinds of order; each kind shows those it needs."""

    kinds: tuple[Option, ...]
    sides: tuple[Option, ...]
    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    locations: tuple[Option, ...]
    contracts: tuple[Option, ...]
    company: Any
    quantity: str
    most: int
    value: str
    bid: str
    contract_bid: str
    least_bid: int
    takes_bids: bool
    drawn_as: str


class StockOrder(Decision):
    """Phase 9: one order of any kind."""

    prompt = mark("Place one stock order, or pass")
    names = frozenset(
        {"kind", "company", "side", "location", "quantity", "value", "bid", "contract", "contract_bid", DONE, *DRAWN}
    )

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        kind = one_of(form, "kind", mark("The kind of order"), READERS, rule="S 5.1")
        return [READERS[kind](form, offers), *self.ahead(form, offers)]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return [{"kind": STOP_ORDERING}] if form.get(DONE) else []

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return {DONE: ["on"]} if request["kind"] == STOP_ORDERING else filled_of(request)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return done_words() if request["kind"] == STOP_ORDERING else SENTENCES[request["kind"]](request, view)

    def with_defaults(self, question: Question) -> Filled:
        """The contents of the ticket; by default available shares with suitable numbers."""
        filled, view = question.filled, question.view
        kind, side = filled.get("kind", reach.MARKET_ORDER), filled.get("side") or reach.BUY  # no sale unless asked
        tickers = [company.ticker for company in view.companies if company.status != "bankrupt"]
        ticker = (
            filled.get("company")
            if filled.get("company") in tickers
            else reach.likeliest_company(view, question.offers, kind, side)
        )
        company = view.company(ticker)
        usual = {"kind": kind, "side": side, "location": reach.likely_place(view, company)}
        usual |= {"quantity": reach.usual_quantity(view, kind, side, company)}
        usual |= {"value": str(reach.usual_limit(company, kind))}
        usual |= {
            "bid": str(company.ipo_price if (filled.get("location") or usual["location"]) == "ipo" else company.price)
        }
        usual |= {"contract": _likely_contract(question)}
        usual |= {"contract_bid": _premium(question, filled.get("contract") or usual["contract"])}
        missing = {name: value for name, value in usual.items() if value and not filled.several(name)}
        return filled.with_(company=ticker, **missing)

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """After a change of company, side or kind, the form suggests new numbers."""
        return reach.refit(form, view, offers)

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        changed = [name for name in ("company", "quantity", "value", "bid") if sent.get(name) != fitted.get(name)]
        is_drawn_anew = fitted.get("drawn_for") != fitted.get("company") or fitted.get("drawn_as") != reach.drawn_as(
            fitted
        )
        return [f"boards/sectors/panel/_{part}.html" for part in [*changed, *(["locations"] if is_drawn_anew else [])]]

    def ticket(self, question: Question) -> Ticket:
        """Phase 9: one order of any kind."""
        filled = question.filled
        company = question.view.company(filled.get("company"))
        form = OrderForm(
            kinds=tuple(_kind(question, key, filled.get("kind")) for key in KINDS),
            sides=tuple(Option(side, say(title), checked=side == filled.get("side")) for side, title in SIDES.items()),
            groups=tuple(
                group for sector in question.view.sectors for group in _groups(question, sector, company.ticker)
            ),
            locations=_locations(company, filled.get("location")),
            contracts=tuple(
                _contract(question, offer, filled.get("contract")) for offer in question.of("option_order")
            ),
            company=company,
            quantity=filled.get("quantity", "1"),
            most=company.existing,
            value=filled.get("value"),
            bid=filled.get("bid"),
            contract_bid=filled.get("contract_bid"),
            least_bid=company.ipo_price if filled.get("location") == "ipo" else company.price,
            takes_bids=any(has_field(offer, "bid") for offer in question.offers),
            drawn_as=reach.drawn_as(filled),
        )
        hint = say("Cash {amount}", amount=thousands(question.you.cash))
        return Ticket(
            "boards/sectors/panel/order.html",
            say("Place one stock order, or pass."),
            form,
            _preview(question),
            mark("Order ticket"),
            hint,
            say("Submit order"),
            say("Pass"),
            lasting=(done_tick(question),),
            is_enough=_proposes_in_vain(question),
        )


def _proposes_in_vain(question: Question) -> bool:
    """True if the ticket still proposes a purchase although no share can be bought."""
    is_purchase = (question.filled.get("kind"), question.filled.get("side")) == (reach.MARKET_ORDER, reach.BUY)
    return is_purchase and not question.is_sent and not reach.can_buy(question.view, question.offers)


def _likely_contract(question: Question) -> str:
    """The first contract that is available to the reader and affordable; else the first."""
    offered = {str(offer.fixed["contract"]): offer for offer in question.of("option_order")}
    payable = [
        key
        for key, offer in offered.items()
        if not offer.refused and int(_premium(question, key) or 0) <= question.you.cash
    ]
    return next(iter([*payable, *offered]), "")


def _premium(question: Question, contract: str) -> str:
    return next((str(c.premium) for c in question.view.contracts if str(c.id) == contract), "")


def _kind(question: Question, key: str, chosen: str) -> Option:
    small = {
        "market_order": "",
        "limit_order": say("{n} left", n=question.you.limit_actions),
        "short_order": say("{n} left", n=question.you.short_actions),
        "option_order": say("{n} on sale", n=len(question.of("option_order"))),
        "standing_order": "",
    }
    offers = question.of(key)
    reason = next((offer for offer in offers if not offer.refused), None)
    refused = "" if reason or not offers else offers[0].refused
    if not offers:
        refused = say("You cannot place such an order now.")
    return Option(key, say_as("kind of order", KINDS[key]), small[key], checked=key == chosen, refused=refused)


def _groups(question: Question, sector: Any, chosen: str) -> Iterator[tuple[str, tuple[Option, ...]]]:
    """The companies of each sector, grouped by what is on offer, so that a closed list has room for a whole name and
    price."""
    groups: dict[str, list[Option]] = {}
    for company in sector.companies:
        if company.status != "bankrupt":
            label = say("{company} at {price}", company=company.ticker, price=company.price)
            option = Option(company.ticker, label, checked=company.ticker == chosen)
            groups.setdefault(_offered(company, question.view.seat), []).append(option)
    for offered, options in groups.items():
        title = say(sector.title)
        yield say(offered, sector=title) if offered else title, tuple(options)


def _offered(company: Any, seat: int) -> str:
    if not company.is_floated:
        return mark("{sector}, IPO only")
    is_there = company.market or company.ipo or company.holdings.get(seat)
    return "" if is_there else mark("{sector}, none for sale")


def _locations(company: Any, chosen: str) -> tuple[Option, ...]:
    market = say("{n} at {price}", n=company.market, price=company.price)
    ipo = say("{n} at {price}", n=company.ipo, price=company.ipo_price)
    return (
        Option(
            "market",
            say("Open market"),
            market if company.is_floated else say("not floated"),
            checked=chosen == "market",
        ),
        Option("ipo", say("IPO"), ipo if company.ipo else say("none left"), checked=chosen == "ipo"),
    )


def _contract(question: Question, offer: Any, chosen: str) -> Option:
    contract = next(c for c in question.view.contracts if c.id == offer.fixed["contract"])
    value = str(contract.id)
    detail = count(
        "strike {strike}, {n} turn, price +{steps} on exercise",
        "strike {strike}, {n} turns, price +{steps} on exercise",
        contract.term,
        strike=contract.strike,
        steps=count("{n} step", "{n} steps", contract.bonus),
    )
    label = f"{contract.shares} {contract.company}"
    return Option(value, label, detail, thousands(contract.premium), "", value == chosen, offer.refused, offer.rule)


PREVIEWS = {
    "market_order": fills.market,
    "limit_order": fills.limit,
    "short_order": fills.short,
    "option_order": fills.option,
    "standing_order": fills.standing,
}


def _preview(question: Question) -> Preview:
    if set(question.view.mine) == {STOP_ORDERING} and not question.is_sent:
        return Preview(hint=say("You place no more orders in this stock round."))
    if _proposes_in_vain(question):
        return Preview(hint=say("You can buy no share now. Sell, place another kind of order, or pass."))
    request = question.request()
    if request is None or request["kind"] not in PREVIEWS:
        return Preview()
    offer = _offer(question, request)
    if offer is not None and offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule, "no"),))
    if request.get("company") and request["company"] not in {company.ticker for company in question.view.companies}:
        return Preview()
    return PREVIEWS[request["kind"]](question, request)


def _offer(question: Question, request: dict[str, Any]) -> Any:
    names = ("company", "side", "location", "contract")
    return offer_of(question.offers, request["kind"], **{name: request[name] for name in names if name in request})
