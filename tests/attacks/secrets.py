"""Every kind of secret that a ruleset has, each as a position and two ways in which it may stand there: what differs
is its owner's alone, or nobody's.

What is sealed is an action of the seat `OWNER`; what else is hidden is a part of the state. A ruleset without its rows
fails `test_secrets.py`, and so does an action that a ruleset seals and this table does not name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from game.engine import referee
from game.engine.actions import Pass, Ready, Undo, Withdraw
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from tests.rulesets.big_shoulders import secrets as shoulders
from tests.rulesets.games import RULES
from tests.rulesets.sectors import test_secrets as sectors
from tests.rulesets.sectors.table import Table
from tests.rulesets.stock_market_tycoon import secrets as tycoon

OWNER, RIVAL, SEATS = 0, 1, 3
Request = dict[str, Any]
COMMON = {kind.__struct_config__.tag for kind in (Pass, Ready, Undo, Withdraw)}


class Sealed(NamedTuple):
    """Where the owner may send either of two requests; an empty one is to send nothing."""

    at: Callable[[], AnyPosition]
    one: Request
    other: Request


def story(told: Callable[[Table], Table]) -> Callable[[], AnyPosition]:
    return lambda: told(Table()).position


def begun(key: str) -> Callable[[], AnyPosition]:
    """A game that has just begun, with what follows from nobody's decision."""
    return lambda: referee.start(RULES[key], RULES[key].parse_options({}), SEATS, Chance(f"twins {key}")).position


def market(table: Table) -> Table:
    """Shares to order and to sell, of a seat that also votes later in the turn."""
    return sectors.orders(table).market_holds(ACME=5).holdings("ACME", ada=3, bob=1)


def exchanging() -> AnyPosition:
    """A phase of the toy that asks in secret: every seat holds a low card."""
    rules, chance = RULES["toy"], Chance("twins exchanging")
    position = referee.start(rules, rules.parse_options({"edition": 2}), SEATS, chance).position
    position.state.hands = [[1, 9, 10], [2, 11, 12], [3, 13, 14]]
    position.state.deck = [4, 5, 6, 7, 8, *range(15, 21)]
    while (phase := referee.phase_of(rules, position)) and phase.name != "exchange":
        position = referee.close(rules, position, chance).position
    return position


def named(kind: str, place: int = 0) -> Request:
    """A request of the rules' own stories about secrets."""
    return next(case[1:][place] for case in sectors.CASES if kind in {case[1]["kind"], case[2]["kind"]})


def told_of(kind: str) -> Callable[[], AnyPosition]:
    return story(next(case[0] for case in sectors.CASES if case[1]["kind"] == kind))


BUYS: Request = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market"}
LIMITS: Request = {"kind": "limit_order", "company": "ACME"}
SEALED: dict[str, dict[str, Sealed]] = {
    "big_shoulders": {kind: Sealed(*case) for kind, case in shoulders.CASES.items()},
    "power_up": {},
    "sectors": {
        **{
            kind: Sealed(told_of(kind), named(kind), named(kind, 1))
            for kind in (
                "bid_influence",
                "pledge_headline",
                "vote_tranche",
                "distribute_tranche",
                "short_order",
                "cover_short",
                "exercise_option",
                "vote_revenue",
                "vote_actions",
            )
        },
        "option_order": Sealed(story(market), {"kind": "option_order", "contract": 1}, BUYS | {"quantity": 1}),
        "market_order": Sealed(story(market), BUYS | {"quantity": 1}, BUYS | {"quantity": 4}),
        "limit_order": Sealed(
            story(market),
            LIMITS | {"side": "buy", "value": 40, "quantity": 1},
            LIMITS | {"side": "sell", "value": 70, "quantity": 3},
        ),
        "standing_order": Sealed(
            story(market),
            {},
            {"kind": "standing_order", "company": "ACME", "side": "buy", "limit": 20, "quantity": 1},
        ),
        "stop_ordering": Sealed(story(sectors.headlines), {}, {"kind": "stop_ordering"}),
        "vote_full_revenue": Sealed(told_of("vote_revenue"), named("vote_revenue", 1), {"kind": "vote_full_revenue"}),
    },
    "stock_market_tycoon": {
        kind: Sealed(at, {} if kind in tycoon.UNNOTICED else one, other)
        for kind, (at, one, other) in tycoon.CASES.items()
    },
    "toy": {
        "bid": Sealed(begun("toy"), {"kind": "bid", "coins": 1}, {"kind": "bid", "coins": 4}),
        "exchange": Sealed(exchanging, {}, {"kind": "exchange", "card": 1}),
    },
}


class Hidden(NamedTuple):
    """A position, and the parts of its state of which nobody, or one seat alone, may know."""

    at: Callable[[], AnyPosition]
    parts: frozenset[str]


def decked(table: Table) -> Table:
    return market(table).with_(deck=["government_grant", "automation"])


def located(table: Table) -> Table:
    """The owner's order is known by its company; what it says is shown in the next phase."""
    market(table).with_(reviews=True).ada.limits("sell", "ACME", 2, 43)
    table.bob.buys("ACME", 1)
    table.clock_runs_out()
    return table


HIDDEN: dict[str, dict[str, Hidden]] = {
    "big_shoulders": {
        "hands": Hidden(begun("big_shoulders"), frozenset({"hands"})),
        "discarded": Hidden(shoulders.revealed, frozenset({"hands", "discarded", "era_decks"})),
    },
    "power_up": {"hands": Hidden(begun("power_up"), frozenset({"hands", "bag"}))},
    "sectors": {
        "deck": Hidden(story(decked), frozenset({"deck", "track"})),
        "orders": Hidden(story(located), frozenset({"orders", "track"})),
    },
    "stock_market_tycoon": {
        "hands": Hidden(begun("stock_market_tycoon"), frozenset({"hands"})),
        "asked": Hidden(tycoon.CASES["suspend"][0], frozenset({"hands"})),
        "withheld": Hidden(tycoon.withholding, frozenset({"hands", "withheld"})),
    },
    "toy": {
        "hands": Hidden(begun("toy"), frozenset({"hands", "deck"})),
        "asked": Hidden(exchanging, frozenset({"hands", "deck"})),
    },
}


def kinds_by_position() -> list[Any]:
    """Parameters of a test: a ruleset, and those of its kinds that are sealed in the same position, so that one table
    has them all."""
    found: dict[Any, list[str]] = {}
    for key, rows in SEALED.items():
        for kind, row in rows.items():
            position = row.at()
            place = (key, RULES[key].codec.pack(position.state), str(position.cursor))
            found.setdefault(place, []).append(kind)
    return [pytest.param(key, kinds, id=f"{key}-{'-'.join(kinds)}") for (key, *_), kinds in found.items()]


def sealed_by(rules: Ruleset) -> frozenset[str]:
    """The kinds of action that stay secret until their phase closes, or until their turn comes."""
    actions: Mapping[str, Any] = rules.actions
    return frozenset(tag for tag, kind in actions.items() if not kind.is_public and tag not in COMMON)
