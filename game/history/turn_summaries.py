"""The summary of a finished turn for one seat: the change of its figures, its rank, and what mattered most."""

from __future__ import annotations

from typing import Any

import msgspec

from game.boards.base import Board
from game.boards.outcomes import (
    DOUBT,
    LEAST_WEIGHT,
    PRICE,
    Absence,
    Outcome,
    Story,
    merged_misses,
    rules_changed,
    signed,
    weightiest,
)
from game.boards.ranks import rank_of, shared_ordinal
from game.engine.codec import Damaged
from game.engine.language import say, spoken
from game.engine.phrases import thousands
from game.history.outcomes import parts_heard
from game.history.past import Course, Stop, course_of, log_between, start_of
from game.infra.process_cache import ProcessCache
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game
from game.store.rule_limits import Budget

CACHE_SIZE = 256
MOST_LINES = 5
MOST_PRICES = 2
NOT_OF_A_TURN = {DOUBT, "others"}  # decisions are long made; of the many moves of others in a turn, the last


class Figure(msgspec.Struct, frozen=True):
    """A figure at the beginning and at the end of the turn."""

    label: str
    was: int
    now: int

    @property
    def change(self) -> int:
        return self.now - self.was


class TurnSummary(msgspec.Struct, frozen=True):
    """A turn from one seat's point of view. `causes` are the reasons for the change of the score, `lines` what mattered
    most, `prices` the largest moves of prices of the seat's shares."""

    turn: int
    turn_words: str
    figures: tuple[Figure, ...]
    rank: str
    rank_before: str
    causes: str
    lines: tuple[Outcome, ...]
    prices: tuple[Outcome, ...] = ()

    @property
    def headline(self) -> str:
        """The change of the score, and the new rank if it changed."""
        if self.rank == self.rank_before:
            return self._change_words
        new_rank = say("You are now {place}, previously {before}.", place=self.rank, before=self.rank_before)
        return f"{self._change_words} {new_rank}"

    @property
    def _change_words(self) -> str:
        change = self.figures[0].change
        if not change:
            return say("You neither gained nor lost in {turn}.", turn=self.turn_words)
        if change > 0:
            return say("You gained {n} in {turn}.", n=thousands(change), turn=self.turn_words)
        return say("You lost {n} in {turn}.", n=thousands(-change), turn=self.turn_words)

    @property
    def other_causes(self) -> str:
        """The causes, unless the one move of a price is all of them."""
        is_one = len(self.prices) == 1 and self.prices[0].figure == signed(self.figures[0].change)
        return "" if is_one else self.causes

    @property
    def news(self) -> str:
        """What mattered most besides the figures: what others did, before the result of one’s own decisions."""
        others = (line for line in self.lines if not line.is_own)
        return next((line.text for line in (*others, *self.lines)), "")

    @property
    def texts(self) -> frozenset[str]:
        """The sentences of its lines."""
        return frozenset(line.text for line in self.lines)

    def besides(self, texts: frozenset[str]) -> TurnSummary:
        """The summary without these sentences, which the page shows above."""
        lines, prices = (
            tuple(one for one in several if one.text not in texts) for several in (self.lines, self.prices)
        )
        return msgspec.structs.replace(self, lines=lines, prices=prices)

    @property
    def rank_words(self) -> str:
        """The rank where it is as before; a new one is in the headline."""
        return say("Rank {place}, as before", place=self.rank) if self.rank == self.rank_before else ""


summaries: ProcessCache[TurnSummary | None] = ProcessCache(CACHE_SIZE)


def summary_of_turn(
    *, game: Game, board: Board, seat: Eyes, names: tuple[str, ...], turn: int, course: Course | None = None
) -> TurnSummary | None:
    """The cached summary of a finished turn; None if the game has no summaries, or the turn cannot be read."""
    if board.turn_figures is None or turn < 1 or (turn >= game.turn and not game.is_over):
        return None
    since = eyes.seated_since(game, seat)
    key = (game.secret_hash, game.branch, game.is_over, turn, seat, since, spoken().code, names)
    return summaries.get(key, lambda: _summarise(game, board, seat, names, turn, course or course_of(game)))


def _summarise(
    game: Game, board: Board, seat: Eyes, names: tuple[str, ...], turn: int, course: Course
) -> TurnSummary | None:
    first = next((stop for stop in course.stops if stop.turn == turn), None)
    last = next((stop for stop in course.stops if stop.turn > turn), course.stops[-1])
    if first is None or first is last:
        return None
    try:
        before, after = (Budget().run(_view_at, game, stop, seat) for stop in (first, last))
    except Damaged:
        return None
    steps = log_between(game, course, first.number + 1, last.number)
    parts = [part for step in steps for part in parts_heard(step, seat)]
    story = Story(parts, seat, names.__getitem__, after)
    return Budget().run(summary_of, turn, board, Absence(before, story, board.score))


def _view_at(game: Game, stop: Stop, seat: Eyes) -> Any:
    return eyes.view(game, start_of(game, stop), seat)


def summary_of(turn: int, board: Board, absence: Absence) -> TurnSummary:
    """The summary of the turn in which this happened."""
    assert board.turn_figures is not None
    before, story = absence.before, absence.story
    pairs = zip(board.turn_figures(before, story.seat), board.turn_figures(story.view, story.seat), strict=True)
    changes = board.since(absence)
    score = next((line for line in changes if line.kind == "figure"), None)
    outcomes = [line for line in changes if line.kind != "figure"] + board.outcomes(story) + rules_changed(story)
    lines = [
        line
        for line in weightiest(merged_misses(outcomes))
        if line.weight >= LEAST_WEIGHT and line.kind not in NOT_OF_A_TURN
    ]
    prices = [line for line in lines if line.kind == PRICE and line.figure][:MOST_PRICES]
    besides = [line for line in lines if line not in prices][: MOST_LINES - len(prices)]
    return TurnSummary(
        turn=turn,
        turn_words=board.rules.turn_inside(turn),
        figures=tuple(Figure(say(label), was, now) for (label, was), (_, now) in pairs),
        rank=_rank(story.view, story.seat),
        rank_before=_rank(before, story.seat),
        causes=score.reason if score else "",
        lines=tuple(line for line in lines if line in prices or line in besides),
        prices=tuple(prices),
    )


def _rank(view: Any, seat: int) -> str:
    scores = [player.score for player in view.players]
    return shared_ordinal([rank_of(scores, score) for score in scores], rank_of(scores, view.player(seat).score))
