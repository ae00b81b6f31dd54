"""The options of a game with their menus. (B-6)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.rulesets.big_shoulders.tables import LIVE_SECONDS


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chooses. `advanced`: directors can change and companies can sell certificates of their treasury;
    `friendly_sales`: a sale by another seat than the director costs one step in all; `price_protection_passive`: that
    asset protects again and again instead of once a decade."""

    advanced: bool = False
    friendly_sales: bool = False
    goals: bool = True
    price_protection_passive: bool = True


MENUS: Mapping[str, tuple[Any, ...]] = {
    "advanced": (False, True),
    "friendly_sales": (False, True),
    "goals": (True, False),
    "price_protection_passive": (True, False),
}
LABELS: Mapping[str, str] = {
    "advanced": mark("Advanced rules"),
    "friendly_sales": mark("Friendly sales"),
    "goals": mark("Public goals"),
    "price_protection_passive": mark("Price Protection always counts"),
}


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Options from untrusted input, each from its menu. Raises `Refused` naming the option and its values."""
    for name, value in raw.items():
        if name not in LABELS:
            raise Refused(
                "There is no such option; the options are {known}.",
                "B-6",
                known=", ".join(LABELS),
                code="unknown_option",
                field="options",
            )
        if type(value) is not bool:
            raise Refused(
                "{option} cannot be {value}; it is one of {known}.",
                "B-6",
                option=say(LABELS[name]),
                value=f"{value!r:.40}",
                known=", ".join(str(allowed).lower() for allowed in MENUS[name]),
                code="unknown_option_value",
                field="options",
            )
    return Options(**raw)


def live_seconds(options: Options, phase: str) -> int:
    """The length of a phase where all sit together, in seconds."""
    return LIVE_SECONDS[phase]
