"""Lessons as games: one at a time per person, from a given position. What a lesson teaches is in `game/boards`, in the
`lessons.py` of its game."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from game.boards.lessons import LEARNER, Lesson, lesson_of
from game.boards.registry import BOARDS, board_of
from game.bots.playing import IDLE
from game.engine.actions import Refused
from game.engine.language import say
from game.lobby.models import LearntLesson
from game.play import door, moves
from game.play.authority import assign_seat
from game.rulesets.registry import RULESETS
from game.site import features
from game.store import account_locks
from game.store.game import COPY, Game, Pace, Seat, Status
from game.store.log_notes import Sentence


@transaction.atomic
def begin_lesson(*, user: User, ruleset: str, key: str) -> Game:
    """Start the lesson from its beginning and remove the user's earlier one. Raises `Refused`."""
    lesson = lesson_of(board_of(ruleset).lessons, key) if ruleset in RULESETS else None
    if lesson is None:
        raise Refused("There is no such lesson.", code="no_such_lesson")
    features.check_ruleset(ruleset)
    earlier_lessons = Q(host=user) & ~Q(lesson__in=("", COPY))
    account_locks.lock_with_games(user, games=lambda: earlier_lessons)  # also serializes two clicks at once
    account_locks.check_is_free(user)
    Game.objects.filter(earlier_lessons).delete()
    game = _create_game(user, ruleset, lesson)
    assign_seat(game=game, user_id=user.pk)
    for _ in range(lesson.seats - 1):
        assign_seat(game=game, bot=lesson.opponents or IDLE)
    locked = moves.lock(game.pk)
    assert locked is not None
    locked.status, locked.started_at = Status.RUNNING, locked.now
    change = moves.transaction_of(locked)
    change.begin_at(lesson.position(locked.rules), note=Sentence.LESSON_BEGINS())
    change.commit()
    return locked


@transaction.atomic
def record_completion(*, game: Game, user: Any) -> None:
    """Record that the learner has reached the goal. Repeating it changes nothing."""
    locked = moves.lock(game.pk)
    learner = Seat.objects.filter(game=game, number=LEARNER, user_id=user.pk).exists()
    if locked is not None and learner and not locked.is_learnt:
        locked.is_learnt = True
        door.write(locked)
        LearntLesson.objects.get_or_create(user_id=user.pk, ruleset=game.ruleset, lesson=game.lesson)


def lesson_lists(user: User | None) -> list[dict[str, Any]]:
    """The lessons of all offered games, and of the game whose lesson the user is in, each with their progress."""
    offered = features.offered_rulesets()
    learnt = set(LearntLesson.objects.filter(user=user).values_list("ruleset", "lesson")) if user else set()
    current_game = Game.objects.filter(host=user).exclude(lesson__in=("", COPY)).first() if user else None
    return [
        {
            "rules": board.rules,
            "lessons": [
                {
                    "lesson": lesson,
                    "is_learnt": (key, lesson.key) in learnt,
                    "game": current_game
                    if current_game
                    and (current_game.ruleset, current_game.lesson) == (key, lesson.key)
                    and not current_game.is_learnt
                    else None,
                }
                for lesson in board.lessons
            ],
            "learnt": sum((key, lesson.key) in learnt for lesson in board.lessons),
        }
        for key, board in BOARDS.items()
        if board.lessons and (key in offered or (current_game is not None and current_game.ruleset == key))
    ]


def _create_game(user: User, ruleset: str, lesson: Lesson) -> Game:
    """Create the lesson's game. Its draws are the same for everyone, because no one competes."""
    rules = RULESETS[ruleset]
    game = Game(
        name=say(lesson.title),
        host=user,
        seats_wanted=lesson.seats,
        pace=Pace.DEMO,
        is_open=False,
        ruleset=ruleset,
        lesson=lesson.key,
        secret=sha256(f"lesson {ruleset} {lesson.key}".encode()).hexdigest(),
    )
    game.options = msgspec.to_builtins(rules.options_of(lesson.position(rules).state))
    game.ruleset_version, game.schema = rules.version, rules.schema
    door.write(game)
    return game
