"""The words that Toy adds to the language of scenarios."""

from __future__ import annotations

import re

import msgspec

from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.engine.scenarios.language import DescriptionError
from game.engine.scenarios.standing import Count, Given, Situation, stand_at
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request, Words, seats_in_order
from tests.toy.flow import ACTIONS_A_TURN, flow_of
from tests.toy.state import CARDS, Options, ToyState


class PlayerWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a player has."""

    coins: Count = 10
    hand: list[int] = []


class ToyGiven(Given, kw_only=True, forbid_unknown_fields=True):
    """A position of Toy; in a turn the first player acts."""

    turn: Count = 1
    players: dict[str, PlayerWords] = {}
    actions_left: Count = ACTIONS_A_TURN
    options: Options = msgspec.field(default_factory=Options)


def stand(given: ToyGiven) -> Situation:
    """The state that was described, at its phase. Nobody may hold another's card."""
    players = list(given.players.values())
    held = [card for player in players for card in player.hand]
    if wrong := [card for card in held if card not in CARDS or held.count(card) > 1]:
        raise DescriptionError(f"the {wrong[0]} cannot be held: there is one card of each number, 1 to {CARDS[-1]}")
    state = ToyState(seats=len(players), turn=given.turn, options=given.options, points=[0] * len(players))
    state.hands, state.deck = [list(player.hand) for player in players], [card for card in CARDS if card not in held]
    if given.phase == "take_turn":
        state.order, state.actions_left = list(range(state.seats)), given.actions_left
    state.ledger.cash = {cash_of(seat): player.coins for seat, player in enumerate(players)} | {BANK: 100}
    state.ledger.cash[OUTSIDE] = -sum(state.ledger.cash.values())
    return stand_at(flow_of(given.options), given, state)


def _place(story: Story, said: re.Match[str]) -> Request:
    return {"kind": "place", "card": int(said[1]), "cell": said[2]}


MEANINGS = {
    "given": {"actions_left": "actions left in this turn"},
    "players": {"coins": "coins on hand", "hand": "the cards in hand"},
    "options": {"rounds": "rounds played", "edition": "2 is the long one"},
}
DRAWS = {
    "tie": "players in the order of their lots",
    "card": "card drawn",
    "hand": "cards as dealt, all of them",
    "exchange": "card drawn",
}
READ, RULE = {"tie": seats_in_order}, re.compile(r"T \d+")
WORDS = Words(given=ToyGiven, build=stand, meanings=MEANINGS, draws=DRAWS, read=READ, rule=RULE)
WORDS.sentence(r"bids (\d+)", "bids 3")(lambda story, said: {"kind": "bid", "coins": int(said[1])})
WORDS.sentence(r"(draws|stops)", "draws", "stops")(lambda story, said: {"kind": said[1].removesuffix("s")})
WORDS.sentence(r"places (\d+) on (\w+)", "places 7 on A1")(_place)
WORDS.sentence(r"exchanges (\d+)", "exchanges 3")(lambda story, said: {"kind": "exchange", "card": int(said[1])})
WORDS.ask_of("player", "hands", "cards in hand, as drawn", lambda story, seat: list(story.state.hands[seat]))
WORDS.ask("board", "cards by cell", lambda story: {cell: card for cell, (_, card) in story.state.board.items()})
