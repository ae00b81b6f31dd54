"""One typed value out of a form's strings; what does not fit is refused with its name and the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from game.engine.actions import Refused
from game.engine.language import grouped, say
from game.engine.offers import Offer, Range

LONGEST_SHOWN = 20  # characters of a bad value that a refusal repeats
LARGEST = 999_999_999  # what a form takes where nothing else limits it
DOLLARS = (0, LARGEST)
WHOLE = re.compile(r"-?[0-9]{1,12}")


class BadField(Refused):
    """The text in `field` does not fit the field."""

    def __init__(self, field: str, text: str, rule: str = "", /, **facts: int | str) -> None:
        super().__init__(text, rule, code="wrong_value", field=field, **facts)


class Missing(BadField):
    """A choice that is not made yet: wrong in what is submitted, and no mistake while the form is being filled in."""


class Filled:
    """What a form holds: several strings under each name, like a browser sends them."""

    def __init__(self, values: Mapping[str, Iterable[str]] = {}) -> None:
        self._values = {name: list(strings) for name, strings in values.items()}

    def get(self, name: str, default: str = "") -> str:
        """The last string under the name, without blanks around it."""
        strings = self._values.get(name)
        return strings[-1].strip() if strings else default

    def several(self, name: str) -> list[str]:
        """Every string under the name."""
        return list(self._values.get(name, []))

    def names(self) -> list[str]:
        """Every name, in the order sent."""
        return list(self._values)

    def all(self) -> dict[str, list[str]]:
        """Every string by its name."""
        return dict(self._values)

    def under(self, prefix: str) -> list[str]:
        """What follows the prefix in the names that begin with it."""
        return [name.removeprefix(prefix) for name in self._values if name.startswith(prefix)]

    def with_(self, **values: str) -> Filled:
        """The same form with other values in some fields."""
        return Filled(self._values | {name: [value] for name, value in values.items()})

    def __bool__(self) -> bool:
        return bool(self._values)


def whole(form: Filled, name: str, label: str, low: int, high: int, *, rule: str) -> int:
    """A whole number from `low` to `high`. Raises `BadField`."""
    text = form.get(name)
    if WHOLE.fullmatch(text) and low <= int(text) <= high:
        return int(text)
    asked = {"label": say(label), "low": grouped(low), "high": grouped(high)}
    if not text:
        raise BadField(name, "{label} is empty: it takes a whole number from {low} to {high}.", rule, **asked)
    if not WHOLE.fullmatch(text):
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        raise BadField(
            name, "{label} takes a whole number from {low} to {high}, not “{shown}”.", rule, **asked, shown=shown
        )
    raise BadField(
        name,
        "{label} takes a whole number from {low} to {high}, not {number}.",
        rule,
        **asked,
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
    """The offer of a kind with these values fixed."""
    alike = (offer for offer in offers if offer.kind == kind)
    return next(
        (offer for offer in alike if all(offer.fixed.get(name) == value for name, value in fixed.items())), None
    )


def range_of(offer: Offer | None, name: str, default: tuple[int, int]) -> tuple[int, int]:
    """What an offer lets a number be."""
    field = next((field for field in offer.fields if field.name == name), None) if offer else None
    return (field.low, field.high) if isinstance(field, Range) else default


def has_field(offer: Offer | None, name: str) -> bool:
    """Whether an offer leaves a field open."""
    return offer is not None and any(field.name == name for field in offer.fields)
