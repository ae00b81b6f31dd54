"""What is told of a sector's consumers and of the economy begins with the set-up: nothing is made to fit afterwards."""

from __future__ import annotations

from game.engine.events import Event, read_events
from game.engine.language import say
from game.rulesets.sectors.sector_figures import START, TRACES_OF_SECTORS
from game.rulesets.sectors.tables.common import ECONOMY_START
from tests.rulesets.games import games_of


def test_every_whole_game_is_told_from_its_set_up() -> None:
    moved = set[str]()
    for game in games_of("sectors"):
        lines: list[Event] = []
        for step in game.all():
            lines += read_events(step.events, None)
        state = game.last.state
        begun = {"economy": ECONOMY_START, "pool": state.options.consumers}
        for figure, trace in TRACES_OF_SECTORS.items():
            for subject in ("table", *state.sectors):
                if parts := trace(state, lines, subject):
                    assert parts[0].label == say(START)
                    assert parts[0].amount == begun.get(figure, 0), (figure, subject, parts)
                    moved |= {figure} if len(parts) > 1 else set()
    assert moved == {*TRACES_OF_SECTORS}
