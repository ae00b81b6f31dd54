"""How to play on one screen: how to win, and a turn in ten lines, with the numbers of one edition."""

from __future__ import annotations

from game.boards.rulebook import Line, Turn
from game.rulesets.sectors.options import EDITIONS, Options
from game.rulesets.sectors.tables import common
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.sectors import SECTORS

USUAL_SEATS = 5
TAXED = {"income": "Your income of the turn", "net_worth": "Your net worth"}


def turn_of(number: str) -> Turn:
    """A turn by the rules of one edition."""
    edition = EDITIONS[int(number)]
    aim = (
        "The highest net worth (cash and shares) wins when the last turn ends or the bank breaks. Before the "
        f"first turn you bid some of your {edition.influence_points} influence points for player priority; each "
        "point you keep becomes a dollar."
    )
    return Turn(aim, (*_opening(edition), *_stock(edition), *_operating(edition), _upkeep(edition)))


def _opening(edition: Edition) -> tuple[Line, ...]:
    one, two = (edition.headline_costs[places] for places in (1, 2))
    headlines = (
        f" Pay {one} or {two}, alone or together, for a headline that moves a sector one or two places in sector "
        "priority: the first sector gets consumers first."
    )
    begins = "The poorest player now comes first in player priority." + (headlines if edition.headline_turn else "")
    prizes = (
        f"Every {edition.tranche_turns} turns there are tranches: prizes of cash, prestige and abilities. Vote for "
        "one of them: you win it if nobody else votes for it."
    )
    return Line("The turn begins.", begins, "S 7.8"), Line("Tranches.", prizes, "S 7.9")


def _stock(edition: Edition) -> tuple[Line, ...]:
    end = "Sub-rounds go on until nobody orders"
    if edition.sub_rounds:
        end = f"There are {edition.sub_rounds} sub-rounds, which resolve together"
    floats = [sector.float_percent for sector in SECTORS.values()]
    return (
        Line(
            "Order in secret.",
            f"In each sub-round you place one order or none, and all are revealed at once. {end}.",
            "S 4.2",
        ),
        Line(
            "Float companies.",
            f"A company sells its {common.SHARES_PER_COMPANY} shares in the IPO. It floats when {min(floats)} to "
            f"{max(floats)}% of its shares are sold; the percentage depends on its sector. You may own at most "
            f"{Options().ownership_cap_percent}%.",
            "S 5.4",
        ),
        Line(
            "Move the price.",
            "On the open market, each share bought beyond those sold fills a slot, and full slots raise the price "
            "one step. Each share sold beyond those bought lowers it one step.",
            "S 5.3",
        ),
        Line(
            "Or bet on it.",
            "A limit order waits for its price. A short earns when the price falls. An option contract pays when "
            "the price is above its strike.",
            "S 5.5",
        ),
    )


def _operating(edition: Edition) -> tuple[Line, ...]:
    costs, needs = ([getattr(tier, name) for tier in edition.tiers.values()] for name in ("cost", "shortfall"))
    advertising, growth = edition.action_costs["small_marketing"][0], edition.action_costs["expansion"][0]
    return (
        Line(
            "Companies sell.",
            "Each sells as many units as its supply, its demand and the consumers of its sector allow, and pays "
            f"an operating cost of {min(costs)} to {max(costs)}. The larger its throughput (the gap between supply "
            "and demand), the more its price falls.",
            "S 6.2",
        ),
        Line(
            "Vote on the revenue.",
            "Paid out in full or in half, it goes to shareholders and can raise the price. Retained, it lowers it "
            "one step.",
            "S 6.5",
        ),
        Line(
            "Vote what each company does.",
            f"Advertise for {advertising}, expand for {growth}, research, borrow, and more. Each of your shares is "
            f"a vote. An insolvent company needs {min(needs)} to {max(needs):,} from its shareholders, or it goes "
            "bankrupt.",
            "S 6.7",
        ),
    )


def _upkeep(edition: Edition) -> Line:
    free, lowest = edition.tax_brackets[0][0], edition.tax_brackets[1][1]
    text = (
        f"{TAXED[edition.tax_base]} is taxed: nothing up to {free}, then {lowest} to {edition.tax_above}%. With "
        f"{USUAL_SEATS} players you may keep {common.certificate_limit(USUAL_SEATS)} shares; the rest are sold. "
        "New consumers come, and the next turn begins."
    )
    return Line("Pay taxes.", text, "S 7.1")
