"""Whether a proposal to the players of a game still needs the answer of one of its seats."""

from __future__ import annotations

from game.store.game import Game
from game.store.log import Notice

STANDS = {
    Notice.Kind.ENDING: "open_ending",
    Notice.Kind.REWIND: "open_rewinding",
    Notice.Kind.VOTE: "open_pause",
}


def waits_for(*, game: Game, kind: Notice.Kind, number: int, seat: int) -> bool:
    """Whether the proposal of that number is open and the seat has neither agreed nor declined."""
    asked = getattr(game, STANDS[kind])
    if asked is None or asked["number"] != number:
        return False
    return seat not in (*asked["agreed"], *asked.get("declined", ()))
