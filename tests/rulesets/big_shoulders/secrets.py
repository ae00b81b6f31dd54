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


def at(phase: str) -> Callable[[], AnyPosition]:
    """Bob acts, and Ada may leave orders."""
    return lambda: stand(RULES, {**GIVEN, "phase": phase, "acting": "bob"}).position


CASES: dict[str, tuple[Callable[[], AnyPosition], Request, Request]] = {
    "choose": (
        building,
        {"kind": "choose", "build": 9, "discard": 13},
        {"kind": "choose", "build": 14, "discard": 9},
    ),
    "stock_order": (at("stock"), {}, {"kind": "stock_order", "wishes": [], "otherwise": "pass"}),
    "placements": (
        at("action"),
        {},
        {"kind": "placements", "entries": [{"kind": "place", "company": "libby", "space": "fund_40"}]},
    ),
    "recipe": (at("action"), {}, {"kind": "recipe", "company": "libby", "runs": 2}),
    "bonus_rule": (at("action"), {}, {"kind": "bonus_rule", "bonus": "worker", "take": True}),
}
"""By kind: the position, one request and another; an empty one is to send nothing."""
