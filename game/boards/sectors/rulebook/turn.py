"""How to play on one screen: how to win, and a turn in ten lines, with the numbers of one edition."""

from __future__ import annotations

from game.boards.rulebook import Line, Turn
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.sectors.options import EDITIONS, Options
from game.rulesets.sectors.tables import common
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.sectors import SECTORS

USUAL_SEATS = 5
TAXED = {
    "income": mark("Your income of the turn is taxed: nothing up to {free}, then {lowest} to {highest}%."),
    "net_worth": mark("Your net worth is taxed: nothing up to {free}, then {lowest} to {highest}%."),
}


def turn_of(number: str) -> Turn:
    """A turn by the rules of one edition."""
    edition = EDITIONS[int(number)]
    aim = say(
        "The highest net worth (cash and shares) wins when the last turn ends or the bank breaks. Before the first "
        "turn you bid some of your {points} influence points for player priority; each point you keep becomes a "
        "dollar.",
        points=edition.influence_points,
    )
    lines = (*_opening(edition), *_stock(edition), *_operating(edition), _upkeep(edition))
    return Turn(aim, lines, say("A turn in ten lines"))


def _opening(edition: Edition) -> tuple[Line, ...]:
    one, two = (edition.headline_costs[places] for places in (1, 2))
    begins = say("The poorest player now comes first in player priority.")
    if edition.headline_turn:
        headlines = say(
            "Pay {one} or {two}, alone or together, for a headline that moves a sector one or two places in sector "
            "priority: the first sector gets consumers first.",
            one=one,
            two=two,
        )
        begins = f"{begins} {headlines}"
    prizes = say(
        "Every {n} turns there are tranches: prizes of cash, prestige and abilities. Vote for one of them: you win it "
        "if nobody else votes for it.",
        n=edition.tranche_turns,
    )
    return Line(say("The turn begins."), begins, "S 7.8"), Line(say("Tranches."), prizes, "S 7.9")


def _stock(edition: Edition) -> tuple[Line, ...]:
    orders = say("In each sub-round you place one order or none, and all are revealed at once.")
    end = say("Sub-rounds go on until nobody orders.")
    if edition.sub_rounds:
        end = say("There are {n} sub-rounds, which resolve together.", n=edition.sub_rounds)
    floats = [sector.float_percent for sector in SECTORS.values()]
    floating = say(
        "A company sells its {shares} shares in the IPO. It floats when {least} to {most}% of its shares are sold; the "
        "percentage depends on its sector. You may own at most {cap}%.",
        shares=common.SHARES_PER_COMPANY,
        least=min(floats),
        most=max(floats),
        cap=Options().ownership_cap_percent,
    )
    price = say(
        "On the open market, each share bought beyond those sold fills a slot, and full slots raise the price one "
        "step. Each share sold beyond those bought lowers it one step."
    )
    bets = say(
        "A limit order waits for its price. A short earns when the price falls. An option contract pays when the price "
        "is above its strike."
    )
    return (
        Line(say("Order in secret."), f"{orders} {end}", "S 4.2"),
        Line(say("Float companies."), floating, "S 5.4"),
        Line(say("Move the price."), price, "S 5.3"),
        Line(say("Or bet on it."), bets, "S 5.5"),
    )


def _operating(edition: Edition) -> tuple[Line, ...]:
    costs, needs = ([getattr(tier, name) for tier in edition.tiers.values()] for name in ("cost", "shortfall"))
    sales = say(
        "Each sells as many units as its supply, its demand and the consumers of its sector allow, and pays an "
        "operating cost of {least} to {most}. The larger the gap between its supply and its demand, the more "
        "its price falls.",
        least=min(costs),
        most=max(costs),
    )
    revenue = say(
        "Paid out in full or in half, it goes to shareholders and can raise the price. Retained, it lowers the price "
        "one step."
    )
    actions = say(
        "Advertise for {advertising}, expand for {growth}, research, borrow, and more. Each of your shares is a vote. "
        "An insolvent company needs {least} to {most} from its shareholders, or it goes bankrupt.",
        advertising=edition.action_costs["small_marketing"][0],
        growth=edition.action_costs["expansion"][0],
        least=min(needs),
        most=thousands(max(needs)),
    )
    return (
        Line(say("Companies sell."), sales, "S 6.2"),
        Line(say("Vote on the revenue."), revenue, "S 6.5"),
        Line(say("Vote on what each company does."), actions, "S 6.7"),
    )


def _upkeep(edition: Edition) -> Line:
    free, lowest = edition.tax_brackets[0][0], edition.tax_brackets[1][1]
    taxes = say(TAXED[edition.tax_base], free=free, lowest=lowest, highest=edition.tax_above)
    limit = say(
        "With {seats} players you may keep {limit} shares; the rest are sold. New consumers come, and the next turn "
        "begins.",
        seats=USUAL_SEATS,
        limit=common.certificate_limit(USUAL_SEATS),
    )
    return Line(say("Pay taxes."), f"{taxes} {limit}", "S 7.1")
