"""Questions in scenarios about a game of Power Up."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine import referee
from game.engine.ledger import hand_of
from game.engine.scenarios.language import known, mapping
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Answers
from game.rulesets.power_up.forecast import NEUTRAL, foresee
from game.rulesets.power_up.numbers import CELLS
from game.rulesets.power_up.scenarios.words import WORDS
from game.rulesets.power_up.state import DOE, table_of
from game.rulesets.power_up.tables import COMPANIES

ask, ask_of = WORDS.ask, WORDS.ask_of


def facts_of(struct: msgspec.Struct) -> dict[str, Any]:
    """A value as scenarios can write it: words, numbers, lists and mappings."""
    facts: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(struct))
    return facts


WORDS.find("company", lambda story: {company: company for company in COMPANIES})
WORDS.find("tile", lambda story: {cell: cell for cell in CELLS})


# --- the table


def _acting(story: Story) -> str | None:
    seat = story.state.acting
    return None if seat is None else story.names[seat]


def _neutral(story: Story) -> list[str]:
    return sorted(cell for cell, owner in story.state.board.items() if owner == NEUTRAL)


def _department(story: Story) -> dict[str, Any]:
    return {"cash": story.state.ledger.balance(DOE), "shares": story.state.ledger.held_in(DOE)}


def _merger(story: Story) -> dict[str, Any] | None:
    """The last merger with its seats as names; the Department has none."""
    if story.state.merger is None:
        return None
    facts = facts_of(story.state.merger)
    facts["player"] = story.names[facts.pop("seat")]
    for payout in (payout for gone in facts["acquisitions"] for payout in gone["payouts"]):
        seat = payout.pop("seat")
        payout["player"] = None if seat is None else story.names[seat]
    return facts


ask("acting", "the player whose turn it is, or null", _acting)
ask("order", "players in turn order", lambda s: [s.names[seat] for seat in s.state.order])
ask("rolled", "actions rolled for this turn", lambda s: s.state.rolled)
ask("actions_left", "actions left in this turn", lambda s: s.state.actions_left)
ask("tile_played", "whether a tile was played this turn", lambda s: s.state.tile_played)
ask("tile_lock", "whether a tile of this turn has joined a company", lambda s: s.state.tile_lock)
ask("bag", "how many tiles are in the bag", lambda s: len(s.state.bag))
ask("neutral", "neutral tiles on the board, sorted", _neutral)
ask("active", "keys of the active companies, in the order of PU 1", lambda s: list(s.state.sizes()))
ask("department", "cash and shares of the Department of Energy", _department)
ask("merger", "the last merger as facts, or null", _merger)


# --- players


def _may_buy(story: Story, seat: int) -> list[str]:
    offers = referee.offers(story.rules, story.position, seat)
    return [offer.fixed["company"] for offer in offers if offer.kind == "buy" and not offer.refused]


ask_of("player", "hands", "tiles in the hand, sorted", lambda s, seat: sorted(s.state.hands[seat]))
ask_of("player", "hand_sizes", "how many tiles are in the hand", lambda s, seat: len(s.state.hands[seat]))
ask_of("player", "start_tiles", "the start tile", lambda s, seat: s.state.start_tiles[seat])
ask_of("player", "may_buy", "companies whose share could be bought now", _may_buy)


# --- companies


@WORDS.question("shares", "company", "shares by player, and those of the Department as `doe`")
def _shares(story: Story, question: str, expected: Any) -> Answers:
    for key, holders in mapping(expected, question).items():
        company = story.find("company", key)
        for holder, value in mapping(holders, f"{question} of {key}").items():
            known(holder, (*story.names, DOE), "holder of shares")
            place = hand_of(story.names.index(holder)) if holder in story.names else DOE
            yield f"{question} of {key} with {holder}", value, story.state.ledger.at(company, place)


def _tiles(story: Story, company: str) -> list[str]:
    return sorted(cell for cell, owner in story.state.board.items() if owner == company)


ask_of("company", "sizes", "how many tiles it has", lambda s, key: s.state.sizes().get(key, 0))
ask_of("company", "prices", "price of a share; while inactive the start price", lambda s, key: s.state.price(key))
ask_of("company", "unsold", "shares that can be bought", lambda s, key: s.state.unsold(key))
ask_of("company", "existing", "shares in existence", lambda s, key: s.state.ledger.existing(key))
ask_of("company", "tiles", "its tiles, sorted", _tiles)
ask_of("company", "headquarters", "the tile that founded it, or null", lambda s, key: s.state.headquarters.get(key))


# --- tiles


def _where(story: Story, tile: str) -> str:
    state = story.state
    holders = [story.names[seat] for seat, hand in enumerate(state.hands) if tile in hand]
    return str(state.board.get(tile) or (holders or ["bag" if tile in state.bag else "nowhere"])[0])


def _ahead(story: Story, tile: str) -> dict[str, Any]:
    ahead = foresee(table_of(story.state), tile)
    return facts_of(ahead) | {"choice": ahead.choice, "companies": list(ahead.companies)}


ask_of("tile", "where", "whose it is: a company's key, `neutral`, a player who holds it, or `bag`", _where)
ask_of("tile", "ahead", "what playing it would do now, as facts; `case` is one of PU 4.2", _ahead)
