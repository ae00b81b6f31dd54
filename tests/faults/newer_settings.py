"""The settings of a later version of the site: its Sectors has other rules and stores positions in the next shape."""

import dataclasses
from typing import Any

from game.rulesets.registry import RULESETS
from sectors_site.settings import *  # noqa: F403


def as_it_was(plain: dict[str, Any]) -> dict[str, Any]:
    """The next shape has nothing new but its number."""
    return plain


SECTORS = RULESETS["sectors"]
RULESETS["sectors"] = dataclasses.replace(
    SECTORS,
    version=SECTORS.version + 1,
    changes={**SECTORS.changes, SECTORS.version + 1: "Nothing but the number is new."},
    schema=SECTORS.schema + 1,
    upgrades={**SECTORS.upgrades, SECTORS.schema: as_it_was},
)
