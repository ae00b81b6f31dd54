"""A small ruleset of its own, to test the kernel on: seal numbers, give in the open, and rounds within rounds."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from game.engine.actions import Action, Pass, Ready, Refused, Withdraw
from game.engine.chance import Chance
from game.engine.codec import Codec
from game.engine.events import Event, PhaseOpened
from game.engine.flow import Flow, Mode, Phase, Round
from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.engine.names import Named, naming
from game.engine.play import Outcome, Play
from game.engine.position import AnyPosition, State
from game.engine.referee import start
from game.engine.ruleset import Ruleset, Standing


class ToyState(State):
    """`heard` is what the resolutions saw; `asks` is whose question is open, as companies are in a company round."""

    options: int = 0
    heard: list[str] = []
    passes: int = 0
    asks: list[str] = []
    asked: list[str] = []
    skip: list[str] = []
    broken: bool = False
    end: str = ""

    @property
    def asking(self) -> str:
        """The question that is open."""
        return next((key for key in self.asks if key not in self.asked), "")


class Say(Action, frozen=True, kw_only=True, tag="say"):
    """Seal a number of at most 9."""

    number: int
    title: ClassVar[str] = "Number"

    def check(self, state: ToyState) -> None:
        if self.number > 9:
            raise Refused("Numbers end at 9.", "T 1")


NEVER = "z"  # a question that is not asked
QUESTION = Named(
    "There is no question {name}.", "T 3", code="no_such_question", of=lambda state, seat: [*state.asks, NEVER]
)


class Answer(Action, frozen=True, kw_only=True, tag="answer"):
    """Answer a question, also one that is still to come."""

    to: Annotated[str, naming(QUESTION)]
    ready: bool = False
    title: ClassVar[str] = "Answer"

    def slot(self) -> str:
        return self.to

    def serves(self, state: ToyState) -> bool:
        return state.asking == self.to

    def is_ready_ahead(self) -> bool:
        return self.ready


class Give(Action, frozen=True, kw_only=True, tag="give"):
    """Pay the bank at once."""

    amount: int
    title: ClassVar[str] = "Gift"
    is_public: ClassVar[bool] = True

    def check(self, state: ToyState) -> None:
        if self.amount > state.ledger.balance(cash_of(self.actor)):
            raise Refused("You hold less than that.", "T 2")

    def carry_out(self, play: Play[ToyState]) -> None:
        play.pay(cash_of(self.actor), BANK, self.amount, why="gift")
        play.emit(Given(seat=self.actor, amount=self.amount))


class Given(Event, frozen=True, kw_only=True, tag="given"):
    seat: int
    amount: int
    text: ClassVar[str] = "{seat} gave."
    figures: ClassVar[str] = "+{amount}"


class Whispered(Event, frozen=True, kw_only=True, tag="whispered"):
    seat: int
    text: ClassVar[str] = "{seat} was told a secret."


def everybody(state: ToyState) -> list[int]:
    return list(range(state.seats))


def rich(state: ToyState) -> list[int]:
    """Seats that still have something to give."""
    return [seat for seat in range(state.seats) if state.ledger.balance(cash_of(seat))]


def hear_numbers(play: Play[ToyState]) -> None:
    play.state.passes += 1
    result = play.inputs_of(Say)
    play.state.heard += [f"{say.actor}:{say.number}" for say in result]
    for say in result:
        play.emit(Whispered(audience=(say.actor,), seat=say.actor))


def count_pass(play: Play[ToyState]) -> None:
    play.state.heard += ["counted"]


def hear_answers(play: Play[ToyState]) -> None:
    answers = [f"{answer.actor}>{answer.to}" for answer in play.inputs_of(Answer)]
    play.state.heard += [f"{play.state.asking}({','.join(answers)})"]


def close_question(play: Play[ToyState]) -> None:
    play.state.asked = [*play.state.asked, play.state.asking]


def end_turn(play: Play[ToyState]) -> None:
    play.state.heard += [f"turn {play.state.turn} over"]
    play.state.turn += 1
    play.state.passes, play.state.asked = 0, []
    if play.state.broken:
        play.ledger.cash["nobody"] = 1


def is_played(name: str) -> Phase:
    """An automatic phase that notes that it was entered, skipped while `skip` names it."""

    def note(play: Play[ToyState]) -> None:
        play.state.heard += [name]

    return Phase(
        "0", name, name.title(), Mode.AUTOMATIC, "review", when=lambda state: name not in state.skip, enter=note
    )


NUMBERS = Round(
    "numbers",
    "Numbers",
    again=lambda state: state.passes < 2,
    phases=(
        Phase("1", "numbers", "Numbers", Mode.SEALED, "votes", (Say,), everybody, close=hear_numbers),
        Phase("2", "counting", "Counting", Mode.AUTOMATIC, "review", enter=count_pass),
    ),
)
QUESTIONS = Round(
    "questions",
    "Questions",
    again=lambda state: bool(state.asking),
    phases=(
        Phase("3", "question", "Question", Mode.SEALED, "votes", (Answer,), everybody, close=hear_answers),
        Phase("4", "next_question", "Next question", Mode.AUTOMATIC, "review", enter=close_question),
    ),
)
GIFTS = Phase("5", "gifts", "Gifts", Mode.OPEN, "votes", (Give,), rich)
LAST = Phase("6", "end_turn", "End of turn", Mode.AUTOMATIC, "review", enter=end_turn)
TURN = Round("turn", "Turn", (is_played("dawn"), NUMBERS, QUESTIONS, GIFTS, LAST), again=lambda state: state.turn <= 2)
FLOW = Flow(TURN)


def deal(play: Play[ToyState]) -> None:
    for seat in range(play.state.seats):
        play.pay(OUTSIDE, cash_of(seat), 10, why="set-up")
    play.state.asks = ["a", "b", "c"]


def view(position: AnyPosition) -> object:
    return lambda seat: {"heard": position.state.heard, "mine": position.pending.get(seat, {})}


ToyAction = Ready | Pass | Withdraw | Say | Answer | Give
TOY = Ruleset(
    key="toy",
    title="Toy",
    version=1,
    schema=1,
    seats=range(2, 4),
    options_type=int,
    menus={},
    actions={str(kind.__struct_config__.tag): kind for kind in ToyAction.__args__},
    codec=Codec(ToyState, ToyAction, PhaseOpened | Given | Whispered),
    flow=lambda options: FLOW,
    options_of=lambda state: state.options,
    parse_options=lambda raw: 0,
    setup=lambda options, seats: ToyState(seats=seats, turn=1, options=options),
    deal=deal,
    viewer=view,
    offers=lambda state, seat, flow, phase: [],
    standings=lambda state: [Standing(seat, 1, 0) for seat in range(state.seats)],
    end_reason=lambda state: state.end,
    live_seconds=lambda options, phase: 0,
    bots={},
    registries={},
    occurrences=lambda event: (),
)
CHANCE = Chance("toy")


def begin(*, reviews: bool = False) -> Outcome[ToyState]:
    """A toy game of two at its first decision."""
    return start(TOY, 0, 2, CHANCE, reviews=reviews)


def names(outcome: Outcome[ToyState]) -> list[str]:
    """The phases an outcome opened."""
    return [event.phase for event in outcome.events if isinstance(event, PhaseOpened)]


def with_state(position: AnyPosition, **changes: object) -> AnyPosition:
    """A copy of a position with some of its state changed."""
    state = TOY.codec.copy(position.state)
    for name, value in changes.items():
        setattr(state, name, value)
    return msgspec.structs.replace(position, state=state)
