"""What City of the Big Shoulders says beside money: who takes an office, which value stays, who pays an owner."""

from typing import Any

from game.boards.decision import Filled
from game.boards.registry import board_of
from game.engine.scenarios.given import stand
from game.rulesets.big_shoulders.company_events import BagShort, ColumnFilled
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from tests.pages.panels import panel_at

BOARD = board_of("big_shoulders")


def rows(given: dict[str, Any], **fields: str) -> dict[str, tuple[str, str, str]]:
    """The lines of bob's preview by their labels: before, after and note."""
    position = stand(BIG_SHOULDERS, given).position
    panel = panel_at(BOARD, position, 1, filled=Filled({name: [text] for name, text in fields.items()}))
    assert panel.ticket
    return {row.label: (row.was, row.now, row.note) for row in panel.ticket.preview.rows}


def test_who_sells_the_directors_certificate_reads_who_takes_the_office() -> None:
    swift = {"value": 100, "held": {"bob": "D C", "ada": "P C"}}
    given = {"phase": "stock", "options": {"advanced": True}, "acting": "bob", "companies": {"swift": swift}}
    lines = rows(given, **{"act": "sell", "sell_swift:D": "1"})
    assert lines["Director of Swift & Co."] == ("You", "<Player 0>", "")
    assert lines["Value of Swift & Co."] == ("100", "50", "")


def test_a_sale_under_price_protection_says_that_the_value_stays_and_why() -> None:
    swift = {"value": 80, "asset": "price_protection", "held": {"ada": "D", "bob": "2C"}}
    given = {"phase": "stock", "acting": "bob", "companies": {"swift": swift}}
    lines = rows(given, **{"act": "sell", "sell_swift:C": "1"})
    assert lines["Value of Swift & Co."] == ("80", "80", "kept by Price Protection")


def test_a_value_that_can_fall_no_further_is_not_kept_by_price_protection() -> None:
    """Its own director sells, whom the asset never protects; the lowest value is all that stops it. (BS 5.6, BS 1.1)"""
    swift = {"value": 10, "asset": "price_protection", "held": {"bob": "D 2C"}}
    given = {"phase": "stock", "acting": "bob", "companies": {"swift": swift}}
    lines = rows(given, **{"act": "sell", "sell_swift:C": "1"})
    assert lines["Value of Swift & Co."] == ("10", "10", "")


def test_before_funds_are_raised_the_form_says_what_a_share_brings() -> None:
    given = {
        "phase": "operation",
        "options": {"advanced": True},
        "companies": {"libby": {"value": 40, "held": {"bob": "D"}}},
        "operation": {"company": "libby"},
    }
    panel = panel_at(BOARD, stand(BIG_SHOULDERS, given).position, 1, filled=Filled({"act": ["raise"]}))
    assert panel.ticket
    assert "Each share brings 40; the value falls by a step for each, and by one more." in panel.ticket.preview.hint


def test_the_note_on_buildings_says_that_no_player_pays_for_their_use() -> None:
    """The owner is paid by the company that uses a tile, or by the bank. (BS 1.10)"""
    note = next(note.text for note in BOARD.notes if note.phase == "building")
    assert "the company there or the bank pays its owner" in note


def test_the_column_whose_cubes_come_next_has_no_letter() -> None:
    filled = ColumnFilled(column="X", cubes={"coal": 2})
    assert filled.sentence(str) == "Next in the supply chain: 2 Coal."
    assert ColumnFilled(column="10", cubes={"coal": 2}).sentence(str).startswith("New in column 10 of")
    short = BagShort(column="X", cubes=3)
    assert short.sentence(str).startswith("The bag ran short: the last column got 3,")
