"""The rules page tells what the code does: its tables, its numbers, and every number that is cited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from game.boards.rulebook import option_rows, preset_rows
from game.boards.rulebook.pages import document_of, pages_of
from game.boards.stock_market_tycoon.options import STOCK_MARKET_TYCOON_OPTIONS
from game.boards.stock_market_tycoon.rulebook import STOCK_MARKET_TYCOON_RULEBOOK as BOOK
from game.deadlines.paces import length_of
from game.rulesets.stock_market_tycoon import tables
from game.rulesets.stock_market_tycoon.cards import COPIES, SPECIALS, cards_of, deck_of
from game.rulesets.stock_market_tycoon.flow import flow_of
from game.rulesets.stock_market_tycoon.options import MENUS, MOST_CASH, Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from game.rulesets.stock_market_tycoon.tables import COMPANIES, MODES, PREMIUM_RATES, VARIANTS
from tests.servers import ROOT

PAGE = ROOT / "docs" / "rules" / "stock_market_tycoon.md"
FILES = sorted((ROOT / "game" / "rulesets" / "stock_market_tycoon").rglob("*.py"))
FINANCE = r"premium|dividend|buyback|tender|\bcalls?\b|\bputs?\b"
Rows = list[tuple[str, ...]]


@cache
def sections(mode: str = "strategist") -> dict[str, str]:
    """The sections of a mode's page by number, or by heading where they have none."""
    parts = re.split(r"(?m)^#{2,3} (.+)$", document_of(BOOK, BOOK.by_key[mode]))
    titles = [re.sub(r"^(ST \d+(?:\.\d+)?) .*", r"\1", title) for title in parts[1::2]]
    assert len(titles) == len(set(titles)), "a heading is there twice"
    return dict(zip(titles, parts[2::2], strict=True))


def table(section: str, number: int = 0, mode: str = "strategist") -> Rows:
    """The rows of a table, without its head."""
    block = re.findall(r"(?m)(?:^\|.*\n)+", sections(mode)[section])[number]
    return [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in block.splitlines()][2:]


def written(rows: Iterable[Iterable[object]]) -> Rows:
    return [tuple(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) for row in rows]


def test_the_companies_and_their_cards_are_the_code_s() -> None:
    deck = deck_of("standard")
    assert table("ST 1.1") == written(
        (
            row.title,
            key,
            row.sector,
            row.start_price,
            ", ".join(f"±{value}" for value in range(5, row.largest_card + 1, 5)),
            len(cards_of(key, deck)),
        )
        for key, row in COMPANIES.items()
    )


def test_the_cards_of_a_company_add_up_to_nothing() -> None:
    """ST 1.3, example 1."""
    deck = deck_of("standard")
    assert len(deck) == 108
    assert sorted(deck_of("extended")) == sorted([*deck, *deck])
    assert [len(cards_of(key, deck)) for key in COMPANIES] == [8, 12, 12, 16, 20, 24]
    assert not any(sum(int(card[2:]) for card in cards_of(key, deck)) for key in COMPANIES)


def test_the_special_cards_are_the_code_s() -> None:
    assert [row[:2] for row in table("ST 1.2")] == written((SPECIALS[card], copies) for card, copies in COPIES.items())


def test_the_variants_are_the_code_s() -> None:
    both = VARIANTS.values()
    assert [row[1:] for row in table("ST 1.4")] == written(
        [
            [f"{one.seats.start} to {one.seats.stop - 1}" for one in both],
            [one.starting_cash for one in both],
            [one.shares_per_company for one in both],
            [f"{one.director_percent}%" for one in both],
            [f"{one.chairman_percent}%" for one in both],
            [108 * one.decks for one in both],
        ]
    )


def test_hands_never_need_more_cards_than_the_deck_has() -> None:
    """T-14, also with a kept card for each company."""
    for key in ("standard", "extended"):
        most = max(VARIANTS[key].seats) * tables.HAND_SIZE + len(COMPANIES)
        assert most <= len(deck_of(key))  # type: ignore[arg-type]


def test_the_numbers_are_the_code_s() -> None:
    assert [row[1] for row in table("ST 1.5")] == [
        f"{number:,}"
        for number in (
            tables.SUB_ROUNDS,
            tables.HAND_SIZE,
            tables.LOT,
            tables.LEAST_PURCHASE,
            tables.RIGHTS_PRICE,
            tables.RIGHTS_RATIO,
            tables.LOAN,
            tables.CURRENCY_PERCENT,
            tables.SHORT_CAP,
            tables.OPTION_CAP_PERCENT,
            tables.DIRECTOR_DIVIDEND,
            tables.CHAIRMAN_DIVIDEND,
            tables.BUYBACK_BLOCK,
            tables.BUYBACK_RISE,
            tables.DEBT_INTEREST_PERCENT,
        )
    ]


def test_the_modes_and_options_are_the_code_s() -> None:
    assert [row[0] for row in table("ST 1.6")] == list(MODES.values())
    assert table("ST 2") == option_rows(STOCK_MARKET_TYCOON_OPTIONS, MENUS, Options())
    assert table("ST 2", 1) == preset_rows(STOCK_MARKET_TYCOON_OPTIONS, Options())
    assert f"up to\n{MOST_CASH:,}" in PAGE.read_text(encoding="utf-8")


def test_the_phases_are_the_code_s() -> None:
    for mode in MODES:
        assert [row[0] for row in table("ST 3", mode=mode)] == [row.phase.title for row in flow_of(mode).rows][:-1]


@pytest.mark.parametrize(
    ("mode", "lacks"),
    [
        (
            "trader",
            r"short (sale|sell)|sell short|sold short|debt|\bowe|premium|dividend|buyback|tender|\bcalls?\b|\bputs?\b",
        ),
        ("investor", r"premium|dividend|buyback|tender|\bcalls?\b|\bputs?\b"),
    ],
)
def test_the_page_of_a_mode_has_nothing_that_the_mode_lacks(mode: str, lacks: str) -> None:
    """Neither its rules, its terms, how to play nor its contents; and each rule that it cites is on it. (ST 1.6)"""
    pages, whole = (pages_of(BOOK, key, length_of) for key in (mode, "strategist"))
    turn, words = pages.turn, re.compile(lacks, re.IGNORECASE)
    assert turn
    assert not [line.title for line in turn.lines if words.search(f"{line.title} {line.text}")]
    assert not {section.title: hit[0] for section in pages.sections if (hit := words.search(section.words))}
    assert pages.anchors < whole.anchors
    cited = set(re.findall(r"ST \d+(?:\.\d+)?|\bT-\d+", " ".join(section.words for section in pages.sections)))
    assert {BOOK.anchor_of(rule) for rule in cited} <= pages.anchors


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("ST 4.1", f"worth {tables.LEAST_PURCHASE:,} or more"),
        ("ST 4.3", f"gives you {tables.LOAN:,}"),
        ("ST 4.5", f"at {tables.RIGHTS_PRICE} a share"),
        ("ST 4.7", f"{tables.SHORT_CAP:,} shares of a company short"),
        ("ST 4.9", f"up to {tables.DIRECTOR_DIVIDEND} a share, a Chairman up to {tables.CHAIRMAN_DIVIDEND}"),
        ("ST 4.10", f"may be {tables.LEAST_BUYBACK_CAP} in any case"),
        ("ST 4.10", f"block of {tables.BUYBACK_BLOCK:,} the price rises by {tables.BUYBACK_RISE}"),
        ("ST 4.11", f"{PREMIUM_RATES['seed'][0]} percent, or {PREMIUM_RATES['fair'][0]} with fair prices"),
        ("ST 5", f"with {tables.DEBT_INTEREST_PERCENT} percent interest"),
    ],
)
def test_a_number_in_a_sentence_is_the_code_s(section: str, words: str) -> None:
    assert words in " ".join(sections()[section].split())


def test_the_page_is_of_this_version_of_the_rules() -> None:
    assert f"Ruleset version {STOCK_MARKET_TYCOON.version}." in PAGE.read_text(encoding="utf-8")


def test_every_cited_rule_is_on_the_page() -> None:
    cited: set[str] = set()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r"\bT-\d+\b", text))
        for group in re.findall(r"\bST (\d+(?:\.\d+)?(?:(?:–|, | to )\d+(?:\.\d+)?)*)", text):
            cited |= {f"ST {number}" for number in re.split("–|, | to ", group)}
    known = set(sections()) | {row[0] for row in table("Decisions")}
    assert not sorted(cited - known)


def test_every_draw_is_on_the_page() -> None:
    """What bots and positions made for them draw is no draw of a game."""
    labels = {
        label
        for path in FILES
        if "bots" not in path.parts and path.name != "determinise.py"
        for label in re.findall(r"chance\.\w+\(\s*\"(\w+)\"", path.read_text(encoding="utf-8"))
    }
    assert labels == {row[0].strip("`") for row in table("The draws")}


def test_links_within_the_page_have_a_target() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"(?m)^#+ (.+)$", text)}
    assert set(re.findall(r"\(#([\w-]+)\)", text)) <= anchors
