"""The research cards: 18 findings and the blank, each with its sector and its effect. (S 1.7)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.engine.chance import Chance
from game.engine.effects import Registry
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.sectors import causes
from game.rulesets.sectors.effects.verbs import add_modifier, grant
from game.rulesets.sectors.events.operations import CardDrawn
from game.rulesets.sectors.prices import rise
from game.rulesets.sectors.state import BANKRUPT, Company, SectorsState
from game.rulesets.sectors.tables.common import BLANKS, DECK_SIZE

Body = Callable[[Play[SectorsState], Company], None]


@dataclass(frozen=True)
class Card:
    """A research card. `sector` None: any company may draw it."""

    title: str
    text: str
    sector: str | None
    body: Body


RESEARCH_CARDS: Registry[Card] = Registry()
BLANK = "no_discernible_findings"


def _card(
    key: str, title: str, text: str, sector: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return RESEARCH_CARDS.adder(key, lambda body: Card(title, text, sector, body))


@_card("product_development", mark("Product Development"), mark("Permanent supply +1."))
@_card("quality_control", mark("Quality Control"), mark("Permanent supply +1."))
def raise_supply(play: Play[SectorsState], company: Company) -> None:
    company.base_supply += 1


@_card("government_grant", mark("Government Grant"), mark("Treasury +500."))
def government_grant(play: Play[SectorsState], company: Company) -> None:
    grant(play, company, 500, "government grant")


@_card("clinical_trial", mark("Clinical Trial"), mark("The price rises 1 step."), "healthcare")
@_card("renewable_energy", mark("Renewable Energy"), mark("The price rises 1 step."), "energy")
@_card("artificial_intelligence", mark("Artificial Intelligence"), mark("The price rises 1 step."), "technology")
@_card("e_commerce", mark("E-commerce"), mark("The price rises 1 step."), "defensive")
@_card("robotics", mark("Robotics"), mark("The price rises 1 step."), "technology")
@_card("new_alloy", mark("New Alloy"), mark("The price rises 1 step."))
@_card("energy_saving", mark("Energy Saving"), mark("The price rises 1 step."), "energy")
@_card("globalization", mark("Globalization"), mark("The price rises 1 step."), "technology")
def rise_one_step(play: Play[SectorsState], company: Company) -> None:
    """Raise the price one step. The first program left this out for two of the cards. (A10)"""
    rise(play, company, 1, causes.RESEARCHED)


@_card("corporate_espionage", mark("Corporate Espionage"), mark("Every other company of the sector loses 2 prestige."))
def corporate_espionage(play: Play[SectorsState], company: Company) -> None:
    """Take tokens from all companies except bankrupt ones, down to 0. (A89)"""
    for other in play.state.companies.values():
        if other.sector == company.sector and other is not company and other.status != BANKRUPT:
            other.prestige = max(other.prestige - 2, 0)


@_card(
    "economies_of_scale", mark("Economies of Scale"), mark("Counts as the cheapest company for the rest of the game.")
)
def economies_of_scale(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "sorts_first", 1, "card:economies_of_scale")


@_card("automation", mark("Automation"), mark("Operating cost −20 for the rest of the game."))
def automation(play: Play[SectorsState], company: Company) -> None:
    add_modifier(company, "operating_cost", -20, "card:automation")


@_card("specialization", mark("Specialization"), mark("2 prestige tokens."))
def specialization(play: Play[SectorsState], company: Company) -> None:
    company.prestige += 2


@_card("market_expansion", mark("Market Expansion"), mark("No effect."))
@_card("diversification", mark("Diversification"), mark("No effect."))
@_card("innovation", mark("Innovation"), mark("No effect."))
@_card(BLANK, mark("No Discernible Findings"), mark("No effect."))
def find_nothing(play: Play[SectorsState], company: Company) -> None:
    """Cards whose printed text has no effect. (S 1.7)"""


def compose_deck(chance: Chance) -> list[str]:
    """Three blanks, and nine findings drawn uniformly with replacement. (S 1.7)"""
    findings = [key for key in RESEARCH_CARDS if key != BLANK]
    return [BLANK] * BLANKS + [chance.pick("deck", findings) for _ in range(DECK_SIZE - BLANKS)]


def research(play: Play[SectorsState], company: Company, cards: int) -> None:
    """Draw and apply cards, uniformly from the undrawn ones that the company can draw; none are left: nothing happens.
    (S 1.7, A9)"""
    for _ in range(cards):
        drawable = [key for key in play.state.deck if RESEARCH_CARDS[key].sector in (None, company.sector)]
        if not drawable:
            play.emit(CardDrawn(company=company.ticker, card="", title=""))
            return
        key = play.chance.pick("research_draw", drawable)
        play.state.deck.remove(key)
        company.cards = [*company.cards, key]
        play.emit(CardDrawn(company=company.ticker, card=key, title=RESEARCH_CARDS[key].title))
        RESEARCH_CARDS[key].body(play, company)
