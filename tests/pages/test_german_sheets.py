"""The spreadsheets as a German player reads them."""

from __future__ import annotations

import pytest

from accounts.languages import override_language
from game.boards.registry import board_of
from game.boards.sheets import Cell, Sheet
from game.rulesets.registry import RULESETS
from tests.pages.panels import BOARD, RULES
from tests.rulesets.games import played
from tests.rulesets.sectors.table import Table

SAME_IN_GERMAN = {"Bank", "Bonus", "Hand", "Name", "Partner", "Pool", "Status"}


def words_in(sheet: Sheet, row: int) -> dict[str, Cell]:
    """The cells of a row as the page prints them, by column."""
    return {
        column.key: column.words.get(cell, cell) if isinstance(cell, str) else cell
        for column, cell in zip(sheet.columns, sheet.rows[row].cells, strict=True)
    }


def test_columns_and_stored_words_are_told() -> None:
    table = Table().seats("ada", "bob", cash=100).company("ACME", sector="energy", price=47).short("ada", "ACME", 2, 60)
    view = RULES.view(table.at("stock_orders", turn=4).position, 0)
    with override_language("de"):
        companies, _, _, orders, _ = BOARD.sheets(view, BOARD.rows(view), ("ada", "bob"))
    assert [column.title for column in companies.columns[:5]] == ["Kurs", "Änderung", "ada", "bob", "Markt"]
    assert [group.title for group in companies.groups] == ["Energie"]
    assert words_in(companies, 0)["status"] == "an der Börse"
    cells = words_in(orders, 0)
    assert (cells["player"], cells["status"], cells["kind"], cells["side"]) == (
        "ada", "offen", "Leerverkauf", "verkaufen"
    )  # fmt: skip


@pytest.mark.parametrize("ruleset", sorted({*RULESETS} - {"toy"}))
def test_no_table_of_a_game_shows_keys_or_english(ruleset: str) -> None:
    game, board = played(ruleset, 3, 1), board_of(ruleset)
    names = ("ada", "bob", "cid")
    for step in game.steps[:: max(len(game.steps) // 5, 1)]:
        view = game.rules.view(step.after, 0)
        rows = board.rows(view)
        keys = {company.key for company in rows.companies if company.key.islower()}
        with override_language("de"):
            sheets = board.sheets(view, rows, names)
        for sheet in sheets:
            titles = {column.title for column in sheet.columns}
            english = {column.key.replace("_", " ").capitalize() for column in sheet.columns} - SAME_IN_GERMAN
            assert not titles & keys, sheet.key
            assert not titles & english, sheet.key
            for row in range(len(sheet.rows)):
                words = {cell for cell in words_in(sheet, row).values() if isinstance(cell, str)}
                assert not {word for cell in words for word in cell.split(", ")} & keys, sheet.key
