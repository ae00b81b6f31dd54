"""What the host may choose, and the clocks. (S 1.1, 4.4, presets)"""

from typing import Any

import pytest

from game.deadlines.paces import LENGTHS, seconds_of
from game.engine.actions import Refused
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.options import LABELS, MENUS, PRESETS, Options, live_seconds, parse_options
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.sectors.table import Table


def test_defaults() -> None:
    """S 1.1 and the decisions."""
    assert parse_options({}) == Options(
        edition=2,
        starting_cash=300,
        bank=7500,
        consumers=75,
        max_turns=8,
        distribution="priority",
        concealed=True,
        limit_orders=True,
        short_orders=True,
        option_orders=True,
        max_sub_rounds=10,
        max_short_quantity=0,
        ownership_cap_percent=60,
        ipo_discount=False,
        loan_interest_percent="0.1",
        no_round_trips=False,
    )


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("starting_cash", (200, 300, 400)),
        ("bank", (7500, 10000, 12000, 15000, 20000)),
        ("consumers", (50, 75, 100)),
        ("max_turns", (8, 11, 15, 19, 23)),
        ("distribution", ("priority", "bid")),
        ("max_sub_rounds", tuple(range(1, 21))),
        ("max_short_quantity", (0, 3)),
        ("ownership_cap_percent", (60, 100)),
        ("loan_interest_percent", ("0.1", "10")),
    ],
)
def test_menus(name: str, allowed: tuple[Any, ...]) -> None:
    """S 1.1, R-4, R-8, R-19, A74."""
    assert MENUS[name] == allowed
    for value in allowed:
        assert getattr(parse_options({name: value}), name) == value


def test_every_option_has_a_menu_a_label_and_its_default_in_the_menu() -> None:
    assert set(MENUS) == set(LABELS) == set(Options.__struct_fields__)
    assert all(getattr(Options(), name) in menu for name, menu in MENUS.items())


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"bank": 7501}, "Bank cannot be 7501; it is one of 7500, 10000"),
        ({"bank": "7500"}, "cannot be '7500'"),
        ({"bank": 7500.0}, "cannot be 7500.0"),
        ({"concealed": 1}, "cannot be 1"),
        ({"max_sub_rounds": True}, "cannot be True"),
        ({"max_sub_rounds": 0}, "cannot be 0"),
        ({"max_turns": None}, "cannot be None"),
        ({"bank": [7500]}, "cannot be"),
        ({"tables": 2}, "no option tables; the options are edition"),
    ],
)
def test_what_is_not_on_the_menu_is_refused(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_options(raw)
    assert words in refused.value.text
    assert refused.value.rule == "S 1.1"


def test_presets_are_on_the_menu_as_simulated() -> None:
    """Decision *presets*."""
    sizes = {name: (preset["max_turns"], preset["bank"]) for name, preset in PRESETS.items()}
    assert sizes == {"short": (8, 7500), "standard": (11, 7500), "long": (15, 12000), "marathon": (23, 20000)}
    assert [parse_options(preset).max_turns for preset in PRESETS.values()] == [8, 11, 15, 23]


def test_live_clocks() -> None:
    """S 4.4: every phase has its seconds."""
    printed = [
        55,
        15,
        30,
        12,
        55,
        12,
        50,
        12,
        15,
        55,
        10,
        12,
        12,
        12,
        12,
        12,
        15,
        12,
        20,
        10,
        15,
        15,
        50,
        10,
        15,
        40,
        10,
        10,
        90,
        10,
        12,
        12,
        20,
    ]
    assert [live_seconds(Options(), row.phase.name) for row in flow(Options()).rows] == printed


def test_slower_paces_give_reviews_no_time() -> None:
    """A19: in asynchronous games automatic phases pass at once."""
    for pace in LENGTHS:
        for row in flow(Options()).rows:
            given = seconds_of(SECTORS, Options(), row.phase, pace)
            assert (given == 0) == (row.phase.mode.value == "automatic"), row.phase.name


def test_the_sequence_of_play() -> None:
    """S 4.1, A96: all thirty phases and 3b, in the rulebook's order."""
    numbers = [row.phase.number for row in flow(Options()).rows]
    assert list(dict.fromkeys(numbers)) == ["1", "2", "3", "3b", *map(str, range(4, 31))]


def test_a_whole_turn_in_which_everything_happens(table: Table) -> None:
    """S 4.1: turn 3 with headlines, tranches, a settlement, all instruments, revenue, a vote and a contribution."""
    table.at("start_turn", just_before=True, turn=3).sector("energy", consumers=9)
    table.company("COAL", sector="energy", price=20, base_demand=3, treasury=500).holdings("COAL", ada=3)
    table.company("WEAK", sector="industrial", status="insolvent", price=20, treasury=0, unit_price=90).holdings(
        "WEAK", bob=2
    )
    table.limit("bob", "sell", "WEAK", 1, 22, status="filled_pending_settlement").short("bob", "COAL", 1, 18)
    table.contract("COAL", strike=15, term=4, owner="ada").contract("COAL", strike=90)
    table.play_on()
    table.ada.pledges(1)
    table.clock_runs_out()
    table.ada.votes_for_tranche(1)
    table.clock_runs_out().clock_runs_out()
    for order in ("market", "limit", "short", "option"):
        assert table.phase == "stock_orders"
        {
            "market": lambda: table.ada.buys("COAL", 1),
            "limit": lambda: table.ada.limits("buy", "COAL", 1, 3),
            "short": lambda: table.cid.shorts("COAL", 1),
            "option": lambda: table.cid.wants(2),
        }[order]()
        table.clock_runs_out()
    while table.phase != "start_turn":
        table.clock_runs_out()
    entered = {event.number for event in table.events("phase_opened") if event.turn == 3}
    assert entered == {"3", "3b", *map(str, range(4, 31))}
