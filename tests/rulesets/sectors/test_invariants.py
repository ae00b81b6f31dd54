"""What holds at every step of every game of Sectors, seen on whole games of random play. (10.5)"""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from game.engine.ledger import PLACES, hand_of
from game.engine.modifiers import Modifier
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import ABILITIES, RESEARCH_CARDS
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import ACTIVE, BANKRUPT, FLOATED, INACTIVE, SectorsState
from game.rulesets.sectors.tables.chart import LAST, slots_at
from game.rulesets.sectors.tables.common import certificate_limit
from tests.rulesets.games import TABLES, Game, played
from tests.rulesets.sectors.hidden import views_differ

MINE = [(seats, variant) for key, seats, variant in TABLES if key == "sectors"]
each_table = pytest.mark.parametrize(("seats", "variant"), MINE)


def game_of(seats: int, variant: int) -> Game:
    return played("sectors", seats, variant)


def _tag(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)


@each_table
def test_shares_change_only_by_the_listed_events(seats: int, variant: int) -> None:
    """10.5.1: ten at opening, +2 issue, +3 Investor Confidence, −1 buyback, 0 after bankruptcy."""
    existing: Counter[str] = Counter()
    for step in game_of(seats, variant).all():
        for event in step.events:
            ticker = getattr(event, "company", "")
            match _tag(event):
                case "company_opened":
                    existing[ticker] = 10
                case "action_done":
                    existing[ticker] += {"share_issue": 2, "share_buyback": -1}.get(event.action, 0)
                case "prestige_spent" if event.bought and event.space == "investor_confidence":
                    existing[ticker] += 3
                case "went_bankrupt":
                    existing[ticker] = 0
        ledger = step.after.state.ledger
        assert {ticker: ledger.existing(ticker) for ticker in step.after.state.companies} == dict(existing)


@each_table
def test_every_share_has_one_place_and_borrowed_ones_are_set_aside(seats: int, variant: int) -> None:
    """10.5.1, A30."""
    for step in game_of(seats, variant).all():
        state: SectorsState = step.after.state
        for ticker, places in state.ledger.shares.items():
            assert set(places) <= {*PLACES, *map(hand_of, range(seats))}
            assert min(places.values()) >= 0
            borrowed = sum(short.quantity for short in numbers.open_shorts(state) if short.company == ticker)
            assert state.ledger.at(ticker, "aside") == borrowed
        for seat in range(seats):
            assert state.margin(seat) == sum(short.margin for short in numbers.open_shorts(state, seat))


@each_table
def test_consumers_neither_come_nor_go(seats: int, variant: int) -> None:
    """10.5.2."""
    game = game_of(seats, variant)
    for step in game.all():
        served = [sector.consumers for sector in step.after.state.sectors.values()]
        assert step.after.state.pool + sum(served) == game.options.consumers
        assert min(step.after.state.pool, *served) >= 0


@each_table
def test_prices_stand_on_the_chart_and_nothing_is_negative(seats: int, variant: int) -> None:
    """10.5.3."""
    for step in game_of(seats, variant).all():
        state: SectorsState = step.after.state
        for company in state.companies.values():
            assert 0 <= company.step <= LAST
            assert 0 <= company.filled < slots_at(company.step)
            low = (company.unit_price, company.base_demand, company.temporary_demand, company.temporary_supply, company.prestige)
            assert min(*low, company.base_supply, state.treasury(company.ticker), company.revenue) >= 0
        assert min(state.economy, *(sector.temporary_demand for sector in state.sectors.values())) >= 0
        assert sorted(sector.priority for sector in state.sectors.values()) == [1, 2, 3]
        assert sorted(state.priority) == list(range(seats))


@each_table
def test_one_holder_an_ability_and_one_loan_a_company(seats: int, variant: int) -> None:
    """10.5.4."""
    loans: Counter[str] = Counter()
    for step in game_of(seats, variant).all():
        held = Counter(ability for company in step.after.state.companies.values() for ability in abilities_of(company))
        assert max(held.values(), default=0) <= 1
        loans.update(event.company for event in step.events if _tag(event) == "action_done" and event.action == "loan")
    assert max(loans.values(), default=0) <= 1


@each_table
def test_nobody_is_over_the_limits(seats: int, variant: int) -> None:
    """10.5.5: certificates after each divestment; actions, sub-rounds, turns."""
    game = game_of(seats, variant)
    for step in game.all():
        state: SectorsState = step.after.state
        if not state.sub_round:
            assert max(numbers.certificates_of(state, seat) for seat in range(seats)) <= certificate_limit(seats)
        assert all(0 <= numbers.limit_actions_left(state, seat) <= 5 for seat in range(seats))
        assert all(0 <= numbers.short_actions_left(state, seat) <= 2 for seat in range(seats))
        assert state.sub_round <= game.options.max_sub_rounds
        assert state.turn <= game.options.max_turns


@each_table
def test_no_purchase_brings_anybody_over_the_cap(seats: int, variant: int) -> None:
    """10.5.5: 60 % of the shares existing then."""
    for step in game_of(seats, variant).steps:
        bought = Counter((e.seat, e.company) for e in step.events if _tag(e) == "order_filled" and e.side == "buy")
        state = step.after.state
        if "action_done" not in map(_tag, step.events):
            for seat, ticker in bought:
                assert state.shares(ticker, seat) <= numbers.cap_of(state, ticker) or state.companies[ticker].status == BANKRUPT


@each_table
def test_the_locked_order_has_every_floated_company_once(seats: int, variant: int) -> None:
    """10.5.7: and nothing later in the turn changes it."""
    queue: list[str] = []
    for step in game_of(seats, variant).all():
        state: SectorsState = step.after.state
        for event in step.events:
            if _tag(event) == "order_locked":
                queue = list(event.order)
        assert len(set(queue)) == len(queue)
        if state.queue and state.tables.locks_company_order:
            assert state.queue == queue
            assert set(state.acted) <= set(queue)
            assert {c.ticker for c in state.companies.values() if c.status in FLOATED} <= set(queue) or state.sub_round == 0


@each_table
def test_only_floated_companies_move_and_the_status_is_the_stories(seats: int, variant: int) -> None:
    """S 5.4, 6.12: told by events alone."""
    status: dict[str, str] = {}
    for step in game_of(seats, variant).all():
        for event in step.events:
            match _tag(event):
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
    """10.5.10."""
    for step in game_of(seats, variant).steps:
        turn = 0
        for event in step.events:
            turn = event.turn if _tag(event) == "phase_opened" else turn
            if _tag(event) in ("tranche_offered", "company_opened"):
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
        assert waiting <= ({"location"} if state.tables.sub_rounds else set())  # the first edition reveals three sub-rounds at once


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
    step = next(s for s in played("sectors", 3, 0).all() if any(c.status in FLOATED for c in s.after.state.companies.values()))
    other = SECTORS.codec.copy(step.after.state)
    next(iter(other.companies.values())).step += 1
    changed = msgspec.structs.replace(step.after, state=other)
    assert SECTORS.view(step.after, None) != SECTORS.view(changed, None)


@each_table
def test_modifiers_come_from_known_sources(seats: int, variant: int) -> None:
    """Every lasting effect is one of an ability, a card, or a company action."""
    sources = {*(f"ability:{key}" for key in ABILITIES), *(f"card:{key}" for key in RESEARCH_CARDS), *SECTORS.registries["company_actions"]}
    for step in game_of(seats, variant).all():
        carried: list[Modifier] = [m for company in step.after.state.companies.values() for m in company.modifiers]
        assert {modifier.source for modifier in carried} <= sources
