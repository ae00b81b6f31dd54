"""In whole games of every ruleset: what a seat is told of its cash adds up, and nothing is told of another's."""

from typing import Any

import pytest

from accounts.languages import override_language
from game.boards.outcomes import (
    BAD,
    GOOD,
    MOST_LINES,
    NEUTRAL,
    Absence,
    Outcome,
    Story,
    briefing,
    outcomes_of_events,
    parts_of,
)
from game.boards.registry import BOARDS, board_of
from game.boards.sectors.briefing import flows
from game.engine import referee, selfplay
from game.engine.chance import Chance
from game.engine.events import read_events
from game.rulesets.registry import RULESETS


def play(key: str, seed: str, seats: int):  # type: ignore[no-untyped-def]
    """Every step of a game of random bots, with the position before it."""
    rules, chance = RULESETS[key], Chance(seed)
    position = referee.start(rules, rules.parse_options({}), seats, chance).position
    while not position.is_over:
        before = position
        _, outcome = selfplay.step(rules, position, [rules.bots["random"]] * seats, chance)
        position = outcome.position
        yield rules, before, outcome


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_the_causes_of_cash_add_up(seed: str) -> None:
    """Every dollar that a seat of Sectors gets or pays has an event that says so."""
    for _, before, outcome in play("sectors", seed, 4):
        for seat in range(4):
            told = sum(flows(outcome.events, seat).values())
            assert told == outcome.position.state.cash(seat) - before.state.cash(seat), (seat, outcome.events)


@pytest.mark.parametrize("key", RULESETS)
def test_every_briefing_is_short_and_its_lines_are_whole(key: str) -> None:
    board, kinds = board_of(key), set()
    for number, (rules, before, outcome) in enumerate(play(key, "whole", 3)):
        seat = number % 3
        parts = tuple(parts_of(number, "", read_events(outcome.events, seat)))
        story = Story(parts, seat, [f"<{n}>" for n in range(3)].__getitem__, rules.view(outcome.position, seat))
        told = board.outcomes(story)
        lines = briefing(Absence(rules.view(before, seat), story, board.score), told, board.since)
        assert len(lines) <= MOST_LINES
        for one in (*told, *lines):
            assert one.label
            assert one.text.endswith(".")
            assert one.tone in {GOOD, BAD, NEUTRAL}
            assert "{" not in one.sentence
            assert board.outcomes is outcomes_of_events or f"<{seat}>" not in one.sentence, "the reader is told as you"
            kinds.add(one.kind)
    assert len(kinds) > 1, kinds


@pytest.mark.parametrize("key", [key for key in BOARDS if board_of(key).outcomes is not outcomes_of_events])
def test_every_line_of_an_outcome_and_a_briefing_is_told_in_german(key: str) -> None:
    board, labels = board_of(key), set()
    for number, (rules, before, outcome) in enumerate(play(key, "german", 3)):
        seat = number % 3
        english, german = (lines_of(board, rules, before, outcome, seat, language) for language in ("en", "de"))
        assert len(english) == len(german)
        for one, other in zip(english, german, strict=True):
            assert one.text != other.text
            labels |= {(one.label, other.label)}
    assert {one for one, other in labels if one == other} <= {"Bonus", "Limit", "Option"}


def lines_of(board: Any, rules: Any, before: Any, outcome: Any, seat: int, language: str) -> list[Outcome]:
    parts = tuple(parts_of(0, "", read_events(outcome.events, seat)))
    story = Story(parts, seat, [f"<{n}>" for n in range(3)].__getitem__, rules.view(outcome.position, seat))
    with override_language(language):
        told = board.outcomes(story)
        return [*told, *briefing(Absence(rules.view(before, seat), story, board.score), told, board.since)]
