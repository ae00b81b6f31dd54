"""How to play on one screen: what wins, and a turn in ten lines, with the numbers of one edition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from game.rulebook.markup import anchor_of
from game.rulesets.sectors.options import EDITIONS, Options
from game.rulesets.sectors.tables import common
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.sectors import SECTORS

USUAL_SEATS = 5
TAXED = {"income": "What you took in this turn", "net_worth": "What you are worth"}


@dataclass(frozen=True)
class Step:
    """One line: what is done, how, and the rule that says all of it."""

    title: str
    text: str
    rule: str

    @property
    def anchor(self) -> str:
        """Where that rule stands on the page."""
        return anchor_of(self.rule)


@dataclass(frozen=True)
class Turn:
    """The opening of the rulebook: how one wins and begins, and the ten lines."""

    aim: str
    steps: tuple[Step, ...]


@cache
def turn_of(number: int) -> Turn:
    """A turn as one edition plays it."""
    edition = EDITIONS[number]
    aim = (
        "The richest in cash and shares wins when the last turn is over or the bank is broke. Before the first turn you bid some of your "
        f"{edition.influence_points} influence points for a good place in the order; each point you keep is a dollar."
    )
    return Turn(aim, (*_opening(edition), *_stock(edition), *_operating(edition), _upkeep(edition)))


def _opening(edition: Edition) -> tuple[Step, ...]:
    one, two = (edition.headline_costs[places] for places in (1, 2))
    headlines = f" Pay {one} or {two}, alone or together, for a headline that moves a sector one or two places in the line for customers."
    begins = "The poorest player is now the first in the order." + (headlines if edition.headline_turn else "")
    prizes = (
        f"Every {edition.tranche_turns} turns there are prizes of cash, prestige and abilities. Vote for one of them: "
        "you win it if you are alone in that."
    )
    return Step("The turn begins.", begins, "S 7.8"), Step("Tranches.", prizes, "S 7.9")


def _stock(edition: Edition) -> tuple[Step, ...]:
    end = f"There are {edition.sub_rounds} passes, settled together" if edition.sub_rounds else "Passes go on until nobody orders"
    floats = [sector.float_percent for sector in SECTORS.values()]
    return (
        Step("Order in secret.", f"In each pass you place one order or none, and all are opened at once. {end}.", "S 4.2"),
        Step(
            "Found companies.",
            f"A company sells its {common.SHARES_PER_COMPANY} shares in the IPO. It opens for business when {min(floats)} to "
            f"{max(floats)} % of them are bought, as its sector has it. You may own {Options().ownership_cap_percent} % at most.",
            "S 5.4",
        ),
        Step(
            "Move the price.",
            "On the open market, shares bought beyond those sold fill slots, and full slots lift the price one step. "
            "Each share sold beyond those bought is one step down.",
            "S 5.3",
        ),
        Step(
            "Or bet on it.",
            "A limit order waits for its price. A short earns when the price falls. An option pays when the price has passed its strike.",
            "S 5.5",
        ),
    )


def _operating(edition: Edition) -> tuple[Step, ...]:
    costs, needs = ([getattr(tier, name) for tier in edition.tiers.values()] for name in ("cost", "shortfall"))
    advertising, growth = edition.action_costs["small_marketing"][0], edition.action_costs["expansion"][0]
    return (
        Step(
            "Companies sell.",
            "Each sells as much as its supply, its demand and the customers of its sector all allow, and pays a running cost of "
            f"{min(costs)} to {max(costs)}. The further supply and demand are apart, the more its price falls.",
            "S 6.2",
        ),
        Step(
            "Vote on the revenue.",
            "Paid out, all or half, it goes to the shareholders and can lift the price. Kept in the company, it costs the price a step.",
            "S 6.5",
        ),
        Step(
            "Vote what each company does.",
            f"Advertise for {advertising}, expand for {growth}, research, borrow, and more. A vote weighs your shares. A company without "
            f"money needs {min(needs)} to {max(needs):,} from its shareholders, or it closes for good.",
            "S 6.7",
        ),
    )


def _upkeep(edition: Edition) -> Step:
    free, lowest = edition.tax_brackets[0][0], edition.tax_brackets[1][1]
    text = (
        f"{TAXED[edition.tax_base]} is taxed: nothing up to {free}, then {lowest} to {edition.tax_above} %. With {USUAL_SEATS} players you "
        f"may keep {common.certificate_limit(USUAL_SEATS)} shares; what is above is sold. New customers come, and the next turn begins."
    )
    return Step("Pay taxes.", text, "S 7.1")
