"""Every scenario of Power Up is met, every rule has one, and a position that cannot be is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.engine.scenarios.reading import Scenario, read
from game.engine.scenarios.running import run, tell
from game.rulesets.power_up.ruleset import POWER_UP
from tests.servers import ROOT

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
SCENARIOS = [each for file in FILES for each in read(POWER_UP, file.name, file.read_text(encoding="utf-8"))]

PAGE = (ROOT / "docs" / "rules" / "power_up.md").read_text(encoding="utf-8")
OF_THE_SITE = {"P-14", "P-15", "P-16"}
"""Decisions on seats that are given up or taken back: the tests of the site show them."""
RULES = [
    *re.findall(r"(?m)^##+ (PU [\d.]+) ", PAGE),
    *(rule for rule in re.findall(r"(?m)^\| (P-\d+) \|", PAGE) if rule not in OF_THE_SITE),
    *(f"resolution {number}" for number in range(1, 31)),
    *(f"example {number}" for number in range(1, 30)),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{each.file}-{each.title}" for each in SCENARIOS])
def test_scenario(scenario: Scenario) -> None:
    result = run(POWER_UP, scenario)
    assert result.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in result.checks if not c.passed] == []


def test_every_rule_resolution_example_and_decision_has_a_scenario() -> None:
    keys = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert [rule for rule in RULES if rule not in keys] == []
    assert sorted(keys - set(RULES)) == [], "there is no such rule"


def test_every_decision_is_the_rules_or_the_sites() -> None:
    assert {f"P-{number}" for number in range(1, 20)} - set(RULES) == OF_THE_SITE


def test_every_rule_that_refuses_is_shown_refusing() -> None:
    """Whatever rule number the code refuses under, some scenario expects."""
    files = [ROOT / "game" / "rulesets" / "power_up" / name for name in ("actions.py", "options.py")]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    refusing = set(re.findall(r'"(PU [\d.]+|P-\d+)"', text)) | set(POWER_UP.cites.values())
    keys = {refusal.get("rule") for each in SCENARIOS for refusal in each.then.get("refusals", [])}
    assert sorted(refusing - keys) == []


def test_no_two_scenarios_are_told_alike() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


STORY = """
rule: PU 3
title: A story.
given: {phase: take_turn, neutral: [D5], companies: {rufus: {tiles: [A0, A1]}}, players: {ada: {hand: [E5]}, bob: }}
when: [ada plays E5 founding Cortex]
then: {sizes: {cortex: 2}}
"""


def error_of(right: str, wrong: str) -> str:
    assert right in STORY
    (told,) = tell(POWER_UP, "a.yaml", STORY.replace(right, wrong, 1))
    return told.error


def test_the_story_can_be_told() -> None:
    (told,) = tell(POWER_UP, "a.yaml", STORY)
    assert told.passed


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("PU 3", "S 3", ["'S 3'", "resolution 9"]),
        ("rufus:", "acme:", ["'acme'", "eclipse"]),
        ("A0, A1", "A0", ["rufus has 1 tile;", "2 or more"]),
        ("A0, A1", "A0, K1", ["'K1'", "A0 to J9"]),
        ("A0, A1", "A0-Z9", ["'Z9'"]),
        ("A0, A1", "B9-A0", ["'B9-A0'", "upper left"]),
        ("A0, A1", "A0, A0", ["one tile A0"]),
        ("A0, A1", "D4, D3", ["D4 (rufus) touches D5 (neutral)"]),
        ("[A0, A1]}", "[A0, A1]}, maniac: {tiles: [B1, B2]}", ["A1 (rufus) touches B1 (maniac)"]),
        ("A0, A1]", "A0, A1], headquarters: C0", ["'C0'", "tile of rufus", "A0, A1"]),
        ("A0, A1]", "A0, A1], shares: {ada: 13, doe: 13}", ["26 shares of rufus", "there are 25"]),
        ("A0, A1]", "A0, A1], shares: {zoe: 1}", ["'zoe'", "ada, bob, doe"]),
        ("A0, A1]}}", "A0, A1], shares: {doe: 1}}}, doe: off", ["'doe'", "ada, bob"]),
        ("neutral:", "doe: off, department: 5, neutral:", ["does not take part", "5 dollars"]),
        ("[E5]", "[D5]", ["one tile D5", "neutral", "ada's hand"]),
        ("[E5]", "[E5, F0-F4]", ["ada holds 6 tiles", "5 at most"]),
        ("[E5]", "[E5], start_tile: H9", ["'H9'", "on the board"]),
        ("neutral:", "bag: [E5], neutral:", ["one tile E5", "ada's hand", "in the bag"]),
        ("neutral:", "bag: [F9, F9], neutral:", ["one tile F9"]),
        ("neutral:", "order: [ada, zoe], neutral:", ["ada, zoe", "ada, bob"]),
        ("neutral:", "actions_left: 5, neutral:", ["actions_left"]),
        ("neutral:", "rolled: 2, neutral:", ["3 actions left of 2"]),
        ("neutral:", "actions_left: 4, tile_played: true, neutral:", ["4 actions left of 4", "a tile was played"]),
        ("neutral:", "tile_lock: true, tile_played: false, neutral:", ["none was played"]),
        ("neutral:", "bag: [], neutral:", ["no turn is played any more", "the bag and a hand are empty"]),
        ("[A0, A1]", "[F0-J9]", ["no turn is played any more", "50 tiles"]),
        ("neutral:", "end: giant, neutral:", ["no turn is played any more"]),
        ("neutral:", "end: boredom, neutral:", ["'boredom'", "exhausted"]),
        ("take_turn", "final_sale", ["nothing has ended the game", "giant, rivals, exhausted"]),
        ("take_turn", "tea", ["tea", "take_turn, final_sale"]),
        ("ada: {", "ada: {luck: 1, ", ["'luck'", "start_tile"]),
        ("founding Cortex", "founding Acme", ["'Acme'", "Superslick"]),
        ("founding Cortex", "letting Cortex", ["letting Cortex survive"]),
        ("{cortex: 2}", "{acme: 2}", ["'acme'", "whoops"]),
        ("sizes: {cortex: 2}", "shares: {rufus: {zoe: 2}}", ["'zoe'", "doe"]),
        ("sizes: {cortex: 2}", "ahead: {Z9: {}}", ["'Z9'", "J9"]),
        ("neutral:", "draws: {doe: [9]}, neutral:", ["doe = 9", "not possible"]),
        ("neutral:", "draws: {dice: [1]}, neutral:", ["'dice'", "start_tile"]),
    ],
)
def test_a_position_or_a_word_that_cannot_be_is_refused(right: str, wrong: str, words: list[str]) -> None:
    """With the word or the numbers."""
    error = error_of(right, wrong)
    assert all(word in error for word in ["a.yaml", *words]), error


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        ("start_tile: [C1, C2]", ["start_tile = 'C2'"]),
        ("actions: [5]", ["actions = 5"]),
        ("tiles: [[A0, A1]]", ["tiles = ['A0', 'A1']"]),
    ],
)
def test_a_draw_that_the_rules_do_not_allow_is_refused(draws: str, words: list[str]) -> None:
    """P-5: start tiles never touch; PU 1: a roll gives two to four; P-13: a draw fills the hand."""
    text = f"{{rule: PU 2, title: A deal., given: {{start: true, draws: {{{draws}}}}}, then: {{turn: 1}}}}"
    (told,) = tell(POWER_UP, "a.yaml", text)
    assert all(word in told.error for word in [*words, "not possible"]), told.error
