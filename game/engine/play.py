"""One step being carried out: a private copy of the state, and the verbs that change it and record what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.draws import Draw, RecordedChance
from game.engine.events import Event, PhaseOpened
from game.engine.ledger import Ledger, Transfer
from game.engine.workload import Workload

S = TypeVar("S")
A = TypeVar("A", bound=Action)


class Play(Generic[S]):
    """One step being carried out. `state` is a private copy that the rules may change freely."""

    def __init__(self, state: S, ledger: Ledger, chance: Chance, inputs: Mapping[int, list[Action]]) -> None:
        self.state = state
        self.ledger = ledger
        self.chance = chance
        self.inputs = inputs
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []
        self._workload = chance.workload
        self._has_revealed = False

    @property
    def has_shown_hidden(self) -> bool:
        """True if this step revealed something hidden: by a draw, by an event for some seats only, or by `reveal`."""
        return self._has_revealed or self.chance.has_drawn or any(event.audience is not None for event in self.events)

    def reveal(self) -> None:
        """Record that this step reveals something hidden without a draw, so that it cannot be undone."""
        self._has_revealed = True

    def pay(self, payer: str, payee: str, amount: int, *, why: str) -> int:
        """Move whole dollars between two accounts and return the amount."""
        self._workload.take()
        if amount:
            self.ledger.pay(payer, payee, amount)
            turn = getattr(self.state, "turn", 0)
            self.transfers.append(Transfer(payer, payee, amount, why, self.chance.serial, turn))
        return amount

    def pay_up_to(self, payer: str, payee: str, amount: int, *, why: str) -> int:
        """Move as much of the amount as the payer has, and return it."""
        return self.pay(payer, payee, min(amount, self.ledger.balance(payer)), why=why)

    def emit(self, event: Event) -> None:
        """Record an event."""
        self._workload.take()
        self.events.append(event)

    def inputs_of(self, kind: type[A]) -> list[A]:
        """All sealed inputs of a kind, by seat number and in the order given."""
        return [action for seat in sorted(self.inputs) for action in self.inputs[seat] if isinstance(action, kind)]

    def answers_of(self, kind: type[A]) -> list[A]:
        """All sealed inputs of a kind, and the inputs of that kind for which other actions stand, where their seat gave
        none for the slot."""
        inputs = self.inputs_of(kind)
        slots = {(action.actor, action.slot()) for action in inputs}
        meant = [
            meaning
            for seat in sorted(self.inputs)
            for action in self.inputs[seat]
            if not isinstance(action, kind)
            for meaning in action.means(self.state)
            if isinstance(meaning, kind) and (seat, meaning.slot()) not in slots
        ]
        return sorted([*inputs, *meant], key=lambda action: action.actor)


class Outcome(Generic[S]):
    """The result of a step of the referee: the new position, and everything that happened on the way. `draws` are
    filled by `run_recorded`."""

    def __init__(self, position: Any) -> None:
        self.position = position
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []
        self.draws: list[Draw] = []
        self.workload = Workload()

    @property
    def has_nothing_to_show(self) -> bool:
        """True if the open phase has produced no public event: private events must not affect how long the phase
        lasts."""
        last = next((event for event in reversed(self.events) if event.audience is None), None)
        return isinstance(last, PhaseOpened)

    def absorb(self, play: Play[Any]) -> None:
        """Add the events and transfers of a play."""
        self.events += play.events
        self.transfers += play.transfers


def run_recorded(step: Callable[[Chance], Outcome[Any]], secret: str) -> Outcome[Any]:
    """Carry out a step with chance from this secret, and record its draws in the outcome, in order."""
    chance = RecordedChance(secret, [])
    outcome = step(chance)
    outcome.draws = chance.book
    return outcome
