"""The prestige track: six kinds of spaces with weight, cost and effect. (S 1.8)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.engine.chance import Chance
from game.engine.effects import Registry
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.sectors.effects.verbs import grant
from game.rulesets.sectors.events.operations import PrestigeSpent
from game.rulesets.sectors.ledger import MARKET
from game.rulesets.sectors.prices import rise
from game.rulesets.sectors.state import Company, SectorsState, Space
from game.rulesets.sectors.tables.common import INJECTION_GROWTH, INJECTION_START, TRACK_LENGTH

Body = Callable[[Play[SectorsState], Company], None]


@dataclass(frozen=True)
class PrestigeSpace:
    """A kind of space: its weight in the draw of the track, its cost in tokens, and its effect."""

    title: str
    text: str
    weight: int
    cost: int
    body: Body


PRESTIGE_SPACES: Registry[PrestigeSpace] = Registry()
INJECTION = "capital_injection"


def _space(
    key: str, title: str, text: str, *, weight: int, cost: int
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return PRESTIGE_SPACES.adder(key, lambda body: PrestigeSpace(title, text, weight, cost, body))


@_space("sector_elasticity", mark("Sector Elasticity"), mark("The sector's permanent demand +1."), weight=7, cost=3)
def sector_elasticity(play: Play[SectorsState], company: Company) -> None:
    play.state.sectors[company.sector].base_demand += 1


@_space(
    "magnet_effect", mark("Magnet Effect"), mark("Every floated company of the sector rises 1 step."), weight=6, cost=2
)
def magnet_effect(play: Play[SectorsState], company: Company) -> None:
    """Prices of companies that are not floated do not move. (A87)"""
    for other in list(play.state.companies.values()):
        if other.sector == company.sector:
            rise(play, other, 1, PRESTIGE_SPACES["magnet_effect"].title)


@_space("investor_confidence", mark("Investor Confidence"), mark("3 new shares in the open market."), weight=9, cost=2)
def investor_confidence(play: Play[SectorsState], company: Company) -> None:
    play.ledger.issue(company.ticker, MARKET, 3)


@_space(INJECTION, mark("Capital Injection"), mark("The treasury receives what the space holds."), weight=12, cost=3)
def capital_injection(play: Play[SectorsState], company: Company) -> None:
    space = play.state.track[play.state.marker]
    grant(play, company, space.injection, "capital injection")
    space.injection = INJECTION_START


@_space("bull_signal", mark("Bull Signal"), mark("The price rises 1 step."), weight=12, cost=1)
def bull_signal(play: Play[SectorsState], company: Company) -> None:
    rise(play, company, 1, PRESTIGE_SPACES["bull_signal"].title)


@_space("influencer", mark("Influencer"), mark("Permanent demand +1."), weight=8, cost=4)
def influencer(play: Play[SectorsState], company: Company) -> None:
    company.base_demand += 1


def lay_track(chance: Chance) -> list[Space]:
    """Ten independent weighted draws. (S 1.8)"""
    weights = {key: space.weight for key, space in PRESTIGE_SPACES.items()}
    kinds = [chance.weighted("prestige_track", weights) for _ in range(TRACK_LENGTH)]
    return [Space(kind, INJECTION_START if kind == INJECTION else 0) for kind in kinds]


def spend_prestige(play: Play[SectorsState], company: Company) -> None:
    """Buy the space under the marker if the tokens suffice; the marker moves on in any case. (S 1.8)"""
    state = play.state
    kind = state.track[state.marker].kind
    space = PRESTIGE_SPACES[kind]
    bought = company.prestige >= space.cost
    play.emit(PrestigeSpent(company=company.ticker, space=kind, title=space.title, cost=space.cost, bought=bought))
    if bought:
        company.prestige -= space.cost
        space.body(play, company)
    elif kind == INJECTION:
        _let_injections_grow(state)
    state.passed = sorted({*state.passed, state.marker})
    state.marker = (state.marker + 1) % len(state.track)


def _let_injections_grow(state: SectorsState) -> None:
    """Every injection grows when one is passed unbought. (A11)"""
    for space in state.track:
        if space.kind == INJECTION:
            space.injection += INJECTION_GROWTH
