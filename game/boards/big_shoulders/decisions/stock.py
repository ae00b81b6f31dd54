"""The forms of the start and the stock phase: buy, sell, start a company, or pass. (BS 5)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from game.boards.big_shoulders.decisions import words
from game.boards.big_shoulders.decisions.changes import changes
from game.boards.big_shoulders.decisions.course import Course, company_of
from game.boards.big_shoulders.decisions.names import company_title
from game.boards.big_shoulders.decisions.order_fields import ENTRY, KINDS, NAMES, fill_order, orders_of, read_order
from game.boards.big_shoulders.decisions.order_now import GIVE, is_giving, order_send
from game.boards.big_shoulders.decisions.standing import OrderForm, in_own_turn, order_form, order_preview, with_order
from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, one_of, whole
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.engine.language import mark, mark_as, say, say_as
from game.engine.offers import Counts, Offer
from game.engine.phrases import listed, thousands
from game.rulesets.big_shoulders.effects import PRICE_PROTECTION
from game.rulesets.big_shoulders.offers_sale import SALE, needs_sale, sale_in, values_of
from game.rulesets.big_shoulders.tables import (
    COMPANIES,
    DIRECTOR,
    MOST_SHARES,
    OPENING_VALUES,
    TRADE_TITLES,
    UNITS,
    VALUES,
)
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

PANEL = "boards/big_shoulders/panel"
ACT, COMPANY, PAPER, VALUE, SOLD = "act", "company", "certificate", "value", "sell_"
ACTS = {
    "buy": (mark_as("stock", "Buy"), mark("Buy and end turn")),
    "sell": (mark_as("stock", "Sell"), mark("Sell, then go on")),
    "start": (mark_as("stock", "Start"), mark("Start company and end turn")),
    "pass_turn": (mark_as("stock", "Pass"), mark("Pass and end turn")),
    "done": (mark_as("stock", "Done"), mark("End the turn")),
    GIVE: (mark_as("stock", "Orders"), mark("Leave the order")),
}
"""By kind: its name on the ticket, and what the button says."""
SALE_FIRST = {"buy": mark("Sell, buy and end turn"), "start": mark("Sell, start company and end turn")}
"""What the button says where shares must be sold first."""
CAPTIONS = {
    "buy": mark("If you buy {paper} of {company}"),
    "sell": mark("If you sell"),
    "start": mark("If you start {company} at {value}"),
}
PAPERS = {"P": mark("Preferred, 2 shares"), "C": mark("Common, 1 share"), "D": mark("Director’s, 3 shares")}
PAPERS_INSIDE = {"P": mark("the preferred certificate"), "C": mark("a common certificate")}
PLACES = {"treasury": mark("from the treasury"), "pool": mark("from the bank pool")}
HINTS = {
    "": mark("Choose what to do this turn."),
    "sell": mark("Choose what you sell."),
}
CHOOSE = mark("Choose a company to see what it would bring.")
TURN = mark("Take the turn")


Parts = tuple[tuple[Any, str, int], ...]
"""Certificates that may be sold: name, label and number."""


class Held(msgspec.Struct, frozen=True):
    """Certificates of one kind that may be sold."""

    name: str
    company: str
    title: str
    label: str
    value: str
    most: int
    worth: int


class StockForm(msgspec.Struct, frozen=True):
    """The fields: `companies` for a purchase or a start, `papers` of the chosen one, or its opening `values` and the
    company that would be `started`."""

    acts: tuple[Option, ...]
    act: str
    companies: tuple[Option, ...]
    papers: tuple[Option, ...]
    values: tuple[Option, ...]
    held: tuple[Held, ...]
    started: CompanyView | None = None
    orders: OrderForm | None = None


class Stock(Decision):
    """A turn of the stock phase."""

    prompt = mark("Buy, sell, start a company, or pass")
    at_once = mark("Counts at once")
    names = frozenset({ACT, COMPANY, PAPER, VALUE, SOLD, *NAMES})
    lists = frozenset({ENTRY})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if not form.get(ACT):
            return []
        act = one_of(form, ACT, mark("The action"), acts_of(offers), rule="BS 5")
        if act in {"pass_turn", "done"}:
            return [{"kind": act}]
        if act == GIVE:
            return read_order(form, offers)
        return [{"sell": _read_sale, "buy": _read_purchase, "start": _read_start}[act](form, offers)]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] in KINDS:
            return {ACT: [GIVE]} | fill_order(request)
        values: Values = {ACT: [request["kind"]]}
        if "company" in request:
            values[COMPANY] = [request["company"]]
        if "value" in request:
            values[VALUE] = [str(request["value"])]
        if "certificate" in request:
            values[PAPER] = [f"{request['certificate']}:{request['place']}"]
        return values | {
            f"{SOLD}{name}": [str(number)] for name, number in _sale_of(request).items()
        }  # fmt: skip

    def with_defaults(self, question: Question) -> Filled:
        """The form with the only possible action, and with the first certificate of the chosen company that may be
        bought."""
        acts = acts_of(question.offers)
        form = in_own_turn(question)
        if form.get(ACT) not in acts:
            form = form.with_(act=acts[0] if len(acts) == 1 else "")
        if form.get(ACT) == GIVE:
            return with_order(msgspec.structs.replace(question, filled=form))
        return self.fit(form, question.view, question.offers)

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """Drop the values and certificates of another company than the chosen one."""
        if form.get(ACT) == "start" and form.get(VALUE) not in _values(offers, form.get(COMPANY)):
            form = form.with_(value=str(OPENING_VALUES[0]))
        if form.get(ACT) == "buy":
            papers = {paper: offer for paper, offer in _papers(offers, form.get(COMPANY)).items() if not offer.refused}
            if form.get(PAPER) not in papers:
                form = form.with_(certificate=min(papers, key=lambda paper: needs_sale(papers[paper]), default=""))
        return _with_least(form, _needed_sale(form, offers))

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return [f"{PANEL}/_stock.html"]

    def ticket(self, question: Question) -> Ticket:
        is_first = question.view.phase.name == "first_company"
        title = say("Start your first company.") if is_first else _title(question)
        return Ticket(
            f"{PANEL}/stock.html",
            title,
            _form(question),
            order_preview(question) if is_giving(question) else _preview(question),
            mark("First company") if is_first else mark("Stock turn"),
            say("Cash {cash}", cash=thousands(question.you.cash)),
            order_send(question) if is_giving(question) else say(_button(question)),
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def _title(question: Question) -> str:
    """What is left to do: a sale comes once and first, and no company starts in the first decade. (BS 5.1, BS 5.5)"""
    may_sell, may_start = (any(not offer.refused for offer in question.of(kind)) for kind in ("sell", "start"))
    if question.view.has_sold:
        return say("Buy, start a company, or end your turn.") if may_start else say("Buy, or end your turn.")
    if may_start:
        return say("Buy, sell, start a company, or pass.") if may_sell else say("Buy, start a company, or pass.")
    return say("Buy, sell, or pass.") if may_sell else say("Buy, or pass.")


def acts_of(offers: Sequence[Offer]) -> list[str]:
    """What can be done."""
    acts = [kind for kind in ACTS if any(offer.kind == kind and not offer.refused for offer in offers)]
    return [*acts, GIVE] if orders_of(offers) else acts


def _read_sale(form: Filled, offers: Sequence[Offer]) -> Request:
    sold = _sold(form, _parts(offers))
    if not sold:
        raise Missing(SOLD, "Choose at least one certificate.", "BS 5.2")
    return {"kind": "sell", "certificates": sold}


def _sold(form: Filled, parts: Parts) -> dict[str, int]:
    sold = {
        name: whole(form, f"{SOLD}{name}", label, 0, most, rule="BS 5.2")
        for name, label, most in parts
        if form.get(f"{SOLD}{name}")
    }
    return {name: number for name, number in sold.items() if number}


def _needed_sale(form: Filled, offers: Sequence[Offer]) -> Counts | None:
    """What the chosen purchase or start must carry."""
    act, company, value = form.get(ACT), form.get(COMPANY), form.get(VALUE)
    if act == "buy":
        offer = _papers(offers, company).get(form.get(PAPER))
        return sale_in(offer) if offer else None
    starts = [offer for offer in offers if act == "start" == offer.kind and offer.fixed["company"] == company]
    return sale_in(starts[0], int(value)) if starts and value.isdecimal() else None


def _with_least(form: Filled, sale: Counts | None) -> Filled:
    """The form with a sale of as many of the first certificates as needed, unless some have been chosen."""
    if sale is None or any(form.get(f"{SOLD}{name}") for name, *_ in sale.parts):
        return form
    left, chosen = sale.least, {}
    for name, _, most in sale.parts:
        chosen[f"{SOLD}{name}"] = str(min(left, most))
        left -= min(left, most)
    return form.with_(**chosen)


def _with_sale(form: Filled, offer: Offer, request: Request) -> Request:
    """The purchase or start with the sale that it needs. (B-9)"""
    sale = sale_in(offer, request.get("value"))
    if sale is None:
        return request
    sold = _sold(form, sale.parts)
    if not sold:
        raise Missing(SOLD, "Choose what you sell first.", "B-9")
    return request | {SALE: sold}


def _parts(offers: Sequence[Offer]) -> Parts:
    """Certificates that may be sold: name, label and number."""
    fields = [field for offer in offers if offer.kind == "sell" for field in offer.fields]
    return next((field.parts for field in fields if isinstance(field, Counts)), ())


def _read_purchase(form: Filled, offers: Sequence[Offer]) -> Request:
    company = _company(form, offers, "buy")
    papers = _papers(offers, company)
    paper = form.get(PAPER)
    if paper not in papers:
        raise Missing(PAPER, "Choose a certificate.", "BS 5.3")
    if papers[paper].refused:
        raise BadField(PAPER, papers[paper].refused, papers[paper].rule)
    return _with_sale(form, papers[paper], {"kind": "buy", **papers[paper].fixed})


def _read_start(form: Filled, offers: Sequence[Offer]) -> Request:
    company = _company(form, offers, "start")
    offer = next(offer for offer in offers if offer.kind == "start" and offer.fixed["company"] == company)
    if offer.refused:
        raise BadField(COMPANY, offer.refused, offer.rule)
    value = one_of(form, VALUE, mark("The value"), _values(offers, company), rule="BS 5.5")
    return _with_sale(form, offer, {"kind": "start", "company": company, "value": int(value)})


def _company(form: Filled, offers: Sequence[Offer], kind: str) -> str:
    if not form.get(COMPANY):
        raise Missing(COMPANY, "Choose a company.", "BS 5")
    companies = dict.fromkeys(str(offer.fixed["company"]) for offer in offers if offer.kind == kind)
    if form.get(COMPANY) not in companies:
        raise Missing(COMPANY, "Choose a company.", "BS 5")
    return form.get(COMPANY)


def _papers(offers: Sequence[Offer], company: str) -> dict[str, Offer]:
    """A company's certificates for sale, as `P:treasury`."""
    return {
        f"{offer.fixed['certificate']}:{offer.fixed['place']}": offer
        for offer in offers
        if offer.kind == "buy" and offer.fixed["company"] == company
    }


def _values(offers: Sequence[Offer], company: str) -> list[str]:
    """The opening values that the reader can pay."""
    starts = [offer for offer in offers if offer.kind == "start" and offer.fixed["company"] == company]
    return [str(value) for offer in starts for value in values_of(offer.fields)]


def _form(question: Question) -> StockForm:
    form, act = question.filled, question.filled.get(ACT)
    return StockForm(
        acts=tuple(
            Option(kind, say_as("stock", ACTS[kind][0]), checked=kind == act, does=say(ACTS[kind][1]))
            for kind in acts_of(question.offers)
        ),
        act=act,
        companies=_companies(question, act),
        papers=tuple(_paper(question, paper, offer) for paper, offer in _shown_papers(question).items()),
        values=tuple(
            Option(value, value, checked=value == form.get(VALUE))
            for value in (_values(question.offers, form.get(COMPANY)) if act == "start" else ())
        ),
        held=tuple(_held(question, *part) for part in _sellable(question)),
        started=_started(question) if act == "start" else None,
        orders=order_form(question) if act == GIVE else None,
    )


def _started(question: Question) -> CompanyView | None:
    """The company that the form would start."""
    chosen = question.filled.get(COMPANY)
    return next((company for company in question.view.companies if company.key == chosen), None)


def _sellable(question: Question) -> Parts:
    """What can be sold now, or with the chosen purchase or start."""
    if question.filled.get(ACT) == "sell":
        return _parts(question.offers)
    sale = _needed_sale(question.filled, question.offers)
    return sale.parts if sale else ()


def _shown_papers(question: Question) -> dict[str, Offer]:
    is_buying = question.filled.get(ACT) == "buy"
    return _papers(question.offers, question.filled.get(COMPANY)) if is_buying else {}


def _companies(question: Question, act: str) -> tuple[Option, ...]:
    """The companies that can be chosen, each with what matters: one’s shares of it, or its trade and its value."""
    offered: dict[str, list[Offer]] = {}
    for offer in question.of(act) if act in {"buy", "start"} else ():
        offered.setdefault(offer.fixed["company"], []).append(offer)
    return tuple(_tile(question, act, key, offers) for key, offers in offered.items())


def _tile(question: Question, act: str, key: str, offers: list[Offer]) -> Option:
    company = company_of(question.view, key)
    refused = next((offer.refused for offer in offers), "") if all(offer.refused for offer in offers) else ""
    figure = thousands(company.price) if act == "buy" else ""
    detail = _own(question, company) if act == "buy" else say(TRADE_TITLES[company.trade])
    chosen = question.filled.get(COMPANY) == key
    return Option(key, company.title, detail, figure, checked=chosen, refused=refused)


def _own(question: Question, company: CompanyView) -> str:
    held = question.you.shares.get(company.key, 0)
    return say("you hold {n}, the most", n=held) if held == MOST_SHARES else say("you hold {n}", n=held)


def _paper(question: Question, paper: str, offer: Offer) -> Option:
    kind, _, place = paper.partition(":")
    company = company_of(question.view, str(offer.fixed["company"]))
    left = (company.treasury if place == "treasury" else company.pool).get(kind, 0)
    return Option(
        paper,
        say(PAPERS[kind]),
        offer.text if needs_sale(offer) else say("{place}: {n}", place=say(PLACES[place]), n=left),
        thousands(UNITS[kind] * company.price),
        checked=question.filled.get(PAPER) == paper,
        refused=offer.refused,
        rule=offer.rule,
    )


def _held(question: Question, name: str, label: str, most: int) -> Held:
    key, _, kind = name.partition(":")
    company = company_of(question.view, key)
    value = question.filled.get(f"{SOLD}{name}") or "0"
    return Held(f"{SOLD}{name}", key, company.title, say(PAPERS[kind]), value, most, UNITS[kind] * company.price)


def _preview(question: Question) -> Preview:
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    request = question.request()
    if request is None:
        return Preview(hint=say(HINTS.get(question.filled.get(ACT), CHOOSE)))
    if request["kind"] == "pass_turn":
        return Preview(hint=say("You do nothing this turn. The phase ends once all players pass in a row."))
    if request["kind"] == "done":
        return Preview(hint=say("Your sale counts, and your turn ends."))
    course = Course(question)
    if not course.do(request):
        return Preview(says=(Say(course.refusal.text, course.refusal.rule),)) if course.refusal else Preview()
    assert course.after is not None
    rows = changes(question, course.after, request.get("company", ""))
    rows = (*_kept_values(question, request, course.after), *rows, *_start_rows(request))
    return Preview(_caption(request), rows, _says(question, request))


def _button(question: Question) -> str:
    """What the button says: a purchase that needs a sale says both."""
    act, request = question.filled.get(ACT), question.request()
    if act in SALE_FIRST and request is not None and _sale_of(request):
        return SALE_FIRST[act]
    return ACTS[act][1] if act in ACTS else TURN


def _caption(request: Request) -> str:
    return say(
        CAPTIONS[request["kind"]],
        paper=say(PAPERS_INSIDE.get(request.get("certificate", ""), "")),
        company=company_title(request),
        value=request.get("value", 0),
    )


def _kept_values(question: Question, request: Request, after: ShouldersView) -> Iterator[Row]:
    """Rows about values that a sale does not move, with the reason. (BS 5.6)"""
    for key in words.shares_by_company(_sale_of(request)):
        was, now = company_of(question.view, key), company_of(after, key)
        if was.price == now.price:
            is_kept = was.asset == PRICE_PROTECTION and was.price > min(VALUES)
            note = say("kept by Price Protection") if is_kept else ""
            yield Row(say("Value of {company}", company=was.title), thousands(now.price), thousands(was.price), note)


def _start_rows(request: Request) -> tuple[Row, ...]:
    """The rows about a new company: its cash, the price of its good, and its appeal."""
    if request["kind"] != "start":
        return ()
    row = COMPANIES[request["company"]]
    return (
        Row(say("Its cash"), thousands(UNITS[DIRECTOR] * request["value"])),
        Row(say("Price of a good"), thousands(row.prices[0])),
        Row(say("Appeal"), str(row.appeal)),
    )


def _sale_of(request: Mapping[str, Any]) -> Mapping[str, int]:
    sold: Mapping[str, int] = request.get("certificates") or request.get(SALE) or {}
    return sold


def _says(question: Question, request: Request) -> tuple[Say, ...]:
    """What a sale means for the rest of the turn and the decade."""
    if not _sale_of(request):
        return ()
    shares = words.shares_by_company(_sale_of(request))
    sold = listed(row.title for company, row in COMPANIES.items() if shares[company])
    text = say("You cannot buy shares of {companies} again in this decade.", companies=sold)
    return (Say(text, "BS 5.4"),)
