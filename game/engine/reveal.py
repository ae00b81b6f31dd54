"""What everyone may see of a game that is over: each seat's own part of the view, revealed to all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset


def revealed(rules: Ruleset, position: AnyPosition, seat: int | None) -> Any:
    """The view of `seat` with what every other seat could see of its own beside it.

    Every secret comes out of a seat's view, so what no seat may see, as a deck or the draws to come, stays unseen. For
    a position of a game that has ended, and for nothing else."""
    see = rules.viewer(position)
    own = [see(number) for number in range(position.state.seats)]
    return rules.opened(_players_opened(see(seat), own), own)


def _players_opened(view: Any, own: Sequence[Any]) -> Any:
    """The view with every player's line as its owner sees it."""
    players = tuple(
        msgspec.structs.replace(own[player.seat].player(player.seat), is_you=player.seat == view.seat)
        for player in view.players
    )
    return msgspec.structs.replace(view, players=players)
