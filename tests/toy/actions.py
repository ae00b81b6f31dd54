"""What a seat may ask in Toy."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta, structs

from game.engine.actions import GAME, TURN, Action, Pass, Ready, Refused, Undo, Withdraw
from game.engine.language import mark
from game.engine.ledger import BANK, cash_of
from game.engine.names import Named, naming
from game.engine.play import Play
from tests.toy.events import CardDrawn, CardPlaced, HandGrew, TurnEnded
from tests.toy.state import CELLS, CENTRE, LOW, ToyState

HIGH = 15  # cards from here on may carry a wager
MOST_WAGERED = 3
MOST_PLANNED = 3

CELL = Named(
    mark("There is no cell {name}. Choose one of {known}."), "T 4", code="no_such_cell", of=lambda state, seat: CELLS
)
Cell = Annotated[str, naming(CELL)]


class Bid(Action, frozen=True, kw_only=True, tag="bid"):
    """Bid coins for an early turn. (T 2)"""

    coins: Annotated[int, Meta(ge=0, le=99)]
    title: ClassVar[str] = mark("Bid")

    def check(self, state: ToyState) -> None:
        if self.coins > state.coins(self.actor):
            raise Refused(
                "You cannot bid {coins}: you have {held}.",
                "T 2",
                code="not_enough_coins",
                field="coins",
                coins=self.coins,
                held=state.coins(self.actor),
            )
        if self.coins % state.options.bid_step:
            raise Refused(
                "Bids go in steps of {step}.", "T 2", code="between_steps", field="coins", step=state.options.bid_step
            )


class Draw(Action, frozen=True, kw_only=True, tag="draw"):
    """Draw a card. It ends what can be taken back. (T 3)"""

    title: ClassVar[str] = mark("Draw")
    is_public: ClassVar[bool] = True

    def check(self, state: ToyState) -> None:
        if not state.deck:
            raise Refused("The deck is empty.", "T 3", code="deck_is_empty")

    def carry_out(self, play: Play[ToyState]) -> None:
        state = play.state
        card = play.chance.pick("card", state.deck)
        state.deck.remove(card)
        state.hands[self.actor].append(card)
        play.emit(HandGrew(seat=self.actor))
        play.emit(CardDrawn(audience=(self.actor,), seat=self.actor, card=card))
        spend_action(play)


class Place(Action, frozen=True, kw_only=True, tag="place"):
    """Place a card of one's hand on a free cell; it may be left for one's next turn. (T 4, 5)"""

    card: Annotated[int, Meta(ge=1, le=20)]
    cell: Cell
    wager: Annotated[int, Meta(ge=0, le=MOST_WAGERED)] = 0
    title: ClassVar[str] = mark("Place")
    is_public: ClassVar[bool] = True
    may_stand: ClassVar[bool] = True

    def serves(self, state: ToyState) -> bool:
        return state.acting == self.actor

    def check(self, state: ToyState) -> None:
        if self.card not in state.hands[self.actor]:
            raise Refused("You do not hold the {card}.", "T 4", code="not_held", field="card", card=self.card)
        if self.cell in state.board:
            raise Refused(
                "{cell} holds the {card} already.",
                "T 4",
                code="cell_is_taken",
                field="cell",
                cell=self.cell,
                card=state.board[self.cell][1],
            )
        if self.wager and self.card < HIGH:
            raise Refused(
                "Only a card of {high} or more may carry a wager.",
                "T 5",
                code="wager_not_taken",
                field="wager",
                high=HIGH,
            )
        if self.wager > state.coins(self.actor):
            raise Refused(
                "You cannot wager {coins}: you have {held}.",
                "T 5",
                code="not_enough_coins",
                field="wager",
                coins=self.wager,
                held=state.coins(self.actor),
            )

    def carry_out(self, play: Play[ToyState]) -> None:
        state = play.state
        state.hands[self.actor].remove(self.card)
        state.board[self.cell] = (self.actor, self.card)
        state.points[self.actor] += self.card
        play.pay(cash_of(self.actor), BANK, self.wager, why="wager")
        if self.cell == CENTRE:
            play.pay(BANK, cash_of(self.actor), 2 * self.wager, why="wager won")
        play.emit(CardPlaced(seat=self.actor, card=self.card, cell=self.cell))
        spend_action(play)


class Stop(Action, frozen=True, kw_only=True, tag="stop"):
    """End one's turn; actions left are lost. (T 3)"""

    title: ClassVar[str] = mark("Stop")
    is_public: ClassVar[bool] = True

    def carry_out(self, play: Play[ToyState]) -> None:
        end_turn(play, self.actor)


class Plan(Action, frozen=True, kw_only=True, tag="plan"):
    """Do the first of these that can be done, in this turn and in later ones, until no card can be placed. (T 8)"""

    entries: Annotated[list[Place | Stop], Meta(max_length=MOST_PLANNED)]
    title: ClassVar[str] = mark("Plan")
    is_public: ClassVar[bool] = True
    may_stand: ClassVar[bool] = True
    lasts: ClassVar[str] = GAME
    is_conditional: ClassVar[bool] = True

    def serves(self, state: ToyState) -> bool:
        return state.acting == self.actor

    def check(self, state: ToyState) -> None:
        if doubt := self.doubt(state):
            raise doubt

    def doubt(self, state: ToyState) -> Refused | None:
        if any(_is_possible(entry, state) for entry in self.entries):
            return None
        return Refused("None of these cards can be placed now.", "T 8", code="nothing_to_place", field="entries")

    def remainder(self, state: ToyState) -> Plan:
        """Without the step that is done."""
        done = next((entry for entry in self.entries if _is_possible(entry, state)), None)
        return structs.replace(self, entries=[entry for entry in self.entries if entry is not done])

    def is_kept(self, state: ToyState) -> bool:
        return any(isinstance(entry, Place) and _is_possible(entry, state) for entry in self.entries)

    def carry_out(self, play: Play[ToyState]) -> None:
        next(entry for entry in self.entries if _is_possible(entry, play.state)).carry_out(play)


def _is_possible(entry: Place | Stop, state: ToyState) -> bool:
    try:
        entry.check(state)
    except Refused:
        return False
    return True


class Exchange(Action, frozen=True, kw_only=True, tag="exchange"):
    """Give a low card back and draw another, in secret; it may be sealed in one's own turn before. (T 9)"""

    card: Annotated[int, Meta(ge=1, le=20)]
    title: ClassVar[str] = mark("Exchange")
    phases: ClassVar[frozenset[str]] = frozenset({"exchange"})
    lasts: ClassVar[str] = TURN

    def check(self, state: ToyState) -> None:
        if self.card not in state.low_cards(self.actor):
            raise Refused(
                "Only a card of {low} or less in your hand can be exchanged.",
                "T 9",
                code="not_held",
                field="card",
                low=LOW,
            )

    def is_ready_ahead(self) -> bool:
        return True


def spend_action(play: Play[ToyState]) -> None:
    """Count one action; the last ends the turn. (T 3)"""
    play.state.actions_left -= 1
    if not play.state.actions_left and play.state.acting is not None:
        end_turn(play, play.state.acting)


def end_turn(play: Play[ToyState], seat: int) -> None:
    """Nobody is asked in this turn any more."""
    play.state.actions_left = 0
    play.emit(TurnEnded(seat=seat))


ToyAction = Ready | Pass | Withdraw | Undo | Bid | Draw | Place | Plan | Exchange | Stop
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in ToyAction.__args__}
