"""The game on one page."""

from __future__ import annotations

from dataclasses import replace

from game.engine.actions import Undo, Withdraw
from game.engine.flow import Flow, Mode, Phase, Round
from game.engine.language import mark
from game.engine.ledger import BANK, cash_of
from game.engine.play import Play
from tests.toy.actions import Bid, Draw, Exchange, Place, Plan, Stop, end_turn
from tests.toy.events import BidPaid, CardExchanged, VotedOut, WentBroke
from tests.toy.state import Options, ToyState

ACTIONS_A_TURN = 2


def everybody(state: ToyState) -> range:
    return range(state.seats)


def whose_turn(state: ToyState) -> list[int]:
    """The seat that acts, while it has actions left."""
    return [state.acting] if state.acting is not None and state.actions_left and not state.is_won else []


def whose_turn_comes(state: ToyState) -> list[int]:
    """Those who act later in this round may leave a card ready."""
    return state.order[state.turns_taken + 1 :]


def begin_round(play: Play[ToyState]) -> None:
    """Counted here and not at the end of the last round, whose events belong to that one."""
    play.state.turn += 1


def take_bids(play: Play[ToyState]) -> None:
    """The highest bid takes the first turn, ties by lot; everybody pays what they bid. (T 2)"""
    state = play.state
    bids = {bid.actor: bid.coins for bid in play.inputs_of(Bid)}
    lots = play.chance.order("tie", list(range(state.seats)))
    state.order = sorted(lots, key=lambda seat: -bids.get(seat, 0))
    state.turns_taken = 0
    for seat, coins in sorted(bids.items()):
        play.pay(cash_of(seat), BANK, coins, why="bid")
        play.emit(BidPaid(seat=seat, coins=coins))


def begin_turn(play: Play[ToyState]) -> None:
    play.state.actions_left = ACTIONS_A_TURN


def pass_turn(play: Play[ToyState]) -> None:
    play.state.turns_taken += 1


def stop_for(play: Play[ToyState], seat: int) -> None:
    """The turn of an absent seat ends. (T 6)"""
    end_turn(play, seat)


def who_may_exchange(state: ToyState) -> list[int]:
    """Those who hold a low card."""
    return [seat for seat in range(state.seats) if state.low_cards(seat)]


def take_exchanges(play: Play[ToyState]) -> None:
    """Each card goes back before the next is drawn. (T 9)"""
    state = play.state
    for asked in play.inputs_of(Exchange):
        state.hands[asked.actor].remove(asked.card)
        state.deck.append(asked.card)
        other = play.chance.pick("exchange", sorted(state.deck))
        state.deck.remove(other)
        state.hands[asked.actor].append(other)
        play.emit(CardExchanged(audience=(asked.actor,), seat=asked.actor, card=asked.card, other=other))


def end_round(play: Play[ToyState]) -> None:
    """Another round, or the end of the game. (T 7)"""
    state = play.state
    state.order, state.has_ended = [], state.turn == state.options.rounds


def end_long_round(play: Play[ToyState]) -> None:
    """Who has no coins is out of the game. (T 11)"""
    state = play.state
    broke = tuple(seat for seat in range(state.seats) if not state.coins(seat) and seat not in state.gone)
    state.gone += broke
    for seat in broke:
        play.emit(WentBroke(seat=seat))
    end_round(play)


def remove_voted_out(play: Play[ToyState], seat: int) -> None:
    """The seat's coins go to the bank, its points are lost, and its turns are left out. (T 12)"""
    state = play.state
    play.pay(cash_of(seat), BANK, state.coins(seat), why="forfeit")
    state.points[seat] = 0
    taken = state.turns_taken
    state.order = [*state.order[:taken], *(other for other in state.order[taken:] if other != seat)]
    state.gone += (seat,)
    play.emit(VotedOut(seat=seat))


TAKE_TURN = Phase(
    "2", "take_turn", mark("Turn"), Mode.TURNS, "turn", (Draw, Place, Stop), whose_turn, whose_turn_comes,
    enter=begin_turn, close=pass_turn, absent=stop_for, common=(Undo, Withdraw), default=mark("your turn ends"),
    is_moment=True,
)  # fmt: skip
TURNS = Round("turns", mark("Turns"), again=lambda state: state.acting is not None, phases=(TAKE_TURN,))
BIDDING = Phase(
    "1", "bidding", mark("Bidding"), Mode.SEALED, "bid", (Bid,), everybody, enter=begin_round, close=take_bids,
    default=mark("you bid 0"),
)  # fmt: skip
END = Phase("3", "end_round", mark("End of round"), Mode.AUTOMATIC, "review", enter=end_round)
FLOW = Flow(Round("turn", mark("Turn"), again=lambda state: not state.has_ended, phases=(BIDDING, TURNS, END)))

LONG_TURN = replace(TAKE_TURN, actions=(Draw, Place, Plan, Stop, Exchange), plays_drafts=True)
LONG_TURNS = replace(TURNS, phases=(LONG_TURN,))
EXCHANGE = Phase("3", "exchange", mark("Exchange"), Mode.SEALED, "bid", (Exchange,), who_may_exchange,
                 close=take_exchanges, default=mark("you keep your cards"), asks_in_secret=True)  # fmt: skip
LONG_END = replace(END, number="4", enter=end_long_round)
LONG_FLOW = Flow(Round("turn", mark("Turn"), again=lambda state: not state.has_ended, until=lambda state: state.is_won,
                       phases=(BIDDING, LONG_TURNS, EXCHANGE, LONG_END)))  # fmt: skip


def flow_of(options: Options) -> Flow:
    return LONG_FLOW if options.edition == 2 else FLOW
