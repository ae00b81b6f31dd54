"""Lessons by their rules alone: whatever a learner does, each of them ends."""

from typing import Any

import pytest

from game.boards.lessons import LEARNER, Lesson, progress_of
from game.boards.registry import BOARDS
from game.engine import referee, selfplay
from game.engine.chance import Chance
from game.engine.ruleset import Ruleset

EVERY = [(board, lesson) for board in BOARDS.values() for lesson in board.lessons]
MOST = 12  # decisions of a learner until a lesson is over
SEEDS = range(8)


def nobody(*_: object) -> list[dict[str, Any]]:
    """The bot of the other seats."""
    return []


def decisions_until_over(rules: Ruleset, lessons: tuple[Lesson, ...], lesson: Lesson, seed: int) -> int:
    position, chance = lesson.position(rules), Chance(str(seed))
    bots = [rules.bots["random"], *[nobody] * (lesson.seats - 1)]
    decisions = 0
    while decisions <= MOST:
        progress = progress_of(lessons, lesson.key, rules.view(position, LEARNER), is_learnt=False)
        if progress is None or progress.is_over:
            break
        decisions += LEARNER in referee.waiting_on(rules, position)
        position = selfplay.step(rules, position, bots, chance)[1].position
    return decisions


@pytest.mark.parametrize(("board", "lesson"), EVERY, ids=[f"{b.rules.key}-{lesson.key}" for b, lesson in EVERY])
def test_each_lesson_ends_whatever_the_learner_does(board: Any, lesson: Lesson) -> None:
    assert all(0 < decisions_until_over(board.rules, board.lessons, lesson, seed) <= MOST for seed in SEEDS)
