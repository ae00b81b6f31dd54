"""Every scenario of City of the Big Shoulders is met, every rule has one, and a position that cannot be is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.engine.scenarios.reading import Scenario, read
from game.engine.scenarios.running import run, tell
from game.rulesets.big_shoulders.effects import ASSET_KEYS, TILES
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from game.rulesets.big_shoulders.tables import GOALS
from tests.servers import ROOT

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
SCENARIOS = [each for file in FILES for each in read(BIG_SHOULDERS, file.name, file.read_text(encoding="utf-8"))]

PAGE = (ROOT / "docs" / "rules" / "big_shoulders.md").read_text(encoding="utf-8")
EXAMPLES = 32
RULES = [
    *re.findall(r"(?m)^##+ (BS [\d.]+) ", PAGE),
    *re.findall(r"(?m)^\| (B-\d+) \|", PAGE),
    *(f"example {number}" for number in range(1, EXAMPLES + 1)),
    *(f"tile {number}" for number in TILES),
    *(f"asset {asset}" for asset in ASSET_KEYS),
    *(f"goal {goal}" for goal in GOALS),
    *(f"slot {slot}" for slot in ("50", "20", "0", "printed", "bank")),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{each.file}-{each.title}" for each in SCENARIOS])
def test_scenario(scenario: Scenario) -> None:
    result = run(BIG_SHOULDERS, scenario)
    assert result.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in result.checks if not c.passed] == []


def test_every_rule_example_decision_tile_asset_slot_and_goal_has_a_scenario() -> None:
    keys = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert [rule for rule in RULES if rule not in keys] == []
    assert sorted(keys - set(RULES)) == [], "there is no such rule"


def test_every_rule_that_refuses_is_shown_refusing() -> None:
    """Whatever rule number the code refuses under, some scenario expects."""
    folder = ROOT / "game" / "rulesets" / "big_shoulders"
    names = (
        "stock",
        "stock_checks",
        "directors",
        "building",
        "placing",
        "targets",
        "free_acts",
        "operating",
        "selling",
        "options",
    )
    text = "".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in names)
    refusing = set(re.findall(r'"(BS [\d.]+|B-\d+)"', text))
    keys = {refusal.get("rule") for each in SCENARIOS for refusal in each.then.get("refusals", [])}
    assert sorted(refusing - keys) == []


def test_no_two_scenarios_are_told_alike() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


STORY = """
rule: BS 5.2
title: A story.
given:
  {phase: stock, companies: {swift: {value: 50, cubes: SL, held: {bob: D, ada: C}}}, players: {ada: {hand: [9]}, bob: }}
when: [ada sells C of swift]
then: {values: {swift: 40}}
"""


def error_of(right: str, wrong: str) -> str:
    assert right in STORY
    (told,) = tell(BIG_SHOULDERS, "a.yaml", STORY.replace(right, wrong, 1))
    return told.error


def test_the_story_can_be_told() -> None:
    (told,) = tell(BIG_SHOULDERS, "a.yaml", STORY)
    assert told.passed


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("BS 5.2", "PU 3", ["'PU 3'", "tile 13"]),
        ("swift: {v", "ford: {v", ["ford"]),
        ("bob: D", "zoe: D", ["'zoe'", "ada, bob"]),
        ("bob: D", "bob: P", ["nobody holds the director's certificate of swift"]),
        ("ada: C", "ada: 6C", ["fewer than 6 C of swift"]),
        ("ada: C", "ada: X", ["X", "D, P and C"]),
        ("value: 50", "value: 55", ["55", "60"]),
        ("cubes: SL", "cubes: SZ", ["Z", "L, S, C and W"]),
        ("cubes: SL", "factories: [ww, wwww]", ["factory 2 of swift", "wwww"]),
        ("cubes: SL", "factories: [mw]", ["mw", "w, a, m"]),
        ("hand: [9]", "hand: [3]", ["ada cannot have tile 3"]),
        ("hand: [9]", "hand: [9, 9]", ["ada cannot have tile 9"]),
        ("hand: [9]", "luck: 1", ["'luck'", "partners"]),
        ("stock,", "operation,", ["which company operates"]),
        ("stock,", "stock, acting: zoe,", ["'zoe'"]),
        ("stock,", "stock, haymarket: " + "L" * 21 + ",", ["not enough livestock"]),
        ("stock,", "stock, demand: {meat: ['9']},", ["capacity 9"]),
        ("stock,", "stock, draws: {dice: [1]},", ["'dice'", "deal"]),
        ("sells C of swift", "sells many", ["sells many", "sells 2C P of swift"]),
        ("{swift: 40}", "{ford: 1}", ["'ford'", "swift"]),
    ],
)
def test_a_position_or_a_word_that_cannot_be_is_refused(right: str, wrong: str, words: list[str]) -> None:
    """With the word or the numbers."""
    error = error_of(right, wrong)
    assert all(word in error for word in ["a.yaml", *words]), error
