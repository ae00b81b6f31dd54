"""Votes on revenue, on a company's actions, and help for an insolvent company. (S 6.5, 6.7, 6.12)"""

from __future__ import annotations

from typing import Any

import msgspec

from game.dock.ballot_preview import income_of, next_words, preview_of
from game.dock.fills import SHIELD
from game.dock.shapes import Asked, Option, Preview, Row, Say, Ticket, Weight
from game.engine.offers import Offer, Several
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.numbers import share_of
from game.rulesets.sectors.prices import after_dividend, after_fall
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.tables.common import BOOM_STEPS

BOOM = "Boom Cycle"
NUMBER_KEYS = 9


class RevenueRow(msgspec.Struct, frozen=True):
    """One company's vote."""

    company: Any
    held: int
    options: tuple[Option, ...]
    weights: tuple[Weight, ...]
    refused: str = ""
    rule: str = ""


def weights_of(asked: Asked, company: Any) -> tuple[Weight, ...]:
    """The shares that may vote: yours first, then the largest."""
    held = sorted(company.holdings.items(), key=lambda pair: (pair[0] != asked.view.seat, -pair[1]))
    return tuple(_weight(asked.seats[seat], shares, is_you=seat == asked.view.seat) for seat, shares in held)


def _weight(place: Any, shares: int, *, is_you: bool) -> Weight:
    return Weight("You" if is_you else place.name, shares, place.css, is_you, place.letter)


def revenue(asked: Asked) -> Ticket:
    """Phase 22: one row for each company with revenue that the viewer owns. (S 6.5)"""
    rows = tuple(_revenue_row(asked, offer) for offer in asked.of("vote_revenue"))
    title = f"Vote what {rows[0].company.name if len(rows) == 1 else plural(len(rows), 'company').replace('companys', 'companies')} "
    title += f"{'does with its' if len(rows) == 1 else 'do with their'} revenue."
    hint = "Most shares win; a tie goes to the best placed voter. Without a vote the revenue is retained."
    return Ticket("revenue", title, rows, _dividends(asked, hint), "Revenue", "weight: your shares", "Submit votes", "Do not vote")


def _revenue_row(asked: Asked, offer: Offer) -> RevenueRow:
    company = asked.view.company(offer.fixed["company"])
    held, chosen = company.holdings.get(asked.view.seat, 0), asked.filled.get(f"vote_{company.ticker}")
    options = tuple(_choice(company, held, choice, chosen) for choice in ("full", "half", "retain"))
    return RevenueRow(company, held, options, weights_of(asked, company), offer.refused, offer.rule)


PAID = {"full": lambda revenue: revenue, "half": lambda revenue: revenue // 2, "retain": lambda revenue: 0}
CHOICES = {"full": "Full", "half": "Half", "retain": "Retain"}


def _choice(company: Any, held: int, choice: str, chosen: str) -> Option:
    paid = PAID[choice](company.revenue)
    dividend = share_of(paid, held, company.existing)
    return Option(
        choice, CHOICES[choice], f"you get {thousands(dividend)}", thousands(dividend), _move(company, choice, paid), choice == chosen
    )


def _move(company: Any, choice: str, paid: int) -> str:
    """What the price does, if nothing else moves it. (S 3.5, 6.6)"""
    if choice == "retain":
        step = after_fall(company.step, 1, is_shielded=SHIELD in company.abilities)
    else:
        step = after_dividend(company.step, paid, BOOM_STEPS if BOOM in company.abilities else 0)
    return f"{company.price} to {PRICES[step]}" if step != company.step else f"stays {company.price}"


def _dividends(asked: Asked, hint: str) -> Preview:
    if not asked.requests:
        return Preview(hint=hint)
    rows, total = [], 0
    for request in asked.requests:
        company = next((c for c in asked.view.companies if c.ticker == request["company"]), None)
        if company is None:
            continue
        paid = PAID[request["choice"]](company.revenue)
        mine = share_of(paid, company.holdings.get(asked.view.seat, 0), company.existing)
        total += mine
        rows.append(Row(company.ticker, f"+{thousands(mine)}", note=f"treasury +{thousands(company.revenue - paid)}"))
    rows.append(Row("Cash", thousands(asked.you.cash + total), thousands(asked.you.cash)))
    return Preview("If your votes win", tuple(rows), hint=hint)


class Ballot(msgspec.Struct, frozen=True):
    """One company's ballot, now or ahead."""

    company: Any
    held: int
    most: int
    lines: tuple[Option, ...]
    weights: tuple[Weight, ...]
    is_ahead: bool
    ready: bool
    refused: str = ""
    rule: str = ""

    @property
    def is_filled(self) -> bool:
        """Whether something is ticked."""
        return any(line.checked for line in self.lines)

    @property
    def count(self) -> str:
        """How many of the actions it may have are ticked."""
        return f"{sum(line.checked for line in self.lines)} of {self.most} chosen"

    @property
    def is_single(self) -> bool:
        """Whether exactly one action is chosen, now."""
        return self.most == 1 and not self.is_ahead


class BallotForm(msgspec.Struct, frozen=True):
    """The acting company's ballot and those that can be cast ahead."""

    now: Ballot | None
    ahead: tuple[Ballot, ...]
    verdict: Say | None


def ballot(asked: Asked) -> Ticket:
    """Phase 25: the company's actions. (S 6.7)"""
    form = _ballot_form(asked)
    now = form.now
    if now is None:
        return Ticket("lens", "Vote ahead, if you like.", form, Preview(), "Later companies", "sealed", "Submit votes ahead", "", form)
    title = f"Choose what {now.company.name} does, with {now.held} of its {now.company.existing} shares."
    preview = preview_of(asked, now.company, now.lines)
    heading = f"up to {now.most} actions, most shares win" if now.most > 1 else "one action, most shares win"
    send = f"Submit vote, weight {now.held}"
    return Ticket("lens", title, form, preview, "Who can decide this", heading, send, "Abstain", form)


def _ballot_form(asked: Asked) -> BallotForm:
    ballots = [_ballot(asked, offer) for offer in asked.of("vote_actions")]
    now = next((b for b in ballots if not b.is_ahead), None)
    return BallotForm(now, tuple(b for b in ballots if b.is_ahead), _verdict(asked, now) if now else None)


def _ballot(asked: Asked, offer: Offer) -> Ballot:
    company = asked.view.company(offer.fixed["company"])
    ticked = asked.filled.several(f"actions_{company.ticker}")
    most = next((field.most for field in offer.fields if isinstance(field, Several)), 1)
    is_hopeless = most == 1 and company.is_acting
    lines = tuple(
        _line(line, ticked, is_hopeless, income_of(asked.view, company, line.key)) for line in asked.ballots.get(company.ticker, ())
    )
    lines = _with_keys(lines) if company.is_acting else lines
    ready = bool(asked.filled.get(f"ready_{company.ticker}")) or (asked.prefers_ready and not ticked)
    held = company.holdings.get(asked.view.seat, 0)
    return Ballot(company, held, most, lines, weights_of(asked, company), not company.is_acting, ready, offer.refused, offer.rule)


def _line(line: Any, ticked: list[str], is_hopeless: bool, income: int) -> Option:
    """A line that would fail today can be chosen where another action, or time, may still help it."""
    cost = f"{thousands(line.cost)} + {line.prestige}" if line.prestige else thousands(line.cost)
    left = thousands(line.treasury_left + income) if not line.refused else ""
    return Option(
        line.key, line.title, line.text, cost, left, line.key in ticked, line.refused, line.rule, is_hopeless, next_words(line.next)
    )


def _with_keys(lines: tuple[Option, ...]) -> tuple[Option, ...]:
    """The first nine lines that can be chosen, each with its number key."""
    free = [line.value for line in lines if not (line.refused and line.extra)]
    keys = {value: str(key) for key, value in enumerate(free[:NUMBER_KEYS], 1)}
    return tuple(msgspec.structs.replace(line, key=keys[line.value]) if line.value in keys else line for line in lines)


def _verdict(asked: Asked, now: Ballot) -> Say:
    """How far the viewer's shares carry."""
    others = [weight for weight in now.weights if not weight.is_you]
    rest = sum(weight.shares for weight in others)
    shares, names = plural(now.held, "share"), listed(weight.name for weight in others)
    verb = "decides" if now.held == 1 else "decide"
    if not others or now.held > rest:
        return Say(
            f"{names or 'Nobody'} cannot outvote you." if others else "Nobody else owns any.", "", "ok", f"Your {shares} {verb} alone."
        )
    if now.held == rest:
        return Say(
            "A tie goes to the best placed voter.",
            "S 6.7",
            "ok",
            f"Your {shares} {verb} unless {names} {'agree' if len(others) > 1 else 'differs'}.",
        )
    return Say(f"Together {names} hold {rest}. A tie goes to the best placed voter.", "S 6.7", "", f"Your {shares} can be outvoted.")


class HelpForm(msgspec.Struct, frozen=True):
    """What is missing, and what the viewer may give."""

    company: Any
    missing: int
    given: int
    cash: str
    shares: str
    most_cash: int
    held: int
    weights: tuple[Weight, ...]


def contribution(asked: Asked) -> Ticket:
    """Phase 25 of an insolvent company: public, at once and for good. (S 6.12, A41)"""
    company = asked.view.company(asked.view.acting)
    if not company.holdings.get(asked.view.seat):
        return ballot(asked)
    missing = max(company.shortfall - company.contributed, 0)
    held = company.holdings.get(asked.view.seat, 0)
    form = HelpForm(company, missing, company.contributed, asked.filled.get("cash"), asked.filled.get("shares"), asked.you.cash, held,
                    weights_of(asked, company))  # fmt: skip
    title = f"{company.name} closes unless {thousands(missing)} more comes in." if missing else f"{company.name} is saved."
    return Ticket("help", title, form, _help_preview(asked, company, missing, held), "Contribute", "public, at once, for good",
                  "Contribute for good", "Give no more", _ballot_form(asked))  # fmt: skip


def _help_preview(asked: Asked, company: Any, missing: int, held: int) -> Preview:
    request = asked.request("contribute")
    if request is None:
        return Preview()
    worth = request["cash"] + request["shares"] * company.price
    rows = [Row("It brings", thousands(worth), note=f"{request['shares']} × {company.price} for shares" if request["shares"] else "")]
    rows += [Row("Still missing", thousands(max(missing - worth, 0)), thousands(missing))]
    rows += [Row("Cash", thousands(asked.you.cash - request["cash"]), thousands(asked.you.cash))]
    rows += [Row("Shares", str(held - request["shares"]), str(held), f"of {company.existing}")] if request["shares"] else []
    says = []
    if worth < missing:
        says.append(
            Say(f"{thousands(missing - worth)} would still be missing. If nobody adds it, the company closes and this is gone.", "S 6.12")
        )
    if request["shares"]:
        says.append(Say(f"If it is saved, the price falls {plural(request['shares'], 'step')} for the shares.", "S 6.12"))
    return Preview("If you give this", tuple(rows), tuple(says))
