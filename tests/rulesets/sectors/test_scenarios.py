"""Every scenario is met, every rule has one, and a word that means nothing is refused."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from game.rulesets.sectors.scenarios import Scenario, ScenarioError, read, run, vocabulary
from tests.servers import ROOT

FOLDER = Path(__file__).parent / "scenarios"
SCENARIOS = [scenario for file in sorted(FOLDER.glob("*.yaml")) for scenario in read(file.name, file.read_text(encoding="utf-8"))]

SECTIONS = {1: 11, 2: 4, 3: 6, 4: 5, 5: 7, 6: 12, 7: 10, 10: 3}  # the last: worked examples
DECISIONS = """
R-1 R-2 R-3 R-4 R-5 R-6 R-7 R-8 R-12 R-14 R-15 R-16 R-18 R-19 R-20 I16
absence|bank|covers|deck|income|limits|market 3|names|net worth|order|presets|reveal|revise|round trips|rounds|secrets|shield
short dividends|surge|timing|VETO|votes
R-1 detail|R-2 detail|R-4 note|R-6 order|A15 detail|A32 detail|A34 detail|A41 note|A55 detail|A71 detail
order detail|revise detail|rounds detail|secrets detail|shield detail|VETO detail
A34 order|23 order|A48 log|quantity|A6 detail
"""
NAMED = [name for line in DECISIONS.split("\n") for name in (line.split("|") if "|" in line else line.split())]
RULES = [
    *(f"S {section}.{number}" for section, last in SECTIONS.items() for number in range(1, last + 1)),
    *(f"A{number}" for number in range(1, 101)),
    *(f"D{number}" for number in range(1, 42)),
    *NAMED,
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s.file}-{s.title}" for s in SCENARIOS])
def test_scenario(scenario: Scenario) -> None:
    told = run(scenario)
    assert told.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in told.checks if not c.passed] == []


def test_every_rule_has_a_scenario() -> None:
    shown = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert [rule for rule in RULES if rule not in shown] == []
    assert sorted(shown - set(RULES)) == [], "there is no such rule"


def test_no_two_scenarios_are_told_alike() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_the_page_has_the_vocabulary_of_today() -> None:
    """`python manage.py scenario --vocabulary` prints what belongs there."""
    page = (ROOT / "docs" / "rules" / "scenarios.md").read_text(encoding="utf-8")
    assert page.endswith(vocabulary())


STORY = """
rule: S 5.3
title: A story.
given: {phase: stock_orders, players: {ada: , bob: }, companies: {ACME: }}
when: [ada passes]
then: {turn: 2}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("title:", "heading: x\ntitle:", ["'heading'", "rule, title"]),
        ("title: A story.", "", ["'title'"]),
        ("rule: S 5.3", "rule: 5", ["'5'", "A27"]),
        ("phase: stock_orders", "phase: tea", ["tea", "stock_orders"]),
        ("companies:", "firms:", ["'firms'", "companies"]),
        ("ACME: }", "ACME: {colour: 1}}", ["'colour'", "unit_price"]),
        ("ACME: }", "ACME: {status: tired}}", ["'tired'", "insolvent"]),
        ("ACME: }", "ACME: {tier: huge}}", ["'huge'", "titan"]),
        ("ACME: }", "ACME: {modifiers: [{number: luck}]}}", ["'luck'", "sorts_first"]),
        ("ACME: }", "ACME: {modifiers: [{number: cost_halved, amount: 1, source: luck}]}}", ["'luck'", "veto"]),
        ("companies:", "deck: [joker], companies:", ["'joker'", "automation"]),
        ("companies:", "orders: [{player: ada, kind: swap, company: ACME}], companies:", ["'swap'", "limit"]),
        ("{ada: ,", "{ada: {gold: 1},", ["'gold'", "cash"]),
        ("{ada: ,", "{ada: {cash: -5},", ["`int` >= 0", "cash"]),
        ("{ada: ,", "{ada: {cash: lots},", ["`int`", "cash"]),
        ("{ada: , bob: }", "{ada: }", ["2 to 8"]),
        ("{ada: , bob: }", "[ada, ada]", ["one name", "ada"]),
        ("companies:", "edition: 3, companies:", ["edition 3", "2, 1"]),
        ("companies:", "acting: NONE, companies:", ["NONE", "ACME"]),
        ("companies:", "queue: [NONE], companies:", ["NONE", "order of companies"]),
        ("companies:", "headlines: [[industrial, 7]], companies:", ["industrial +7", "1 or 2"]),
        ("companies:", "marker: 10, companies:", ["10 spaces"]),
        ("companies:", "orders: [{player: ada, kind: option, company: ACME, contract: 9}], companies:", ["no contract 9"]),
        ("companies:", "bank: 99999999999999999999, companies:", ["bank"]),
        ("companies:", "draws: {dice: [1]}, companies:", ["'dice'", "ipo_price"]),
        ("companies:", "options: {bets: 1}, companies:", ["'bets'", "concealed"]),
        ("ada passes", "zoe passes", ["'zoe'", "ada"]),
        ("ada passes", "ada dances", ["'dances'", "bids 50"]),
        ("ada passes", "{play_to: tea}", ["'tea'", "stock_orders"]),
        ("turn: 2", "moon: 2", ["'moon'", "cash"]),
        ("turn: 2", "cash: {zoe: 2}", ["'zoe'", "ada"]),
        ("turn: 2", "prices: {NONE: 2}", ["'NONE'", "ACME"]),
        ("turn: 2", "log: [thunder]", ["'thunder'", "price_moved"]),
        ("turn: 2", "log: [price_moved: {how: 1}]", ["'how'", "why"]),
        ("turn: 2", "turn: 2, turn: 3", ["'turn'", "twice"]),
        ("turn: 2", "view: {ada: {players.x: 2}}", ["'x'", "0, 1"]),
        ("turn: 2", "hidden_from: [ada]", ["otherwise"]),
        ("{turn: 2}", "{}", ["expects nothing", "cash"]),
    ],
)
def test_a_word_without_meaning_is_refused(right: str, wrong: str, words: list[str]) -> None:
    """With the file, the word and the words that are known."""
    assert right in STORY
    with pytest.raises(ScenarioError) as refused:
        run(read("a.yaml", STORY.replace(right, wrong))[0])
    assert all(word in str(refused.value) for word in ["a.yaml", *words]), str(refused.value)


def test_the_command_tells_what_failed(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(STORY)
    (tmp_path / "bad.yaml").write_text(STORY.replace("turn: 2", "turn: 3, cash: {ada: 300}"))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 of 2"):
        call_command("scenario", str(tmp_path), stdout=out)
    assert "FAIL  turn: expected 3, got 2" in out.getvalue()
    assert "pass  cash of ada: 300" in out.getvalue()
    out = io.StringIO()
    call_command("scenario", str(tmp_path / "good.yaml"), "--json", stdout=out)
    assert [(told["passed"], told["checks"]) for told in json.loads(out.getvalue())] == [
        (True, [{"what": "turn", "expected": 2, "got": 2, "passed": True}])
    ]


def test_the_command_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text(STORY.replace("turn:", "moon:"))
    with pytest.raises(CommandError, match="moon"):
        call_command("scenario", str(tmp_path))
    with pytest.raises(CommandError, match=r"none\.yaml"):
        call_command("scenario", str(tmp_path / "none.yaml"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match=r"no scenario in .*empty"):
        call_command("scenario", str(tmp_path / "empty"))
    (tmp_path / "empty" / "bytes.yml").write_bytes(b"\xff\xfe")
    with pytest.raises(CommandError, match="not text"):
        call_command("scenario", str(tmp_path / "empty"))


def test_a_number_beyond_all_bounds_is_refused() -> None:
    story = STORY.replace("companies:", "options: {bank: 99999999999999999999}, companies:").replace("ada passes", "play_on")
    (scenario,) = read("a.yaml", story)
    with pytest.raises(ScenarioError, match="too large"):
        run(scenario)


DEALT = """
rule: S 1.1
title: A dealt game.
given: {start: true, draws: {sectors: [energy]}}
then: {turn: 1}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("sectors: [energy]", "sectors: [sea]", ["sectors", "'sea'"]),
        ("sectors: [energy]", "ipo_price: [cheap]", ["ipo_price", "'cheap'"]),
        ("sectors: [energy]", "prestige_track: [[1]]", ["prestige_track", "[1]"]),
        ("true,", "true, options: {edition: 3},", ["Edition cannot be 3"]),
        ("true,", "true, turn: 3,", ["beside start", "'turn'"]),
    ],
)
def test_a_deal_that_cannot_be_is_refused(right: str, wrong: str, words: list[str]) -> None:
    assert run(read("a.yaml", DEALT)[0]).passed
    with pytest.raises(ScenarioError) as refused:
        run(read("a.yaml", DEALT.replace(right, wrong))[0])
    assert all(word in str(refused.value) for word in ["a.yaml", *words]), str(refused.value)


def test_a_refusal_must_be_expected_and_a_fixed_draw_used() -> None:
    (scenario,) = read("a.yaml", STORY.replace("ada passes", "ada sells 1 NONE"))
    assert [check.what for check in run(scenario).checks if not check.passed] == ["refusals"]
    (scenario,) = read("a.yaml", STORY.replace("companies:", "draws: {divest: [[ACME]]}, companies:"))
    assert [check.what for check in run(scenario).checks if not check.passed] == ["fixed draws that were not drawn"]
