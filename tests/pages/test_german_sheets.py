"""The spreadsheet of Sectors as a German player reads it."""

from __future__ import annotations

from accounts.languages import override_language
from tests.pages.panels import BOARD, RULES
from tests.rulesets.sectors.table import Table


def test_columns_and_stored_words_are_told() -> None:
    table = Table().seats("ada", "bob", cash=100).company("ACME", sector="energy", price=47).short("ada", "ACME", 2, 60)
    view = RULES.view(table.at("stock_orders", turn=4).position, 0)
    with override_language("de"):
        companies, _, orders, _ = BOARD.sheets(view, BOARD.rows(view), ("ada", "bob"))
    assert [column.title for column in companies.columns[:5]] == ["Name", "Sektor", "Zustand", "Stufe", "Kurs"]
    assert companies.rows[0].cells[:3] == ("ACME Works", "Energie", "aktiv")
    cells = dict(zip([column.key for column in orders.columns], orders.rows[0].cells, strict=True))
    assert (cells["player"], cells["status"], cells["kind"], cells["side"]) == (
        "ada", "offen", "Leerverkauf", "verkaufen"
    )  # fmt: skip
