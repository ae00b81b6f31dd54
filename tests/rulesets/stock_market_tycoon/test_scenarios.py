"""Every scenario of Stock Market Tycoon is met, every rule has one, and a position that cannot be is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.engine.scenarios.reading import Scenario, read
from game.engine.scenarios.running import run, tell
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from tests.servers import ROOT

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
SCENARIOS = [each for file in FILES for each in read(STOCK_MARKET_TYCOON, file.name, file.read_text(encoding="utf-8"))]

PAGE = (ROOT / "docs" / "rules" / "stock_market_tycoon.md").read_text(encoding="utf-8")
OF_THE_SITE = {"T-15", "T-24", "T-28", "T-40"}
"""Decisions on seats that are given up or missed, on the ladder and on presets: the tests of the site show them."""
RULES = [
    *re.findall(r"(?m)^##+ (ST [\d.]+) ", PAGE),
    *(rule for rule in re.findall(r"(?m)^\| (T-\d+) \|", PAGE) if rule not in OF_THE_SITE),
    *(f"resolution {number}" for number in range(1, 61)),
    *(f"example {number}" for number in range(1, 36)),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{each.file}-{each.title}" for each in SCENARIOS])
def test_scenario(scenario: Scenario) -> None:
    result = run(STOCK_MARKET_TYCOON, scenario)
    assert result.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in result.checks if not c.passed] == []


def test_every_rule_resolution_example_and_decision_has_a_scenario() -> None:
    keys = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert [rule for rule in RULES if rule not in keys] == []
    assert sorted(keys - set(RULES)) == [], "there is no such rule"


def test_decisions_of_the_site_are_cited_by_its_tests() -> None:
    own = Path(__file__).parent
    files = [file for file in (ROOT / "tests").rglob("test_*.py") if own not in file.parents]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [rule for rule in sorted(OF_THE_SITE) if not re.search(rf"\b{rule}\b", text)] == []


def test_every_rule_that_refuses_is_shown_refusing() -> None:
    """Whatever rule number the code refuses under, some scenario expects; a mode's phases refuse what it lacks."""
    folder = ROOT / "game" / "rulesets" / "stock_market_tycoon"
    names = ("trading", "finance", "year_decisions", "options")
    text = "".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in names)
    refusing = set(re.findall(r'"(ST [\d.]+|T-\d+)"', text)) - {"ST 1.6"}
    keys = {refusal.get("rule") for each in SCENARIOS for refusal in each.then.get("refusals", [])}
    assert sorted(refusing - keys) == []


def test_no_two_scenarios_are_told_alike() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


STORY = """
rule: ST 4.1
title: A story.
given: {phase: trade, companies: {NT: {shares: {ada: 1000}}}, players: {ada: {hand: [NT-30]}, bob: }}
when: [ada buys 1000 NT]
then: {pool: {NT: 198000}}
"""


def error_of(right: str, wrong: str) -> str:
    assert right in STORY
    (told,) = tell(STOCK_MARKET_TYCOON, "a.yaml", STORY.replace(right, wrong, 1))
    return told.error


def test_the_story_can_be_told() -> None:
    (told,) = tell(STOCK_MARKET_TYCOON, "a.yaml", STORY)
    assert told.passed


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("ST 4.1", "PU 3", ["'PU 3'", "resolution 9"]),
        ("NT: {s", "XX: {s", ["XX"]),
        ("{ada: 1000}", "{zoe: 1000}", ["'zoe'", "ada, bob"]),
        ("{ada: 1000}", "{ada: 200001}", ["200,001 shares of NT", "there are 200,000"]),
        ("{ada: 1000}", "{ada: 199000}, retired: 2000", ["201,000 shares of NT"]),
        ("{ada: 1000}", "{ada: 1000}, director: zoe", ["'zoe'"]),
        ("[NT-30]", "[NT-35]", ["'NT-35'"]),
        ("[NT-30]", "[loan, loan, loan]", ["ada holds one loan more than the deck has"]),
        ("[NT-30]", "[NT-30], luck: 1", ["'luck'", "kept"]),
        ("trade,", "trade, dealer: zoe,", ["'zoe'"]),
        ("trade,", "trade, acting: bob, bankrupts: [bob],", ["bob is bankrupt"]),
        ("trade,", "trade, sub_round: 4,", ["sub_round"]),
        ("trade,", "tender,", ["tender"]),
        ("trade,", "trade, end: boredom,", ["'boredom'", "survivor"]),
        ("trade,", "trade, draws: {dice: [1]},", ["'dice'", "deal"]),
        ("trade,", "trade, shorts: [{player: zoe, company: NT, entry: 1, shares: 1}],", ["'zoe'"]),
        ("buys 1000 NT", "buys many NT", ["buys many NT", "buys 2,000 NT"]),
        ("{NT: 198000}", "{XX: 1}", ["'XX'", "NT"]),
    ],
)
def test_a_position_or_a_word_that_cannot_be_is_refused(right: str, wrong: str, words: list[str]) -> None:
    """With the word or the numbers."""
    error = error_of(right, wrong)
    assert all(word in error for word in ["a.yaml", *words]), error


@pytest.mark.parametrize("deal", ["[loan]", "[loan, loan, loan, AB+5, AB+5, AB-5, AB-5, blank, blank, rights]"])
def test_a_deal_that_the_deck_does_not_allow_is_refused(deal: str) -> None:
    """T-39: ten cards of the deck."""
    text = f"{{rule: ST 2, title: A deal., given: {{start: true, draws: {{deal: [{deal}]}}}}, then: {{turn: 1}}}}"
    (told,) = tell(STOCK_MARKET_TYCOON, "a.yaml", text)
    assert all(word in told.error for word in ("deal = ", "not possible")), told.error
