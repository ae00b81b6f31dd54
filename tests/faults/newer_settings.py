"""The settings of a later version of the site: its Sectors stores positions in the next shape."""

import dataclasses
from typing import Any

from game.rulesets.registry import RULESETS
from sectors_site.settings import *  # noqa: F403


def as_it_was(plain: dict[str, Any]) -> dict[str, Any]:
    """The next shape has nothing new but its number."""
    return plain


SECTORS = RULESETS["sectors"]
RULESETS["sectors"] = dataclasses.replace(
    SECTORS, schema=SECTORS.schema + 1, upgrades={**SECTORS.upgrades, SECTORS.schema: as_it_was}
)
