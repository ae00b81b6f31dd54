"""Titles of the phases of a game."""

from __future__ import annotations

from game.engine.flow import Flow, Mode, Phase
from game.engine.language import kept, say


@kept()
def titles_of(flow: Flow) -> dict[str, str]:
    """Chapter titles of the phases of a flow; empty if only one phase asks players, because the turn number
    suffices."""
    phases = [row.phase for row in flow.rows]
    asking = [phase for phase in phases if phase.mode is not Mode.AUTOMATIC]
    return {phase.name: "" if [phase] == asking else _numbered(phase) for phase in phases}


def _numbered(phase: Phase) -> str:
    return say("phase {number}: {title}", number=phase.number, title=say(phase.title))
