"""The parts of the decision panel: the brief, one ticket, its preview and the send bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.language import mark

Request = dict[str, Any]


class Meter(msgspec.Struct, frozen=True):
    """Held and added shares against the cap, each in percent of all shares."""

    held: int
    added: int
    cap: int


class Row(msgspec.Struct, frozen=True):
    """One line of a preview: label, new value, old value and a note."""

    label: str
    now: str
    was: str = ""
    note: str = ""
    meter: Meter | None = None
    css: str = ""

    @property
    def changes(self) -> bool:
        """True if the value changes."""
        return bool(self.was) and self.was != self.now


class Say(msgspec.Struct, frozen=True):
    """A sentence with its rule. `css`: "" warns, `no` refuses, `ok` confirms."""

    text: str
    rule: str = ""
    css: str = ""
    lead: str = ""

    @property
    def icon(self) -> str:
        return "seal" if self.css == "ok" else "warn"


class Preview(msgspec.Struct, frozen=True):
    """What would follow, with warnings and refusals."""

    caption: str = ""
    rows: tuple[Row, ...] = ()
    says: tuple[Say, ...] = ()
    hint: str = ""

    @property
    def is_refused(self) -> bool:
        """True if the rules would refuse it."""
        return any(sentence.css == "no" for sentence in self.says)


class Option(msgspec.Struct, frozen=True):
    """One choice, with a reason if it is disabled; `key` is the access key."""

    value: str
    label: str
    detail: str = ""
    figure: str = ""
    note: str = ""
    checked: bool = False
    refused: str = ""
    rule: str = ""
    extra: Any = None
    next: str = ""
    key: str = ""
    does: str = ""


class Cards(msgspec.Struct, frozen=True):
    """Radio cards that share a name."""

    name: str
    legend: str
    options: tuple[Option, ...]


class Sure(msgspec.Struct, frozen=True):
    """A checkbox to tick before an action that cannot be undone; the board's styles decide when it is shown."""

    name: str
    text: str


class Tick(msgspec.Struct, frozen=True):
    """A checkbox with its meaning; `refused` says why it is disabled."""

    name: str
    label: str
    detail: str
    checked: bool = False
    refused: str = ""
    rule: str = ""


class Lasting(msgspec.Struct, frozen=True):
    """A request that the viewer left for later phases; `slot` is the name by which it is withdrawn. `goes_on`: it is
    used again and again."""

    slot: str
    words: str
    goes_on: bool


class Ticket(msgspec.Struct, frozen=True):
    """The form of one decision. `template` prints `form`; without a `skip` no button passes."""

    template: str
    title: str
    form: Any
    preview: Preview
    heading: str = ""
    hint: str = ""
    send: str = mark("Submit")
    skip: str = mark("Pass")
    beside: Any = None  # the form of the part that stands on the board
    sure: tuple[Sure, ...] = ()
    lasting: tuple[Tick, ...] = ()
    is_enough: bool = False  # nothing more is needed: the button that goes on is the main one

    @property
    def has_lasting(self) -> bool:
        """Whether one of the boxes that last is ticked."""
        return any(tick.checked for tick in self.lasting)

    @property
    def css(self) -> str:
        """The template's name, as a CSS class."""
        return self.template.rsplit("/", 1)[-1].removesuffix(".html")


class Received(msgspec.Struct, frozen=True):
    """The receipt for a seat's submission in the open phase: its time, and a number to quote."""

    at: Any
    number: str


class Send(msgspec.Struct, frozen=True):
    """The bar at the bottom. `state`: untouched, draft, submitted, ready, review, or none if there is nothing to send.
    `last` is shown to the only person who is still waited for; `is_edited`: the form differs from the submission.
    `warning` is the first warning about the form, and `own` the viewer's figures, label and value: both stay visible
    next to the buttons. `missing` is the field of a choice that the form still lacks."""

    state: str
    words: str
    summary: str = ""
    note: str = ""
    ran: str = ""
    at: Any = None
    is_ready: bool = False
    last: str = ""
    is_open: bool = False
    is_waited: bool = True
    is_turn: bool = False
    can_undo: bool = False
    can_undo_all: bool = False
    takes_undo: bool = False
    received: Received | None = None
    is_edited: bool = False
    warning: Say | None = None
    own: tuple[tuple[str, str], ...] = ()
    missing: str = ""

    @property
    def colour_state(self) -> str:
        """The state that colours the bar: an edited form counts only after it is submitted."""
        return "draft" if self.is_edited else self.state


class Who(msgspec.Struct, frozen=True):
    """A seat in the strip that shows who has decided."""

    place: Any
    name: str
    state: str
    is_you: bool


class Brief(msgspec.Struct, frozen=True):
    """The four answers: whose decision it is, what to do, and what happens otherwise; the deadline is printed next to
    them. `room`: another sentence that may stand there after the next change of the form."""

    flag: str
    aside: str
    title: str
    lead: str = ""
    bold: str = ""
    tail: str = ""
    room: tuple[str, ...] = ()
    is_yours: bool = False
    who: tuple[Who, ...] = ()


class Panel(msgspec.Struct, frozen=True):
    """Everything that the decision panel shows to one viewer."""

    serial: int
    step: int
    phase: str
    brief: Brief
    ticket: Ticket | None
    send: Send
    prices: str = ""
    refusal: Say | None = None
    bad_field: str = ""
    message: str = ""
    deadline: Any = None
    no_deadline: str = ""
    token: str = ""
    stands: str = ""  # differs where what the viewer has saved or submitted does
    standings: Sequence[Any] = ()
    lasting: tuple[Lasting, ...] = ()
