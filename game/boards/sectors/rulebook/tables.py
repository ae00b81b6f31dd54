"""The two editions of Sectors as variants of one text, and its printed tables, filled from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from game.boards.rulebook import Table, Tables, Variant, option_rows, preset_rows, written
from game.boards.rulebook.book import Lengths
from game.boards.sectors.options import SECTORS_OPTIONS
from game.engine.language import mark
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.options import EDITIONS, MENUS, Options
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.rulesets.sectors.tables import chart, common
from game.rulesets.sectors.tables.edition import Edition
from game.rulesets.sectors.tables.names import LATER, STARTING
from game.rulesets.sectors.tables.sectors import SECTORS, SectorCard

MINUTES, HOURS = ("demo", "evening"), ("daily", "relaxed")
"""The paces of S 4.4 by the unit of their lengths."""
NOTES: Mapping[str, tuple[str, ...]] = {
    "S 1.1": ("D36", "D35", "D3"),
    "S 1.3": ("D33",),
    "S 1.9": ("D17", "D19"),
    "S 1.10": ("D2",),
    "S 2.1": ("D34",),
    "S 4.1": ("D2", "D3"),
    "S 4.2": ("D3",),
    "S 5.3": ("D4",),
    "S 6.3": ("D9",),
    "S 6.6": ("D22",),
    "S 6.8": ("D24",),
    "S 6.9": ("D25", "D26", "D27", "D28", "D29"),
    "S 7.1": ("D13",),
    "S 7.7": ("D32",),
    "S 7.8": ("D23", "D35"),
}
"""Notes of the first edition by section: differences that `PHRASES` does not cover."""
PHRASES = {
    "S 1.1": "Each has {influence_points} influence points",
    "S 1.9": "A pot of {tranche_pot} dollars",
}
"""By section: the sentence of the document in which a number depends on the edition."""


def printed(edition: str, lengths: Lengths) -> Tables:
    """All tables of an edition, as the first columns of the tables in the document."""
    tables = EDITIONS[int(edition)]
    alike = _of_the_board() | _of_the_other()
    return alike | _of_the_table(tables) | _of_the_sequence(tables, lengths) | _of_the_actions(tables)


def _by_seats(count: Callable[[int], int]) -> Table:
    return written((seats, count(seats)) for seats in RULES.seats)


def _of_the_table(edition: Edition) -> dict[tuple[str, int], Table]:
    """Section 1: options, set-up, cards, track, tranches, headlines, contracts."""
    usual = Options(edition=edition.number)
    return {
        ("S 1.1", 0): option_rows(SECTORS_OPTIONS, MENUS, usual, edition.fixed_options),
        ("S 1.1", 1): preset_rows(SECTORS_OPTIONS, usual),
        ("S 1.2", 0): _by_seats(common.certificate_limit),
        ("S 1.3", 0): _by_seats(lambda seats: edition.starting_companies[seats]),
        ("S 1.4", 0): written((t.title, t.cost, t.supply, t.actions, t.shortfall) for t in edition.tiers.values()),
        ("S 1.6", 0): written((place, card.title) for place, card in enumerate(SECTORS.values(), 1)),
        ("S 1.7", 0): [
            (card.title, SECTORS[card.sector].title if card.sector else "anybody", card.text)
            for card in RESEARCH_CARDS.values()
        ],
        ("S 1.8", 0): written((s.title, s.weight, s.cost, s.text) for s in PRESTIGE_SPACES.values()),
        ("S 1.9", 0): _by_seats(common.tranche_pools),
        ("S 1.10", 0): written(edition.headline_costs.items()),
        ("S 1.11", 0): written(edition.option_rates_percent.items()),
        ("S 1.11", 1): written(common.OPTION_BUNDLES),
    }


def _of_the_board() -> dict[tuple[str, int], Table]:
    """The names and the chart, the same in both editions."""
    return {
        ("S 2.2", 0): [
            (card.title, COMPANY_ACTIONS[card.active].title, ABILITIES[card.passive].title) for card in SECTORS.values()
        ],
        ("S 2.3", 0): _names(STARTING),
        ("S 2.4", 0): _names(LATER),
        ("S 3.1", 0): written((tier, slots, " ".join(map(str, p))) for tier, (slots, p) in enumerate(chart.TIERS, 1)),
        ("S 6.3", 0): [(str(gap), _throughput(gap, steps)) for gap, steps in enumerate(common.THROUGHPUT_STEPS)],
        ("S 6.11", 0): [
            (a.title, next(card.title for card in SECTORS.values() if card.passive == key), a.text)
            for key, a in ABILITIES.items()
        ],
    }


def _names(table: Mapping[str, tuple[tuple[str, str], ...]]) -> Table:
    names = {key: ", ".join(f"{name} ({ticker})" for name, ticker in table[key]) for key in SECTORS}
    return [(card.title, names[key]) for key, card in SECTORS.items()]


def _throughput(distance: int, steps: int) -> str:
    if not steps:
        return "none" if distance else "operating cost halved"
    return f"{steps} step{'s' if steps > 1 else ''} down"


def _of_the_sequence(edition: Edition, lengths: Lengths) -> dict[tuple[str, int], Table]:
    """Phases with their clocks, sectors with their first tiers, taxes."""
    rows = [row.phase for row in flow(Options(edition=edition.number)).rows]
    clocks = sorted(dict.fromkeys(phase.clock for phase in rows), key="review".__eq__)
    paces: Table = [
        (
            c,
            *(f"{lengths(pace, c) // 60} min" for pace in MINUTES),
            *(f"{lengths(pace, c) // 3600} h" for pace in HOURS),
        )
        for c in clocks
    ]
    return {
        ("S 2.1", 0): written(_sector(edition, key, card) for key, card in SECTORS.items()),
        ("S 4.1", 0): [(p.number, p.title, p.mode.value, p.clock, p.default) for p in rows],
        ("S 4.4", 0): written((p.title, edition.live_seconds[p.name]) for p in rows),
        ("S 4.4", 1): paces,
        ("S 7.1", 0): written([*edition.tax_brackets, ("more", edition.tax_above)]),
    }


def _sector(edition: Edition, key: str, card: SectorCard) -> tuple[object, ...]:
    ipo, unit_price = ("–".join(map(str, ends)) for ends in (card.ipo, card.unit_price))
    tier = edition.tiers[edition.start_tiers[key]].title
    return (card.title, card.demand, card.float_percent, ipo, unit_price, tier, card.volatility_percent)


def _of_the_actions(edition: Edition) -> dict[tuple[str, int], Table]:
    """Company actions with their costs, by who may take them."""
    of_sectors = [(k, a, SECTORS[a.sector]) for k, a in COMPANY_ACTIONS.items() if a.sector]
    unlocked = [(k, a, ABILITIES[a.ability]) for k, a in COMPANY_ACTIONS.items() if a.ability]
    return {
        ("S 6.9", 0): [
            (action.title, _cost(edition, key))
            for key, action in COMPANY_ACTIONS.items()
            if not action.sector and not action.ability
        ],
        ("S 6.10", 0): written(
            (a.title, card.title, _cost(edition, key), edition.action_prestige[key]) for key, a, card in of_sectors
        ),
        ("S 6.11", 1): [(a.title, ability.title, _cost(edition, k)) for k, a, ability in unlocked],
    }


def _cost(edition: Edition, action: str) -> str:
    return " / ".join(map(str, edition.action_costs[action])) or "one stock price"


def _of_the_other() -> dict[tuple[str, int], Table]:
    """Section 8: the tables in which the first edition differs."""
    first, second = EDITIONS[1], EDITIONS[2]
    titles = {row.phase.name: row.phase.title for row in flow(Options()).rows}
    return {
        ("S 8", 1): written((tier.title, tier.shortfall) for tier in first.tiers.values()),
        ("S 8", 2): written([*first.tax_brackets, ("more", first.tax_above)]),
        ("S 8", 3): written((titles[k], s) for k, s in first.live_seconds.items() if s != second.live_seconds[k]),
    }


def sentences_of(number: int) -> dict[str, str]:
    """`PHRASES` with the numbers of an edition filled in."""
    return {section: phrase.format_map(vars(EDITIONS[number])) for section, phrase in PHRASES.items()}


EDITION_VARIANTS = (
    Variant(
        key="2",
        title=mark("Second edition"),
        means=mark("For new games"),
        text=mark(
            "Sub-rounds go on until nobody orders. Headlines move the sectors, some actions cost more with each "
            "company that takes them, and income is taxed."
        ),
        sentences=sentences_of(2),
    ),
    Variant(
        key="1",
        title=mark("First edition"),
        means=mark("The older game"),
        text=mark(
            "Three sub-rounds that resolve together, twice the influence points, six companies from the start, and a "
            "tax on net worth. No headlines."
        ),
        intro="This page shows the tables of the first edition. **Bold** figures differ from the second edition, and "
        "notes at the top of a section say what else is different. S 8 lists every difference.",
        sentences=sentences_of(1),
        notes=NOTES,
    ),
)
