"""Whoever alone is waited for is told so, and “ready” is ticked for them; a ballot cast ahead follows the same wish."""

from typing import Any

import msgspec
import pytest

from game.boards.decision import Filled
from game.boards.shapes import Panel
from game.engine import referee
from game.engine.chance import Chance
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.store.badges import SeatBadge
from tests.pages.panels import Controls, drawn, filled, page_engine, panel, places_at
from tests.pages.test_previews import NAMES, position

PASS, READY = {"kind": "pass"}, {"kind": "ready"}
ELSE_READY = "Everyone else is ready: submit as ready to close the phase."


def after(at: Any, **requests: list[dict[str, Any]]) -> Any:
    for name, asked in requests.items():
        for request in asked:
            at = referee.apply(RULES, at, RULES.parse(request, NAMES.index(name)), Chance("last")).position
    return at


def seats(*bots: str) -> list[SeatBadge]:
    return [msgspec.structs.replace(place, is_bot=place.name in bots) for place in places_at(NAMES, 0)]


def martas_panel(at: Any, *bots: str, **more: Any) -> Panel:
    return panel(at, seats(*bots), **more)


def test_ready_is_ticked_for_the_only_one_who_is_waited_for() -> None:
    send = martas_panel(after(position("stock_orders"), Oskar=[READY], Wen=[READY])).send
    assert (send.last, send.is_ready) == (ELSE_READY, True)


def test_ready_is_not_ticked_while_others_are_waited_for() -> None:
    send = martas_panel(after(position("stock_orders"), Oskar=[READY], Wen=[PASS])).send
    assert (send.last, send.is_ready) == ("", False)


def test_bots_that_have_not_come_yet_keep_nobody_waiting() -> None:
    """Without scripts the page is drawn before they have."""
    send = martas_panel(position("stock_orders"), "Oskar", "Wen").send
    assert send.is_ready
    assert send.last.startswith("Only bots are still deciding")


def test_a_form_that_is_sent_back_keeps_its_mark() -> None:
    at = after(position("stock_orders"), Oskar=[READY], Wen=[READY])
    assert not martas_panel(at, filled=Filled({"kind": ["market_order"]}), stays_ready=False).send.is_ready


def test_after_submitting_the_last_one_is_told_what_ready_does() -> None:
    page = drawn(page_engine(), after(position("stock_orders"), Oskar=[READY], Wen=[READY], Marta=[PASS]), 0)
    assert "Everyone else is ready: “Ready” closes the phase." in page


def test_in_a_phase_of_gifts_no_more_closes_it() -> None:
    at = position("contributions", acting="SOLAR", solar={"status": "insolvent", "treasury": 70})
    assert "Everyone else is ready: “No more contributions” closes the phase." in drawn(
        page_engine(), after(at, Oskar=[READY]), 0
    )


@pytest.mark.parametrize("seat", [None, 1])
def test_nobody_else_is_told(seat: int | None) -> None:
    at = after(position("stock_orders"), Oskar=[READY], Wen=[READY])
    assert "Everyone else is ready" not in drawn(page_engine(), at, seat)


def two_companies() -> Any:
    """Marta and Oskar own SOLAR, which votes now, and POWER, which votes later."""
    power = {"sector": "energy", "price": 16, "existing": 10, "treasury": 900}
    players = {name: {"cash": 59, "shares": {"SOLAR": 2, "POWER": 2} if name != "Wen" else {}} for name in NAMES}
    companies = {"SOLAR": {"sector": "energy", "price": 20, "existing": 10, "treasury": 900}, "POWER": power}
    return position("company_vote", players=players, companies=companies, acting="SOLAR")


def test_being_done_says_beside_the_tick_what_ends_it() -> None:
    """An order of an earlier sub-round that was rejected is not among it."""
    page = drawn(page_engine(), position("stock_orders", sub_round=1), 0)
    part = page.partition("Done for this stock round")[2].partition("</label>")[0]
    assert "only if the order you send with this fails" in " ".join(part.split())
    assert "Orders rejected before do not count." in " ".join(part.split())


AHEAD = {"kind": "vote_actions", "company": "POWER", "actions": ["small_marketing"]}


@pytest.mark.parametrize("prefers", [True, False])
def test_a_ballot_cast_ahead_is_not_waited_for_unless_its_player_wants_to_be_asked_again(prefers: bool) -> None:
    """Whatever they prefer in the phase that is open: one visit serves all companies."""
    page = drawn(
        page_engine(),
        two_companies(),
        0,
        user=msgspec.defstruct("U", [("stays_ready", bool), ("shortcuts", bool)])(prefers, True),
    )
    assert "ready_POWER" in Controls(page).sent


@pytest.mark.parametrize(("ballot", "is_ready"), [(AHEAD, False), (AHEAD | {"ready": True}, True)])
def test_a_ballot_cast_ahead_keeps_the_mark_it_was_cast_with(ballot: dict[str, Any], is_ready: bool) -> None:
    made = martas_panel(after(two_companies(), Marta=[ballot]), stays_ready=True)
    assert made.ticket
    assert [b.ready for b in made.ticket.beside.ahead] == [is_ready]


def test_a_form_with_an_emptied_mark_ahead_is_sent_back_as_it_was() -> None:
    made = martas_panel(
        two_companies(),
        stays_ready=True,
        filled=filled(two_companies(), [{"kind": "vote_actions", "company": "SOLAR", "actions": ["veto"]}]),
    )
    assert made.ticket
    assert [b.ready for b in made.ticket.beside.ahead] == [False]
