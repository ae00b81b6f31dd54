"""What holds at every step of every game of Sectors, seen on whole games of random play."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from game.engine.events import PhaseOpened
from game.engine.modifiers import Modifier
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, RESEARCH_CARDS
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FLOATED, INACTIVE, SectorsState
from game.rulesets.sectors.tables.common import certificate_limit
from tests.rulesets.games import TABLES, Game, played
from tests.rulesets.sectors.hidden import views_differ
from tests.rulesets.sectors.properties import Watch, tag

MINE = [(seats, variant) for key, seats, variant in TABLES if key == "sectors"]
each_table = pytest.mark.parametrize(("seats", "variant"), MINE)


def game_of(seats: int, variant: int) -> Game:
    return played("sectors", seats, variant)


@each_table
def test_every_property_holds_at_every_step(seats: int, variant: int) -> None:
    """Money, shares, consumers, prices, abilities, the cap, and the locked order."""
    game, watch = game_of(seats, variant), Watch()
    for step in game.all():
        watch.see(game, step)


@each_table
def test_a_company_takes_one_loan(seats: int, variant: int) -> None:
    """S 6.9."""
    events = [event for step in game_of(seats, variant).all() for event in step.events if tag(event) == "action_done"]
    loans = Counter(event.company for event in events if event.action == "loan")
    assert max(loans.values(), default=0) <= 1


@each_table
def test_nobody_is_over_the_limits(seats: int, variant: int) -> None:
    """S 5.2, 7.2: certificates after each divestment; actions, sub-rounds, turns."""
    game = game_of(seats, variant)
    for step in game.all():
        state: SectorsState = step.after.state
        opened = [event.phase for event in step.events if isinstance(event, PhaseOpened)]
        if opened[-1:] == ["start_turn"]:  # limit orders that are settled later in the turn may bring more again
            assert max(numbers.certificates_of(state, seat) for seat in range(seats)) <= certificate_limit(seats)
        assert all(0 <= numbers.limit_actions_left(state, seat) <= 5 for seat in range(seats))
        assert all(0 <= numbers.short_actions_left(state, seat) <= 2 for seat in range(seats))
        assert state.sub_round <= game.options.max_sub_rounds
        assert state.turn <= game.options.max_turns


@each_table
def test_only_floated_companies_move_and_the_status_is_the_stories(seats: int, variant: int) -> None:
    """S 5.4, 6.12: told by events alone."""
    status: dict[str, str] = {}
    for step in game_of(seats, variant).all():
        for event in step.events:
            match tag(event):
                case "company_opened":
                    status[event.company] = INACTIVE
                case "company_floated" | "reactivated":
                    status[event.company] = ACTIVE
                case "became_insolvent":
                    status[event.company] = "insolvent"
                case "went_bankrupt":
                    status[event.company] = BANKRUPT
                case "price_moved":
                    assert status[event.company] in FLOATED
        assert {company.ticker: company.status for company in step.after.state.companies.values()} == status


@each_table
def test_tranches_and_new_companies_come_every_third_turn(seats: int, variant: int) -> None:
    """S 1.9, 7.8."""
    for step in game_of(seats, variant).steps:
        turn = 0
        for event in step.events:
            turn = event.turn if tag(event) == "phase_opened" else turn
            if tag(event) in ("tranche_offered", "company_opened"):
                assert turn % 3 == 0


def _sealed(state: SectorsState) -> list[object]:
    return [state.pledges, state.tranche_votes, state.wishes, state.revenue_votes, state.ballots]


@each_table
def test_nothing_sealed_rests_in_the_state(seats: int, variant: int) -> None:
    """Secrets: what a phase took is resolved before anybody looks again."""
    for step in game_of(seats, variant).all():
        state: SectorsState = step.after.state
        assert not any([state.selected, *_sealed(state)])
        assert bool(state.bids) == (step.after.cursor.serial > 1)
        waiting = {order.shown for order in state.orders.values()} - {"all"}
        assert waiting <= (
            {"location"} if state.tables.sub_rounds else set()
        )  # the first edition reveals three sub-rounds at once


@pytest.mark.parametrize("seats", [3, 5])
def test_nothing_sealed_rests_in_the_state_between_reviews_either(seats: int) -> None:
    """Secrets: with live clocks too; an order under review shows its place only."""
    for step in played("sectors", seats, 0, reviews=True).all():
        state: SectorsState = step.after.state
        assert not any(_sealed(state))
        assert not [order for order in state.orders.values() if order.shown == "sealed"]


@pytest.mark.parametrize("seats", [3, 5])
def test_no_view_shows_deck_track_ahead_or_concealed_orders(seats: int) -> None:
    """Secrets: two positions that differ only there look alike to the last byte."""
    steps = list(played("sectors", seats, 0, reviews=True).all())
    assert any(order.shown == "location" for step in steps for order in step.after.state.orders.values())
    for step in steps:
        assert not [viewer for viewer in (*range(seats), None) if views_differ(step.after, viewer)]


def test_what_is_public_does_show() -> None:
    """The test above would be worth nothing if views were blind: another price or another shown order is seen."""
    step = next(
        s for s in played("sectors", 3, 0).all() if any(c.status in FLOATED for c in s.after.state.companies.values())
    )
    other = SECTORS.codec.copy(step.after.state)
    next(iter(other.companies.values())).step += 1
    changed = msgspec.structs.replace(step.after, state=other)
    assert SECTORS.view(step.after, None) != SECTORS.view(changed, None)


@each_table
def test_modifiers_come_from_known_sources(seats: int, variant: int) -> None:
    """Every lasting effect is one of an ability, a card, or a company action."""
    sources = {
        *(f"ability:{key}" for key in ABILITIES),
        *(f"card:{key}" for key in RESEARCH_CARDS),
        *SECTORS.registries["company_actions"],
    }
    for step in game_of(seats, variant).all():
        carried: list[Modifier] = [m for company in step.after.state.companies.values() for m in company.modifiers]
        assert {modifier.source for modifier in carried} <= sources
