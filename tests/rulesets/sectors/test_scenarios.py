"""Every scenario is met, every rule has one, and a word that means nothing is refused."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from game.engine.scenarios.language import ScenarioError
from game.engine.scenarios.reading import Scenario, read
from game.engine.scenarios.running import run, tell
from game.rulesets.sectors.flow import FLOWS
from game.rulesets.sectors.ruleset import SECTORS

FOLDER = Path(__file__).parent / "scenarios"
SCENARIOS = [
    scenario
    for file in sorted(FOLDER.glob("*.yaml"))
    for scenario in read(SECTORS, file.name, file.read_text(encoding="utf-8"))
]

SECTIONS = {1: 11, 2: 4, 3: 6, 4: 5, 5: 7, 6: 12, 7: 10, 10: 3}  # the last: worked examples
DECISIONS = """
R-1 R-2 R-3 R-4 R-5 R-6 R-7 R-8 R-12 R-14 R-15 R-16 R-18 R-19 R-20 I16
absence|bank|covers|deck|income|limits|market 3|names|net worth|order|presets|reveal|revise
round trips|rounds|secrets|shield
short dividends|surge|timing|VETO|votes
R-1 detail|R-2 detail|R-4 note|R-6 order|A15 detail|A32 detail|A34 detail|A41 note|A55 detail|A71 detail
order detail|revise detail|rounds detail|secrets detail|shield detail|VETO detail
A34 order|23 order|A48 log|quantity|A6 detail|ahead|standing order
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
    result = run(SECTORS, scenario)
    assert result.checks
    assert [f"{c.what}: expected {c.expected!r}, got {c.got!r}" for c in result.checks if not c.passed] == []


def test_every_rule_has_a_scenario() -> None:
    keys = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert [rule for rule in RULES if rule not in keys] == []
    assert sorted(keys - set(RULES)) == [], "there is no such rule"


def test_no_two_scenarios_are_told_alike() -> None:
    titles = [scenario.title for scenario in SCENARIOS]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


STORY = """
rule: S 5.3
title: A story.
given: {phase: stock_orders, players: {ada: , bob: }, companies: {ACME: }}
when: [ada passes]
then: {turn: 2}
"""


PLENTY = """
rule: S 4.1
title: A position in which every phase is played.
given:
  phase: PHASE
  just_before: true
  turn: 6
  edition: EDITION
  players: {ada: {shares: {ACME: 2, BUST: 1}}, bob: {shares: {ACME: 1}}}
  companies: {ACME: {revenue: 90, price: 47}, BUST: {status: insolvent}}
  sectors: {industrial: , energy: }
  tranches: [{sector: industrial, cash: 40, winner: ada}]
  orders:
    - {player: ada, kind: limit, company: ACME, price: 43, status: filled_pending_settlement}
    - {player: ada, kind: short, company: ACME, price: 47, side: sell}
    - {player: ada, kind: short, company: ACME, price: 47, side: sell, status: pending}
    - {player: ada, kind: limit, company: ACME, price: 43, status: pending}
    - {player: bob, kind: market, company: ACME, status: pending}
    - {player: bob, kind: option, company: ACME, contract: 2, status: pending}
  contracts: [{company: ACME, strike: 40, owner: ada}, {company: ACME, strike: 90}]
when: [play_on]
then: {turn: 6}
"""
INSOLVENT_ACTS = ("contributions", "contribution_result")
ENTERED = [(edition, row.phase.name) for edition, flow in FLOWS.items() for row in flow.rows]


@pytest.mark.parametrize(("edition", "phase"), ENTERED)
def test_every_phase_can_be_entered_directly(edition: int, phase: str) -> None:
    """The position stands in front of the phase, and the first step begins it: nothing of the phase before is done."""
    text = PLENTY.replace("PHASE", phase).replace("EDITION", str(edition))
    if phase in INSOLVENT_ACTS:
        text = text.replace("turn: 6", "turn: 6\n  queue: [BUST]", 1)
    elif phase.startswith("influence"):
        text = text.replace("then: {turn: 6}", "then: {turn: 1}")
    (told,) = tell(SECTORS, "a.yaml", f"{text.strip()[:-1]}, phases: [{phase}]}}")
    assert not told.error
    assert next(check.got for check in told.checks if check.what == "phases")[0] == phase


STORY_LINE = "{rule: S 5.3, title: A line., given: {phase: stock_orders, companies: {ACME: }}, then: {turn: 2}}"


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
        (
            "companies:",
            "orders: [{player: ada, kind: option, company: ACME, contract: 9}], companies:",
            ["no contract 9"],
        ),
        ("companies:", "bank: 99999999999999999999, companies:", ["bank"]),
        ("companies:", "draws: {dice: [1]}, companies:", ["'dice'", "ipo_price"]),
        ("companies:", "options: {bets: 1}, companies:", ["'bets'", "concealed"]),
        ("companies:", "bids: {zoe: 1}, companies:", ["no player zoe", "ada"]),
        ("companies:", "ballots: {ada: [tea]}, companies:", ["no company action tea", "lobby"]),
        ("companies:", "selected: [tea], companies:", ["'tea'", "lobby"]),
        ("companies:", "revenue_votes: {ACME: {ada: all}}, companies:", ["no choice all", "retain"]),
        ("companies:", "revenue_votes: {NONE: {ada: full}}, companies:", ["no company NONE", "ACME"]),
        ("companies:", "wishes: {ada: {prestige_to: NONE}}, companies:", ["no company NONE", "ACME"]),
        ("companies:", "wishes: {ada: {gold: 1}}, companies:", ["'gold'", "prestige_to"]),
        ("companies:", "passed: [10], companies:", ["10 spaces"]),
        ("stock_orders", "market_orders", ["before market_orders", "play_on", "ada passes"]),
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
        run(SECTORS, read(SECTORS, "a.yaml", STORY.replace(right, wrong))[0])
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


def test_the_command_reports_a_bad_scenario_and_runs_the_rest(tmp_path: Path) -> None:
    """Whether it is one scenario, a file that is no YAML, or a file that is no text."""
    (tmp_path / "odd.yaml").write_text(f"- {STORY_LINE.replace('turn', 'moon')}\n- {STORY_LINE}\n")
    (tmp_path / "broken.yaml").write_text("rule: [S 5.3")
    (tmp_path / "bytes.yml").write_bytes(b"\xff\xfe")
    (tmp_path / "good.yaml").write_text(STORY)
    out = io.StringIO()
    with pytest.raises(CommandError, match="3 of 5 scenarios failed"):
        call_command("scenario", str(tmp_path), stdout=out)
    for words in (r"odd.yaml: “A line.”: there is no word of then 'moon'", "broken.yaml: ", "bytes.yml is not text"):
        assert words in out.getvalue()
    assert out.getvalue().count("pass  turn: 2") == 2
    assert "5 scenarios, 2 expectations, 3 scenarios failed, 3 of them could not be run" in out.getvalue()
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("scenario", str(tmp_path), "--json", stdout=out)
    assert sorted(bool(one["error"]) for one in json.loads(out.getvalue())) == [False, False, True, True, True]


def test_the_command_refuses_what_leads_nowhere(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.yaml"):
        call_command("scenario", str(tmp_path / "none.yaml"))
    with pytest.raises(CommandError, match="no scenario in"):
        call_command("scenario", str(tmp_path))
    with pytest.raises(CommandError, match=r"no ruleset chess\. Choose one of sectors"):
        call_command("scenario", "--ruleset", "chess", str(tmp_path))


def test_a_number_beyond_all_bounds_is_refused() -> None:
    story = STORY.replace("companies:", "options: {bank: 99999999999999999999}, companies:").replace(
        "ada passes", "play_on"
    )
    (scenario,) = read(SECTORS, "a.yaml", story)
    with pytest.raises(ScenarioError, match="too large"):
        run(SECTORS, scenario)


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
    assert run(SECTORS, read(SECTORS, "a.yaml", DEALT)[0]).passed
    with pytest.raises(ScenarioError) as refused:
        run(SECTORS, read(SECTORS, "a.yaml", DEALT.replace(right, wrong))[0])
    assert all(word in str(refused.value) for word in ["a.yaml", *words]), str(refused.value)


def test_a_refusal_must_be_expected_and_a_fixed_draw_used() -> None:
    (scenario,) = read(SECTORS, "a.yaml", STORY.replace("ada passes", "ada sells 1 NONE"))
    assert [check.what for check in run(SECTORS, scenario).checks if not check.passed] == ["refusals"]
    (scenario,) = read(SECTORS, "a.yaml", STORY.replace("companies:", "draws: {divest: [[ACME]]}, companies:"))
    assert [check.what for check in run(SECTORS, scenario).checks if not check.passed] == [
        "fixed draws that were not drawn"
    ]
