"""One decision of a game: how a phase is asked, read, previewed and put into words, and the typed values of form
fields."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from game.boards.shapes import Request, Ticket
from game.engine.actions import Refused
from game.engine.language import grouped, mark, say, say_as
from game.engine.offers import Offer, Range

LONGEST_SHOWN = 20  # characters of a bad value that a refusal repeats
LARGEST = 999_999_999  # the largest number in a form without another limit
DOLLARS = (0, LARGEST)
WHOLE = re.compile(r"-?[0-9]{1,12}")
TOUCHED = "touched"  # a field of every form: what the player entered, in this order


class BadField(Refused):
    """The text in `field` does not fit the field."""

    def __init__(self, field: str, text: str, rule: str = "", /, **facts: int | str) -> None:
        super().__init__(text, rule, code="wrong_value", field=field, **facts)


class Missing(BadField):
    """A choice that was not made yet: an error in a submitted form, but not while it is being filled in."""


class Filled:
    """The contents of a form: several strings per name, as browsers send them."""

    def __init__(self, values: Mapping[str, Iterable[str]] = {}) -> None:
        self._values = {name: list(strings) for name, strings in values.items()}

    def get(self, name: str, default: str = "") -> str:
        """The last string under the name, stripped."""
        strings = self._values.get(name)
        return strings[-1].strip() if strings else default

    def several(self, name: str) -> list[str]:
        """Every string under the name."""
        return list(self._values.get(name, []))

    def names(self) -> list[str]:
        """Every name, in the order sent."""
        return list(self._values)

    def all(self) -> dict[str, list[str]]:
        return dict(self._values)

    def under(self, prefix: str) -> list[str]:
        """The rest of each name that begins with the prefix."""
        return [name.removeprefix(prefix) for name in self._values if name.startswith(prefix)]

    def is_newer(self, name: str, *choices: str) -> bool:
        """True if the player entered a field after each of the choices, so that none of them may replace it. A trailing
        underscore stands for all names with that prefix. Without scripts nothing is known of the order."""
        entered = self.get(TOUCHED).split()

        def last(wanted: str) -> int:
            alike = [each == wanted or (wanted.endswith("_") and each.startswith(wanted)) for each in entered]
            return max((place for place, is_alike in enumerate(alike) if is_alike), default=-1)

        return last(name) > max(map(last, choices), default=-1)

    def with_(self, **values: str) -> Filled:
        """A copy with other values in some fields."""
        return Filled(self._values | {name: [value] for name, value in values.items()})

    def __bool__(self) -> bool:
        return bool(self._values)


def whole(form: Filled, name: str, label: str, low: int, high: int, *, rule: str, step: int = 1) -> int:
    """A whole number from `low` to `high`, in steps from `low`. Raises `BadField`."""
    text = form.get(name)
    if WHOLE.fullmatch(text) and low <= int(text) <= high:
        if (over := (int(text) - low) % step) == 0:
            return int(text)
        raise BadField(
            name,
            "{label} goes in steps of {step} from {low}: {near}, not {number}.",
            rule,
            label=say(label),
            step=grouped(step),
            low=grouped(low),
            near=grouped(int(text) - over),
            number=grouped(int(text)),
        )
    question = {"label": say(label), "low": grouped(low), "high": grouped(high)}
    if not text:
        raise BadField(name, "{label} is empty: it takes a whole number from {low} to {high}.", rule, **question)
    if not WHOLE.fullmatch(text):
        excerpt = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        raise BadField(
            name, "{label} takes a whole number from {low} to {high}, not “{shown}”.", rule, **question, shown=excerpt
        )
    raise BadField(
        name,
        "{label} takes a whole number from {low} to {high}, not {number}.",
        rule,
        **question,
        number=grouped(int(text)),
    )


def one_of(form: Filled, name: str, label: str, values: Iterable[str], *, rule: str) -> str:
    """One of the values. Raises `BadField`."""
    text, allowed = form.get(name), list(values)
    if text not in allowed:
        known = ", ".join(allowed) or say("nothing at present")
        if not text:
            raise BadField(
                name, "{label}: nothing is chosen; it is one of {known}.", rule, label=say(label), known=known
            )
        raise BadField(
            name,
            "{label}: “{shown}” is not on offer; it is one of {known}.",
            rule,
            label=say(label),
            shown=text[:LONGEST_SHOWN],
            known=known,
        )
    return text


def offer_of(offers: Iterable[Offer], kind: str, **fixed: object) -> Offer | None:
    """The offer of this kind with these values fixed."""
    alike = (offer for offer in offers if offer.kind == kind)
    return next(
        (offer for offer in alike if all(offer.fixed.get(name) == value for name, value in fixed.items())), None
    )


def range_of(offer: Offer | None, name: str, default: tuple[int, int]) -> tuple[int, int]:
    """The limits that an offer sets for a number."""
    field = next((field for field in offer.fields if field.name == name), None) if offer else None
    return (field.low, field.high) if isinstance(field, Range) else default


def has_field(offer: Offer | None, name: str) -> bool:
    """True if an offer leaves a field open."""
    return offer is not None and any(field.name == name for field in offer.fields)


Values = dict[str, list[str]]
Foresight = Callable[..., Any]  # of requests, one after another


def nothing_foreseen(*requests: Request) -> None:
    """The result of a trial where there is no position to try a request on."""


class Question(msgspec.Struct, frozen=True):
    """The material of a decision: the viewer's own view, the offers and the contents of the form. `requests` are those
    that can be read from the form; `prefers_ready` ticks “ready” if nothing was decided yet; `is_sent`: the form was
    submitted, not newly drawn. `foresee` is the view after requests that take effect at once, one after another; it is
    None where that cannot be foreseen, and raises `Refused`."""

    view: Any
    offers: Sequence[Offer]
    seats: Sequence[Any]
    filled: Filled
    requests: tuple[Request, ...] = ()
    bad: BadField | None = None
    prefers_ready: bool = False
    is_sent: bool = False
    foresee: Foresight = nothing_foreseen

    @property
    def is_ahead(self) -> bool:
        """True if the viewer can only leave requests for a later turn."""
        return bool(self.view.phase.mode == "turns" and self.you.state == "none")

    @property
    def you(self) -> Any:
        """The viewer's entry in the view's players."""
        return self.view.player(self.view.seat)

    def name(self, seat: int) -> str:
        """The name of a seat outside a sentence; `You` for the viewer."""
        return say_as("seat", "You") if seat == self.view.seat else str(self.seats[seat].name)

    def of(self, kind: str) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind == kind]

    def request(self, kind: str = "") -> Request | None:
        """The first request of the form, or the first of a kind."""
        return next((request for request in self.requests if not kind or request["kind"] == kind), None)


class Decision(ABC):
    """The form of one phase. Each lives in its own file of a board. `prompt` is an imperative sentence without its full
    stop; `{company}` is the company it is about. `names` are the form's fields; a trailing underscore stands for all
    names with that prefix. `lists` are fields that can occur several times. `at_once`: requests count immediately.
    `is_vote`: a sealed choice whose button means that something was chosen; another button abstains. `choice`: the
    field without which nothing can be submitted, named as in `names`, and the sentence that asks for it."""

    prompt: ClassVar[str] = ""
    names: ClassVar[frozenset[str]] = frozenset()
    lists: ClassVar[frozenset[str]] = frozenset()
    at_once: ClassVar[str] = mark("This counts at once")
    is_vote: ClassVar[bool] = False
    choice: ClassVar[tuple[str, str]] = ("", mark("Nothing is chosen."))

    @abstractmethod
    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        """The requests that a form makes; none for an empty list. Raises `BadField`."""

    @abstractmethod
    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        """The contents of the form that show a request made or saved earlier."""

    @abstractmethod
    def ticket(self, question: Question) -> Ticket:
        """The form with its heading, its preview and its buttons."""

    @abstractmethod
    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        """A request in a player's words, as part of a sentence."""

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        """The requests of a form for later phases, which a pass in the open phase does not withdraw. Raises
        `BadField`."""
        return []

    def with_defaults(self, question: Question) -> Filled:
        """The contents of the form, with a sensible default where nothing is chosen."""
        return question.filled

    def confirm(self, wanted: Sequence[Request], form: Filled) -> None:
        """Raise `BadField` if nothing is asked for now, or if something final is not confirmed."""
        if not wanted:
            raise Missing(*self.choice)

    def asked(self, question: Question) -> tuple[str, str]:
        """`choice`, where the sentence depends on what is possible now."""
        return self.choice

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """The form after a change of a field on which others depend."""
        return form

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        """The templates of the fields that `fit` changed, to be redrawn."""
        return []


def named(request: Mapping[str, Any], **fields: str) -> Values:
    """The form's fields that hold a request's values unchanged: request name to form name."""
    return {field: [str(request.get(name, ""))] for name, field in fields.items()}
