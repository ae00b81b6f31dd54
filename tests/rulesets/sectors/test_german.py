"""What the rules say in German, and that nothing they store depends on who reads."""

from functools import cache

import msgspec
import pytest

from accounts.languages import override_language
from game.boards.sectors.rows import rows
from game.boards.sectors.sheets import sheets
from game.engine import referee
from game.rulesets.sectors.causes import cause_words
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.tables.common import BOOM_STEPS, CARBON_THROUGHPUT, LOAN, STEADY_UNITS
from tests.rulesets.recording import load, replay
from tests.rulesets.sectors.record import FOLDER
from tests.rulesets.sectors.table import Table

GAMES = ("all_instruments", "first_edition_goes_bankrupt", "random_players_go_bankrupt")
CAUSES = {
    "price_moved": "why",
    "order_rejected": "reason",
    "action_failed": "reason",
    "short_closed": "why",
    "contract_expired": "why",
}


@cache
def stored(game: str, language: str) -> tuple[bytes, ...]:
    """Position and events after every phase of a recorded game, replayed by somebody who reads that language."""
    with override_language(language):
        return tuple(
            SECTORS.codec.encode([outcome.position.state, outcome.events])
            for _, outcome in replay(SECTORS, load(SECTORS, FOLDER / f"{game}.json"))
        )


def log(table: Table) -> list[str]:
    return [event.sentence(table.names.__getitem__) for event in table.told]


def test_the_log_is_told_in_the_language_of_its_reader(table: Table) -> None:
    table.at("stock_orders").company("ACME", price=47, market=10).cash_is(ada=300, bob=10)
    table.ada.buys("ACME", 2)
    table.bob.buys("ACME", 1)
    table.clock_runs_out()
    with override_language("de"):
        german = log(table)
    assert "ada kaufte 2 ACME auf dem freien Markt." in german
    rejected = "Die Order von bob über 1 ACME wurde nicht ausgeführt: sie kostet 47, das Bargeld ist 10. (Regel S 5.3)"
    assert rejected in german
    assert "ACME stieg (2 mehr gekauft als verkauft)." in german
    assert "ACME rose (2 more bought than sold)." in log(table)


def test_a_refusal_is_told_in_german_with_its_numbers(table: Table) -> None:
    table.at("influence_bid")
    with override_language("de"), table.refuses("S 1.5", "Du hast 50 Einflusspunkte, nicht 60."):
        table.ada.bids(60)


def test_a_ballot_is_told_in_german(table: Table) -> None:
    table.at("company_vote", acting="ACME").company("ACME", treasury=10).holdings("ACME", ada=2)
    with override_language("de"):
        offer = referee.offers(SECTORS, table.position, 0)[0]
        lines = {line.key: line for line in SECTORS.explain(table.position.state, offer)}
    assert offer.label == "ACME stimmt ab"
    assert lines["small_marketing"].title == "Kleine Werbekampagne"
    assert lines["small_marketing"].refused == "Das kostet 100; in der Kasse sind 10."


@pytest.mark.parametrize("game", GAMES)
def test_a_game_stores_the_same_whoever_plays_it(game: str) -> None:
    assert stored(game, "de") == stored(game, "en")


@pytest.mark.parametrize("game", GAMES)
def test_every_cause_that_a_game_stores_has_its_german(game: str) -> None:
    causes = {
        event[CAUSES[event["event"]]]
        for packed in stored(game, "en")
        for event in msgspec.msgpack.decode(packed)[1]
        if event["event"] in CAUSES
    }
    assert len(causes) > 5
    with override_language("de"):
        assert not [cause for cause in causes if cause_words(cause) == cause]


def test_texts_say_the_numbers_of_the_tables() -> None:
    assert f"up to {BOOM_STEPS} steps" in ABILITIES["boom_cycle"].text
    assert f"up to {STEADY_UNITS} units" in ABILITIES["steady_demand"].text
    assert f"as at most {CARBON_THROUGHPUT}" in ABILITIES["carbon_credit"].text
    assert f"+{LOAN}," in COMPANY_ACTIONS["loan"].text


def test_the_spreadsheet_tells_what_became_of_an_order(table: Table) -> None:
    table.at("stock_orders").company("ACME", price=47, market=10).cash_is(ada=300, bob=10)
    table.ada.buys("ACME", 1)
    table.bob.buys("ACME", 1)
    table.clock_runs_out()
    view = SECTORS.view(table.position, None)
    with override_language("de"):
        orders = next(sheet for sheet in sheets(view, rows(view), table.names) if sheet.key == "orders")
    words = {column.words.get(cell, cell) for column, cell in zip(orders.columns, orders.rows[1].cells, strict=True)}
    assert {"nicht ausgeführt", "Marktorder", "kaufen", "sie kostet 47, das Bargeld ist 10."} <= words
