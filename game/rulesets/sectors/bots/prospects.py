"""Estimates about a position: every company's outlook and possible actions, computed once for all seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from game.rulesets.sectors.bots.foresight import Plan, Scene, plans
from game.rulesets.sectors.bots.outlook import PRODUCTION, VOTE, Outlook, Outset, outlook, worth_of
from game.rulesets.sectors.options import EDITIONS
from game.rulesets.sectors.prices import after_dividend
from game.rulesets.sectors.state import FULL, HALF, RETAIN
from game.rulesets.sectors.tables.common import BOOM_STEPS
from game.rulesets.sectors.tables.sectors import SECTORS
from game.rulesets.sectors.view import CompanyView, SectorsView

T = TypeVar("T")
LEAST_ASKED = 2  # units in demand from a rival after its vote, as estimated
KEEPING_COSTS = 0.5  # dollars a share and turn: what a retained dividend costs the economy
KEPT_OF_INCOME = 0.96  # part of an income that remains after tax
AUTOMATION_SAVES = 20  # dollars of each operating cost
ABILITY_ACTIONS = {"Extract": "extract", "Manufacture": "manufacture"}


class Prospects:
    """Estimates from the public part of a view, each computed on first use."""

    def __init__(self, view: SectorsView) -> None:
        self.view = view
        self.tables = EDITIONS[view.edition]
        self.turns_left = 0 if view.bank_broke else view.max_turns - view.turn
        self.sectors = {sector.key: sector for sector in view.sectors}
        self.companies = view.companies
        self.living = [
            company for company in self.companies if company.status != "bankrupt"
        ]  # they can still be traded
        self._outlooks: dict[str, Outlook] = {}
        self._estimates: dict[tuple[str, str], object] = {}

    def are_of(self, view: SectorsView) -> bool:
        """True if they were made from the same public facts."""
        mine = self.view
        same = (
            mine.sectors is view.sectors
            and mine.turn == view.turn
            and mine.economy == view.economy
            and mine.pool == view.pool
        )
        return (
            same
            and mine.track == view.track
            and mine.bank_broke == view.bank_broke
            and mine.max_turns == view.max_turns
        )

    def _keep(self, what: str, company: CompanyView, make: Callable[[CompanyView], T]) -> T:
        key = (what, company.ticker)
        if key not in self._estimates:
            self._estimates[key] = make(company)
        return self._estimates[key]  # type: ignore[return-value]

    def outset(self, company: CompanyView) -> Outset:
        """The start of the company's outlook."""
        return self._keep("outset", company, self._outset)

    def outlook(self, company: CompanyView) -> Outlook:
        """The productions to come, including this turn's."""
        if company.ticker not in self._outlooks:
            self._outlooks[company.ticker] = outlook(self.outset(company), self.turns_left + 1)
        return self._outlooks[company.ticker]

    def late_worth(self, company: CompanyView) -> float:
        """The value of a share in dollars if the company floats a turn later."""
        return self._keep("late", company, lambda c: worth_of(self.outset(c), self.turns_left, PRODUCTION))

    def choices(self, company: CompanyView) -> dict[str, float]:
        """The value of a share in dollars for each choice about the company's revenue."""
        return self._keep(
            "choices", company, lambda c: {choice: self._worth_by(c, choice) for choice in (FULL, HALF, RETAIN)}
        )

    def _worth_by(self, company: CompanyView, choice: str) -> float:
        paid = {FULL: company.revenue, HALF: company.revenue // 2}.get(choice, 0)
        now = self.outset(company)
        after = msgspec.structs.replace(
            now,
            step=after_dividend(now.step, paid, now.overshoot) if paid else max(now.step - 1, 0),
            treasury=now.treasury + company.revenue - paid,
            extra_demand=max(now.extra_demand - 1, 0),
            extra_supply=max(now.extra_supply - 1, 0),
        )
        keeping_costs = KEEPING_COSTS * self.turns_left * (not paid)
        return worth_of(after, self.turns_left, VOTE) + KEPT_OF_INCOME * paid / company.existing - keeping_costs

    def plans(self, company: CompanyView) -> tuple[Plan, ...]:
        """The actions that the company could be voted to take."""
        return self._keep("plans", company, lambda c: plans(self.outset(c), self.scene(c)))

    def plans_after(self, company: CompanyView, plan: Plan) -> tuple[Plan, ...]:
        """The further actions that it could take after these."""
        after = msgspec.structs.replace(plan.after, treasury=plan.after.treasury - plan.cost)
        return self._keep(f"plans after {plan.action}", company, lambda c: plans(after, self.scene(c)))

    def scene(self, company: CompanyView) -> Scene:
        """The surroundings of the company that matter for its vote."""
        return self._keep("scene", company, self._scene)

    def rivals(self, company: CompanyView, dearer: int = 0) -> tuple[int, int]:
        """Units that its sector's other companies take each turn before and after it, at a unit price raised by this
        amount."""
        ahead = behind = 0
        is_later = False
        for other in self.sectors[company.sector].companies:
            if other.ticker == company.ticker:
                is_later = True
            elif other.is_floated:
                takes = min(other.supply, max(other.demand, LEAST_ASKED))
                is_first = other.unit_price < company.unit_price + dearer if dearer else not is_later
                ahead, behind = (ahead + takes, behind) if is_first else (ahead, behind + takes)
        return ahead, behind

    def _outset(self, company: CompanyView) -> Outset:
        sector, tier, effects, abilities = (
            self.sectors[company.sector],
            self.tables.tiers[company.tier],
            company.effects,
            company.abilities,
        )
        ahead, behind = self.rivals(company)
        is_reserve = "Strategic reserve" in effects
        return Outset(
            step=company.step,
            existing=company.existing,
            unit_price=company.unit_price,
            supply=company.supply - company.temporary_supply,
            extra_supply=company.temporary_supply,
            base_demand=company.base_demand,
            extra_demand=company.temporary_demand,
            cost=tier.cost,
            actions=tier.actions,
            treasury=company.treasury,
            has_loan=company.has_loan,
            consumers=sector.consumers,
            ahead=ahead,
            behind=behind,
            economy=min(self.view.economy, self.view.pool),
            pull=sector.base_demand,
            lobby=sector.temporary_demand if self.tables.consumers_follow == "demand" else 0,
            rest=sum(other.demand for other in self.view.sectors if other is not sector),
            costs_demand=self.tables.dearer_unit_price_costs_demand,
            efficiency=self.tables.efficiency_steps,
            saved=AUTOMATION_SAVES * company.cards.count("Automation"),
            overshoot=BOOM_STEPS if "Boom Cycle" in abilities else 0,
            is_steady="Steady Demand" in abilities,
            is_clean="Carbon Credit" in abilities,
            is_shielded="Regulatory Shield" in abilities,
            is_thrifty="Veto" in effects,
            is_free=is_reserve,
            bonus=20 * ("Surge pricing" in effects) + 10 * is_reserve,
        )

    def _scene(self, company: CompanyView) -> Scene:
        view, track = self.view, self.view.track
        return Scene(
            edition=view.edition,
            tier=company.tier,
            prestige=company.prestige,
            market=company.market,
            on_sale=company.market + company.ipo,
            pool=view.pool,
            elsewhere=sum(min(3, other.consumers) for other in view.sectors if other.key != company.sector),
            space=track.kind,
            space_cost=track.cost,
            injection=track.injection,
            dearer=self.rivals(company, 10),
            cheaper=self.rivals(company, -10),
            executed=self._executed(),
            unlocked=(
                SECTORS[company.sector].active,
                *(ABILITY_ACTIONS[a] for a in company.abilities if a in ABILITY_ACTIONS),
            ),
            turns=self.turns_left,
        )

    def _executed(self) -> tuple[tuple[str, int], ...]:
        """How often actions that become dearer seem to have been taken this round, by fresh traces on companies that
        have acted."""
        acted = [company for company in self.companies if company.has_acted]
        counts = {
            "large_marketing": sum(company.temporary_demand >= 4 for company in acted),
            "outsource": sum(company.temporary_supply >= 3 for company in acted),
            "lobby": sum(sector.temporary_demand >= 3 for sector in self.view.sectors),
        }
        return tuple((key, count) for key, count in counts.items() if count)


_latest: list[Prospects] = []


def prospects_of(view: SectorsView) -> Prospects:
    """The prospects of a view; the latest are cached, because all seats of a table ask for the same."""
    prospects = next(iter(_latest), None)
    if prospects is None or not prospects.are_of(view):
        prospects = Prospects(view)
        _latest[:] = [prospects]
    return prospects
