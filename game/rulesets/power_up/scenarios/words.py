"""Power Up's words in scenarios: positions, players' sentences, and draws."""

from __future__ import annotations

import re
from collections.abc import Collection

from game.engine.scenarios.language import known
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request, Words
from game.rulesets.power_up.events import ENDS
from game.rulesets.power_up.scenarios.positions import PowerUpGiven, stand
from game.rulesets.power_up.state import PowerUpState
from game.rulesets.power_up.tables import COMPANIES, SHARES_PER_COMPANY, STARTING_CASH

MEANINGS = {
    "given": {
        "turn": "number of the turn, which says whose it is; before a turn begins that of the turn about to begin",
        "order": "players in turn order; otherwise the seats' order",
        "companies": "keys of the active companies, each with the words below",
        "neutral": "neutral tiles on the board, one by one or in blocks",
        "bag": "tiles in the bag, as in `neutral`; otherwise all that are nowhere else",
        "department": "dollars of the Department of Energy",
        "actions_left": "actions left in this turn",
        "rolled": "actions rolled for this turn; otherwise those left and one for a tile played, 2 or more",
        "tile_played": "true: a tile was played this turn; otherwise as `tile_lock`",
        "tile_lock": "true: a tile of this turn has joined a company",
        "end": "which end has come, before the final sale; otherwise the one that the position fulfils",
    },
    "players": {
        "cash": f"dollars on hand; otherwise {STARTING_CASH:,}",
        "hand": "tiles in the hand, one by one or in blocks",
        "start_tile": "the start tile, which is on the board",
    },
    "companies": {
        "tiles": "its tiles, one by one or in blocks: `[A0-B9, C0]` are 21 tiles",
        "headquarters": "the tile that founded it; otherwise the first of its tiles",
        "shares": "shares by player, and those of the Department as `doe`: `{ada: 3, doe: 2}`",
    },
    "options": {"doe": "the Department of Energy takes part: on, off"},
}
DRAWS = {
    "start_tile": "start tile of each player, by seat",
    "tiles": "tiles drawn into a hand, as a list; at set-up one list for each player, in turn order",
    "actions": "actions of a turn: 2, 3 or 4",
    "doe": "shares granted to the Department at a founding",
}
VALUES: dict[tuple[str, str], Collection[str]] = {("given", "end"): tuple(ENDS)}
RULE = re.compile(r"PU \d(\.\d)?|P-\d+|(resolution|example) \d+")
BY_NAME = {card.title.split()[0]: key for key, card in COMPANIES.items()}


def tiles(state: PowerUpState) -> int:
    """The number of tiles on the board, in hands and in the bag."""
    return len(state.board) + sum(map(len, state.hands)) + len(state.bag)


def odd_shares(state: PowerUpState) -> int:
    """The shares by which a company differs from 25, or from none."""
    return sum(state.ledger.existing(company) % SHARES_PER_COMPANY for company in state.ledger.shares)


WORDS = Words(
    given=PowerUpGiven,
    build=stand,
    meanings=MEANINGS,
    draws=DRAWS,
    values=VALUES,
    rule=RULE,
    rule_examples="PU 4.5, P-2, resolution 9, example 12",
    seats_in=("audience", "turn_order_set.order"),
    conserved={"tiles": tiles, "shares": odd_shares},
)


def company(name: str) -> str:
    """The company whose title begins with this word."""
    return BY_NAME[known(name, BY_NAME, "company")]


@WORDS.sentence(
    r"plays (\w+)(?: founding (\w+)| letting (\w+) survive)?",
    "plays E5",
    "plays E5 founding Superslick",
    "plays E5 letting Cortex survive",
)
def _play(story: Story, match: re.Match[str]) -> Request:
    named = {"found": match[2], "survivor": match[3]}
    return {"kind": "play_tile", "tile": match[1]} | {field: company(name) for field, name in named.items() if name}


@WORDS.sentence(r"draws", "draws")
def _draw(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "draw"}


@WORDS.sentence(r"buys (\w+)", "buys Rufus")
def _buy(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "buy", "company": company(match[1])}


@WORDS.sentence(r"ends the turn", "ends the turn")
def _end(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "end_turn"}
