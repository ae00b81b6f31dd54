"""What the decision panel prints: the brief, one ticket, its preview and the send bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.engine.language import mark

Request = dict[str, Any]


class Meter(msgspec.Struct, frozen=True):
    """Shares held and added against the cap, in percent of all."""

    held: int
    added: int
    cap: int


class Row(msgspec.Struct, frozen=True):
    """One line of a preview: what it is, from, to, and a remark."""

    label: str
    now: str
    was: str = ""
    note: str = ""
    meter: Meter | None = None
    css: str = ""

    @property
    def changes(self) -> bool:
        """Whether the figure changes."""
        return bool(self.was) and self.was != self.now


class Say(msgspec.Struct, frozen=True):
    """A sentence with its rule: "" warns, `no` refuses, `ok` confirms."""

    text: str
    rule: str = ""
    css: str = ""
    lead: str = ""

    @property
    def icon(self) -> str:
        return "seal" if self.css == "ok" else "warn"


class Preview(msgspec.Struct, frozen=True):
    """What would follow, and what is to be said about it."""

    caption: str = ""
    rows: tuple[Row, ...] = ()
    says: tuple[Say, ...] = ()
    hint: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the rules would refuse it."""
        return any(sentence.css == "no" for sentence in self.says)


class Option(msgspec.Struct, frozen=True):
    """One thing to choose, with the reason where it cannot be chosen; `key` is the one that chooses it."""

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
    """Radio cards of one name."""

    name: str
    legend: str
    options: tuple[Option, ...]


class Sure(msgspec.Struct, frozen=True):
    """A box that is ticked before something that cannot be taken back; the board's styles say when it is asked."""

    name: str
    text: str


class Tick(msgspec.Struct, frozen=True):
    """A box of the form with what it means; `refused` says why it cannot be ticked."""

    name: str
    label: str
    detail: str
    checked: bool = False
    refused: str = ""
    rule: str = ""


class Lasting(msgspec.Struct, frozen=True):
    """What the viewer has left for later phases; `slot` is the name by which it is withdrawn. `goes_on`: it is used
    again and again."""

    slot: str
    words: str
    goes_on: bool


class Ticket(msgspec.Struct, frozen=True):
    """The form of one decision. `template` prints `form`."""

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

    @property
    def css(self) -> str:
        """The name of its template, for the style sheet."""
        return self.template.rsplit("/", 1)[-1].removesuffix(".html")


class Received(msgspec.Struct, frozen=True):
    """The receipt of what a seat has sent in the open phase: when it came in, and a number to quote."""

    at: Any
    number: str


class Send(msgspec.Struct, frozen=True):
    """The bar at the bottom. `state`: untouched, draft, submitted, ready, review, or none when there is nothing to
    send.

    `last` is said to the only person who is still waited for; `is_edited`: the form holds something else than what was
    submitted. `warning` is the first thing to be said against what the form holds, and `own` the viewer's figures,
    label and value: both stay in sight beside the buttons."""

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
    takes_undo: bool = False
    received: Received | None = None
    is_edited: bool = False
    warning: Say | None = None
    own: tuple[tuple[str, str], ...] = ()

    @property
    def shown(self) -> str:
        """The state in whose colour the bar speaks: what was edited since counts only when it is submitted."""
        return "draft" if self.is_edited else self.state


class Who(msgspec.Struct, frozen=True):
    """A seat in the strip of who has decided."""

    place: Any
    name: str
    state: str
    is_you: bool


class Brief(msgspec.Struct, frozen=True):
    """The four answers: whose decision, what, and what happens otherwise; the deadline stands beside them."""

    flag: str
    aside: str
    title: str
    lead: str = ""
    bold: str = ""
    tail: str = ""
    is_yours: bool = False
    who: tuple[Who, ...] = ()


class Panel(msgspec.Struct, frozen=True):
    """Everything the decision panel shows to one viewer."""

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
