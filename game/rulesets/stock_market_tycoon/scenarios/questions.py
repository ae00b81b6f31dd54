"""Questions in scenarios about a game of Stock Market Tycoon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from game.engine import referee
from game.engine.ledger import hand_of
from game.engine.offers import Range
from game.engine.scenarios.language import mapping
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Answers
from game.rulesets.stock_market_tycoon.cards import in_order
from game.rulesets.stock_market_tycoon.scenarios.words import WORDS
from game.rulesets.stock_market_tycoon.state import OwnedCard
from game.rulesets.stock_market_tycoon.tables import COMPANY_KEYS, Company

ask, ask_of = WORDS.ask, WORDS.ask_of
WORDS.find("company", lambda story: {company: company for company in COMPANY_KEYS})


def _named(story: Story, seat: int | None) -> str | None:
    return None if seat is None else story.names[seat]


def _facts(story: Story, one: msgspec.Struct) -> dict[str, Any]:
    """A short sale, an option or a buyback with its seat as `player`."""
    facts: dict[str, Any] = msgspec.to_builtins(one)
    return {"player": _named(story, facts.pop("seat")), **facts}


def _owned(story: Story, owned: Iterable[OwnedCard]) -> list[str]:
    return [f"{story.names[card.seat]} {card.card}" for card in owned]


def _buyback(story: Story) -> dict[str, Any] | None:
    return None if story.state.buyback is None else _facts(story, story.state.buyback)


ask("acting", "the player whose turn it is, or null", lambda s: _named(s, s.state.acting))
ask("dealer", "the dealer of this year", lambda s: s.names[s.state.dealer])
ask("order", "players in the order of this year", lambda s: [s.names[seat] for seat in s.state.order])
ask("queue", "players who still act in this sub-round", lambda s: [s.names[seat] for seat in s.state.queue])
ask("sub_round", "sub-round of trading; 0 before it", lambda s: s.state.sub_round)
ask("shorts", "short sales of this year, as facts", lambda s: [_facts(s, one) for one in s.state.shorts])
ask("contracts", "options of this year, as facts", lambda s: [_facts(s, one) for one in s.state.contracts])
ask("buyback", "the open buyback as facts, or null", _buyback)
ask("revealed", "price cards that were shown and count: `bob OE+15`", lambda s: _owned(s, s.state.revealed))
ask("struck", "price cards that a Chairman struck", lambda s: _owned(s, s.state.struck))
ask("withheld", "cards that Directors withheld", lambda s: _owned(s, s.state.withheld.values()))
ask("bankrupts", "players who went bankrupt, in order", lambda s: [s.names[seat] for seat in s.state.bankrupts])


# --- players


def _offices(story: Story, seat: int) -> dict[str, str]:
    held = {company: story.state.office_of(seat, company) for company in COMPANY_KEYS}
    return {company: office for company, office in held.items() if office}


def _most(story: Story, seat: int) -> dict[str, int]:
    """The most shares of each company that can be bought now."""
    offers = referee.offers(story.rules, story.position, seat)
    fields = {offer.fixed["company"]: offer.fields[0] for offer in offers if offer.kind == "buy" and not offer.refused}
    return {company: field.high for company, field in fields.items() if isinstance(field, Range)}


ask_of("player", "hands", "cards in the hand", lambda s, seat: in_order(s.state.hands[seat]))
ask_of("player", "hand_sizes", "how many cards are in the hand", lambda s, seat: len(s.state.hands[seat]))
ask_of("player", "debts", "dollars owed", lambda s, seat: s.state.debts[seat])
ask_of("player", "offices", "`chairman` or `director` by company, without others", _offices)
ask_of("player", "may_buy", "shares that could be bought now, by company, without others", _most)


# --- companies


@WORDS.question("shares", "company", "shares by player")
def _shares(story: Story, question: str, expected: Any) -> Answers:
    for key, holders in mapping(expected, question).items():
        company = story.find("company", key)
        for holder, value in mapping(holders, f"{question} of {key}").items():
            shares = story.state.ledger.at(company, hand_of(story.seat(holder)))
            yield f"{question} of {key} with {holder}", value, shares


def _closes(story: Story, company: Company) -> list[int]:
    return [prices[company] for prices in story.state.closes]


def _chairman(story: Story, company: Company) -> str | None:
    return _named(story, story.state.offices[company].chairman)


def _director(story: Story, company: Company) -> str | None:
    return _named(story, story.state.offices[company].director)


ask_of("company", "prices", "dollars a share", lambda s, key: s.state.prices[key])
ask_of("company", "closes", "price at the start and at the end of each year", _closes)
ask_of("company", "pool", "shares that the bank sells", lambda s, key: s.state.pool(key))
ask_of("company", "outstanding", "shares that are not retired", lambda s, key: s.state.outstanding(key))
ask_of("company", "chairman", "its Chairman, or null", _chairman)
ask_of("company", "director", "its Director, or null", _director)
ask_of("company", "rates", "percent of the strike price that options cost", lambda s, key: s.state.rate(key))
ask_of("company", "bought", "whether its first purchase of this year was made", lambda s, key: key in s.state.bought)
ask_of("company", "rights", "Rights Issued cards that may be followed", lambda s, key: s.state.windows.count(key))
ask_of("company", "short_left", "shares that may still be sold short", lambda s, key: s.state.short_left(key))
ask_of("company", "options_left", "shares on which options are left", lambda s, key: s.state.options_left(key))
