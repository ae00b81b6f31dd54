"""How a position that was stored in an earlier shape becomes one of the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

VOTES = ("vote_revenue", "vote_actions")


def name_slots_by_kind(plain: dict[str, Any]) -> dict[str, Any]:
    """From 1 to 2: most kinds shared a slot without a name, and both votes of a company the slot named by its
    ticker."""
    inputs = {
        seat: {_slot(slot, action): action for slot, action in held.items()} for seat, held in plain["inputs"].items()
    }
    return {**plain, "inputs": inputs}


def _slot(slot: str, action: dict[str, Any]) -> str:
    kind = str(action["kind"])
    return f"{kind} {slot}" if kind in VOTES else slot or kind


UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: name_slots_by_kind}
