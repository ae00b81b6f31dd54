"""Where the first of three players may seal each kind of secret, in two ways. (ST 7, T-35, T-37)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine import referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.scenarios.given import stand
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON as RULES

Request = dict[str, Any]
CARDS = {"ada": {"hand": ["NT-10", "OE-20", "suspended"]}, "bob": {"hand": ["NT+5", "OE+20"]}, "cem": {}}
OFFICES = {
    "NT": {"shares": {"ada": 100_000, "bob": 50_000}},
    "OE": {"shares": {"bob": 100_000, "ada": 50_000, "cem": 1_000}},
}


def at(phase: str, **more: Any) -> Callable[[], AnyPosition]:
    """Ada chairs NT and directs OE, with cards of both."""
    given = {"phase": phase, "mode": "strategist", "players": CARDS, "companies": OFFICES, **more}
    return lambda: stand(RULES, given).position


def tendering() -> AnyPosition:
    """Bob, who chairs OE, buys some of it back."""
    request = {"kind": "announce_buyback", "company": "OE", "shares": 1000, "price": 10}
    announces = RULES.parse(request, 1)
    return referee.apply(RULES, at("trade", acting="bob")(), announces, Chance("twins")).position


def striking() -> AnyPosition:
    """All cards are shown."""
    return referee.close(RULES, at("withhold")(), Chance("twins")).position


def withholding() -> AnyPosition:
    """All cards but one of Ada's are shown."""
    withholds = RULES.parse(CASES["withhold"][2], 0)
    sealed = referee.apply(RULES, at("withhold")(), withholds, Chance("twins")).position
    return referee.close(RULES, sealed, Chance("twins")).position


BUYS: Request = {"kind": "buy", "company": "AB", "shares": 1000}
TRADE = at("trade", acting="bob")
CASES: dict[str, tuple[Callable[[], AnyPosition], Request, Request]] = {
    "tender": (tendering, {"kind": "tender", "shares": 1000}, {"kind": "tender", "shares": 2000}),
    "set_premium": (
        at("premium"),
        {"kind": "set_premium", "company": "NT", "rate": 5},
        {"kind": "set_premium", "company": "NT", "rate": 15},
    ),
    "withhold": (at("withhold"), {}, {"kind": "withhold", "company": "OE", "card": "OE-20"}),
    "strike": (striking, {}, {"kind": "strike", "company": "NT", "owner": 1, "card": "NT+5"}),
    "suspend": (
        at("suspend"),
        {"kind": "suspend", "companies": ["NT"]},
        {"kind": "suspend", "companies": ["OE"]},
    ),
    "plan": (
        at("trade", acting="bob", trade_mode="plan"),
        {"kind": "plan", "entries": [BUYS]},
        {"kind": "plan", "entries": [{"kind": "end_turn"}]},
    ),
    "batch": (
        at("orders", trade_mode="batch"),
        {"kind": "batch", "entries": [BUYS]},
        {"kind": "batch", "entries": [{"kind": "end_turn"}]},
    ),
    "keep_premium": (TRADE, {"kind": "keep_premium", "rate": 5}, {"kind": "keep_premium", "rate": 15}),
    "keep_withholding": (TRADE, {}, {"kind": "keep_withholding", "card": "lowest"}),
    "keep_striking": (TRADE, {}, {"kind": "keep_striking", "card": "highest"}),
    "limit_tender": (TRADE, {}, {"kind": "limit_tender", "company": "OE", "shares": 1000, "price": 60}),
    "keep_following": (TRADE, {}, {"kind": "keep_following", "company": "OE", "shares": 1000}),
}
"""By kind: the position, one request and another; an empty one is to send nothing."""

UNNOTICED = frozenset({"suspend", "plan", "keep_premium"})
"""Nobody else may notice that they were sent: the phase asks in secret, or the step does not move."""
