"""Versions of these rules: the changes in each, in the players' words, and how stored positions and inputs are
migrated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.actions import Action
from game.engine.ahead import Promises
from game.engine.flow import Phase
from game.engine.language import mark
from game.rulesets.sectors.orders import OptionOrder, PlaceOrder

VOTES = ("vote_revenue", "vote_actions")
CHANGES: dict[int, str] = {
    2: mark(
        "A game of the first edition can be played with open orders. If all companies are bankrupt, phase 9 waits for "
        "nobody."
    ),
    3: mark(
        "If a company goes bankrupt, its shares are paid for before shorts of it are closed. The log names the company "
        "actions that insolvency drops. Orders can be larger than 100 shares, and bids higher than 10,000. Contracts "
        "are shown only in games with option orders."
    ),
    4: mark(
        "If a company cannot pay for what you voted ahead once it votes, you are asked again; your vote still counts. "
        "You can distribute a tranche ahead."
    ),
    5: mark(
        "An order given ahead counts only at the stock price of then, whatever its kind, with or without the mark to "
        "be ready. If an order ahead stops counting, you are asked, even if you are done for the stock round. You can "
        "be done after one of your orders was rejected. You can withdraw in any phase what you gave ahead. If a "
        "company cannot pay for what you voted ahead once it votes, your vote counts, you alone are told, and the game "
        "does not wait for you."
    ),
    6: mark(
        "A standing order buys up to a price that you state, or sells from it: it waits for the first sub-round of the "
        "turn that begins at such a price. An order ahead without a stated price counts only at the price of then."
    ),
}


def name_slots_by_kind(plain: dict[str, Any]) -> dict[str, Any]:
    """Upgrade from shape 1, where most kinds shared an unnamed slot and the slot of both votes of a company was named
    by its ticker, to shape 2."""
    inputs = {
        seat: {_slot(slot, action): action for slot, action in held.items()} for seat, held in plain["inputs"].items()
    }
    return {**plain, "inputs": inputs}


def _slot(slot: str, action: dict[str, Any]) -> str:
    kind = str(action["kind"])
    return f"{kind} {slot}" if kind in VOTES else slot or kind


UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: name_slots_by_kind}


def _priced_if_marked(action: Action, phase: Phase, state: Any) -> Action:
    """Convert orders from before version 4, which stored their price only with the mark to be ready, and contracts
    never."""
    has_no_price = isinstance(action, OptionOrder) or (isinstance(action, PlaceOrder) and not action.ready)
    return action if has_no_price else action.with_facts(state)


EARLIER: dict[int, Promises] = {
    4: Promises(
        store=_priced_if_marked,
        still_waits=lambda met: met.doubted,
        reopens=lambda action: action.is_lasting,
    ),
}
