"""The rules page tells what the code does: its tables, its numbers, and every number that is cited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from game.boards.big_shoulders.options import BIG_SHOULDERS_OPTIONS
from game.boards.rulebook import option_rows, preset_rows
from game.rulesets.big_shoulders import tables
from game.rulesets.big_shoulders.descriptions import effect_in_words, use_in_words
from game.rulesets.big_shoulders.effects import ASSETS, LAST_START_ASSET, SPACES, START_ASSETS, TILES, tiles_of
from game.rulesets.big_shoulders.flow import flow_of
from game.rulesets.big_shoulders.options import MENUS, Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from tests.servers import ROOT

PAGE = ROOT / "docs" / "rules" / "big_shoulders.md"
FILES = sorted((ROOT / "game" / "rulesets" / "big_shoulders").rglob("*.py"))
LETTERS = {cube: letter for letter, cube in tables.LETTERS.items()}
Rows = list[tuple[str, ...]]


@cache
def sections() -> dict[str, str]:
    """The sections by number, or by heading where they have none."""
    parts = re.split(r"(?m)^#{2,3} (.+)$", PAGE.read_text(encoding="utf-8"))
    titles = [re.sub(r"^(BS \d+(?:\.\d+)?) .*", r"\1", title) for title in parts[1::2]]
    assert len(titles) == len(set(titles)), "a heading is there twice"
    return dict(zip(titles, parts[2::2], strict=True))


def table(section: str, number: int = 0) -> Rows:
    """The rows of a table, without its head."""
    block = re.findall(r"(?m)(?:^\|.*\n)+", sections()[section])[number]
    return [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in block.splitlines()][2:]


def written(rows: Iterable[Iterable[object]]) -> Rows:
    return [tuple(str(cell) for cell in row) for row in rows]


def yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def test_the_track_of_values_is_the_code_s() -> None:
    assert table("BS 1.1") == written([["value", *tables.VALUES]])


def test_the_companies_and_factories_are_the_code_s() -> None:
    assert table("BS 1.4") == written(
        (row.title, f"`{key}`", tables.TRADE_TITLES[row.trade], row.appeal, yes(row.has_slot),
         " ".join(map(str, row.prices)))
        for key, row in tables.COMPANIES.items()
    )  # fmt: skip
    rows = [
        (f"{row.title} {number}", factory.staff, " ".join(LETTERS[cube] for cube in factory.inputs), factory.goods)
        for key, row in tables.COMPANIES.items()
        for number, factory in enumerate(row.factories, 1)
    ]
    assert [row[:4] for row in table("BS 1.4", 1)] == written(rows)


def test_what_managers_add_is_the_code_s() -> None:
    for told, factory in zip(
        table("BS 1.4", 1), (factory for row in tables.COMPANIES.values() for factory in row.factories), strict=True
    ):
        words = {"goods": factory.extra, "cubes": factory.cubes, "appeal": factory.appeal}
        assert told[4] == ", ".join(
            f"{number} {what.removesuffix('s') if number == 1 else what}" for what, number in words.items() if number
        )


def test_bonuses_cubes_workers_and_demand_are_the_code_s() -> None:
    assert table("BS 1.5") == written(
        (space, tables.BONUS_TITLES[bonus]) for space, bonus in tables.APPEAL_BONUSES.items()
    )
    assert table("BS 1.6") == written(
        (tables.CUBE_TITLES[cube], LETTERS[cube], number, tables.HAYMARKET_START)
        for cube, number in tables.CUBES_IN_GAME.items()
    )
    assert table("BS 1.6", 1) == written([["cubes for an empty column", *tables.REFILLS.values()]])
    for least, price in table("BS 1.7"):
        for workers in (12,) if least == "none" else map(int, least.split(" to ")):
            assert tables.worker_price(0 if least == "none" else workers) == int(price)
    assert table("BS 1.12") == written(
        (pips, *(" ".join(map(str, sorted(tables.demand_of(pips, seats)))) for seats in (2, 3, 4)))
        for pips in tables.DEMAND
    )


def test_spaces_tiles_and_assets_are_the_code_s() -> None:
    assert table("BS 1.9") == written(
        (row.title, "one" if row.is_single else "many", effect_in_words(row.effect), row.costs or "",
         row.gives or "", row.since)
        for row in SPACES.values()
    )  # fmt: skip
    assert table("BS 1.10") == written(
        (number, row.era, f"{row.least_seats}+", row.workers, row.fee, "bank" if row.is_paid_by_bank else "company",
         effect_in_words(row.effect))
        for number, row in TILES.items()
    )  # fmt: skip
    assert table("BS 1.10", 1) == written(
        (era, *(len(tiles_of(era, seats)) for seats in (2, 3, 4))) for era in (1, 2, 3)
    )
    assert table("BS 1.11") == written(
        (row.title, f"`{key}`", yes(key in (*START_ASSETS, LAST_START_ASSET)), effect_in_words(row.bonus),
         use_in_words(row))
        for key, row in ASSETS.items()
    )  # fmt: skip


def test_goals_options_and_phases_are_the_code_s() -> None:
    assert table("BS 1.13") == written(tables.GOALS.items())
    assert table("BS 2") == option_rows(BIG_SHOULDERS_OPTIONS, MENUS, Options())
    assert table("BS 2", 1) == preset_rows(BIG_SHOULDERS_OPTIONS, Options())
    titles = [row.phase.title for row in flow_of(True).rows]
    assert [row[0] for row in table("BS 3")] == titles[:-1]


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("BS 1.3", "10 with two players, 12 with three and 14 with four"),
        ("BS 1.3", "more than six shares"),
        ("BS 1.5", f"gets {tables.DECLINED_BONUS}"),
        ("BS 1.5", f"There are {tables.GOODS_TOKENS} goods tokens"),
        ("BS 1.7", f"has {tables.MOST_WORKERS} places and {tables.FIRST_WORKERS} workers"),
        ("BS 1.8", f"has {tables.PARTNERS} at the start"),
        ("BS 1.12", f"takes {tables.PRINTED_CAPACITY} goods"),
        ("BS 1.13", f"wins {tables.GOAL_PRIZE}"),
        ("BS 2", f"has {tables.STARTING_CASH} in cash"),
        ("BS 5.5", "35, 40, 50 or 60"),
    ],
)
def test_a_number_in_a_sentence_is_the_code_s(section: str, words: str) -> None:
    assert words in " ".join(sections()[section].split())
    assert tables.CERTIFICATE_LIMITS == {2: 10, 3: 12, 4: 14}
    assert tables.OPENING_VALUES == (35, 40, 50, 60)


def test_the_page_is_of_this_version_of_the_rules() -> None:
    assert f"Ruleset version {BIG_SHOULDERS.version}." in PAGE.read_text(encoding="utf-8")


def test_every_cited_rule_is_on_the_page() -> None:
    cited: set[str] = set()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r"\bB-\d+\b", text))
        for group in re.findall(r"\bBS (\d+(?:\.\d+)?(?:(?:–|, | to )\d+(?:\.\d+)?)*)", text):
            cited |= {f"BS {number}" for number in re.split("–|, | to ", group)}
    known = set(sections()) | {row[0] for row in table("Decisions")}
    assert not sorted(cited - known)


def test_every_draw_is_on_the_page() -> None:
    """Bots and guesses at hidden things draw for themselves."""
    of_the_game = [path for path in FILES if "bots" not in path.parts and path.name != "determinise.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in of_the_game)
    labels = set(re.findall(r"chance\.\w+\(\s*\"(\w+)\"", text)) | set(re.findall(r"_draw\(play, \"(\w+)\"", text))
    assert labels == {row[0].strip("`") for row in table("The draws")}
