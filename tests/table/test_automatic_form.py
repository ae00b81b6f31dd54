"""The automatic form: every kind of field read from what a browser sends, printed, and filled in again."""

from types import SimpleNamespace
from typing import Any

import pytest

from game.boards.auto import AutoDecision, AutoField
from game.boards.decision import BadField, Filled, Missing, Question
from game.engine import referee
from game.engine.chance import Chance
from game.engine.offers import Choice, Counts, Field, Offer, Range, Records, When
from game.engine.random_bot import random_request
from game.env import choices
from tests.toy.ruleset import TOY
from tests.toy.state import Options

FORM = AutoDecision()
TRADE: tuple[Any, ...] = (
    Choice("what", "What", (("buy", "Buy"), ("pass", "Pass"))),
    Choice("company", "Company", (("AB", "Abacus"), ("CD", "Codex")), when=When("what", ("buy",))),
)


def offering(*fields: Field, group: str = "") -> list[Offer]:
    return [Offer("trade", "Trade", fields=fields, group=group)]


def read(offers: list[Offer], **form: str) -> dict[str, Any]:
    return FORM.read(Filled({"offer_turn": ["0"]}).with_(**form), offers)[0]


def printed(offers: list[Offer], **form: str) -> list[AutoField]:
    """All fields of the only choice, in a view of the toy."""
    position = referee.start(TOY, Options(), 2, Chance("form")).position
    seats = [SimpleNamespace(name=name) for name in ("ada", "ben")]
    ticket = FORM.ticket(Question(TOY.view(position, 0), offers, seats, Filled().with_(**form)))
    return [field for group in ticket.form for offer in group.offers for field in offer.fields]


def test_a_number_in_steps_is_read_and_printed_as_such() -> None:
    offers = offering(Range("shares", "Shares", 1000, 9500, 1000, step=1000))
    assert read(offers, f_0_shares="3000")["shares"] == 3000
    with pytest.raises(BadField, match="Shares goes in steps of 1,000 from 1,000: 3,000, not 3,500"):
        read(offers, f_0_shares="3500")
    with pytest.raises(BadField, match="from 1,000 to 9,500"):
        read(offers, f_0_shares="10000")
    assert [(field.low, field.step) for field in printed(offers)] == [(1000, 1000)]


def test_of_a_record_only_the_fields_that_are_asked_are_read() -> None:
    offers = offering(Records("trades", "Trade", TRADE, 3))
    form = {"f_0_trades_0_on": "on", "f_0_trades_0_what": "pass", "f_0_trades_2_on": "on", "f_0_trades_2_what": "buy"}
    assert read(offers, **form, f_0_trades_2_company="CD")["trades"] == [
        {"what": "pass"},
        {"what": "buy", "company": "CD"},
    ]
    with pytest.raises(Missing, match="Company: choose one of AB, CD"):
        read(offers, **form)


def test_records_in_use_are_printed_with_an_empty_one() -> None:
    offers = offering(Records("trades", "Trade", TRADE, 3))
    switches = [field.name for field in printed(offers) if field.kind == "flag"]
    assert switches == ["f_0_trades_0_on"]
    for used, shown in ((0, 2), (1, 3), (2, 3)):
        form = {f"f_0_trades_{used}_on": "on"}
        assert len([field for field in printed(offers, **form) if field.kind == "flag"]) == shown


def test_counts_are_read_part_by_part_printed_and_filled_in_again() -> None:
    offers = offering(Counts("cubes", "Cubes", 3, (("coal", "Coal", 2), ("wood", "Wood", 4)), least=1))
    assert read(offers, f_0_cubes_coal="2", f_0_cubes_wood="0")["cubes"] == {"coal": 2}
    with pytest.raises(BadField, match="Cubes: 0 in all; it must be 1 to 3"):
        read(offers)
    with pytest.raises(BadField, match="Cubes: 5 in all"):
        read(offers, f_0_cubes_coal="2", f_0_cubes_wood="3")
    with pytest.raises(BadField, match="Coal"):
        read(offers, f_0_cubes_coal="3")
    form = Filled(FORM.fill({"kind": "trade", "cubes": {"coal": 1, "wood": 2}}, offers))
    assert FORM.read(form, offers) == [{"kind": "trade", "cubes": {"coal": 1, "wood": 2}}]
    assert [(field.label, field.high) for field in printed(offers)] == [("Cubes: Coal", 2), ("Cubes: Wood", 4)]


def test_random_and_listed_counts_keep_to_their_limits() -> None:
    field = Counts("cubes", "Cubes", 3, (("coal", "Coal", 2), ("wood", "Wood", 1)), least=2)
    drawn = [random_request(offering(field)[0], Chance(str(at)))["cubes"] for at in range(40)]
    assert {sum(counts.values()) for counts in drawn} == {2, 3}
    for counts in [*drawn, *choices.counts_of(field)]:
        assert counts.get("coal", 0) <= 2
        assert counts.get("wood", 0) <= 1
        assert sum(counts.values()) in (2, 3)
    assert choices.counts_of(field) == [{"coal": 2}, {"wood": 1, "coal": 1}, {"coal": 2, "wood": 1}]


def plan_offers() -> list[Offer]:
    position = referee.start(TOY, Options(edition=2), 2, Chance("form")).position
    position.state.hands[0], position.state.order = [7, 20], [0, 1]
    position.state.actions_left = 2
    flow = TOY.flow_of(position)
    phase = next(row.phase for row in flow.rows if row.phase.name == "take_turn")
    return [offer for offer in TOY.offers(position.state, 0, flow, phase) if offer.kind == "plan"]


def test_a_queue_is_read_in_order_and_filled_in_again() -> None:
    offers = plan_offers()
    values = {
        "kind": "plan",
        "entries": [
            {"kind": "place", "card": 20, "cell": "A1", "wager": 2},
            {"kind": "place", "card": 7, "cell": "B2"},
            {"kind": "stop"},
        ],
    }
    form = Filled(FORM.fill(values, offers))
    assert form.get("f_0_entries_2_on") == "1"
    assert FORM.read(form, offers) == [values]
    assert FORM.sentence(values, None) == (
        "plan: entries place: card 20, cell A1, wager 2, place: card 7, cell B2, stop"
    )
    with pytest.raises(Missing, match="Step: choose at least 1; you chose 0"):
        FORM.read(Filled({"offer_0": ["0"]}), offers)


def test_a_row_of_a_queue_prints_the_fields_of_its_choice_and_an_empty_row_all() -> None:
    offers = plan_offers()
    rows = printed(offers, f_0_entries_0_on="1")
    assert [field.name for field in rows] == [
        "f_0_entries_0_on",
        "f_0_entries_1_on",
        "f_0_entries_1_0_card",
        "f_0_entries_1_0_cell",
        "f_0_entries_1_0_wager",
    ]
    assert {field.hint for field in rows[2:]} == {"Only with Step 2 Place a card."}


def test_offers_of_a_group_stand_together_under_its_heading() -> None:
    offers = [Offer(kind, kind, group=group) for kind, group in (("a", ""), ("b", "Cards"), ("c", ""), ("d", "Cards"))]
    position = referee.start(TOY, Options(), 2, Chance("form")).position
    (group,) = FORM.ticket(Question(TOY.view(position, 0), offers, [], Filled())).form
    assert [(offer.option.value, offer.heading) for offer in group.offers] == [
        ("0", ""),
        ("2", ""),
        ("1", "Cards"),
        ("3", ""),
    ]
