"""Questions in scenarios about a game of Sectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from game.engine.modifiers import Modifier
from game.engine.scenarios.language import known, mapping
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Answers
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import cost_of, unlocked_actions
from game.rulesets.sectors.effects.abilities import abilities_of
from game.rulesets.sectors.ledger import PLACES
from game.rulesets.sectors.scenarios.words import WORDS
from game.rulesets.sectors.state import Company, Order, Sector
from game.rulesets.sectors.tables.common import certificate_limit

ask, ask_of = WORDS.ask, WORDS.ask_of
WORDS.find("company", lambda story: story.state.companies)
WORDS.find("sector", lambda story: story.state.sectors)


# --- the table


def _tranches(story: Story) -> list[str]:
    return [f"{pool.sector} {pool.cash} cash {pool.prestige} prestige" for pool in story.state.tranches]


def _injections(story: Story) -> list[int]:
    return [space.injection for space in story.state.track if space.kind == "capital_injection"]


def _orders(story: Story, seat: int) -> list[str]:
    return [order.status for order in story.state.orders.values() if order.seat == seat]


def _contract(story: Story, contract: Any) -> dict[str, Any]:
    owner = None if contract.owner is None else story.names[contract.owner]
    facts = ("company", "term", "shares", "bonus", "strike", "premium", "age")
    return {fact: getattr(contract, fact) for fact in facts} | {"owner": owner}


def _order(story: Story, order: Order) -> dict[str, Any]:
    facts = {name: value for name, value in msgspec.to_builtins(order).items() if name not in ("id", "seat")}
    return facts | {"player": story.names[order.seat]}


def _by_name(story: Story, by_seat: Mapping[int, Any]) -> dict[str, Any]:
    """Submissions by the name of their player."""
    return {story.names[seat]: msgspec.to_builtins(value) for seat, value in sorted(by_seat.items())}


def _wishes(story: Story) -> dict[str, Any]:
    wishes = story.state.wishes.items()
    by_seat = {seat: msgspec.to_builtins(wish) | {"cash": _by_name(story, wish.cash)} for seat, wish in wishes}
    return _by_name(story, by_seat)


def _revenue_votes(story: Story) -> dict[str, Any]:
    return {ticker: _by_name(story, votes) for ticker, votes in story.state.revenue_votes.items()}


def _trades(story: Story) -> list[dict[str, Any]]:
    return [{"player": story.names[t.seat], "company": t.company, "side": t.side} for t in story.state.trades]


ask("sub_round", "sub-rounds closed in this stock round", lambda s: s.state.sub_round)
ask("bank_broke", "whether the bank has been at 0 or below", lambda s: s.state.bank_broke)
ask("pool", "consumers in the global pool", lambda s: s.state.pool)
ask("economy", "the economy score", lambda s: s.state.economy)
ask("priority", "players in priority order", lambda s: [s.names[seat] for seat in s.state.priority])
ask(
    "sector_priority",
    "sectors in priority order",
    lambda s: [sector.key for sector in numbers.sectors_in_order(s.state)],
)
ask("queue", "companies in the order in which they act", lambda s: list(s.state.queue))
ask("acted", "companies that have acted this turn, in order", lambda s: list(s.state.acted))
ask(
    "headlines",
    "the slots: `energy +1`, or null",
    lambda s: [h and f"{h.sector} {h.move:+d}" for h in s.state.headlines],
)
ask("tranches", "the pools: `energy 34 cash 1 prestige`", _tranches)
ask(
    "winners",
    "who won each pool, or null",
    lambda s: [None if p.winner is None else s.names[p.winner] for p in s.state.tranches],
)
ask("marker", "index of the current space of the prestige track", lambda s: s.state.marker)
ask("injections", "dollars on each Capital Injection space", _injections)
ask("track_length", "spaces of the prestige track", lambda s: len(s.state.track))
ask("deck", "undrawn research cards, sorted", lambda s: sorted(s.state.deck))
ask("certificate_limit", "shares one player may keep", lambda s: certificate_limit(s.state.seats))
ask("companies", "tickers of the game's companies", lambda s: list(s.state.companies))
ask(
    "contracts",
    "contracts on sale or bought, as facts",
    lambda s: [_contract(s, c) for c in s.state.contracts.values()],
)
ask("order_facts", "orders known, as facts, oldest first", lambda s: [_order(s, o) for o in s.state.orders.values()])
ask("trades", "market orders filled in this stock round, as facts", _trades)
ask("executed", "how often each company action was carried out this turn", lambda s: dict(s.state.executed))
ask("contribution", "what the acting company was given", lambda s: msgspec.to_builtins(s.state.contribution))
ask("passed", "spaces of the track that the marker has left, by index from 0", lambda s: list(s.state.passed))
ask("bank_low", "the least the bank has held after paying, or null", lambda s: s.state.ledger.bank_low)


# --- what was submitted and is resolved in the next phase

ask("bids", "influence bids by player", lambda s: _by_name(s, s.state.bids))
ask("pledges", "headline slot by player who pledged", lambda s: _by_name(s, s.state.pledges))
ask("tranche_votes", "number of the tranche by player", lambda s: _by_name(s, s.state.tranche_votes))
ask("wishes", "how the winners want their tranches distributed, by player", _wishes)
ask("revenue_votes", "revenue votes by company and player", _revenue_votes)
ask("ballots", "company actions voted for by player", lambda s: _by_name(s, s.state.ballots))
ask("selected", "company actions chosen, best supported first, or null", lambda s: s.state.selected)


# --- players

ask_of("player", "margin", "dollars locked under shorts", lambda s, seat: s.state.margin(seat))
ask_of("player", "income", "income realised this turn", lambda s, seat: s.state.incomes[seat])
ask_of("player", "worth", "net worth", lambda s, seat: numbers.net_worth(s.state, seat))
ask_of("player", "certificates", "own shares of all companies", lambda s, seat: numbers.certificates_of(s.state, seat))
ask_of(
    "player", "limit_actions", "limit orders still to place", lambda s, seat: numbers.limit_actions_left(s.state, seat)
)
ask_of(
    "player", "short_actions", "short orders still to place", lambda s, seat: numbers.short_actions_left(s.state, seat)
)
ask_of("player", "orders", "statuses of the orders known, oldest first", _orders)


# --- companies


def of_company(word: str, meaning: str, answer: Callable[[Story, Company], Any]) -> None:
    """Add a question about a company."""
    ask_of("company", word, meaning, answer)


def _modifier(modifier: Modifier) -> dict[str, Any]:
    return {name: getattr(modifier, name) for name in modifier.__struct_fields__}


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
of_company("temporary_demand", "fading demand", lambda s, c: c.temporary_demand)
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
of_company("modifiers", "lasting effects, as facts", lambda s, c: [_modifier(m) for m in c.modifiers])
of_company("frozen_moves", "steps a frozen price was moved this turn", lambda s, c: c.frozen_moves)
of_company("produced", "units it could produce this turn", lambda s, c: c.produced)
of_company("sold", "units sold this turn", lambda s, c: c.sold)
of_company("revenue", "revenue of this turn", lambda s, c: c.revenue)
of_company("choice", "what the revenue vote chose", lambda s, c: c.choice)
of_company("existing", "shares in existence", lambda s, c: s.state.ledger.existing(c.ticker))
of_company("may_vote_for", "company actions open to a vote", lambda s, c: unlocked_actions(s.state, c))


@WORDS.question("shares", "company", "shares by player, and in `ipo`, `market` and `aside`")
def _shares(story: Story, question: str, expected: Any) -> Answers:
    for ticker, hands in mapping(expected, question).items():
        company = story.find("company", ticker)
        for hand, value in mapping(hands, f"{question} of {ticker}").items():
            known(hand, (*story.names, *PLACES), "player or place")
            at = (
                story.state.ledger.at(company.ticker, hand)
                if hand in PLACES
                else story.state.shares(company.ticker, story.seat(hand))
            )
            yield f"{question} of {ticker} with {hand}", value, at


@WORDS.question("action_costs", "company", "dollars that company actions cost it now")
def _action_costs(story: Story, question: str, expected: Any) -> Answers:
    for ticker, costs in mapping(expected, question).items():
        company = story.find("company", ticker)
        for action, value in mapping(costs, f"{question} of {ticker}").items():
            known(action, story.state.tables.action_costs, "company action")
            yield f"cost of {action} for {ticker}", value, cost_of(story.state, company, action)


# --- sectors


def of_sector(word: str, meaning: str, answer: Callable[[Story, Sector], Any]) -> None:
    """Add a question about a sector."""
    ask_of("sector", word, meaning, answer)


of_sector("consumers", "consumers waiting", lambda s, x: x.consumers)
of_sector("sector_demand", "demand in all", lambda s, x: numbers.sector_demand(x))
of_sector("sector_temporary_demand", "fading demand", lambda s, x: x.temporary_demand)
of_sector("has_floated", "whether a company of it has ever floated", lambda s, x: x.has_floated)
of_sector("sector_base_demand", "permanent demand", lambda s, x: x.base_demand)
