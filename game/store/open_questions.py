"""Open proposals to the players of a game, and whether a seat still has to answer."""

from __future__ import annotations

from game.store.game import Game
from game.store.log import Notice

STANDS = {
    Notice.Kind.ENDING: "open_ending",
    Notice.Kind.REWIND: "open_rewinding",
    Notice.Kind.VOTE: "open_pause",
}


def waits_for(*, game: Game, kind: Notice.Kind, number: int, seat: int) -> bool:
    """True if the proposal with this number is open and the seat has neither agreed nor declined."""
    proposal = getattr(game, STANDS[kind])
    if proposal is None or proposal["number"] != number:
        return False
    return seat not in (*proposal["agreed"], *proposal.get("declined", ()))
