"""Events: frozen facts, each with its audience and its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import msgspec

from game.engine.language import mark, say, say_as
from game.engine.phrases import listed, thousands

Names = Callable[[int], str]


def calling_you(seat: int, names: Names) -> Names:
    """The names for the reader at a seat, in lists of seats: their own is `you`."""
    return lambda each: say("you") if each == seat else names(each)


def with_you(seat: int, seats: Iterable[int], names: Names) -> str:
    """These seats as the subject of a sentence to the reader at one of them: `You, Ada and Bob`."""
    return listed([say_as("seat", "You"), *(names(each) for each in seats if each != seat)])


def named_to(seat: int, seats: Sequence[int], names: Names) -> str:
    """These seats as the subject of a sentence to the reader at one seat, who comes first where it is one of them."""
    return with_you(seat, seats, names) if seat in seats else listed(map(names, seats))


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """One thing that happened. With `audience` None everyone may read it; otherwise only the named seats ever may."""

    audience: tuple[int, ...] | None = None
    topic: ClassVar[str] = "game"
    is_fleeting: ClassVar[bool] = False
    """True if it is of interest only while its phase is being viewed."""
    is_routine: ClassVar[bool] = False
    """True if it is part of every turn: the log has it, but the news of what others did leave it out."""
    is_idle: ClassVar[bool] = False
    """True if it is a turn in which its seat did nothing."""
    text: ClassVar[str] = ""
    figures: ClassVar[str] = ""
    you: ClassVar[str] = ""
    """The sentence for the seat that it is about, in the second person; needed wherever `text` names the seat."""
    short: ClassVar[str] = ""
    """The sentence in fewer words, for the first line of the news of others; "" for the whole sentence."""
    label: ClassVar[str] = ""
    """The word on the mark that the event has for that seat."""
    tone: ClassVar[str] = ""
    """What it is for that seat: good, bad or neutral."""
    weight: ClassVar[int] = 0
    """How much it matters to that seat, from 1 to 100; 0 as much as anything else."""

    def sentence_for(self, seat: int, names: Names) -> str:
        """The event as one sentence for a seat, which is never named in it."""
        own = self.yours(seat) if seat in self.seats() else ""
        return say(own, **self._words(names)) if own else self.sentence(calling_you(seat, names))

    def short_for(self, seat: int, names: Names) -> str:
        """The event in few words for a seat, which reads of its own events the whole sentence."""
        is_short = self.short and seat not in self.seats()
        return say(self.short, **self._words(names)) if is_short else self.sentence_for(seat, names)

    def yours(self, seat: int) -> str:
        """The text for a seat that it is about; "" for the same as for all."""
        return self.you

    def sentence(self, names: Names) -> str:
        """The event as one sentence, with seats replaced by `names`."""
        return say(self.text, **self._words(names))

    def figure(self, names: Names) -> str:
        """The number for the end of the line, with the sum that produced it."""
        return say(self.figures, **self._words(names)) if self.figures else ""

    def seats(self) -> tuple[int, ...]:
        """The seats concerned, for filtering the log by “about me”."""
        seat = getattr(self, "seat", None)
        return () if seat is None else (seat,)

    def _words(self, names: Names) -> dict[str, object]:
        fields = msgspec.structs.asdict(self)
        formatted = {name: thousands(word) if type(word) is int else word for name, word in fields.items()}
        seat = fields.get("seat")
        return formatted if seat is None else formatted | {"seat": names(seat)}


class PhaseOpened(Event, frozen=True, kw_only=True, tag="phase_opened"):
    """A phase was entered; in a phase with turns, `seat` is the one whose turn it is."""

    serial: int
    turn: int
    phase: str
    number: str
    title: str
    seat: int | None = None
    topic: ClassVar[str] = "phase"
    text: ClassVar[str] = "{number} {title}"

    def sentence(self, names: Names) -> str:
        return f"{self.number} {say(self.title)}"


class ActionTakenBack(Event, frozen=True, kw_only=True, tag="action_taken_back"):
    """A seat took back its last action; `step` is the number of that action within the phase.

    `was_standing`: it was an input that the seat had saved for its turn, so no request of its own is on record for
    it."""

    seat: int
    step: int
    was_standing: bool = False
    text: ClassVar[str] = mark("{seat} took back the last action.")
    you: ClassVar[str] = mark("You took back the last action.")


class StandingInputDropped(Event, frozen=True, kw_only=True, tag="standing_input_dropped"):
    """An action that a seat had saved for its turn was no longer possible; only that seat learns of it."""

    seat: int
    kind: str
    why: str
    facts: dict[str, int | str] = {}
    text: ClassVar[str] = mark("What you had saved for this turn was not done: {why}")

    def sentence(self, names: Names) -> str:
        return say(self.text, why=say(self.why, **self.facts))


class InputAheadDropped(Event, frozen=True, kw_only=True, tag="input_ahead_dropped"):
    """An input that a seat had given ahead is not allowed in its phase; only that seat learns of it."""

    seat: int
    kind: str
    why: str
    facts: dict[str, int | str] = {}
    text: ClassVar[str] = mark("What you had submitted in advance no longer counts: {why}")

    def sentence(self, names: Names) -> str:
        return say(self.text, why=say(self.why, **self.facts))


class InputAheadDoubted(Event, frozen=True, kw_only=True, tag="input_ahead_doubted"):
    """An input that a seat had given ahead is allowed in its phase but may have no effect, so the seat is asked; only
    that seat learns of it."""

    seat: int
    kind: str
    why: str
    facts: dict[str, int | str] = {}
    text: ClassVar[str] = mark(
        "What you had submitted in advance still counts, but cannot be carried out as things stand: {why}"
    )

    def sentence(self, names: Names) -> str:
        return say(self.text, why=say(self.why, **self.facts))


class DecisionMissed(Event, frozen=True, kw_only=True, tag="decision_missed"):
    """A phase closed in which a seat had a choice, gave nothing and was not ready; only that seat learns of it.

    `default` says what counted instead, as the phase says it."""

    seat: int
    phase: str
    number: str
    title: str
    default: str
    text: ClassVar[str] = mark("You made no decision in phase {number}, {title}, so {default}.")

    def sentence(self, names: Names) -> str:
        return say(self.text, number=self.number, title=say(self.title), default=say(self.default))


class MoneyCorrected(Event, frozen=True, kw_only=True, tag="money_corrected"):
    """A moderator put the money of a player or of a company right: `amount` whole dollars more, or less where it is
    below zero."""

    seat: int | None = None
    company: str = ""
    amount: int

    def sentence(self, names: Names) -> str:
        whose = self.company if self.seat is None else names(self.seat)
        amount = thousands(abs(self.amount))
        if self.amount > 0:
            return say("{whose} received {amount} as a correction.", whose=whose, amount=amount)
        return say("{whose} paid {amount} as a correction.", whose=whose, amount=amount)

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        amount = thousands(abs(self.amount))
        if self.amount > 0:
            return say("You received {amount} as a correction.", amount=amount)
        return say("You paid {amount} as a correction.", amount=amount)


class RulesChanged(Event, frozen=True, kw_only=True, tag="rules_changed"):
    """The game follows a later version of its rules from here on; `changes` tells in marked English what that version
    and those between changed."""

    was: int
    now: int
    changes: tuple[str, ...]

    def sentence(self, names: Names) -> str:
        what = " ".join(say(change) for change in self.changes)
        return say(
            "From here on the game follows version {now} of the rules (was {was}): {what}",
            now=self.now,
            was=self.was,
            what=what,
        )


KERNEL_EVENTS = (
    MoneyCorrected,
    RulesChanged,
    PhaseOpened,
    ActionTakenBack,
    StandingInputDropped,
    InputAheadDropped,
    InputAheadDoubted,
    DecisionMissed,
)


def read_events(events: Iterable[Event], seat: int | None) -> list[Event]:
    """The events that `seat` may read; None is a stranger."""
    return [event for event in events if event.audience is None or (seat is not None and seat in event.audience)]


def without_idle(events: Sequence[Event], seat: int | None) -> list[Event]:
    """The events of a step without an idle turn of `seat`, if the news of its missed decision says so already."""
    has_missed = any(isinstance(event, DecisionMissed) and event.seat == seat for event in events)
    return [event for event in events if not (has_missed and event.is_idle and seat in event.seats())]
