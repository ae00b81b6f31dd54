"""The actions that a company can be voted to take: 14 general ones, 7 of the sectors, 2 unlocked by abilities. (S
6.9–6.11)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.engine.actions import Refused
from game.engine.effects import Registry
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.sectors import causes, numbers
from game.rulesets.sectors.effects import prestige
from game.rulesets.sectors.effects.research import research
from game.rulesets.sectors.effects.verbs import add_modifier, change_tier, gather_consumers, grant, lose_demand
from game.rulesets.sectors.ledger import MARKET
from game.rulesets.sectors.state import FLOATED, VETO, Company, SectorsState
from game.rulesets.sectors.tables.common import LOAN

Body = Callable[[Play[SectorsState], Company], None]
Refusal = Callable[[SectorsState, Company], Refused | None]


@dataclass(frozen=True)
class CompanyAction:
    """A company action. `sector` None: any company can take it; `ability`: only its holder; `refuse` returns the reason
    against. `text` contains the amounts."""

    key: str
    title: str
    text: str
    body: Body
    sector: str | None
    ability: str | None
    refuse: Refusal


COMPANY_ACTIONS: Registry[CompanyAction] = Registry()


def _nothing_against(state: SectorsState, company: Company) -> Refused | None:
    return None


def _action(
    key: str,
    title: str,
    text: str,
    *,
    sector: str | None = None,
    ability: str | None = None,
    refuse: Refusal = _nothing_against,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return COMPANY_ACTIONS.adder(key, lambda body: CompanyAction(key, title, text, body, sector, ability, refuse))


def _at_the_top(state: SectorsState, company: Company) -> Refused | None:
    if company.tier != list(state.tables.tiers)[-1]:
        return None
    return Refused(causes.AT_THE_TOP, "S 6.9", company=company.ticker, code="highest_tier")


def _at_the_bottom(state: SectorsState, company: Company) -> Refused | None:
    if company.tier != next(iter(state.tables.tiers)):
        return None
    return Refused(causes.AT_THE_BOTTOM, "S 6.9", company=company.ticker, code="lowest_tier")


def _no_share_on_market(state: SectorsState, company: Company) -> Refused | None:
    return (
        None
        if state.ledger.at(company.ticker, MARKET)
        else Refused("No share is on the open market.", "S 6.9", code="no_share_on_market")
    )


def _has_loan(state: SectorsState, company: Company) -> Refused | None:
    return (
        Refused(causes.HAS_LOAN, "S 6.9", company=company.ticker, loan=LOAN, code="has_loan")
        if company.has_loan
        else None
    )


def _room_for_supply(state: SectorsState, company: Company) -> int:
    return 2 * numbers.tier(state, company).supply - numbers.supply_of(state, company)


def _no_room_for_supply(state: SectorsState, company: Company) -> Refused | None:
    supply, most = numbers.supply_of(state, company), 2 * numbers.tier(state, company).supply
    return (
        None
        if supply < most
        else Refused(causes.NO_ROOM_FOR_SUPPLY, "S 6.9", supply=supply, most=most, code="supply_is_full")
    )


@_action(
    "large_marketing",
    mark("Large marketing campaign"),
    mark("Temporary demand +4; up to 3 consumers move to the sector at once."),
)
def large_marketing(play: Play[SectorsState], company: Company) -> None:
    company.temporary_demand += 4
    gather_consumers(play.state, company.sector, 3)


@_action("small_marketing", mark("Small marketing campaign"), mark("Temporary demand +3."))
def small_marketing(play: Play[SectorsState], company: Company) -> None:
    company.temporary_demand += 3


@_action("research", mark("Research"), mark("Draw a research card."))
def draw_research(play: Play[SectorsState], company: Company) -> None:
    research(play, company, 1 + numbers.modifier(play.state, company, "research_cards"))


@_action(
    "expansion", mark("Expansion"), mark("One company tier up: more supply, higher operating cost."), refuse=_at_the_top
)
def expansion(play: Play[SectorsState], company: Company) -> None:
    change_tier(play.state.tables, company, 1)


@_action(
    "downsize",
    mark("Downsize"),
    mark("One company tier down: less supply, lower operating cost."),
    refuse=_at_the_bottom,
)
def downsize(play: Play[SectorsState], company: Company) -> None:
    change_tier(play.state.tables, company, -1)


@_action(
    "share_buyback",
    mark("Share buyback"),
    mark("One share of the open market is destroyed."),
    refuse=_no_share_on_market,
)
def share_buyback(play: Play[SectorsState], company: Company) -> None:
    play.ledger.destroy(company.ticker, MARKET, 1)


@_action("share_issue", mark("Share issue"), mark("Two new shares appear on the open market."))
def share_issue(play: Play[SectorsState], company: Company) -> None:
    play.ledger.issue(company.ticker, MARKET, 2)


@_action("increase_unit_price", mark("Increase unit price"), mark("Unit price +10, demand −1."))
def increase_unit_price(play: Play[SectorsState], company: Company) -> None:
    company.unit_price += 10
    if play.state.tables.dearer_unit_price_costs_demand:
        lose_demand(company)


@_action("decrease_unit_price", mark("Decrease unit price"), mark("Unit price −10."))
def decrease_unit_price(play: Play[SectorsState], company: Company) -> None:
    company.unit_price = max(company.unit_price - 10, 0)


@_action("spend_prestige", mark("Spend prestige"), mark("Buy the current space of the prestige track, or move it on."))
def spend_prestige(play: Play[SectorsState], company: Company) -> None:
    prestige.spend_prestige(play, company)


@_action("loan", mark("Loan"), mark("Treasury +250, once a game; interest every turn, never repaid."), refuse=_has_loan)
def loan(play: Play[SectorsState], company: Company) -> None:
    company.has_loan = True
    grant(play, company, LOAN, "loan")


@_action("lobby", mark("Lobby"), mark("The sector's temporary demand +3."))
def lobby(play: Play[SectorsState], company: Company) -> None:
    play.state.sectors[company.sector].temporary_demand += 3


@_action("outsource", mark("Outsource"), mark("Temporary supply +3; all prestige is lost."), refuse=_no_room_for_supply)
def outsource(play: Play[SectorsState], company: Company) -> None:
    """Total supply can reach twice the tier's. (A51)"""
    company.temporary_supply += min(3, _room_for_supply(play.state, company))
    company.prestige = 0


@_action(VETO, mark("Veto"), mark("The company does nothing; its next operating cost is halved."))
def veto(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "cost_halved", 1, "veto", once=True)


@_action("visionary", mark("Visionary"), mark("Permanent demand +1; draw two research cards."), sector="technology")
def visionary(play: Play[SectorsState], company: Company) -> None:
    """Innovation Surge does not double it. (A54)"""
    company.base_demand += 1
    research(play, company, 2)


@_action(
    "strategic_reserve",
    mark("Strategic reserve"),
    mark("Next production: no operating cost, revenue +10%."),
    sector="materials",
)
def strategic_reserve(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "cost_free", 1, "strategic_reserve", once=True)
    add_modifier(company, "reserve_percent", 10, "strategic_reserve", once=True)


@_action(
    "rapid_expansion", mark("Rapid expansion"), mark("Two company tiers up."), sector="industrial", refuse=_at_the_top
)
def rapid_expansion(play: Play[SectorsState], company: Company) -> None:
    change_tier(play.state.tables, company, 2)


@_action(
    "fast_track_approval",
    mark("Fast-track approval"),
    mark("Up to 3 consumers from each other sector come here; demand +2."),
    sector="healthcare",
)
def fast_track_approval(play: Play[SectorsState], company: Company) -> None:
    mine = play.state.sectors[company.sector]
    for other in play.state.sectors.values():
        moved = 0 if other is mine else min(3, other.consumers)
        other.consumers -= moved
        mine.consumers += moved
    company.temporary_demand += 2


@_action(
    "price_freeze",
    mark("Price freeze"),
    mark("Next turn market orders move its price by up to 2 steps."),
    sector="defensive",
)
def price_freeze(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "price_freeze", 1, "price_freeze", turn=play.state.turn + 1)


@_action(
    "re_brand", mark("Re-brand"), mark("Permanent demand +1, temporary demand +1; unit price +40."), sector="cyclical"
)
def re_brand(play: Play[SectorsState], company: Company) -> None:
    company.temporary_demand += 1
    company.base_demand += 1
    company.unit_price += 40


@_action("surge_pricing", mark("Surge pricing"), mark("Next production: revenue +20%."), sector="energy")
def surge_pricing(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "surge_percent", 20, "surge_pricing", once=True)


@_action("extract", mark("Extract"), mark("Temporary supply +1; also for a company of Industrial."), ability="extract")
def extract(play: Play[SectorsState], company: Company) -> None:
    _supply_with_twin(play, company, "industrial")


@_action(
    "manufacture",
    mark("Manufacture"),
    mark("Temporary supply +1; also for a company of Materials."),
    ability="manufacture",
)
def manufacture(play: Play[SectorsState], company: Company) -> None:
    _supply_with_twin(play, company, "materials")


def _supply_with_twin(play: Play[SectorsState], company: Company, sector: str) -> None:
    """One temporary supply for the company and for a drawn floated company of the twin sector. (S 6.11)"""
    company.temporary_supply += 1
    twins = sorted(c.ticker for c in play.state.companies.values() if c.sector == sector and c.status in FLOATED)
    if twins:
        play.state.companies[play.chance.pick("supply_twin", twins)].temporary_supply += 1
