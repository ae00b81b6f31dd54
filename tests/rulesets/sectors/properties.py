"""What holds at every step of every game of Sectors, asked of one step after the other."""

from __future__ import annotations

from collections import Counter

import msgspec

from game.engine import referee
from game.engine.ledger import MAY_BE_NEGATIVE, hand_of
from game.engine.position import AnyPosition
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.ledger import ASIDE, PLACES
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import FLOATED, SectorsState
from game.rulesets.sectors.tables.chart import LAST, slots_at
from tests.rulesets.games import CLOCK, Game, Step, balances, repeat
from tests.rulesets.sectors.hidden import views_differ


class Watch:
    """Follows one game and raises AssertionError at the first step that breaks a property."""

    def __init__(self) -> None:
        self.existing: Counter[str] = Counter()
        self.held: Counter[tuple[int, str]] = Counter()
        self.queue: list[str] = []

    def see(self, game: Game, step: Step) -> None:
        """Everything that is quick to ask of a step."""
        state: SectorsState = step.after.state
        money_is_conserved(step)
        self.shares_are_conserved(game, step)
        consumers_are_conserved(state, game.options.consumers)
        prices_stand_on_the_chart(state)
        abilities_have_one_holder(state)
        floated_companies_are_in_the_queue(state)
        self.the_order_is_locked(step)

    def shares_are_conserved(self, game: Game, step: Step) -> None:
        """Ten at opening, +2 issue, +3 Investor Confidence, −1 buyback, 0 after bankruptcy; borrowed ones set aside.

        Every share that changed hands was told of, and no purchase brought its buyer above the ownership cap."""
        for event in step.events:
            self._count(event)
            self._hand_over(event, game.options.ownership_cap_percent)
        state: SectorsState = step.after.state
        for ticker in state.companies:
            hands_told = [self.held[seat, ticker] for seat in range(state.seats)]
            assert hands_told == [state.shares(ticker, seat) for seat in range(state.seats)], ticker
        hands = {*PLACES, *map(hand_of, range(state.seats))}
        for ticker, places in state.ledger.shares.items():
            assert sum(places.values()) == self.existing[ticker], ticker
            assert set(places) <= hands
            assert min(places.values()) >= 0, places
            borrowed = sum(short.quantity for short in numbers.open_shorts(state) if short.company == ticker)
            assert state.ledger.at(ticker, ASIDE) == borrowed, ticker
        assert set(state.companies) == set(self.existing)

    def _count(self, event: msgspec.Struct) -> None:
        ticker = getattr(event, "company", "")
        match tag(event):
            case "company_opened":
                self.existing[ticker] = 10
            case "action_done":
                self.existing[ticker] += {"share_issue": 2, "share_buyback": -1}.get(event.action, 0)
            case "prestige_spent" if event.bought and event.space == "investor_confidence":
                self.existing[ticker] += 3
            case "went_bankrupt":
                self.existing[ticker] = 0

    def _hand_over(self, event: msgspec.Struct, cap_percent: int) -> None:
        match tag(event):
            case "order_filled":
                key = event.seat, event.company  # type: ignore[attr-defined]
                bought = event.side == "buy"  # type: ignore[attr-defined]
                self.held[key] += event.quantity if bought else -event.quantity  # type: ignore[attr-defined]
                assert not bought or self.held[key] * 100 <= cap_percent * self.existing[key[1]], event
            case "contributed" | "divested" | "liquidation_paid":
                self.held[event.seat, event.company] -= event.shares  # type: ignore[attr-defined]

    def the_order_is_locked(self, step: Step) -> None:
        """Each floated company once; in the second edition nothing later in the turn changes it."""
        state: SectorsState = step.after.state
        for event in step.events:
            if tag(event) == "order_locked":
                self.queue = list(event.order)
        assert len(set(state.queue)) == len(state.queue)
        assert len(set(state.acted)) == len(state.acted)
        assert set(state.acted) <= set(state.queue)
        if state.queue and state.tables.locks_company_order:
            assert state.queue == self.queue
            assert state.acted == state.queue[: len(state.acted)]


def tag(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)


def money_is_conserved(step: Step) -> None:
    """Balances change by what was written down and sum to zero; nothing but the bank is negative."""
    step.after.state.ledger.assert_sound()
    held, now = balances(step.before.state.ledger, step.transfers), step.after.state.ledger.cash
    assert all(held.get(account, 0) == now.get(account, 0) for account in held | now)
    assert not [account for account, amount in now.items() if amount < 0 and account not in MAY_BE_NEGATIVE]
    state: SectorsState = step.after.state
    for seat in range(state.seats):
        assert state.margin(seat) == sum(short.margin for short in numbers.open_shorts(state, seat))


def consumers_are_conserved(state: SectorsState, consumers: int) -> None:
    """The pool and the sectors hold what the game began with."""
    served = [sector.consumers for sector in state.sectors.values()]
    assert state.pool + sum(served) == consumers
    assert min(state.pool, *served) >= 0


def prices_stand_on_the_chart(state: SectorsState) -> None:
    """And no number of a company is negative."""
    for company in state.companies.values():
        assert 0 <= company.step <= LAST
        assert 0 <= company.filled < slots_at(company.step)
        low = (
            company.unit_price,
            company.base_demand,
            company.temporary_demand,
            company.temporary_supply,
            company.prestige,
        )
        assert min(*low, company.base_supply, state.treasury(company.ticker), company.revenue) >= 0, company
    assert min(state.economy, *(sector.temporary_demand for sector in state.sectors.values())) >= 0
    assert sorted(sector.priority for sector in state.sectors.values()) == [1, 2, 3]
    assert sorted(state.priority) == list(range(state.seats))


def abilities_have_one_holder(state: SectorsState) -> None:
    """At most one company holds a sector's passive ability."""
    held = Counter(ability for company in state.companies.values() for ability in abilities_of(company))
    assert max(held.values(), default=0) <= 1, held


def floated_companies_are_in_the_queue(state: SectorsState) -> None:
    """Once locked, every floated company has its place."""
    floated = {company.ticker for company in state.companies.values() if company.status in FLOATED}
    assert not state.queue or floated <= set(state.queue)


def views_leak_nothing(position: AnyPosition) -> None:
    """Every seat, and a stranger, sees the same bytes whatever is hidden from him."""
    assert not [viewer for viewer in (*range(position.state.seats), None) if views_differ(position, viewer)]


def closing_goes_on(game: Game, position: AnyPosition) -> None:
    """Whatever was put in so far, the clock may run out."""
    if not position.is_over:
        assert referee.close(game.rules, position, game.chance).position.cursor.serial > position.cursor.serial


def survives_crashes(game: Game, step: Step) -> None:
    """Actions that are stored and loaded again before use lead to equal bytes and an equal story."""
    out = repeat(game, step.before, step.actions)
    assert everything(out.position) == everything(step.after)
    assert (out.events, out.transfers) == (step.events, step.transfers)


def survives_a_crash_before_closing(game: Game, position: AnyPosition) -> None:
    """With whatever lies sealed: closing now, or after a crash, is the same."""
    if position.is_over:
        return
    at_once = referee.close(game.rules, position, game.chance)
    later = repeat(game, position, [CLOCK])
    assert everything(at_once.position) == everything(later.position)


def everything(position: AnyPosition) -> bytes:
    """A position to the last byte."""
    return SECTORS.codec.encode([position.state, position.pending, position.cursor, sorted(position.ready)])
