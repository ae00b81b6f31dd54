"""Positions that differ only in what a viewer may not know: his views of them must be alike to the last byte."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine.actions import Action
from game.engine.position import AnyPosition
from game.rulesets.sectors.effects import PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import Order, SectorsState

Inputs = dict[str, Action]


def views_differ(position: AnyPosition, viewer: int | None) -> bool:
    """Whether the viewer could tell the position from one that is otherwise where he may not look."""
    encode = SECTORS.codec.encode
    return encode(SECTORS.view(position, viewer)) != encode(SECTORS.view(otherwise(position, viewer), viewer))


def otherwise(position: AnyPosition, viewer: int | None) -> AnyPosition:
    """A position that looks the same to `viewer`, with everything hidden from that seat changed."""
    pending = {
        seat: inputs if seat == viewer else _other_inputs(inputs, position.state)
        for seat, inputs in position.pending.items()
    }
    return msgspec.structs.replace(position, state=_other_state(position.state, viewer), pending=pending)


def _other_state(state: SectorsState, viewer: int | None) -> SectorsState:
    """Another deck, another track ahead and other concealed orders."""
    other: SectorsState = SECTORS.codec.copy(state)
    other.deck = sorted(RESEARCH_CARDS)[: len(state.deck)]
    for index, space in enumerate(other.track):
        if index not in state.passed and index != state.marker:
            space.kind = next(kind for kind in PRESTIGE_SPACES if kind != space.kind)
            space.injection = 900
    other.orders = {
        key: _other_order(order) if order.shown != "all" and order.seat != viewer else order
        for key, order in other.orders.items()
    }
    return other


def _other_order(order: Order) -> Order:
    changes = {
        "kind": "limit",
        "side": "sell" if order.side == "buy" else "buy",
        "quantity": order.quantity + 1,
        "price": order.price + 7,
    }
    return msgspec.structs.replace(order, **changes)


def _other_inputs(inputs: Inputs, state: SectorsState) -> Inputs:
    """Other inputs for the open phase, and none for later ones: only that something was submitted is public."""
    return {f"other {slot}": _other_action(action) for slot, action in inputs.items() if action.serves(state)}


def _other_action(action: Action) -> Action:
    fields = {name: getattr(action, name) for name in action.__struct_fields__ if name != "actor"}
    return msgspec.structs.replace(action, **{name: _other_value(name, value) for name, value in fields.items()})


def _other_value(name: str, value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() if name not in {"tranche", "limit"}:  # whether it serves the open phase is public
            return value + 1
        case list():
            return ["veto"] if value != ["veto"] else ["loan"]
        case str() if name != "company":  # a ballot's company is the open phase's own
            return f"other {value}"
    return value
