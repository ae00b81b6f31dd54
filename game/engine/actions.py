"""The base class of actions, the kernel's own actions, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec

from game.engine.language import mark, say

T = TypeVar("T")
ROUND, TURN, GAME = "round", "turn", "game"
FILLED = "filled"
ByRules = Annotated[T, msgspec.Meta(extra={FILLED: True})]
"""A field that the server or the rules fill: absent from requests, present in stored actions."""


class Refused(Exception):
    """The rules refuse. The text is for the player; `rule` is the number of the rule. `template` is English with
    `{places}` for the facts, translated when it is read. For programs: `code`, which stays when the text changes,
    `field`, the faulty field of the request, and the facts; `place` is the index of the request among those submitted
    together."""

    usual_code: ClassVar[str] = "not_allowed"

    def __init__(
        self, template: str, rule: str = "", /, *, code: str = "", field: str = "", **facts: int | str
    ) -> None:
        super().__init__(template)
        self.template = template
        self.rule = rule
        self.code = code or self.usual_code
        self.field = field
        self.facts = facts
        self.place: int | None = None

    @property
    def text(self) -> str:
        return say(self.template, **self.facts)

    def __str__(self) -> str:
        return say("{text} (Rule {rule})", text=self.text, rule=self.rule) if self.rule else self.text


@contextmanager
def at_place(place: int) -> Iterator[None]:
    """Refusals within this block belong to the request with this index."""
    try:
        yield
    except Refused as refused:
        refused.place = place
        raise


class Action(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """A request of a seat. `actor` is set by the server."""

    actor: ByRules[int] = -1
    rests_in: ByRules[int] = 0
    """Serial of the phase of turns that leaves this standing input alone: there its seat acts itself."""
    title: ClassVar[str] = ""
    is_public: ClassVar[bool] = False
    """Takes effect at once and is visible to all; other actions are sealed until their phase closes."""
    may_stand: ClassVar[bool] = False
    """May be stored for the seat's own later turn; the referee tries it then."""
    phases: ClassVar[frozenset[str]] = frozenset()
    """The phases that use it, if it may be given before they open; empty: the phases that accept it."""
    lasts: ClassVar[str] = ROUND
    """How long it waits for its phase: for the round, the turn, or the whole game."""
    is_lasting: ClassVar[bool] = False
    """Used phase after phase, until it is withdrawn or the rules refuse it."""
    is_conditional: ClassVar[bool] = False
    """Given for a case that may not occur: its seat gets no notice if it goes unused."""

    def check(self, state: Any) -> None:
        """Raise `Refused` if the rules do not allow this in `state`. All its names exist: callers use `names.check`,
        which looks them up first."""

    def check_ahead(self, state: Any) -> None:
        """Raise `Refused` if this was given ahead and no longer counts when its phase opens, because the rules forbid
        it now or its reason has changed."""
        self.check(state)

    def slot(self) -> str:
        """The slot of the seat's sealed input; a new input replaces the one in the same slot.

        The slot is also the name for withdrawing it, so no other kind of a later phase may use it."""
        return str(self.__struct_config__.tag)

    def serves(self, state: Any) -> bool:
        """True if the open phase uses this input; otherwise it waits for a later phase of the round."""
        return True

    def is_ready_ahead(self) -> bool:
        """True if the seat is ready as soon as the phase of this input opens."""
        return False

    def doubt(self, state: Any) -> Refused | None:
        """Why an allowed input given ahead may have no effect now: it still counts, and only its seat is notified. In a
        phase of turns it is left alone and its seat is asked."""
        return None

    def lapse(self, state: Any) -> Refused | None:
        """Why this was given ahead and can never count again; then it is dropped when the next phase opens."""
        return None

    def with_facts(self, state: Any) -> Action:
        """A copy that also stores the facts of `state`, if the rules check later whether they still hold."""
        return self

    def means(self, state: Any) -> list[Action]:
        """The requests it stands for in the phase that uses it."""
        return [self]

    def is_kept(self, state: Any) -> bool:
        """True if a standing input stays in force after it was carried out."""
        return False

    def remainder(self, state: Any) -> Action:
        """What stays in force of a standing input that was carried out in `state`."""
        return self

    def carry_out(self, play: Any) -> None:
        """Take effect at once on a `Play` of the game; public actions only."""


def tag_of(action: Action) -> str:
    """The kind of an action, as in requests and stored data."""
    return str(action.__struct_config__.tag)


class Ready(Action, frozen=True, kw_only=True, tag="ready"):
    """Nothing more to do in this phase; `on=False` takes it back while the phase is open."""

    on: bool = True
    title: ClassVar[str] = mark("Ready")


class Pass(Action, frozen=True, kw_only=True, tag="pass"):
    """Choose to do nothing in this phase: every sealed input of the seat for it is withdrawn."""

    title: ClassVar[str] = mark("Pass")


class Withdraw(Action, frozen=True, kw_only=True, tag="withdraw"):
    """Take one sealed input back before the phase closes; `of` is its slot."""

    of: str = ""
    title: ClassVar[str] = mark("Withdraw")


class Undo(Action, frozen=True, kw_only=True, tag="undo"):
    """Take back the last own action of this phase, unless something hidden was drawn or shown since; `all`: and those
    before it, as far as the same holds."""

    all: bool = False
    title: ClassVar[str] = mark("Undo")


class Correction(Action, frozen=True, kw_only=True, tag="correction"):
    """Give an account whole dollars from outside, or take them out of the game where `amount` is below zero.

    No phase takes it and no request can ask for it: the log keeps it like an action, so that a replay comes to the same
    position."""

    account: str
    amount: int
    title: ClassVar[str] = mark("Correction")


COMMON_ACTIONS = (Ready, Pass, Withdraw, Undo)
