"""The part of the ticket that is one’s own turn: one action, on a company, for an amount. (ST 4)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Filled, Missing, Question, Request, Values, offer_of, one_of, whole
from game.boards.shapes import Option
from game.boards.stock_market_tycoon.decisions.words import title
from game.boards.stock_market_tycoon.market import office_of
from game.engine.language import mark, mark_as, say, say_as
from game.engine.offers import Choice, Field, Offer, Range
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.cards import signed
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, LOT
from game.rulesets.stock_market_tycoon.view import CompanyView

ACT, COMPANY, DRAWN_FOR = "act", "company", "drawn_for"
AMOUNTS = ("shares", "contract", "dividend", "price")
NAMES = frozenset({ACT, COMPANY, DRAWN_FOR, *AMOUNTS})
ALONE = ("play_loan", "end_turn")
"""Actions on no company."""
CONTRACTS = {"call": mark("calls"), "put": mark("puts")}
ACTS = {
    "buy": (mark_as("action", "Buy"), mark("Buy {n} {company} and end turn")),
    "sell": (mark_as("action", "Sell"), mark("Sell {n} {company} and end turn")),
    "sell_short": (mark_as("action", "Short"), mark("Sell {n} {company} short and end turn")),
    "buy_option": (mark_as("action", "Option"), mark("Buy {contract} on {n} {company} and end turn")),
    "declare_dividend": (mark_as("action", "Dividend"), mark("Declare {dividend} for {company} and end turn")),
    "announce_buyback": (mark_as("action", "Buyback"), mark("Offer {price} for {n} {company}")),
    "play_rights": (mark_as("action", "Rights"), mark("Issue {n} {company} and end turn")),
    "follow_rights": (mark_as("action", "Follow rights"), mark("Take {n} {company} by rights")),
    "play_debenture": (mark_as("action", "Debenture"), mark("Give {company} back and end turn")),
    "play_loan": (mark_as("action", "Loan"), mark("Cash in the loan stock and end turn")),
    "end_turn": (mark_as("action", "Pass"), mark("Pass and end turn")),
}
"""By kind: its name on the ticket, and what the button says."""


class Quick(msgspec.Struct, frozen=True):
    """An amount that one press fills in."""

    value: int
    label: str


class Amount(msgspec.Struct, frozen=True):
    """A number field with its limits and the amounts that are likely; `hint` says what the limit is."""

    name: str
    label: str
    value: str
    low: int
    high: int
    step: int
    hint: str
    quick: tuple[Quick, ...] = ()


class TurnForm(msgspec.Struct, frozen=True):
    """The fields of a turn. `acts` are actions, `companies` those that the chosen one could be about, with what matters
    for it; `refused` says why the chosen company cannot be chosen."""

    acts: tuple[Option, ...]
    companies: tuple[Option, ...]
    amounts: tuple[Amount, ...]
    choices: tuple[tuple[str, str, tuple[Option, ...]], ...]
    drawn_for: str


def read_turn(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The action that the form asks for; none if no action is chosen. Raises `BadField`."""
    if not form.get(ACT):
        return []
    kinds = list(dict.fromkeys(offer.kind for offer in offers if offer.kind in ACTS))
    act = one_of(form, ACT, mark("The action"), kinds, rule="ST 4")
    if act in ALONE:
        return [{"kind": act}]
    if not form.get(COMPANY):
        raise Missing(COMPANY, "Choose a company.", "ST 4")
    company = one_of(form, COMPANY, mark("The company"), COMPANY_KEYS, rule="ST 1.1")
    offer = offer_of(offers, act, company=company)
    if offer is None:
        raise BadField(COMPANY, NOT_OFFERED[act], "ST 4", company=title({"company": company}))
    if offer.refused:
        raise BadField(COMPANY, offer.refused, offer.rule)
    request: Request = {"kind": act, "company": company}
    return [request | {field.name: _value(form, field, offer.rule) for field in offer.fields}]


NOT_OFFERED = {
    "buy": mark("{company} is not on offer now."),
    "sell": mark("You hold no shares of {company}."),
    "sell_short": mark("{company} cannot be sold short now."),
    "buy_option": mark("There are no options on {company} now."),
    "declare_dividend": mark("You are neither Chairman nor Director of {company}."),
    "announce_buyback": mark("You do not chair {company}, or nobody else holds its shares."),
    "play_rights": mark("You hold no shares of {company}."),
    "follow_rights": mark("Nobody before you issued rights of {company}, or you hold none of it."),
    "play_debenture": mark(
        "You can play a Debenture only for shares that you hold at a price of 0. {company} is no such company."
    ),
}


def _value(form: Filled, field: Field, rule: str) -> Any:
    if isinstance(field, Range):
        return whole(form, field.name, field.label, field.low, field.high, rule=rule, step=field.step)
    assert isinstance(field, Choice)
    return one_of(form, field.name, field.label, [str(value) for value, _ in field.values], rule=rule)


def fill_turn(request: Request) -> Values:
    """The form values of a request."""
    fields = {name: [str(request[name])] for name in (COMPANY, *AMOUNTS) if name in request}
    return {ACT: [request["kind"]], **fields, DRAWN_FOR: [_drawn_for(request["kind"], request.get(COMPANY, ""))]}


def _drawn_for(act: str, company: str) -> str:
    return f"{act}:{company}"


def is_drawn_anew(form: Filled) -> bool:
    """True if another action or company was chosen than the amounts were drawn for."""
    return form.get(DRAWN_FOR) != _drawn_for(form.get(ACT), form.get(COMPANY))


def without_amounts(form: Filled) -> Filled:
    """The form without amounts of an earlier action or company; amounts entered since the choice stay."""
    old = {name for name in AMOUNTS if not form.is_newer(name, ACT, COMPANY)}
    return Filled({name: values for name, values in form.all().items() if name not in old})


def with_amounts(form: Filled, offers: Sequence[Offer]) -> Filled:
    """The amounts that the rules suggest, where none are entered."""
    offer = offer_of(offers, form.get(ACT), company=form.get(COMPANY))
    usual = {}
    for field in offer.fields if offer else ():
        if not form.several(field.name):
            assert isinstance(field, Range | Choice)
            usual[field.name] = str(field.suggested if isinstance(field, Range) else field.values[0][0])
    return form.with_(**usual)


def turn_form(question: Question) -> TurnForm:
    """The fields as they stand."""
    form = question.filled
    act, company = form.get(ACT), form.get(COMPANY)
    offer = None if act in ALONE else offer_of(question.offers, act, company=company)
    fields = offer.fields if offer else ()
    companies = question.view.companies if act and act not in ALONE else ()
    return TurnForm(
        acts=tuple(_act(question, kind) for kind in ACTS if question.of(kind)),
        companies=tuple(_tile(question, act, company) for company in companies),
        amounts=tuple(_amount(question, offer, field) for field in fields if isinstance(field, Range) and offer),
        choices=tuple(_choice(question, field) for field in fields if isinstance(field, Choice)),
        drawn_for=_drawn_for(act, company),
    )


def _act(question: Question, kind: str) -> Option:
    label, does = ACTS[kind]
    return Option(kind, say_as("action", label), checked=question.filled.get(ACT) == kind, does=say(does))


def _tile(question: Question, act: str, company: CompanyView) -> Option:
    """A company with what matters for the action; `refused` where the rules forbid it."""
    offer = offer_of(question.offers, act, company=company.key)
    refused = "no" if offer is None or offer.refused else ""
    return Option(
        company.key,
        company.title,
        _detail(question, act, company, offer),
        thousands(company.price),
        checked=question.filled.get(COMPANY) == company.key,
        refused=refused,
    )


def _detail(question: Question, act: str, company: CompanyView, offer: Offer | None) -> str:
    """The line of text on a company's tile."""
    held = question.you.shares.get(company.key, 0)
    if act in {"sell", "play_debenture"} or (act == "sell_short" and held):
        text = mark("you hold {n}, cards {sum}") if act == "sell" and held else mark("you hold {n}")
        return say(text, n=thousands(held), sum=signed(company.my_sum or 0))
    if act in {"sell_short", "buy_option"}:
        return say("{n} left", n=thousands(company.short_left if act == "sell_short" else company.options_left))
    if act in {"declare_dividend", "announce_buyback"}:
        return say(OF_OFFICE[office_of(company, question.view.seat)])
    if act in {"play_rights", "follow_rights"}:
        most = next((field.high for field in offer.fields if isinstance(field, Range)), 0) if offer else 0
        return say("up to {n}", n=thousands(most))
    is_too_dear = act == "buy" and offer and offer.refused and question.you.cash < company.price * LOT
    return say("not enough cash") if is_too_dear else _of_cards(company)


def _of_cards(company: CompanyView) -> str:
    """What one's cards of a company add up to; with bad ones only the first purchase of a year is allowed."""
    total = company.my_sum or 0
    if total >= 0:
        return say("your cards {sum}", sum=signed(total))
    if company.was_bought:
        return say("cards {sum}, no longer first", sum=signed(total))
    return say("your cards {sum}, as first buyer", sum=signed(total))


OF_OFFICE = {"chairman": mark("you chair it"), "director": mark("you direct it"), "": mark("no office")}


def _amount(question: Question, offer: Offer, field: Range) -> Amount:
    hint = say("{low} to {high}", low=thousands(field.low), high=thousands(field.high))
    quick = _quick(question, offer, field) if field.high > field.low else ()
    value = question.filled.get(field.name) or str(field.suggested)
    return Amount(field.name, say(field.label), value, field.low, field.high, field.step, hint, quick)


def _quick(question: Question, offer: Offer, field: Range) -> tuple[Quick, ...]:
    """Amounts for one press: the least or a lot, the middle, the most, and the one that reaches an office."""
    least = LOT if field.name == "shares" and field.low < LOT < field.high else field.low
    middle = (field.low + field.high) // 2 // field.step * field.step
    labels = {least: thousands(least), middle: thousands(middle)}
    if field.name == "shares" and offer.kind in {"buy", "play_rights", "follow_rights"}:
        company = question.view.company(offer.fixed["company"])
        held = question.you.shares.get(company.key, 0)
        for threshold, words in ((company.for_director, mark("Director")), (company.for_chairman, mark("Chairman"))):
            missing = -(-(threshold - held) // field.step) * field.step
            if field.low <= missing <= field.high:
                labels[missing] = say("{office}: {n}", office=say(words), n=thousands(missing))
    labels[field.high] = say("most: {n}", n=thousands(field.high))
    return tuple(Quick(value, label) for value, label in sorted(labels.items()) if value >= field.low)


def contracts(kind: str) -> str:
    """The word for options on many shares, on buttons and in previews; empty for anything else."""
    return say(CONTRACTS[kind]) if kind in CONTRACTS else ""


def _choice(question: Question, field: Choice) -> tuple[str, str, tuple[Option, ...]]:
    chosen = question.filled.get(field.name)
    options = tuple(
        Option(str(value), words, contracts(str(value)), checked=str(value) == chosen) for value, words in field.values
    )
    return field.name, say(field.label), options
