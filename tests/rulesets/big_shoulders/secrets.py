"""Where the first of three players may seal a secret, in two ways, and where hands and discards are hidden. (B-21)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine import referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.scenarios.given import stand
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS as RULES

Request = dict[str, Any]
GIVEN = {
    "phase": "building",
    "turn": 2,
    "players": {"ada": {"hand": [9, 13, 14]}, "bob": {"hand": [6, 15, 28]}, "cid": {"hand": [3, 16, 17]}},
    "companies": {"libby": {"held": {"ada": "D"}}, "swift": {"held": {"bob": "D"}}, "anglo": {"held": {"cid": "D"}}},
}


def building() -> AnyPosition:
    """Everybody chooses tiles."""
    return stand(RULES, GIVEN).position


def revealed() -> AnyPosition:
    """All have built, and everybody has discarded a tile that the others have not seen."""
    return referee.close(RULES, building(), Chance("twins")).position


CASES: dict[str, tuple[Callable[[], AnyPosition], Request, Request]] = {
    "choose": (
        building,
        {"kind": "choose", "build": 9, "discard": 13},
        {"kind": "choose", "build": 14, "discard": 9},
    ),
}
"""By kind: the position, one request and another; an empty one is to send nothing."""
