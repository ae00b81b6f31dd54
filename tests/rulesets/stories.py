"""Recorded games as a story takes them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.boards.registry import board_of
from game.boards.story.played import Moment, PlayedGame, Step
from game.engine.events import ActionTakenBack
from game.history.stories import scenes_of
from game.store.board_rows import extend_course, public_position
from tests.rulesets.games import Game


def as_played(game: Game) -> PlayedGame:
    """The facts that the site reads from a game's log: its course, and every step."""
    board, rules = board_of(game.rules.key), game.rules
    course: list[dict[str, object]] = []
    steps: list[Step] = []
    gone = set(_taken_back(game))
    for step in game.all():
        view = rules.view(step.after, None)
        course = extend_course(course, public_position(rules, board, step.after, view))
        serial = 0 if step is game.first else step.before.cursor.serial
        scenes = () if (serial, step.before.cursor.step) in gone else tuple(scenes_of(serial, "", step.events))
        steps.append(Step(int(str(course[-1]["turn"])), scenes, tuple(step.transfers)))
    places = {row.seat: row.place for row in rules.standings(game.last.state)}
    return PlayedGame(
        names=[f"p{seat}" for seat in range(game.seats)],
        places=[places[seat] for seat in range(game.seats)],
        course=msgspec.convert(course, list[Moment]),
        steps=steps,
    )


def _taken_back(game: Game) -> Iterator[tuple[int, int]]:
    """The phase and the number of every action that was taken back, and of the taking back."""
    for step in game.steps:
        for event in step.events:
            if isinstance(event, ActionTakenBack):
                yield step.before.cursor.serial, event.step
                yield step.before.cursor.serial, step.before.cursor.step
