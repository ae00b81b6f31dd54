"""What happened to one seat: its inputs with their outcomes, what else concerns it, and the briefing of a player who
comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from game.engine.events import (
    DecisionMissed,
    Event,
    InputAheadDoubted,
    InputAheadDropped,
    Names,
    PhaseOpened,
    RulesChanged,
    StandingInputDropped,
    calling_you,
)
from game.engine.language import count, mark, say
from game.engine.phrases import capitalised, continued, inside, listed, thousands

T = TypeVar("T")
GOOD, BAD, NEUTRAL = "good", "bad", "neutral"
OWN, MISSED, RULES, ORDINARY = 50, 80, 90, 20  # weights: 0 hardly matters, 100 decides the game
_LABELS = {"+": mark("Received"), "−": mark("Paid")}
ABOUT_YOU = mark("About you")
MOST_LINES = 7
MOST_TURNS = 4
LEAST_WEIGHT = 25
PRICE = "price"  # the kind of an outcome about a move of the price of the seat's shares
DOUBT = "doubt"  # the kind of an outcome that asks about something left ahead
FIRST = 100  # the weight of the score; what it is made of follows


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened to a seat. `label` is the word on its mark (Filled, Rejected, Outvoted …), `text` a whole
    sentence and `reason` one or more sentences. `weight`, 0 to 100, is how much it matters to this seat; `is_own`: it
    is the result of the seat's own input. `serial` is the decision phase that caused it; `kind` groups similar
    outcomes. Of several outcomes with one `key`, such as the stages of an order, only the last is shown. `instead` says
    what counted in place of a missed decision, as a part of a sentence."""

    kind: str
    label: str
    text: str
    reason: str = ""
    rule: str = ""
    figure: str = ""
    tone: str = NEUTRAL
    weight: int = ORDINARY
    is_own: bool = False
    serial: int = 0
    key: str = ""
    instead: str = ""

    @property
    def sentence(self) -> str:
        """Text and reason, for plain text."""
        return f"{self.text} {self.reason}".strip()


class Part(msgspec.Struct, frozen=True):
    """What one phase brought that its reader may know. `serial` is the decision phase whose resolution it belongs
    to; `seat` is whose turn it was in a phase with turns."""

    serial: int
    phase: str
    events: tuple[Event, ...]
    seat: int | None = None


@dataclass(frozen=True)
class Story:
    """What was resolved, for one seat: the parts in order, and the position as the seat sees it now."""

    parts: Sequence[Part]
    seat: int
    names: Names
    view: Any

    def events(self) -> Iterator[Event]:
        """All events in order."""
        return (event for part in self.parts for event in part.events)

    def listed(self, seats: Iterable[int]) -> list[str]:
        """Names in order, the reader's own as `you`."""
        return [*map(calling_you(self.seat, self.names), seats)]


Teller = Callable[[Story], list[Outcome]]


def parts_of(serial: int, phase: str, events: Iterable[Event], seat: int | None = None) -> list[Part]:
    """The events of one step, split by the phases in which they happened. The first part is the phase of the step
    itself; `seat` took it, if the phase has turns."""
    groups: list[tuple[str, int | None, list[Event]]] = [(phase, seat, [])]
    for event in events:
        if isinstance(event, PhaseOpened):
            groups.append((event.phase, event.seat, []))
        else:
            groups[-1][2].append(event)
    return [Part(serial, name, tuple(inside), whose) for name, whose, inside in groups if inside]


def outcomes_of_events(story: Story) -> list[Outcome]:
    """The outcomes that any game has: every event about the seat, in the words of the log."""
    return [
        kernel_outcome(event, part.serial) or _plain(event, story, part.serial)
        for part in story.parts
        for event in part.events
        if story.seat in event.seats()
    ]


def outcomes_by_teller(
    tellers: Mapping[type[Event], T], tell: Callable[[T, Part, int], Outcome | None], story: Story
) -> list[Outcome]:
    """The outcomes of each event by its describer, which `tell` calls with the event's part and index; for the seat's
    inputs without one, the kernel's outcome."""
    outcomes = []
    for part in story.parts:
        for at, event in enumerate(part.events):
            if teller := tellers.get(type(event)):
                outcomes.append(tell(teller, part, at))
            elif story.seat in event.seats():
                outcomes.append(kernel_outcome(event, part.serial))
    return [outcome for outcome in outcomes if outcome is not None]


def kernel_outcome(event: Event, serial: int) -> Outcome | None:
    """The kernel's outcome for a seat's input, in every game."""
    instead = ""
    match event:
        case DecisionMissed(number=number, title=title, default=default):
            text = say("You made no decision in phase {number}, {title}.", number=number, title=say(title))
            instead = say(default)
            described = ("missed", say("Missed"), text, f"{capitalised(instead)}.")
        case StandingInputDropped(why=why, facts=facts):
            text = say("What you had saved for your turn was not done.")
            described = ("dropped", say("Not done"), text, say(why, **facts))
        case InputAheadDropped(why=why, facts=facts):
            text = say("What you had submitted in advance no longer counts.")
            described = ("ahead", say("No longer counts"), text, say(why, **facts))
        case InputAheadDoubted(why=why, facts=facts):
            text = say("What you had submitted in advance still counts, but cannot be carried out as things stand.")
            described = (DOUBT, say("In doubt"), text, say(why, **facts))
        case _:
            return None
    kind, label, text, reason = described
    return Outcome(
        kind=kind, label=label, text=text, reason=reason, tone=BAD, weight=MISSED, is_own=True, serial=serial,
        instead=instead,
    )  # fmt: skip


def rules_changed(story: Story) -> list[Outcome]:
    """The outcome for all players of any game that it now follows later rules."""
    return [
        Outcome(kind="rules", label=say("Rules"), text=event.sentence(story.names), weight=RULES, serial=part.serial)
        for part in story.parts
        for event in part.events
        if isinstance(event, RulesChanged)
    ]


def _plain(event: Event, story: Story, serial: int) -> Outcome:
    figure = event.figure(story.names)
    return Outcome(
        kind=str(event.__struct_config__.tag),
        label=say(event.label or _LABELS.get(figure[:1], ABOUT_YOU)),
        text=event.sentence_for(story.seat, story.names),
        figure=figure,
        tone=event.tone or (GOOD if figure.startswith("+") else NEUTRAL),
        weight=event.weight or OWN,
        is_own=True,
        serial=serial,
    )


def weightiest(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Sorted by weight, heaviest first; equal ones keep their order."""
    return sorted(outcomes, key=lambda outcome: -outcome.weight)


def last_of_each(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The last outcome of every key, and all outcomes without a key, in order."""
    ordered = list(outcomes)
    last = {outcome.key: number for number, outcome in enumerate(ordered)}
    return [outcome for number, outcome in enumerate(ordered) if not outcome.key or last[outcome.key] == number]


@dataclass(frozen=True)
class Absence:
    """What happened during an absence: `before` is the view that the player last saw, None if it is lost; `score` is
    the word for the score."""

    before: Any
    story: Story
    score: str


Comparison = Callable[[Absence], list[Outcome]]


def briefing(absence: Absence, happened: Iterable[Outcome], since: Comparison) -> list[Outcome]:
    """At most seven lines: the differences between the two positions, and what happened between them."""
    lines = [*since(absence), *merged_misses(list(happened))]
    return [outcome for outcome in weightiest(lines) if outcome.weight >= LEAST_WEIGHT][:MOST_LINES]


def score_since(absence: Absence) -> list[Outcome]:
    """The change of the seat's score, which any game can show."""
    if absence.before is None:
        return []
    seat = absence.story.seat
    was, now = absence.before.player(seat).score, absence.story.view.player(seat).score
    line = moved(absence.score, was, now, weight=FIRST)
    return [line] if line else []


def turns_since(absence: Absence, turns: tuple[type[Event], ...]) -> list[Outcome]:
    """The change of the score, and the last turns of the others: `turns` are the events that a turn brings."""
    story = absence.story
    events = [event for event in story.events() if isinstance(event, turns) and story.seat not in event.seats()]
    text = " ".join(event.sentence_for(story.seat, story.names) for event in events[-MOST_TURNS:])
    others = Outcome(kind="others", label=say("The others"), text=text, weight=40)
    return [*score_since(absence), *([others] if text else [])]


def moved(what: str, was: int, now: int, *, weight: int, why: str = "") -> Outcome | None:
    """The change of a figure with its causes; None if it is unchanged and no cause applies. `what` is its label, in
    English."""
    if was == now and not why:
        return None
    return Outcome(
        kind="figure",
        label=say(what),
        text=_moved(inside(what), was, now),
        reason=why,
        figure=signed(now - was) if was != now else "",
        tone=GOOD if now > was else BAD if now < was else NEUTRAL,
        weight=weight,
    )


def _moved(what: str, was: int, now: int) -> str:
    if was == now:
        return say("Your {figure} is {now}, as before.", figure=what, now=thousands(now))
    if now > was:
        return say("Your {figure} rose from {was} to {now}.", figure=what, was=thousands(was), now=thousands(now))
    return say("Your {figure} fell from {was} to {now}.", figure=what, was=thousands(was), now=thousands(now))


def causes(parts: Iterable[tuple[str, int]]) -> str:
    """`Dividends +33, tax −5.`: the causes of a change, the largest first."""
    ordered = sorted((part for part in parts if part[1]), key=lambda part: -abs(part[1]))
    words = ", ".join(f"{say(name)} {signed(amount)}" for name, amount in ordered)
    return f"{capitalised(words)}." if words else ""


def signed(amount: int) -> str:
    return f"+{thousands(amount)}" if amount > 0 else thousands(amount)


def merged_misses(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Several missed decisions as one line, which says what counted instead of each."""
    missed = [outcome for outcome in outcomes if outcome.kind == "missed"]
    if len(missed) < 2:
        return list(outcomes)
    defaults = list(dict.fromkeys(outcome.instead for outcome in missed))
    named = [*defaults[:1], *map(continued, defaults[1:3])]
    if len(defaults) > len(named):
        named.append(say("{n} more", n=len(defaults) - len(named)))
    one = msgspec.structs.replace(
        missed[-1],
        text=count("You missed a decision.", "You missed {n} decisions.", len(missed)),
        reason=say("What counted instead: {defaults}.", defaults=listed(named)),
    )
    return [one if outcome is missed[-1] else outcome for outcome in outcomes if outcome not in missed[:-1]]
