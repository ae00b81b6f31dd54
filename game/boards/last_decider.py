"""The last person: if only bots must still decide besides them, being ready closes the phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from game.engine.language import mark, say

WAITED = {"untouched", "submitted"}
BOTS_DECIDE = {
    "button": mark("Only bots are still deciding, and they are quick: “{button}” closes the phase."),
    "ready": mark("Only bots are still deciding, and they are quick: “Ready” closes the phase."),
    "submit": mark("Only bots are still deciding, and they are quick: submitting with ready closes the phase."),
}
ALL_ARE_READY = {
    "button": mark("Everyone else is ready: “{button}” closes the phase."),
    "ready": mark("Everyone else is ready: “Ready” closes the phase."),
    "submit": mark("Everyone else is ready: submitting with ready closes the phase."),
}


def is_last(view: Any, seats: Sequence[Any]) -> bool:
    """Whether the viewer decides and no other person does; bots take no time."""
    if view.seat is None or view.phase is None or view.player(view.seat).state not in WAITED:
        return False
    return all(seats[player.seat].is_bot for player in _others(view))


def last_words(view: Any, seats: Sequence[Any], state: str, *, skip: str) -> str:
    """What is said to them beside the buttons; nothing to anybody else, or where nothing is decided.

    `skip` is the button that ends their part of an open phase."""
    if not is_last(view, seats) or view.phase.mode == "automatic":
        return ""
    texts = BOTS_DECIDE if _others(view) else ALL_ARE_READY
    if skip:
        return say(texts["button"], button=say(skip))
    return say(texts["ready" if state == "submitted" else "submit"])


def _others(view: Any) -> list[Any]:
    return [player for player in view.players if not player.is_you and player.state in WAITED]
