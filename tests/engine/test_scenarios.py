"""The language of scenarios knows no game: Toy's run with Toy's words, and one bad scenario hides no other."""

from dataclasses import replace
from pathlib import Path

import pytest

from game.engine.scenarios.language import ScenarioError
from game.engine.scenarios.manual import common_vocabulary, vocabulary
from game.engine.scenarios.reading import Scenario, read
from game.engine.scenarios.running import run, tell
from tests.engine.toy import TOY as WITHOUT_WORDS
from tests.toy.ruleset import TOY

FILE = Path(__file__).parent.parent / "toy" / "scenarios" / "toy.yaml"
SCENARIOS = read(TOY, FILE.name, FILE.read_text(encoding="utf-8"))
GOOD = "{rule: T 2, title: Good., given: {phase: bidding}, when: [ada bids 2], then: {turn: 1}}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.title for scenario in SCENARIOS])
def test_a_scenario_of_toy(scenario: Scenario) -> None:
    result = run(TOY, scenario)
    assert result.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in result.checks if not c.passed] == []


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("{rule: T 2, title: Bad., given: {phase: tea}, then: {turn: 1}}", ["a.yaml", "“Bad.”", "tea", "bidding"]),
        ("{rule: T 2, title: Bad., given: {phase: bidding}}", ["a.yaml", "“Bad.”", "'then'"]),
        ("{rule: S 2, title: Bad., given: {phase: bidding}, then: {turn: 1}}", ["a.yaml", "'S 2'"]),
        ("{rule: T 2, title: Bad., given: {phase: bidding}, when: [{}], then: {turn: 1}}", ["a.yaml", "a step"]),
        ("{rule: T 2, title: Bad., given: {phase: bidding}, then: {log: [{a: 1, b: 2}]}}", ["one event"]),
        ("{rule: T 2, title: Bad., given: {phase: bidding, players: {ada: {hand: [99]}, bob: }}, then: }", ["99"]),
        ("{rule: T 2, title: Bad., given: {phase: end_round}, when: [ada bids 2], then: }", ["before end_round"]),
        ("7", ["a.yaml", "scenario 2"]),
    ],
)
def test_one_bad_scenario_is_reported_and_the_rest_still_run(bad: str, words: list[str]) -> None:
    result = tell(TOY, "a.yaml", f"- {GOOD}\n- {bad}\n- {GOOD}")
    assert [one.passed for one in result] == [True, False, True]
    assert all(word in result[1].error for word in words), result[1].error


def test_rules_that_break_down_are_reported_too() -> None:
    """An error of the rules themselves hides no other result."""
    broken = replace(TOY, standings=lambda state: [1 // 0])
    result = tell(broken, "a.yaml", f"- {GOOD}\n- {GOOD.replace('turn: 1', 'place: {ada: 1}')}\n- {GOOD}")
    assert [one.passed for one in result] == [True, False, True]
    assert "ZeroDivisionError" in result[1].error


def test_a_refusal_of_the_other_steps_is_told() -> None:
    """Otherwise a viewer would be compared with a story in which nothing happened."""
    text = "{rule: T 2, title: A., given: {phase: bidding}, otherwise: [ada bids 11], then: {shown_to: []}}"
    assert [check.what for check in tell(TOY, "a.yaml", text)[0].checks] == ["refusals of `otherwise`"]


@pytest.mark.parametrize("text", ["{a: [}", "a: 2020-13-45", "\x00", "!!map [a, b]", "[" * 5000, "? [a]\n: 1"])
def test_a_broken_file_is_named(text: str) -> None:
    (told,) = tell(TOY, "broken.yaml", text)
    assert told.error.startswith("broken.yaml: ")
    assert not told.passed
    with pytest.raises(ScenarioError, match=r"broken\.yaml"):
        read(TOY, "broken.yaml", text)


def test_a_ruleset_without_words_says_so() -> None:
    (told,) = tell(WITHOUT_WORDS, "a.yaml", f"- {GOOD}")
    assert "no words for scenarios" in told.error


def test_the_vocabulary_has_the_words_of_every_game_and_those_of_this_one() -> None:
    assert "| `phase` | name of the phase" in common_vocabulary()
    assert "takes it back" in common_vocabulary()
    own = vocabulary(TOY)
    for word in ("`actions_left`", "`hand`", "places 7 on A1", "| `hands` | player |", "`take_turn`", "`card_drawn`"):
        assert word in own
    assert "company" not in common_vocabulary() + own
