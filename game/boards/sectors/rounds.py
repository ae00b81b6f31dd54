"""The rounds of Sectors in tables: orders from sealed to outcome, every price move, production, and votes."""

from __future__ import annotations

from collections.abc import Sequence

from game.boards.reports import Phases, all_of
from game.boards.sectors.round_orders import orders_table
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.language import apart, mark, say, say_as
from game.engine.phrases import capitalised, listed
from game.rulesets.sectors import causes
from game.rulesets.sectors.events import operations, orders

CHOICES = {"full": mark("Full dividends"), "half": mark("Half dividends"), "retain": mark("Retain")}


def round_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Every table that is not empty in this round."""
    return (
        orders_table(phases, names),
        _production(phases),
        _revenue_votes(phases, names),
        _dividends(phases, names),
        _company_votes(phases, names),
        _prices(phases),
    )


def _prices(phases: Phases) -> Sheet:
    """Every step of every price with its cause, in order."""
    moves = [(phase, event) for phase in phases for event in phase.events if isinstance(event, orders.PriceMoved)]
    columns = (
        Column("phase", say("Phase"), is_further=True),
        Column("was", say_as("price", "From")),
        Column("now", say_as("price", "To")),
        Column("change", say("Change"), is_change=True),
        Column("why", say("Why")),
    )
    rows = tuple(
        SheetRow(
            str(at),
            move.company,
            (
                f"{phase.number} {say(phase.title)}",
                move.was,
                move.now,
                move.now - move.was,
                capitalised(causes.cause_words(move.why)),
            ),
        )
        for at, (phase, move) in enumerate(moves)
    )
    return Sheet("prices", say("Price changes"), say("Company"), columns, rows)


def _production(phases: Phases) -> Sheet:
    """What each company made and sold, what it earned, and what it paid."""
    costs = {event.company: event for event in all_of(phases, operations.OperatingCostPaid)}
    columns = (
        Column("supply", say("Supply")),
        Column("demand", say("Demand")),
        Column("sold", say("Sold")),
        Column("unit_price", say("Unit price")),
        Column("revenue", say("Revenue")),
        Column("throughput", say("Gap"), say("Gap between supply and demand")),
        Column("cost", say("Operating cost")),
        Column("treasury", say("Treasury left")),
        Column("prestige", say("Prestige"), say("A token for selling all that it could"), is_change=True),
    )
    rows = tuple(
        SheetRow(
            production.company,
            production.company,
            (
                production.supply,
                production.demand,
                production.sold,
                production.unit_price,
                production.revenue,
                production.throughput,
                costs[production.company].amount if production.company in costs else None,
                costs[production.company].treasury if production.company in costs else None,
                int(production.prestige),
            ),
        )
        for production in all_of(phases, operations.Produced)
    )
    before_votes = next((phase.serial for phase in phases if phase.name == "revenue_vote"), 0)
    return Sheet("production", say("Production"), say("Company"), columns, rows, before_votes)


def _vote_columns() -> tuple[Column, ...]:
    return (
        Column("decision", say("Decision")),
        Column("voters", say("Votes for it"), say("Each player with the shares that counted")),
        Column("others", say("Other votes")),
    )


def _revenue_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """What shareholders chose for each company's revenue, and who voted for what."""
    rows = []
    for event in all_of(phases, operations.RevenueVoted):
        chosen = [tally for tally in event.tallies if tally.action == event.choice]
        others = [tally for tally in event.tallies if tally.action != event.choice]
        cells = (say(CHOICES[event.choice]), *_votes(chosen, others, names))
        rows.append(SheetRow(event.company, event.company, cells))
    return Sheet("revenue_votes", say("Votes on revenue"), say("Company"), _vote_columns(), tuple(rows))


def _company_votes(phases: Phases, names: Sequence[str]) -> Sheet:
    """What each company was told to do, and who voted for what."""
    rows = []
    for event in all_of(phases, operations.CompanyVoted):
        chosen = [tally for tally in event.tallies if tally.action in event.selected]
        others = [tally for tally in event.tallies if tally.action not in event.selected]
        decision = listed([say(title) for title in event.titles]) or say("Nothing")
        rows.append(SheetRow(event.company, event.company, (decision, *_votes(chosen, others, names))))
    return Sheet("company_votes", say("Votes on company actions"), say("Company"), _vote_columns(), tuple(rows))


def _votes(
    chosen: Sequence[operations.Tally], others: Sequence[operations.Tally], names: Sequence[str]
) -> tuple[str, str]:
    """The voters for what was chosen, and those for something else."""
    for_it = "; ".join(filter(None, (_voters(tally, names) for tally in chosen)))
    rest = (say("{choice}: {voters}", choice=_choice(tally), voters=_voters(tally, names)) for tally in others)
    return for_it or say("Nobody"), "; ".join(rest)


def _choice(tally: operations.Tally) -> str:
    return say(CHOICES.get(tally.action, tally.title))


def _dividends(phases: Phases, names: Sequence[str]) -> Sheet:
    """What each company paid to each player."""
    paid: dict[str, list[int]] = {}
    for event in all_of(phases, operations.DividendPaid):
        paid.setdefault(event.company, [0] * len(names))[event.seat] += event.amount
    columns = tuple(Column(f"seat_{seat}", name) for seat, name in enumerate(names))
    rows = tuple(SheetRow(company, company, tuple(sums)) for company, sums in paid.items())
    return Sheet("dividends", say("Dividends"), say("Company"), columns, rows)


def _voters(tally: operations.Tally, names: Sequence[str]) -> str:
    """The voters of one choice, each with their counted shares."""
    if not tally.weights:
        return listed([names[seat] for seat in tally.voters]) if tally.voters else ""
    return listed([f"{apart(names[seat])} {shares}" for seat, shares in zip(tally.voters, tally.weights, strict=True)])
