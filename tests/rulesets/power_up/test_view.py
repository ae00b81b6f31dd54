"""What a viewer sees, and what is offered: the page and the bots work with nothing else."""

from __future__ import annotations

import pytest

from game.engine import referee
from game.engine.offers import Cells, Choice, is_asked
from game.rulesets.power_up.forecast import foresee
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.table import Table


@pytest.fixture
def table() -> Table:
    """Ada holds a tile of every kind: C9 alone, D6 expands, B2 merges, I5 founds, G6 ties."""
    laid = Table(doe=True).board(rufus="D4 D5", superslick="A0 A1 A2 B0", eclipse="C2 C3", neutral="I4")
    laid.board(cortex="G4 G5", whoops="G7 G8").hands(ada="C9 D6 B2 I5 G6")
    return laid.shares("eclipse", ada=2, doe=1, bob=1).shares("rufus", bob=4)


def test_a_tile_is_offered_as_a_cell_with_what_it_would_do(table: Table) -> None:
    (offer,) = table.offers("play_tile")
    tiles = offer.fields[0]
    assert isinstance(tiles, Cells)
    assert [(cell.value, cell.words, cell.column, cell.row) for cell in tiles.cells] == [
        ("B2", "B2: Superslick Oil takes over Eclipse Solar", 1, 2),
        ("C9", "C9: touches nothing", 2, 9),
        ("D6", "D6: expands Rufus Geothermal to 3 tiles", 3, 6),
        ("G6", "G6: merger, you choose Cortex Power or Whoops Uranium", 6, 6),
        ("I5", "I5: founds a company with 2 tiles", 8, 5),
    ]


@pytest.mark.parametrize(
    ("tile", "asked"),
    [
        ("C9", []),
        ("D6", []),
        ("B2", []),
        ("I5", [("found", [("maniac", "Maniac Timber")])]),
        ("G6", [("survivor", [("cortex", "Cortex Power"), ("whoops", "Whoops Uranium")])]),
    ],
)
def test_a_company_is_asked_for_where_the_tile_calls_for_it(table: Table, tile: str, asked: list[object]) -> None:
    (offer,) = table.offers("play_tile")
    fields = [field for field in offer.fields[1:] if isinstance(field, Choice) and is_asked(field, {"tile": tile})]
    assert [(field.name, list(field.values)) for field in fields] == asked


def test_each_set_of_tied_companies_is_a_field_of_its_own(table: Table) -> None:
    """Two ties among different companies ask differently under one name."""
    table.hands(ada="G6 F5 C9").board(maniac="I7 I8").hands(ada="G6 E5 H7")
    (offer,) = table.offers("play_tile")
    survivors = [field for field in offer.fields if field.name == "survivor"]
    assert len({field.values for field in survivors}) == len(survivors) == 2  # type: ignore[union-attr]


def test_every_offer_that_is_refused_says_why_and_by_which_rule(table: Table) -> None:
    offers = referee.offers(POWER_UP, table.position, 0)
    assert [offer.kind for offer in offers] == ["play_tile", *["buy"] * 6, "draw", "end_turn"]
    assert {(offer.kind, offer.rule) for offer in offers if offer.refused} == {
        ("buy", "PU 3"),
        ("draw", "PU 4.1"),
        ("end_turn", "PU 3"),
    }
    table.plays("C9")
    refused = {offer.fixed["company"]: offer.refused for offer in table.offers("buy") if offer.refused}
    assert refused == {"maniac": "You cannot buy Maniac Timber: it is not active."}
    assert [offer.label for offer in table.offers("buy")][:2] == [
        "Buy Eclipse Solar for 200",
        "Buy Maniac Timber for 200",
    ]


def test_only_the_actor_is_offered_anything(table: Table) -> None:
    assert referee.offers(POWER_UP, table.position, 1) == []


def test_a_view_shows_companies_seats_and_the_department(table: Table) -> None:
    view = table.view(None)
    eclipse = view.company("eclipse")
    assert (eclipse.is_active, eclipse.size, eclipse.price, eclipse.unsold) == (True, 2, 200, 21)
    assert (eclipse.holdings, eclipse.doe, eclipse.headquarters) == ({0: 2, 1: 1}, 1, "C2")
    maniac = view.company("maniac")
    assert (maniac.is_active, maniac.size, maniac.price, maniac.unsold) == (False, 0, 200, 0)
    assert view.department is not None
    assert (view.department.cash, view.department.shares) == (0, {"eclipse": 1})
    ada, bob = view.players
    assert (ada.cash, ada.shares, ada.tiles, ada.hand) == (6000, {"eclipse": 2}, 5, ())
    assert bob.score == 6000 + 4 * 300 + 15 * 300 + 200 + 500
    assert (view.acting, view.rolled, view.actions_left, view.bag) == (0, 3, 3, len(table.now.bag))
    assert view.board["I4"] == "neutral"
    assert view.ahead == ()


def test_without_the_department_there_is_none_to_see() -> None:
    assert Table().view(None).department is None


def test_the_own_hand_is_seen_with_what_each_tile_would_do(table: Table) -> None:
    view = table.view("ada")
    assert view.player(0).hand == ("C9", "D6", "B2", "I5", "G6")
    assert [one.case for one in view.ahead] == ["isolated", "expansion", "merger", "founding", "merger"]
    assert view.player(1).hand == ()
    assert table.view("bob").player(0).hand == ()
    assert view.ahead[2].results[0].acquisitions[0].payouts[0].total == 2000 + 400


def test_what_can_be_taken_back_is_said(table: Table) -> None:
    assert not table.view("ada").can_undo
    table.plays("C9")
    assert table.view("ada").can_undo
    assert not table.view("bob").can_undo


def test_the_table_of_a_view_is_that_of_the_position(table: Table) -> None:
    """The bot foresees from its view what the rules would do."""
    seen = table.view("bob").table()
    for tile in ("B2", "D6", "G6", "I5"):
        assert table.ahead(tile) == foresee(seen, tile)
