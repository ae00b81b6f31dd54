"""Lessons of Sectors, and the notes next to a newcomer's first decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.lessons import LEARNER, Goal, Lesson, Note
from game.engine.language import mark
from game.rulesets.sectors.state import OPEN

CASH = 400  # of the learner, unless a lesson is about little money


def owns(ticker: str, shares: int) -> Callable[[Any], bool]:
    """True if the learner holds at least so many shares."""
    return lambda view: view.company(ticker).holdings.get(LEARNER, 0) >= shares


def is_active(ticker: str) -> Callable[[Any], bool]:
    """True if a company operates."""
    return lambda view: view.company(ticker).status == "active"


def has_more_cash_than(cash: int) -> Callable[[Any], bool]:
    return lambda view: view.player(LEARNER).cash > cash


def costs_more_than(ticker: str, price: int) -> Callable[[Any], bool]:
    return lambda view: view.company(ticker).price > price


def has_shorted(ticker: str) -> Callable[[Any], bool]:
    return lambda view: any(
        order.seat == LEARNER and order.company == ticker and order.kind == "short" for order in view.orders
    )


def has_covered(ticker: str) -> Callable[[Any], bool]:
    """True if the short with which the lesson began is no longer open."""
    return lambda view: (
        not any(order.company == ticker and order.kind == "short" and order.status == OPEN for order in view.orders)
    )


def has_contract(ticker: str) -> Callable[[Any], bool]:
    return lambda view: any(one.owner == LEARNER and one.company == ticker for one in view.contracts)


def has_exercised(ticker: str) -> Callable[[Any], bool]:
    """True if the contract with which the lesson began is gone."""
    return lambda view: not has_contract(ticker)(view)


SOUND = {"base_demand": 3, "treasury": 300}  # a company that sells all it makes, so that its price stays
TWO_COMPANIES = {
    "phase": "stock_orders",
    "turn": 3,
    "players": {"you": {"cash": CASH}, "other": {"cash": 300, "shares": {"ACME": 3, "SOLAR": 3}}},
    "companies": {
        "ACME": {"name": "Acme Industries", "price": 47, "ipo": 3, "market": 4, **SOUND},
        "SOLAR": {"name": "Solar Fields", "sector": "energy", "price": 80, "ipo": 3, "market": 4, **SOUND},
    },
    "sectors": {"industrial": {"consumers": 4}, "energy": {"consumers": 4}},
    "options": {"max_sub_rounds": 1},
}
TWO = {"players": {"you": {"cash": CASH}, "other": {"cash": 300}}}
LESSONS = (
    Lesson(
        "float",
        mark("Buy and float a company"),
        mark(
            "ACME sells its first shares at a fixed price. When half of its ten shares are sold, it floats: it begins "
            "to operate, and its shares are traded on the open market. Buy five shares in the IPO."
        ),
        {
            **TWO,
            "phase": "stock_orders",
            "turn": 2,
            "companies": {
                "ACME": {"name": "Acme Industries", "status": "inactive", "price": 47, "base_demand": 2},
                "SOLAR": {"name": "Solar Fields", "sector": "energy", "price": 80, "ipo": 4, "market": 2},
            },
            "sectors": {"industrial": {"consumers": 4}, "energy": {"consumers": 4}},
        },
        (Goal(mark("Own five shares of ACME."), owns("ACME", 5)), Goal(mark("ACME has floated."), is_active("ACME"))),
        mark(
            "Shares from the IPO cost the same however many you buy, and the stock price does not move. From now on "
            "ACME operates, and trading moves its price."
        ),
        "S 5.4",
    ),
    Lesson(
        "dividend",
        mark("Vote on revenue"),
        mark(
            "ACME has earned 200. You hold four of its six shares, so your vote decides. Vote to pay all of it out: "
            "the shareholders receive it, and the price rises a step for each time that it fits into the amount paid."
        ),
        {
            "phase": "revenue_vote",
            "turn": 3,
            "players": {"you": {"cash": 100, "shares": {"ACME": 4}}, "other": {"shares": {"ACME": 2}}},
            "companies": {
                "ACME": {
                    "name": "Acme Industries",
                    "price": 47,
                    "revenue": 200,
                    "sold": 4,
                    "produced": 4,
                    "base_demand": 3,
                    "treasury": 300,
                }
            },
            "sectors": {"industrial": {"consumers": 4}},
        },
        (
            Goal(mark("Receive your part of the revenue."), has_more_cash_than(100)),
            Goal(mark("The price of ACME is above 47."), costs_more_than("ACME", 47)),
        ),
        mark(
            "Revenue that is paid out goes to the shareholders and raises the price. Retained, it would have stayed "
            "in the treasury, and the price would have fallen a step."
        ),
        "S 6.5",
    ),
    Lesson(
        "short",
        mark("Sell short and cover"),
        mark(
            "A short earns when a price falls: you sold three ACME shares at 60 that you had borrowed, and the price "
            "is 47 now. First order a short of SOLAR, which you think will fall. Then, in the next phase, cover ACME: "
            "buy its shares back and keep the difference."
        ),
        {
            **TWO_COMPANIES,
            "orders": [
                {"player": "you", "kind": "short", "company": "ACME", "side": "sell", "quantity": 3, "price": 60}
            ],
        },
        (
            Goal(mark("Order a short of SOLAR."), has_shorted("SOLAR")),
            Goal(mark("Cover your short of ACME."), has_covered("ACME")),
        ),
        mark(
            "Covering cost less than the shares had brought, and the margin that was locked is yours again. Had the "
            "price risen, you would have paid the difference."
        ),
        "S 5.6",
    ),
    Lesson(
        "option",
        mark("Buy and exercise an option"),
        mark(
            "An option contract pays the stock price less its strike, for each of its shares. Yours on ACME has a "
            "strike of 35, and the price is 47. First buy the contract on SOLAR for its premium. Then, a few phases "
            "on, exercise the one on ACME."
        ),
        {
            **TWO_COMPANIES,
            "contracts": [
                {"company": "ACME", "strike": 35, "premium": 10, "term": 3, "owner": "you"},
                {"company": "SOLAR", "strike": 86, "premium": 20, "term": 3},
            ],
        },
        (
            Goal(mark("Own the contract on SOLAR."), has_contract("SOLAR")),
            Goal(mark("Exercise the contract on ACME."), has_exercised("ACME")),
        ),
        mark(
            "The bank paid you 12 for each of three shares, and the price rose by the bonus of the contract. The "
            "contract on SOLAR pays once its price is above 86."
        ),
        "S 5.7",
    ),
    Lesson(
        "insolvency",
        mark("Save an insolvent company"),
        mark(
            "ACME has no money left. Its shareholders may give it cash or shares; if that reaches its shortfall it "
            "goes on, otherwise it is bankrupt and your four shares are lost. The other shareholder gives nothing."
        ),
        {
            "phase": "contributions",
            "turn": 3,
            "acting": "ACME",
            "players": {"you": {"cash": CASH, "shares": {"ACME": 4}}, "other": {"cash": 300, "shares": {"ACME": 2}}},
            "companies": {
                "ACME": {
                    "name": "Acme Industries",
                    "status": "insolvent",
                    "tier": "startup",
                    "price": 47,
                    "treasury": 0,
                    "base_demand": 2,
                }
            },
            "sectors": {"industrial": {"consumers": 4}},
        },
        (Goal(mark("ACME is no longer insolvent."), is_active("ACME")),),
        mark(
            "What is given is public at once and cannot be taken back. Shares that are given are sold to the bank, "
            "and the price falls a step for each."
        ),
        "S 6.12",
    ),
)


NOTES = (
    Note(
        "bid",
        "influence_bid",
        mark(
            "All players bid at once, hidden from each other. The highest bid comes first in player priority, which "
            "decides who gets scarce shares. Every point you keep becomes a dollar, so a bid of 0 is a fair choice."
        ),
    ),
    Note(
        "order",
        "stock_orders",
        mark(
            "Choose a company and a number of shares. Shares from the IPO have a fixed price and never move the stock "
            "price. When enough of them are sold, the company floats and begins to operate. The box under the form "
            "says what your order would do."
        ),
        "ladder",
        mark("The stock chart"),
    ),
    Note(
        "revenue",
        "revenue_vote",
        mark(
            "Your companies have sold their goods. Each of your shares is a vote: revenue paid out goes to the "
            "shareholders and can raise the price, revenue retained stays in the company and lowers the price a step."
        ),
        "h-sectors",
        mark("The companies"),
    ),
    Note(
        "company",
        "company_vote",
        mark(
            "Shareholders choose what the company does with its treasury. You see what each action costs and what it "
            "would change. If nobody votes, the company chooses Veto: it does nothing this turn."
        ),
        "queue",
        mark("The order of companies"),
    ),
)
