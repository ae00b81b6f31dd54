"""The options of a game of Sectors with their menus. (S 1.1 and the decisions)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.first_edition import FIRST_EDITION
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION

EDITIONS: Mapping[int, Edition] = {2: SECOND_EDITION, 1: FIRST_EDITION}


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices before the game. Money in whole dollars."""

    edition: int = 2
    starting_cash: int = 300
    bank: int = 7500
    consumers: int = 75
    max_turns: int = 8
    distribution: Literal["priority", "bid"] = "priority"
    concealed: bool = True
    limit_orders: bool = True
    short_orders: bool = True
    option_orders: bool = True
    max_sub_rounds: int = 10
    max_short_quantity: int = 0
    ownership_cap_percent: int = 60
    ipo_discount: bool = False
    loan_interest_percent: Literal["0.1", "10"] = "0.1"
    no_round_trips: bool = False

    @property
    def tables(self) -> Edition:
        """The printed numbers of the chosen edition."""
        return EDITIONS[self.edition]


MENUS: Mapping[str, tuple[Any, ...]] = {
    "edition": tuple(EDITIONS),
    "starting_cash": (200, 300, 400),
    "bank": (7500, 10000, 12000, 15000, 20000),
    "consumers": (50, 75, 100),
    "max_turns": (8, 11, 15, 19, 23),
    "distribution": ("priority", "bid"),
    "concealed": (True, False),
    "limit_orders": (True, False),
    "short_orders": (True, False),
    "option_orders": (True, False),
    "max_sub_rounds": tuple(range(1, 21)),
    "max_short_quantity": (0, 3),
    "ownership_cap_percent": (60, 100),
    "ipo_discount": (False, True),
    "loan_interest_percent": ("0.1", "10"),
    "no_round_trips": (False, True),
}

LABELS: Mapping[str, str] = {
    "edition": mark("Edition"),
    "starting_cash": mark("Starting cash"),
    "bank": mark("Bank"),
    "consumers": mark("Consumers"),
    "max_turns": mark("Maximum turns"),
    "distribution": mark("Orders fill by"),
    "concealed": mark("Concealed orders"),
    "limit_orders": mark("Limit orders"),
    "short_orders": mark("Short orders"),
    "option_orders": mark("Option contracts"),
    "max_sub_rounds": mark("Maximum sub-rounds per stock round"),
    "max_short_quantity": mark("Maximum shares per short (0: no limit)"),
    "ownership_cap_percent": mark("Ownership cap in percent"),
    "ipo_discount": mark("IPO discount for companies not floated"),
    "loan_interest_percent": mark("Loan interest in percent per turn"),
    "no_round_trips": mark("Forbid round trips"),
}

PRESETS: Mapping[str, Mapping[str, int]] = {
    "short": {"max_turns": 8, "bank": 7500},
    "standard": {"max_turns": 11, "bank": 7500},
    "long": {"max_turns": 15, "bank": 12000},
    "marathon": {"max_turns": 23, "bank": 20000},
}


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Options from untrusted input, each from its menu. Raises `Refused` naming the option and its values."""
    for name, value in raw.items():
        if name not in MENUS:
            raise Refused(
                "There is no option {name}; the options are {names}.",
                "S 1.1",
                name=name,
                names=", ".join(MENUS),
                code="unknown_option",
                field="options",
            )
        if not any(type(value) is type(allowed) and value == allowed for allowed in MENUS[name]):
            allowed = ", ".join(str(choice) for choice in MENUS[name])
            raise Refused(
                "{option} cannot be {value}; it is one of {allowed}.",
                "S 1.1",
                option=say(LABELS[name]),
                value=repr(value),
                allowed=allowed,
                code="unknown_option_value",
                field="options",
            )
    options = Options(**raw)
    for name, fixed in options.tables.fixed_options.items():
        if getattr(options, name) != fixed:
            raise Refused(
                "“{option}” is always on in the first edition. Change it, or choose the second edition."
                if fixed
                else "“{option}” is always off in the first edition. Change it, or choose the second edition.",
                "S 8",
                option=say(LABELS[name]),
                code="option_is_fixed",
                field="options",
            )
    return options


TURNS_OF_ANY_BANK = 8  # in 460 games of 5 and 8 bots no bank lost more than 2,900 dollars in this number of turns


def without_effect(options: Mapping[str, Any]) -> Mapping[str, str]:
    """Options that have no effect in combination with the others, each with the reason as a sentence."""
    idle = {}
    if options["max_turns"] <= TURNS_OF_ANY_BANK:
        idle["bank"] = say("within {turns} turns no bank can run out, whatever its size", turns=TURNS_OF_ANY_BANK)
    if not options["short_orders"] and options["max_short_quantity"]:
        idle["max_short_quantity"] = say("there are no short orders")
    return idle


SHEET_SECONDS = {"company_vote": 80}
"""In live games, the first company vote of a turn, with its sheet for all companies. (pace)"""


def live_seconds(options: Options, phase: str) -> int:
    """The printed length of a phase in a live game, in seconds. (S 4.4)"""
    return options.tables.live_seconds[phase]
