"""The rules page tells what the code does: its tables, its numbers, and every number that is cited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from game.boards.power_up.board import POWER_UP_OPTIONS
from game.boards.rulebook import option_rows, preset_rows
from game.rulesets.power_up import tables
from game.rulesets.power_up.actions import Buy, Draw, EndTurn, PlayTile
from game.rulesets.power_up.events import ENDS
from game.rulesets.power_up.numbers import CELLS, price_at
from game.rulesets.power_up.options import MENUS, Options
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.power_up.tables import COMPANIES
from tests.servers import ROOT

PAGE = ROOT / "docs" / "rules" / "power_up.md"
FILES = sorted((ROOT / "game" / "rulesets" / "power_up").rglob("*.py"))
Rows = list[tuple[str, ...]]


@cache
def sections() -> dict[str, str]:
    """The sections by number, or by heading where they have none."""
    parts = re.split(r"(?m)^#{2,3} (.+)$", PAGE.read_text(encoding="utf-8"))
    titles = [re.sub(r"^(PU \d+(?:\.\d+)?) .*", r"\1", title) for title in parts[1::2]]
    assert len(titles) == len(set(titles)), "a heading is there twice"
    return dict(zip(titles, parts[2::2], strict=True))


def table(section: str, number: int = 0) -> Rows:
    """The rows of a table, without its head."""
    block = re.findall(r"(?m)(?:^\|.*\n)+", sections()[section])[number]
    return [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in block.splitlines()][2:]


def written(rows: Iterable[Iterable[object]]) -> Rows:
    return [tuple(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) for row in rows]


def test_the_components_are_the_code_s() -> None:
    assert table("PU 1") == written(
        [
            ("Players", f"{POWER_UP.seats.start} to {POWER_UP.seats.stop - 1}"),
            ("Tiles", len(CELLS)),
            ("Tiles in a hand, at most", tables.HAND_LIMIT),
            ("Companies", len(COMPANIES)),
            ("Shares of a company", tables.SHARES_PER_COMPANY),
            ("Starting cash", tables.STARTING_CASH),
        ]
    )
    assert table("PU 1", 1) == written((card.title, f"`{key}`", card.start_price) for key, card in COMPANIES.items())


def test_the_prices_are_the_code_s() -> None:
    for size, *prices in table("PU 1", 2):
        assert written([[price_at(key, int(size)) for key in ("eclipse", "cortex", "whoops")]]) == [tuple(prices)]


def test_the_chances_of_the_roll_are_the_code_s() -> None:
    whole = sum(tables.ACTION_WEIGHTS.values())
    chances = ((actions, f"{count} in {whole}") for actions, count in tables.ACTION_WEIGHTS.items())
    assert table("PU 1", 3) == written(chances)


def test_the_options_are_the_code_s() -> None:
    assert table("PU 2") == option_rows(POWER_UP_OPTIONS, MENUS, Options())
    assert table("PU 2", 1) == preset_rows(POWER_UP_OPTIONS, Options())


def test_the_bag_and_the_grants_are_the_code_s() -> None:
    seats = POWER_UP.seats
    assert table("PU 2", 2) == written((n, len(CELLS) - n * (1 + tables.HAND_LIMIT)) for n in seats)
    assert table("PU 4.3") == written((n, f"1 to {tables.largest_grant(n)}") for n in seats)


def test_the_actions_and_endings_are_the_code_s() -> None:
    assert [row[0] for row in table("PU 3")] == [kind.title for kind in (Draw, PlayTile, Buy, EndTurn)]
    assert [row[0] for row in table("PU 5")] == list(ENDS)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("PU 1", f"and {tables.PRICE_STEP} more for each tile beyond the second"),
        ("PU 4.3", f"It gets {tables.SHARES_PER_COMPANY} new shares"),
        ("PU 4.4", f"rises by {tables.PRICE_STEP} for each"),
        ("PU 4.5", f"{tables.FIRST_BONUS + tables.SECOND_BONUS} × price, shared equally"),
        ("PU 4.5", f"{tables.FIRST_BONUS} × price, and {tables.SECOND_BONUS} × price to the second"),
        ("PU 4.6", f"Once all {tables.SHARES_PER_COMPANY} are sold"),
        ("PU 5", f"a company has {tables.END_SIZE} tiles"),
        ("PU 5", f"two companies have {tables.END_SIZE_OF_TWO} tiles"),
        ("The draws", f"1 to {tables.GRANT_TOP} less the number of players"),
    ],
)
def test_a_number_in_a_sentence_is_the_code_s(section: str, words: str) -> None:
    assert words in " ".join(sections()[section].split())


def test_an_ending_is_told_with_the_code_s_numbers() -> None:
    assert str(tables.END_SIZE) in ENDS["giant"]
    assert str(tables.END_SIZE_OF_TWO) in ENDS["rivals"]


def test_the_page_is_of_this_version_of_the_rules() -> None:
    assert f"Ruleset version {POWER_UP.version}." in PAGE.read_text(encoding="utf-8")


def test_every_cited_rule_is_on_the_page() -> None:
    cited: set[str] = set()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r"\bP-\d+\b", text))
        for group in re.findall(r"\bPU (\d+(?:\.\d+)?(?:(?:–|, )\d+(?:\.\d+)?)*)", text):
            cited |= {f"PU {number}" for number in re.split("–|, ", group)}
    known = set(sections()) | {row[0] for row in table("Decisions")}
    assert not sorted(cited - known)


def test_every_draw_is_on_the_page() -> None:
    labels = {
        label
        for path in FILES
        if "bots" not in path.parts
        for label in re.findall(r"chance\.\w+\(\s*\"(\w+)\"", path.read_text(encoding="utf-8"))
    }
    assert labels == {row[0].strip("`") for row in table("The draws")}


def test_links_within_the_page_have_a_target() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"(?m)^#+ (.+)$", text)}
    assert set(re.findall(r"\(#([\w-]+)\)", text)) <= anchors
