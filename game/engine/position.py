"""A game at one moment: the rules' state, the place in the flow, and the unopened inputs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Generic, TypeVar

import msgspec

from game.engine.ledger import Ledger, Transfer

S = TypeVar("S")
A = TypeVar("A")


class State(msgspec.Struct):
    """The fields that every ruleset's state has; rulesets add their own. `resigned` and `voted_out` are
    not stored while they are empty."""

    seats: int
    turn: int = 0
    ledger: Ledger = msgspec.field(default_factory=Ledger)
    resigned: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    voted_out: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def left(self) -> tuple[int, ...]:
        """The resigned seats that nobody has taken over and nobody has voted out, in the order in which they resigned.
        (P-16)"""
        return tuple(seat for seat in self.resigned or () if seat not in (self.voted_out or ()))

    @property
    def leaving(self) -> tuple[int, ...]:
        """The seats that the others have voted out and the rules have not put out yet, in the order of those votes.
        (T-15)"""
        return tuple(seat for seat in self.voted_out or () if seat not in self.out)

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out of the game, as the rules say: they are never asked, and have no vote."""
        return ()


class Cursor(msgspec.Struct, frozen=True):
    """Where the game is. `serial` grows by one with every phase entered and never repeats within a branch; `trail`
    lists the rows entered in this `turn`. `step` counts the actions carried out in this phase, including undone ones
    and their undo. `row` is None when the game is over."""

    row: int | None = None
    serial: int = 0
    branch: int = 0
    turn: int = 0
    trail: tuple[int, ...] = ()
    step: int = 0


class Earlier(msgspec.Struct, Generic[S], frozen=True):
    """The state before an action that can still be taken back; `step` is the action's number within its phase.

    `was_standing` if the action was stored in advance for the seat's turn. `transfers` are the money it moved. `kept`
    is the slot in which it stays in force as an input, empty if it does not."""

    seat: int
    step: int
    state: S
    was_standing: bool = False
    transfers: tuple[Transfer, ...] = ()
    kept: str = ""


class Position(msgspec.Struct, Generic[S, A], frozen=True):
    """A running game without its secret. If `reviews`, automatic phases stop, so that the table can look at them;
    `earlier` are the actions of the open phase that can be taken back, newest last."""

    state: S
    cursor: Cursor
    pending: dict[int, dict[str, A]] = {}
    ready: frozenset[int] = frozenset()
    reviews: bool = False
    earlier: tuple[Earlier[S], ...] = ()

    @property
    def is_over(self) -> bool:
        """True if the last phase has been played."""
        return self.cursor.row is None


def with_inputs(position: Position[S, A], pending: dict[int, dict[str, A]], ready: frozenset[int]) -> Position[S, A]:
    """The position with other inputs; the state is shared, not copied."""
    return msgspec.structs.replace(position, pending=pending, ready=ready)


def without_inputs(position: Position[S, A], seats: Collection[int | None]) -> Position[S, A]:
    """The position without the pending inputs and the readiness of these seats; the state is shared."""
    pending = {seat: held for seat, held in position.pending.items() if seat not in seats}
    return with_inputs(position, pending, position.ready.difference(seats))


AnyPosition = Position[Any, Any]
