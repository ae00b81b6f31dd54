"""One typed value out of a form's strings; what does not fit is refused with its name and the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from game.engine.actions import Refused
from game.engine.offers import Offer, Range

LONGEST_SHOWN = 20  # characters of a bad value that a refusal repeats
LARGEST = 999_999_999  # what a form takes where nothing else limits it
DOLLARS = (0, LARGEST)
WHOLE = re.compile(r"-?[0-9]{1,12}")


class BadField(Refused):
    """What stands in `field` is not what the field asks for."""

    def __init__(self, field: str, text: str, rule: str = "", /, **facts: int | str) -> None:
        super().__init__(text, rule, **facts)
        self.field = field


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
    asked = f"a whole number from {low:,} to {high:,}"
    if not text:
        raise BadField(name, f"{label} is empty: it takes {asked}.", rule)
    if not WHOLE.fullmatch(text):
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        raise BadField(name, f"{label} takes {asked}, not “{shown}”.", rule)
    if not low <= int(text) <= high:
        raise BadField(name, f"{label} takes {asked}, not {int(text):,}.", rule)
    return int(text)


def one_of(form: Filled, name: str, label: str, values: Iterable[str], *, rule: str) -> str:
    """One of the values. Raises `BadField`."""
    text, allowed = form.get(name), list(values)
    if text not in allowed:
        said = f"“{text[:LONGEST_SHOWN]}” is not on offer" if text else "nothing is chosen"
        raise BadField(name, f"{label}: {said}; it is one of {', '.join(allowed) or 'nothing at present'}.", rule)
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
