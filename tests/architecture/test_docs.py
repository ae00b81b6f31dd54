"""The documents tell what the code does: every printed table and every cited rule number is compared with it."""

import ast
import re
from collections.abc import Iterable
from functools import cache

import pytest
from django.core.management import get_commands
from django.urls import resolve

from game.boards.sectors.rulebook.tables import printed
from game.deadlines.paces import length_of
from game.engine.flow import FlowRow
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.phases.upkeep import loan_interest
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.rulesets.sectors.state import SectorsState
from game.rulesets.sectors.tables import common
from game.rulesets.sectors.tables.first_edition import FIRST_EDITION as FIRST
from game.rulesets.sectors.tables.second_edition import SECOND_EDITION as EDITION
from game.urls import ROOMS
from tests.architecture.test_house_rules import product, sources
from tests.servers import ROOT

Table = list[tuple[str, ...]]
RULES_PAGE = ROOT / "docs" / "rules" / "sectors.md"
RULE_FILES = sorted((ROOT / "game" / "rulesets" / "sectors").rglob("*.py"))
SECTIONS = {1: 11, 2: 4, 3: 6, 4: 5, 5: 7, 6: 12, 7: 10}
R_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 15, 16, 18, 19, 20)


@cache
def sections() -> dict[str, str]:
    """The page's sections by the first words of their headings: `S 1.4`, or the whole heading."""
    parts = re.split(r"(?m)^#{2,3} (.+)$", RULES_PAGE.read_text(encoding="utf-8"))
    titles = [re.sub(r"^(S \d+(?:\.\d+)?) .*", r"\1", title) for title in parts[1::2]]
    assert len(titles) == len(set(titles)), "a heading is there twice"
    return dict(zip(titles, parts[2::2], strict=True))


def tables(section: str) -> list[Table]:
    """The rows of each table of a section, without its head."""
    found: list[Table] = []
    for block in re.findall(r"(?m)(?:^\|.*\n)+", sections()[section]):
        rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in block.splitlines()]
        assert set("".join(rows[1])) == {"-"}, rows[0]
        found.append(rows[2:])
    return found


def written(rows: Iterable[Iterable[object]]) -> Table:
    """Numbers of the code as the page would print them."""
    return [tuple(str(cell) for cell in row) for row in rows]


def rows_of_flow() -> list[FlowRow]:
    return flow(Options()).rows


PRINTED = printed("2", length_of)


@pytest.mark.parametrize("place", PRINTED, ids=lambda place: f"{place[0]} {place[1]}")
def test_a_printed_table_is_the_code_s(place: tuple[str, int]) -> None:
    """The site fills the same tables from the engine; whoever reads the file sees the same."""
    section, number = place
    expected = PRINTED[place]
    width = len(expected[0])
    assert [row[:width] for row in tables(section)[number]] == expected


def test_the_first_edition_s_numbers_are_the_code_s() -> None:
    """S 8."""
    differences, shortfalls, taxes, live = tables("S 8")
    values_by_key = {row[0]: row[2] for row in differences}
    costs = {"D25": "large_marketing", "D26": "lobby", "D27": "outsource", "D28": "share_issue"}
    assert {number: values_by_key[number] for number in costs} == {
        number: str(FIRST.action_costs[key][0]) for number, key in costs.items()
    }
    assert values_by_key["D1"] == str(FIRST.influence_points)
    assert f"a pot of {FIRST.tranche_pot}," in values_by_key["D17"]
    assert f"{FIRST.starting_companies[4]}, two" in values_by_key["D33"]
    assert shortfalls == written((tier.title, tier.shortfall) for tier in FIRST.tiers.values())
    assert taxes == written([*FIRST.tax_brackets, ("more", FIRST.tax_above)])
    titles = {row.phase.name: row.phase.title for row in rows_of_flow()}
    assert live == written(
        (titles[k], length) for k, length in FIRST.live_seconds.items() if length != EDITION.live_seconds[k]
    )


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ("S 1.1", f"A game has {RULES.seats.start} to {RULES.seats.stop - 1} players"),
        ("S 1.1", f"Each has {EDITION.influence_points} influence points"),
        ("S 1.1", f"economy score starts at {common.ECONOMY_START}"),
        ("S 1.1", f"{common.SHARES_PER_COMPANY} shares, all in its IPO"),
        ("S 1.7", f"{common.DECK_SIZE} cards: {common.BLANKS} blanks and {common.DECK_SIZE - common.BLANKS} findings"),
        ("S 1.8", f"{common.TRACK_LENGTH} spaces in a circle"),
        ("S 1.8", f"holds {common.INJECTION_START} at first"),
        ("S 1.8", f"all of them grow by {common.INJECTION_GROWTH}"),
        ("S 1.9", f"A pot of {EDITION.tranche_pot} dollars"),
        ("S 1.10", f"From turn {EDITION.headline_turn} on there are {common.HEADLINE_SLOTS} slots"),
        ("S 1.11", f"{common.OPTIONS_ON_SALE} new ones drawn"),
        ("S 3.5", f"{common.BOOM_STEPS} steps beyond"),
        ("S 5.1", f"up to {common.LARGEST_NUMBER} shares"),
        ("S 5.6", f"{common.INTEREST_PERCENT}% of the value at opening"),
        ("S 6.2", f"up to {common.STEADY_UNITS} more units"),
        ("S 6.3", f"Carbon Credit caps it at {common.CARBON_THROUGHPUT}"),
        ("S 6.12", f"for {common.LIQUIDATION_PERCENT}% of price × shares"),
        ("S 7.4", f"one loan of {common.LOAN}"),
        ("S 7.4", f"{loan_interest(SectorsState(seats=2))} dollar a turn at 0.1%"),
        (
            "S 7.4",
            f"{loan_interest(SectorsState(seats=2, options=Options(loan_interest_percent='10')))} dollars at 10%",
        ),
        ("S 7.8", f"a {EDITION.tiers[EDITION.richest_sector_tier].title} company opens"),
        ("S 7.8", f"a {EDITION.tiers[EDITION.dead_sector_tier].title} one in every sector"),
        ("S 7.8", f"falls by {common.IPO_DISCOUNT}, not below {common.IPO_DISCOUNT}"),
    ],
)
def test_a_number_in_a_sentence_is_the_code_s(section: str, sentence: str) -> None:
    assert sentence in " ".join(sections()[section].split())


def test_the_page_is_of_this_version_of_the_rules() -> None:
    assert f"This page describes ruleset version {RULES.version}." in RULES_PAGE.read_text(encoding="utf-8")


def test_every_number_of_the_rules_has_its_place() -> None:
    assert {f"S {part}.{n}" for part, last in SECTIONS.items() for n in range(1, last + 1)} <= set(sections())
    assert [row[0] for row in tables("S 8")[0]] == [f"D{n}" for n in range(1, 42)]
    assert [row[0] for row in tables("Resolutions A1–A100")[0]] == [f"A{n}" for n in range(1, 101)]
    assert [row[0] for row in tables("Decisions with a number")[0]] == [f"R-{n}" for n in R_NUMBERS]


def test_every_cited_rule_is_on_the_page() -> None:
    """In docstrings, comments and refusals: a reader who follows a citation finds its place."""
    files = [path for path in (ROOT / "game").rglob("*.py") if not {"migrations", *OTHER_GAMES} & set(path.parts)]
    cited = {number for path in files for number in citations(path.read_text(encoding="utf-8"))}
    known = set(sections()) | {row[0] for title in DECISION_TABLES for row in tables(title)[0]}
    assert not sorted(cited - known)


OTHER_GAMES = {path.name for path in (ROOT / "game" / "rulesets").iterdir() if path.is_dir()} - {"sectors"}
DECISION_TABLES = ("S 8", "Resolutions A1–A100", "Decisions with a number", "Decisions with a name")
NUMBER = re.compile(r"\b[AD]\d{1,3}\b|\bR-\d+\b|\bI16\b")
SECTION = re.compile(r"\bS ((?:\d+\.\d+)(?:(?:–|, )\d+\.\d+)*)")


def citations(text: str) -> set[str]:
    """`S 5.3`, `S 1.9, 7.9` and `S 6.9–6.11`, A and R numbers, and the rule a refusal names."""
    found = set(NUMBER.findall(re.sub(r"# noqa: \w+", "", text)))
    for group in SECTION.findall(text):
        found |= {f"S {number}" for number in re.split(r"–|, ", group)}
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        rule = call.args[-1] if call.args else None
        if (
            getattr(call.func, "id", "") in {"Refused", "reject"}
            and isinstance(rule, ast.Constant)
            and len(call.args) > 1
        ):
            found.add(str(rule.value))
    return found


def test_every_payment_has_its_row() -> None:
    """S 7.10: the reasons that the code gives when it moves money; orders and company actions give their own names."""
    made_of_names = {"company action", "market buy", "market sell", "limit buy", "limit sell"}
    assert reasons() == {row[0] for row in tables("S 7.10")[0]} - made_of_names


def reasons() -> set[str]:
    given: list[ast.expr] = []
    for path in RULE_FILES:
        for call in (
            node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
        ):
            if getattr(call.func, "attr", "") in {"pay", "pay_up_to"}:
                given += [word.value for word in call.keywords if word.arg == "why"]
            elif getattr(call.func, "id", "") in {"charge", "grant"}:
                given.append(call.args[3])
    texts = [node.args[0] if isinstance(node, ast.Call) else node for node in given]  # `mark` stands around some
    return {str(node.value) for node in texts if isinstance(node, ast.Constant)}


def test_every_draw_is_on_the_page() -> None:
    labels = set()
    for path in RULE_FILES:
        if "bots" not in path.parts:
            labels |= set(re.findall(r"chance\.\w+\(\s*\"(\w+)\"", path.read_text(encoding="utf-8")))
    assert labels == {row[0].strip("`") for row in tables("The draws")[0]}


def test_the_readme_names_what_is_there() -> None:
    """Its paths exist, but for the picture that is made from a running copy, and its commands are those of `./dev
    help`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    paths = [name for name in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if not name.startswith(("./dev", "/"))]
    assert not [name for name in paths if not (ROOT / name).exists()]
    assert set(re.findall(r"\./dev (\w+)", text)) >= set(
        re.findall(r"(?m)^\./dev (\w+)", (ROOT / "dev").read_text(encoding="utf-8"))
    )


def test_the_documents_name_files_that_exist() -> None:
    """Paths and modules in backquotes, from the root, from `game` or by the file's name alone."""
    ours = [f"/{path.relative_to(ROOT).as_posix()}" for path in sources()]
    missing = [
        f"{page.name}: {name}"
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for name in re.findall(r"`([\w./-]+\.(?:py|md|html|js|css|toml))`", page.read_text(encoding="utf-8"))
        if not any(path.endswith(f"/{name.removeprefix('../')}") for path in ours)
    ]
    # KEY stands for any game.
    assert not [line for line in missing if "KEY" not in line]


def test_the_documents_name_commands_that_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    named = {name for text in texts for name in re.findall(r"(?:dev manage|manage\.py) ([a-z_]+)", text)}
    assert {"backup", "clock"} <= named <= {*get_commands()}


ADDRESS_ROW = re.compile(r"(?m)^\| ((?:`/[^`]*` ?)+)\| `([\w/]+)/` \|$")


def test_the_readme_sends_each_address_to_its_room() -> None:
    rows = ADDRESS_ROW.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    views = [
        (address, room, resolve(address).func.__module__)
        for addresses, room in rows
        for address in re.findall(r"`([^`]+)`", addresses)
    ]
    assert {room.removeprefix("game/") for _, room, _ in views} >= set(ROOMS)
    assert not [row for row in views if not row[2].startswith(row[1].replace("/", ".") + ".")]


def test_every_variable_is_in_the_operations_page() -> None:
    settings = (ROOT / "sectors_site" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"environment\.\w+\(\s*\"([A-Z_]+)\"", settings))
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?m)^\| `([A-Z_]+)`", page)) == read


def test_every_line_that_operators_watch_for_was_seen_by_a_test() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    watched = set(re.findall(r"`([a-z]+_\w+)`", page.split("\n## What to watch\n")[1].split("\n## ")[0]))
    own = "".join(path.read_text(encoding="utf-8") for path in product())
    seen = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/*/test_*.py"))
    lines = {name for name in watched if f'"{name}"' in own}
    assert "game_held" in lines
    assert {name for name in lines if f'"{name}' not in seen} == set()


def test_decisions_are_numbered_pages() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        assert re.findall(r"(?m)^## (.+)$", page.read_text(encoding="utf-8")) == [
            "Context",
            "Decision",
            "Consequences",
        ], page.name
