"""What a seat asks for: the base of every action, those that the kernel itself carries out, and the refusal."""

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
"""A field of an action that the server or the rules fill. No request has it; what is stored has."""


class Refused(Exception):
    """The rules refuse; the text is for the player, `rule` is the number it rests on. `template` is English with
    `{places}` for the facts: it is put into words when it is read, in its reader's language. Programs read `code`,
    which does not change when the words do, `field`, the field of the request that is at fault, and the facts; `place`
    is the number of the request, from 0, among those that were submitted together."""

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
    """What is refused within is refused of the request with this number."""
    try:
        yield
    except Refused as refused:
        refused.place = place
        raise


class Action(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """Something a seat asks. `actor` is stamped by the server."""

    actor: ByRules[int] = -1
    title: ClassVar[str] = ""
    is_public: ClassVar[bool] = False
    """Whether it takes effect at once and is visible to all; all others are sealed until their phase closes."""
    may_stand: ClassVar[bool] = False
    """Whether a seat may keep it for its own later turn, where the referee tries it when that turn comes."""
    phases: ClassVar[frozenset[str]] = frozenset()
    """The phases that use it, where it may be given before they open; none: those in which it may be given."""
    lasts: ClassVar[str] = ROUND
    """How long it waits for its phase: within the round it was given in, the turn, or the whole game."""
    is_lasting: ClassVar[bool] = False
    """Whether it is used again and again, phase after phase, until it is withdrawn or the rules refuse it."""
    is_conditional: ClassVar[bool] = False
    """Whether it was given for a case that may not come: then its seat is not told that it went unused."""

    def check(self, state: Any) -> None:
        """Raise `Refused` where the rules do not allow this in `state`. What it names is there: `names.check`, which
        everybody calls, looks that up before."""

    def check_ahead(self, state: Any) -> None:
        """Raise `Refused` where this was given ahead and no longer counts when its phase opens: the rules do not allow
        it any more, or what it was given for has changed."""
        self.check(state)

    def slot(self) -> str:
        """Which of the seat's sealed inputs this replaces; one seat may hold one input per slot.

        It says what the input is, since it is withdrawn by this name: no other kind of a later phase may have it."""
        return str(self.__struct_config__.tag)

    def serves(self, state: Any) -> bool:
        """Whether the phase now open uses this input; one that does not waits for a later phase of the same round."""
        return True

    def is_ready_ahead(self) -> bool:
        """Whether its seat is ready as soon as the phase this input serves opens."""
        return False

    def doubt(self, state: Any) -> Refused | None:
        """Why an allowed input ahead may have no effect by now: it counts as before, and its seat alone is told."""
        return None

    def given(self, state: Any) -> Action:
        """The same input with what it was given for, where the rules look at that again later."""
        return self

    def means(self, state: Any) -> list[Action]:
        """What it asks in the phase that uses it, as if it had been asked there."""
        return [self]

    def is_kept(self, state: Any) -> bool:
        """Whether a standing input stays in force after it was carried out."""
        return False

    def carry_out(self, play: Any) -> None:
        """Take effect at once, with a `Play` of the game; only public actions do."""


def tag_of(action: Action) -> str:
    """The kind of an action, as requests and stored data name it."""
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
    """Take back the last own action of this phase, unless something hidden was drawn or shown since."""

    title: ClassVar[str] = mark("Undo")


class Correction(Action, frozen=True, kw_only=True, tag="correction"):
    """Give an account whole dollars from outside, or take them out of the game where `amount` is below zero.

    No phase takes it and no request can ask for it: the log keeps it like an action, so that a replay comes to the same
    position."""

    account: str
    amount: int
    title: ClassVar[str] = mark("Correction")


COMMON_ACTIONS = (Ready, Pass, Withdraw, Undo)
