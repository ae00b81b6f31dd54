"""The spreadsheet of Sectors as a German player reads it."""

from __future__ import annotations

from accounts.languages import override_language
from game.boards.sheets import Cell, Sheet
from tests.pages.panels import BOARD, RULES
from tests.rulesets.sectors.table import Table


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
