"""The values of a form whose submission was withdrawn: they no longer count, but the form still shows them."""

from __future__ import annotations

from django.http import HttpRequest

from game.boards.decision import Filled
from game.boards.submissions import COMMON
from game.store.game import Game

KEY = "withdrawn"
"""The session's entry: the last withdrawal of this browser. A draft would be submitted at the deadline."""


def keep(request: HttpRequest, game: Game, filled: Filled) -> None:
    """Keep the fields of the decision for the rest of the phase."""
    fields = {name: values for name, values in filled.all().items() if name not in COMMON}
    request.session[KEY] = {"game": game.pk, "serial": game.phase_serial, "fields": fields}


def fields_of(request: HttpRequest, game: Game) -> Filled | None:
    """The fields kept for the open phase of this game."""
    entry = request.session.get(KEY)
    if entry is None or (entry["game"], entry["serial"]) != (game.pk, game.phase_serial):
        return None
    return Filled(entry["fields"])
