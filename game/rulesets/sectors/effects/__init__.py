"""Every effect of the game, each in one place: company actions, abilities, research cards, prestige spaces."""

from game.rulesets.sectors.effects.abilities import ABILITIES
from game.rulesets.sectors.effects.company_actions import COMPANY_ACTIONS
from game.rulesets.sectors.effects.costs import cost_of, is_unlocked, prestige_cost_of, refusal_of, unlocked_actions
from game.rulesets.sectors.effects.prestige import PRESTIGE_SPACES
from game.rulesets.sectors.effects.research import RESEARCH_CARDS

__all__ = [
    "ABILITIES",
    "COMPANY_ACTIONS",
    "PRESTIGE_SPACES",
    "RESEARCH_CARDS",
    "cost_of",
    "is_unlocked",
    "prestige_cost_of",
    "refusal_of",
    "unlocked_actions",
]
