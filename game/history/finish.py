"""What a finished game's board begins with: the causes of its result, and where to go from here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.urls import reverse

from game.boards.story.played import Highlight
from game.engine.language import say
from game.history.stories import story_of
from game.history.viewer import Viewer
from game.store.game import Status


class NextStep(NamedTuple):
    """A link, and one sentence about what is there."""

    url: str
    title: str
    about: str


class Finish(NamedTuple):
    """`causes` are those of the distance between the reader and the winner, or between the winner and the second; the
    largest first."""

    causes: Sequence[Highlight]
    steps: Sequence[NextStep]


def finish_of(viewer: Viewer) -> Finish | None:
    """None while the game is played, and where nobody is placed."""
    standings = viewer.view.standings
    if viewer.game.status != Status.FINISHED or not standings:
        return None
    causes = story_of(viewer, viewer.seat).causes
    seat = viewer.seat if viewer.seat is not None else standings[0].seat
    return Finish(causes[seat] if causes else (), _steps_of(viewer))


def _steps_of(viewer: Viewer) -> list[NextStep]:
    key = [viewer.game.pk]
    steps = [
        NextStep(reverse("game_story", args=key), say("Story"), say("The turning points, the best and the worst.")),
        NextStep(
            f"{reverse('game_history', args=key)}?at=1&play=1",
            say("Replay it"),
            say("From the beginning to the end, with every secret shown."),
        ),
        NextStep(
            reverse("game_results", args=key),
            say("Results"),
            say("The tables of every {turn}.", turn=viewer.game.rules.turn_word),
        ),
    ]
    if viewer.seat is not None:
        steps.append(
            NextStep(
                reverse("game_outcomes", args=key),
                say("What happened to you"),
                say("Your decisions and their outcomes."),
            )
        )
    steps.append(NextStep(f"{reverse('lobby')}?show=open", say("Another game"), say("Games looking for players.")))
    return steps
