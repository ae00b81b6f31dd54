"""In whole games of every ruleset: what a seat is told of its cash adds up, and nothing is told of another's."""

from typing import Any

import pytest

from accounts.languages import override_language
from game.boards.company_outcomes import outcomes_of_shares
from game.boards.outcomes import (
    BAD,
    GOOD,
    LEAST_WEIGHT,
    MOST_LINES,
    NEUTRAL,
    Absence,
    Outcome,
    Part,
    Story,
    briefing,
    merged_misses,
    outcomes_of_events,
    parts_of,
    weightiest,
)
from game.boards.registry import BOARDS, board_of
from game.boards.sectors.briefing import flows
from game.engine import referee, selfplay
from game.engine.chance import Chance
from game.engine.events import read_events
from game.engine.language import say
from game.rulesets.big_shoulders.company_events import DividendReceived
from game.rulesets.big_shoulders.events import FirstSeatDrawn, GoalsShown, GoalWon, TurnPassed, ValueMoved
from game.rulesets.power_up.events import TurnOrderSet
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.events.opening import PrioritySet
from game.rulesets.stock_market_tycoon.events.trading import YearBegun


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
            count = sum(flows(outcome.events, seat).values())
            assert count == outcome.position.state.cash(seat) - before.state.cash(seat), (seat, outcome.events)


@pytest.mark.parametrize("key", RULESETS)
def test_every_briefing_is_short_and_its_lines_are_whole(key: str) -> None:
    board, kinds = board_of(key), set()
    for number, (rules, before, outcome) in enumerate(play(key, "whole", 3)):
        seat = number % 3
        parts = tuple(parts_of(number, "", read_events(outcome.events, seat)))
        story = Story(parts, seat, [f"<{n}>" for n in range(3)].__getitem__, rules.view(outcome.position, seat))
        result = board.outcomes(story)
        lines = briefing(Absence(rules.view(before, seat), story, board.score), result, board.since)
        assert len(lines) <= MOST_LINES
        for one in (*result, *lines):
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
        result = board.outcomes(story)
        return [*result, *briefing(Absence(rules.view(before, seat), story, board.score), result, board.since)]


@pytest.mark.parametrize("key", [key for key in RULESETS if key not in {"sectors", "toy"}])
def test_every_reason_of_a_payment_is_said_in_german(key: str) -> None:
    """Charts and the story name them by themselves; those of Sectors are put into words by its own table."""
    reasons = {
        transfer.why for seed in ("one", "two") for _, _, out in play(key, seed, 3) for transfer in out.transfers
    }
    with override_language("de"):
        assert [why for why in sorted(reasons) if say(why) == why] == []


@pytest.mark.parametrize("key", [key for key in RULESETS if key != "toy"])
def test_what_counts_instead_is_a_german_sentence(key: str) -> None:
    """It follows a colon wherever it is shown, and begins as a sentence does."""
    rules = RULESETS[key]
    phases = [row.phase for row in rules.flow(rules.parse_options({})).rows]
    with override_language("de"):
        sentences = [say(text) for phase in phases for text in (phase.default, phase.instead) if text]
    assert sentences
    assert [text for text in sentences if not text[0].isupper()] == []


def test_of_several_sentences_only_the_first_begins_as_one() -> None:
    missed = [
        Outcome(kind="missed", label="Missed", text="You made no decision.", instead=instead)
        for instead in ("Du hast gepasst", "Du hast keine Karte gestrichen")
    ]
    (one,) = merged_misses(missed)
    assert one.reason.endswith("Du hast gepasst and du hast keine Karte gestrichen.")


def test_several_moves_of_a_value_are_told_as_one_and_the_dearest_first() -> None:
    """A value that is where it was is left out."""
    *_, last = play("big_shoulders", "one", 3)
    position = last[2].position
    view = RULESETS["big_shoulders"].view(position, 0)
    (first, shares), (second, others) = sorted(view.player(0).shares.items())[:2]
    moves = [
        ValueMoved(company=first, was=50, price=40),
        ValueMoved(company=second, was=80, price=100),
        ValueMoved(company=first, was=40, price=60),
        ValueMoved(company=second, was=100, price=180),
    ]
    lines = outcomes_of_shares(Story([Part(1, "stock", tuple(moves))], 0, str, view), {ValueMoved: "Value"}, {})
    assert sorted(line.figure for line in lines) == sorted([f"+{10 * shares}", f"+{100 * others}"])
    assert lines[0].figure == f"+{max(10 * shares, 100 * others)}"
    back = [*moves[:1], ValueMoved(company=first, was=40, price=50)]
    assert outcomes_of_shares(Story([Part(1, "stock", tuple(back))], 0, str, view), {ValueMoved: "Value"}, {}) == []


def test_what_matters_most_is_money_won_and_no_pass_of_your_own() -> None:
    """A goal comes before values, a dividend before a purchase of one’s own, and a pass is no news."""
    events = (
        TurnPassed(seat=0, is_automatic=False),
        DividendReceived(seat=0, company="swift", amount=95),
        GoalWon(seat=0, goal=1, amount=200),
    )
    lines = outcomes_of_events(Story([Part(1, "stock", events)], 0, str, None))
    heaviest = [line.kind for line in weightiest(lines) if line.weight >= LEAST_WEIGHT]
    assert heaviest == ["goal_won", "dividend_received"]


def test_the_reader_is_you_in_every_order_of_players() -> None:
    order, names = (2, 0, 1), ["Ada", "Bob", "Eve"].__getitem__
    events = [
        FirstSeatDrawn(seat=2, order=order),
        PrioritySet(order=order),
        TurnOrderSet(order=order),
        YearBegun(year=1, dealer=1, order=order),
    ]
    for event in events:
        assert "Eve, you and Bob" in event.sentence_for(0, names)
        assert "Eve, Ada and Bob" in event.sentence(names)
    assert events[0].sentence_for(2, names) == "You start the first company."
    assert events[3].sentence_for(1, names) == "Year 1: you deal. Order: Eve, Ada and you."


@pytest.mark.parametrize("key", ["big_shoulders", "stock_market_tycoon"])
def test_what_a_score_is_made_of_is_said_in_german(key: str) -> None:
    *_, (rules, before, _) = play(key, "one", 3)
    with override_language("de"):
        labels = [part.label for seat in "012" for part in rules.breakdowns["score"](before.state, seat)]
    assert "Bargeld" in labels
    assert not {"Cash", "Goals", "Debt"} & set(labels)


def test_goals_in_a_sentence_are_written_as_in_a_list() -> None:
    result = GoalsShown(goals=(1, 5, 6))
    english = (
        "managers in your companies, automation tokens in use in your companies and best appeal among your companies"
    )
    assert result.sentence(str) == f"The public goals are: {english}."
    with override_language("de"):
        german = "Werksleiter in eigenen Gesellschaften, Automatisierungen im Einsatz in eigenen Gesellschaften"
        assert result.sentence(str).startswith(f"Die öffentlichen Ziele sind: {german} und Beliebtheit der")
