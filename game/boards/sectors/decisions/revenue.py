"""The vote on what companies do with their revenue. (S 6.5)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Decision, Filled, Question, Request, Values, one_of
from game.boards.sectors.decisions.fills import SHIELD
from game.boards.sectors.decisions.ticks import ALWAYS, MOST_ROWS, VOTE_FULL, always_tick, always_words, read_always
from game.boards.sectors.decisions.vote_table import VoteTable, Weight, table_of_revenue, weights_of
from game.boards.shapes import Option, Preview, Row, Ticket
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands
from game.rulesets.sectors.numbers import share_of
from game.rulesets.sectors.prices import after_dividend, after_fall
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.common import BOOM_STEPS

BOOM = "Boom Cycle"
VOTE_TEXTS = {
    "full": mark("{company} pays all"),
    "half": mark("{company} pays half"),
    "retain": mark("{company} retains"),
}


class RevenueRow(msgspec.Struct, frozen=True):
    """One company's vote."""

    company: Any
    held: int
    options: tuple[Option, ...]
    weights: tuple[Weight, ...]
    refused: str = ""
    rule: str = ""
    table: VoteTable | None = None


class RevenueVote(Decision):
    """Phase 22: one row for each company with revenue that the viewer owns."""

    prompt = mark("Vote on what your companies do with their revenue")
    names = frozenset({"vote_", ALWAYS})
    is_vote = True
    choice = ("vote_", mark("Choose how to vote."))

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        voted = [ticker for ticker in form.under("vote_")[:MOST_ROWS] if form.get(f"vote_{ticker}")]
        choices = ("full", "half", "retain")
        return [
            *(
                {
                    "kind": "vote_revenue",
                    "company": ticker,
                    "choice": one_of(form, f"vote_{ticker}", ticker, choices, rule="S 6.5"),
                }
                for ticker in voted
            ),
            *read_always(form),
        ]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if form.get(ALWAYS):
            raise BadField(ALWAYS, "You cannot vote full dividends from now on and not vote. Untick one.", "S 6.5")
        return []

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] == VOTE_FULL:
            return {ALWAYS: ["on"]}
        return {f"vote_{request.get('company')}": [str(request.get("choice", ""))]}

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        if request["kind"] == VOTE_FULL:
            return always_words()
        return say(VOTE_TEXTS.get(request["choice"], "{company}"), company=request["company"])

    def ticket(self, question: Question) -> Ticket:
        """Phase 22: one row for each company with revenue that the viewer owns. (S 6.5)"""
        rows = tuple(_revenue_row(question, offer) for offer in question.of("vote_revenue"))
        title = (
            say("Vote on what {company} does with its revenue.", company=rows[0].company.name)
            if len(rows) == 1
            else say("Vote on what {n} companies do with their revenue.", n=len(rows))
        )
        hint = say(
            "Most shares win; in a tie, the voter who is first in player priority decides. Without votes the "
            "revenue is retained."
        )
        return Ticket(
            "boards/sectors/panel/revenue.html",
            title,
            rows,
            _dividends(question, hint),
            mark("Revenue"),
            say("one vote for each share"),
            say("Submit votes"),
            say("Do not vote"),
            lasting=tuple(filter(None, [always_tick(question)])),
        )


def _revenue_row(question: Question, offer: Offer) -> RevenueRow:
    company = question.view.company(offer.fixed["company"])
    held, sent = company.holdings.get(question.view.seat, 0), question.filled.get(f"vote_{company.ticker}")
    chosen = sent if sent in CHOICES else ""
    options = tuple(_choice(company, held, choice, chosen) for choice in CHOICES)
    table = table_of_revenue(question, company, chosen)
    return RevenueRow(company, held, options, weights_of(question, company), offer.refused, offer.rule, table)


PAID = {"full": lambda revenue: revenue, "half": lambda revenue: revenue // 2, "retain": lambda revenue: 0}
CHOICES = {"full": mark("Full"), "half": mark("Half"), "retain": mark("Retain")}


def _choice(company: Any, held: int, choice: str, chosen: str) -> Option:
    paid = PAID[choice](company.revenue)
    dividend = share_of(paid, held, company.existing)
    return Option(
        choice,
        say(CHOICES[choice]),
        say("you get {amount}", amount=thousands(dividend)),
        thousands(dividend),
        _move(company, choice, paid),
        choice == chosen,
    )


def _move(company: Any, choice: str, paid: int) -> str:
    """The price move, if nothing else moves the price. (S 3.5, 6.6)"""
    if choice == "retain":
        step = after_fall(company.step, 1, is_shielded=SHIELD in company.abilities)
    else:
        step = after_dividend(company.step, paid, BOOM_STEPS if BOOM in company.abilities else 0)
    if step == company.step:
        return say("price stays {price}", price=company.price)
    return say("price {was} to {now}", was=company.price, now=PRICES[step])


def _votes(question: Question) -> list[Request]:
    """The votes that the form makes now where the viewer has one; with full dividends for all later votes, that is the
    vote wherever none is chosen."""
    votes = {request["company"]: request for request in question.requests if request["kind"] != VOTE_FULL}
    is_full = len(votes) < len(question.requests)
    tickers = [offer.fixed["company"] for offer in question.of("vote_revenue")]
    usual = {ticker: {"company": ticker, "choice": "full"} for ticker in tickers} if is_full else {}
    return [{**usual, **votes}[ticker] for ticker in tickers if ticker in usual or ticker in votes]


def _dividends(question: Question, hint: str) -> Preview:
    if not question.requests:
        return Preview(hint=hint)
    rows, total = [], 0
    for request in _votes(question):
        company = question.view.company(request["company"])
        paid = PAID[request["choice"]](company.revenue)
        mine = share_of(paid, company.holdings.get(question.view.seat, 0), company.existing)
        total += mine
        retained = say("treasury +{amount}", amount=thousands(company.revenue - paid))
        rows.append(Row(company.ticker, f"+{thousands(mine)}", note=retained))
    rows.append(Row(say("Cash"), thousands(question.you.cash + total), thousands(question.you.cash)))
    return Preview(say("If your votes win"), tuple(rows), hint=hint)
