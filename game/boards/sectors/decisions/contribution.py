"""Contributions to an insolvent company, which are public, immediate and final. The form also takes votes for later
phases. (S 6.12, A41)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import (
    DOLLARS,
    BadField,
    Decision,
    Filled,
    Question,
    Request,
    Values,
    offer_of,
    range_of,
    whole,
)
from game.boards.sectors.decisions.ballot import CompanyVote, ballot_form
from game.boards.sectors.decisions.vote_table import Weight, weights_of
from game.boards.shapes import Preview, Row, Say, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Offer
from game.engine.phrases import listed, thousands
from game.rulesets.sectors.tables.common import LIQUIDATION_PERCENT


class ContributionForm(msgspec.Struct, frozen=True):
    """The missing amount, the most that the viewer can give, and what a bankruptcy costs them."""

    company: Any
    missing: int
    contributed: int
    cash: str
    shares: str
    most_cash: int
    held: int
    weights: tuple[Weight, ...]

    @property
    def suggested(self) -> int:
        """The cash that saves the company, or as much of it as the viewer has."""
        return min(self.missing, self.most_cash)

    @property
    def loss(self) -> str:
        """What the viewer loses if the company goes bankrupt."""
        worth = self.held * self.company.price
        return count(
            "Your {n} share, worth {worth} now, would bring you only {payout}.",
            "Your {n} shares, worth {worth} now, would bring you only {payout}.",
            self.held,
            worth=thousands(worth),
            payout=thousands(worth * LIQUIDATION_PERCENT // 100),
        )


class Contribution(Decision):
    """Phase 25: the shareholders of an insolvent company save it or let it go bankrupt."""

    prompt = mark("Save {company}, or let it go bankrupt")
    names = frozenset({"cash", "shares", "sure", *CompanyVote.names})
    lists = CompanyVote.lists
    at_once = mark("Contributions take effect at once")
    votes = CompanyVote()

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        offer = offer_of(offers, "contribute")
        cash = (
            whole(form, "cash", mark("The cash"), *range_of(offer, "cash", DOLLARS), rule="S 6.12")
            if form.get("cash")
            else 0
        )
        shares = (
            whole(form, "shares", mark("The number of shares"), *range_of(offer, "shares", DOLLARS), rule="S 6.12")
            if form.get("shares")
            else 0
        )
        gift: list[Request] = [{"kind": "contribute", "cash": cash, "shares": shares}] if cash or shares else []
        # The contribution goes last: it may close the phase.
        return [*self.ahead(form, offers), *gift]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return self.votes.read(form, offers)

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] == "vote_actions":
            return self.votes.fill(request, offers)
        return {name: [str(request.get(name) or "")] for name in ("cash", "shares")}

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        if request["kind"] == "vote_actions":
            return self.votes.sentence(request, view)
        cash = [thousands(request["cash"])] if request.get("cash") else []
        shares = [count("{n} share", "{n} shares", request["shares"])] if request.get("shares") else []
        return say("contribute {gift}", gift=listed([*cash, *shares]))

    def confirm(self, wanted: Sequence[Request], form: Filled) -> None:
        """A contribution is final: the checkbox names the amount and must be ticked. (S 6.12)"""
        if not wanted:
            raise BadField("cash", "A contribution is at least 1 dollar or 1 share.", "S 6.12")
        if any(request["kind"] == "contribute" for request in wanted) and not form.get("sure"):
            raise BadField("sure", "A contribution is final: tick the box to confirm it.", "S 6.12")

    def ticket(self, question: Question) -> Ticket:
        """The form for holders of the company's shares; for everybody else the ballot alone. (S 6.12, A41)"""
        company = question.view.company(question.view.acting)
        if not company.holdings.get(question.view.seat):
            return self.votes.ticket(question)
        missing = max(company.shortfall - company.contributed, 0)
        held = company.holdings.get(question.view.seat, 0)
        form = ContributionForm(
            company,
            missing,
            company.contributed,
            question.filled.get("cash"),
            question.filled.get("shares"),
            question.you.cash,
            held,
            weights_of(question, company),
        )
        title = (
            say(
                "{company} goes bankrupt unless it gets {amount} more.", company=company.name, amount=thousands(missing)
            )
            if missing
            else say("{company} is saved.", company=company.name)
        )
        return Ticket(
            "boards/sectors/panel/help.html",
            title,
            form,
            _help_preview(question, company, missing, held),
            mark("Contribute"),
            say("public, immediate, final"),
            say("Contribute"),
            say("No more contributions"),
            ballot_form(question),
            is_enough=not missing,
        )


def _help_preview(question: Question, company: Any, missing: int, held: int) -> Preview:
    request = question.request("contribute")
    if request is None:
        return Preview()
    worth = request["cash"] + request["shares"] * company.price
    for_shares = say("{shares} × {price} for shares", shares=request["shares"], price=company.price)
    rows = [Row(say("Contribution"), thousands(worth), note=for_shares if request["shares"] else "")]
    rows += [Row(say("Still missing"), thousands(max(missing - worth, 0)), thousands(missing))]
    rows += [Row(say("Cash"), thousands(question.you.cash - request["cash"]), thousands(question.you.cash))]
    if request["shares"]:
        rows.append(Row(say("Shares"), str(held - request["shares"]), str(held), say("of {n}", n=company.existing)))
    says = []
    if worth < missing:
        says.append(
            Say(
                say(
                    "{amount} would still be missing. "
                    "If nobody adds it, the company goes bankrupt and your contribution is lost.",
                    amount=thousands(missing - worth),
                ),
                "S 6.12",
            )
        )
    if request["shares"]:
        falls = count(
            "If the company is saved, the shares you give lower its price by {n} step.",
            "If the company is saved, the shares you give lower its price by {n} steps.",
            request["shares"],
        )
        says.append(Say(falls, "S 6.12"))
    return Preview(say("If you contribute this"), tuple(rows), tuple(says))
