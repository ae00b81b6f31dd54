"""What a scenario may expect: each word is one question about a game, its answer compared with what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from game.engine import referee
from game.engine.events import PhaseOpened
from game.engine.ledger import BANK
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import cost_of, unlocked_actions
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.ledger import PLACES
from game.rulesets.sectors.options import live_seconds
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.scenarios.language import known, mapping
from game.rulesets.sectors.scenarios.steps import PHASES
from game.rulesets.sectors.scenarios.story import Story
from game.rulesets.sectors.scoring import standings
from game.rulesets.sectors.state import Company, Sector
from game.rulesets.sectors.tables.common import certificate_limit

Asked = Iterator[tuple[str, Any, Any]]
"""What was asked, what was expected, what there is."""


@dataclass(frozen=True)
class Question:
    """A word of `then`: of whom it is asked, what it means, and how its answers are found."""

    of: str
    meaning: str
    answers: Callable[[Story, str, Any], Asked]


QUESTIONS: dict[str, Question] = {}


def ask(word: str, meaning: str, answer: Callable[[Story], Any]) -> None:
    """A question about the whole table."""

    def answers(story: Story, asked: str, expected: Any) -> Asked:
        yield asked, expected, answer(story)

    QUESTIONS[word] = Question("the table", meaning, answers)


def ask_of(of: str, word: str, meaning: str, answer: Callable[[Story, Any], Any]) -> None:
    """A question about each player, company or sector that the scenario names."""

    def answers(story: Story, asked: str, expected: Any) -> Asked:
        for name, value in mapping(expected, asked).items():
            yield f"{asked} of {name}", value, answer(story, FINDERS[of](story, name))

    QUESTIONS[word] = Question(of, meaning, answers)


FINDERS: dict[str, Callable[[Story, Any], Any]] = {
    "player": lambda story, name: story.seat(name),
    "company": lambda story, name: story.state.companies[known(name, story.state.companies, "company")],
    "sector": lambda story, name: story.state.sectors[known(name, story.state.sectors, "sector in play")],
    "phase": lambda story, name: known(name, PHASES, "phase"),
}


# --- the table


def _tranches(story: Story) -> list[str]:
    return [f"{pool.sector} {pool.cash} cash {pool.prestige} prestige" for pool in story.state.tranches]


def _injections(story: Story) -> list[int]:
    return [space.injection for space in story.state.track if space.kind == "capital_injection"]


def _phases(story: Story) -> list[str]:
    return [event.phase for event in story.told if isinstance(event, PhaseOpened)]


def _orders(story: Story, seat: int) -> list[str]:
    return [order.status for order in story.state.orders.values() if order.seat == seat]


def _contract(story: Story, contract: Any) -> dict[str, Any]:
    owner = None if contract.owner is None else story.names[contract.owner]
    facts = ("company", "term", "shares", "bonus", "strike", "premium")
    return {fact: getattr(contract, fact) for fact in facts} | {"owner": owner}


ask("phase", "name of the open phase; `the end` when the game is over", lambda s: s.phase or "the end")
ask("turn", "number of the turn", lambda s: s.state.turn)
ask("sub_round", "sub-rounds closed in this stock round", lambda s: s.state.sub_round)
ask("bank", "dollars in the bank", lambda s: s.state.ledger.balance(BANK))
ask("bank_change", "dollars the bank gained since the beginning", lambda s: s.bank_change)
ask("bank_broke", "whether the bank has been at 0 or below", lambda s: s.state.bank_broke)
ask("pool", "consumers in the global pool", lambda s: s.state.pool)
ask("economy", "the economy score", lambda s: s.state.economy)
ask("priority", "players in priority order", lambda s: [s.names[seat] for seat in s.state.priority])
ask("sector_priority", "sectors in priority order", lambda s: [sector.key for sector in numbers.sectors_in_order(s.state)])
ask("queue", "companies in the order in which they act", lambda s: list(s.state.queue))
ask("acted", "companies that have acted this turn, in order", lambda s: list(s.state.acted))
ask("end", "why the game ended: bank, turns, or nothing", lambda s: s.state.end)
ask("headlines", "the slots: `energy +1`, or null", lambda s: [h and f"{h.sector} {h.move:+d}" for h in s.state.headlines])
ask("tranches", "the pools: `energy 34 cash 1 prestige`", _tranches)
ask("winners", "who won each pool, or null", lambda s: [None if p.winner is None else s.names[p.winner] for p in s.state.tranches])
ask("marker", "index of the current space of the prestige track", lambda s: s.state.marker)
ask("injections", "dollars on each Capital Injection space", _injections)
ask("track_length", "spaces of the prestige track", lambda s: len(s.state.track))
ask("deck", "undrawn research cards, sorted", lambda s: sorted(s.state.deck))
ask("certificate_limit", "shares one player may keep", lambda s: certificate_limit(s.state.seats))
ask("companies", "tickers of the game's companies", lambda s: list(s.state.companies))
ask("phases", "the phases entered, in order", _phases)
ask("contracts", "contracts on sale or bought, as facts", lambda s: [_contract(s, c) for c in s.state.contracts.values()])


# --- players

ask_of("player", "cash", "dollars on hand", lambda s, seat: s.state.cash(seat))
ask_of("player", "margin", "dollars locked under shorts", lambda s, seat: s.state.margin(seat))
ask_of("player", "income", "income realised this turn", lambda s, seat: s.state.incomes[seat])
ask_of("player", "worth", "net worth", lambda s, seat: numbers.net_worth(s.state, seat))
ask_of("player", "certificates", "own shares of all companies", lambda s, seat: numbers.certificates_of(s.state, seat))
ask_of("player", "limit_actions", "limit orders still to place", lambda s, seat: numbers.limit_actions_left(s.state, seat))
ask_of("player", "short_actions", "short orders still to place", lambda s, seat: numbers.short_actions_left(s.state, seat))
ask_of("player", "place", "place in the standings", lambda s, seat: next(x.place for x in standings(s.state) if x.seat == seat))
ask_of("player", "orders", "statuses of the orders known, oldest first", _orders)
ask_of(
    "player",
    "offered",
    "kinds of action offered and not refused",
    lambda s, seat: sorted({o.kind for o in SECTORS.offers(s.state, seat, *_here(s)) if not o.refused}),
)


def _here(story: Story) -> tuple[Any, Any]:
    return SECTORS.flow_of(story.position), referee.phase_of(SECTORS, story.position)


# --- companies


def of_company(word: str, meaning: str, answer: Callable[[Story, Company], Any]) -> None:
    """A question about a company."""
    ask_of("company", word, meaning, answer)


of_company("prices", "stock price", lambda s, c: c.price)
of_company("filled", "slots filled at the price", lambda s, c: c.filled)
of_company("ipo_prices", "price in the IPO", lambda s, c: c.ipo_price)
of_company("status", "inactive, active, insolvent or bankrupt", lambda s, c: c.status)
of_company("treasury", "dollars in the treasury", lambda s, c: s.state.treasury(c.ticker))
of_company("tier", "tier", lambda s, c: c.tier)
of_company("names", "name", lambda s, c: c.name)
of_company("sector", "sector", lambda s, c: c.sector)
of_company("unit_price", "price of a unit", lambda s, c: c.unit_price)
of_company("demand", "demand in all", lambda s, c: numbers.demand_of(c))
of_company("base_demand", "permanent demand", lambda s, c: c.base_demand)
of_company("supply", "supply in all", lambda s, c: numbers.supply_of(s.state, c))
of_company("base_supply", "permanent supply", lambda s, c: c.base_supply)
of_company("temporary_supply", "fading supply", lambda s, c: c.temporary_supply)
of_company("operating_cost", "operating cost as it stands", lambda s, c: numbers.operating_cost_of(s.state, c))
of_company("shortfall", "contributions that would save it", lambda s, c: numbers.shortfall_of(s.state, c))
of_company("actions", "actions in an operating round", lambda s, c: numbers.tier(s.state, c).actions)
of_company("throughput", "distance of supply and demand", lambda s, c: numbers.throughput_of(s.state, c))
of_company("prestige", "prestige tokens", lambda s, c: c.prestige)
of_company("loan", "whether it has had its loan", lambda s, c: c.has_loan)
of_company("cards", "research cards drawn", lambda s, c: list(c.cards))
of_company("abilities", "passive abilities held", lambda s, c: abilities_of(c))
of_company("sold", "units sold this turn", lambda s, c: c.sold)
of_company("revenue", "revenue of this turn", lambda s, c: c.revenue)
of_company("choice", "what the revenue vote chose", lambda s, c: c.choice)
of_company("existing", "shares in existence", lambda s, c: s.state.ledger.existing(c.ticker))
of_company("may_vote_for", "company actions open to a vote", lambda s, c: unlocked_actions(s.state, c))


def _shares(story: Story, asked: str, expected: Any) -> Asked:
    for ticker, hands in mapping(expected, asked).items():
        company = FINDERS["company"](story, ticker)
        for hand, value in mapping(hands, f"{asked} of {ticker}").items():
            known(hand, (*story.names, *PLACES), "player or place")
            at = story.state.ledger.at(company.ticker, hand) if hand in PLACES else story.state.shares(company.ticker, story.seat(hand))
            yield f"{asked} of {ticker} with {hand}", value, at


def _action_costs(story: Story, asked: str, expected: Any) -> Asked:
    for ticker, costs in mapping(expected, asked).items():
        company = FINDERS["company"](story, ticker)
        for action, value in mapping(costs, f"{asked} of {ticker}").items():
            known(action, story.state.tables.action_costs, "company action")
            yield f"cost of {action} for {ticker}", value, cost_of(story.state, company, action)


QUESTIONS["shares"] = Question("company", "shares by player, and in `ipo`, `market` and `aside`", _shares)
QUESTIONS["action_costs"] = Question("company", "dollars that company actions cost it now", _action_costs)


# --- sectors and phases


def of_sector(word: str, meaning: str, answer: Callable[[Story, Sector], Any]) -> None:
    """A question about a sector."""
    ask_of("sector", word, meaning, answer)


of_sector("consumers", "consumers waiting", lambda s, x: x.consumers)
of_sector("sector_demand", "demand in all", lambda s, x: numbers.sector_demand(x))
of_sector("sector_base_demand", "permanent demand", lambda s, x: x.base_demand)
ask_of("phase", "live_seconds", "its clock in a live game", lambda s, phase: live_seconds(s.state.options, phase))
