"""The options of a game of Power Up with their menus. (PU 2)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.actions import Refused
from game.engine.language import mark, say
from game.rulesets.power_up.tables import LIVE_SECONDS


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices. `doe`: the Department of Energy gets shares at every founding."""

    doe: bool = True


MENUS: Mapping[str, tuple[Any, ...]] = {"doe": (True, False)}
LABELS: Mapping[str, str] = {"doe": mark("Department of Energy")}


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Options from untrusted input, each from its menu. Raises `Refused` naming the option and its values."""
    for name, value in raw.items():
        if name not in MENUS:
            raise Refused(
                "There is no such option; the options are {known}.",
                "PU 2",
                known=", ".join(MENUS),
                code="unknown_option",
                field="options",
            )
        if not any(type(value) is type(allowed) and value == allowed for allowed in MENUS[name]):
            allowed = ", ".join(str(choice).lower() for choice in MENUS[name])
            raise Refused(
                "{option} cannot be {value}; it is one of {known}.",
                "PU 2",
                option=say(LABELS[name]),
                value=f"{value!r:.40}",
                known=allowed,
                code="unknown_option_value",
                field="options",
            )
    return Options(**raw)


def live_seconds(options: Options, phase: str) -> int:
    """The length of a phase in a live game, in seconds."""
    return LIVE_SECONDS[phase]
