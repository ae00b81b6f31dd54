"""The view of a finished game: each seat's own information, revealed to all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset


def revealed(rules: Ruleset, position: AnyPosition, seat: int | None) -> Any:
    """The view of `seat`, combined with every seat's information about itself.

    All of it comes from seat views, so what no seat may see, such as a deck or future draws, stays hidden. Only for
    positions of games that have ended."""
    view_of = rules.viewer(position)
    own_views = [view_of(number) for number in range(position.state.seats)]
    return rules.opened(_players_opened(view_of(seat), own_views), own_views)


def _players_opened(view: Any, own_views: Sequence[Any]) -> Any:
    """The view with every player's line as its owner sees it."""
    players = tuple(
        msgspec.structs.replace(own_views[player.seat].player(player.seat), is_you=player.seat == view.seat)
        for player in view.players
    )
    return msgspec.structs.replace(view, players=players)
