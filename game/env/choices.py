"""What a seat may do now as a short numbered list of whole requests: every offer with a few values of each field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from game.engine import names
from game.engine.actions import Refused
from game.engine.offers import Cells, Choice, Field, Flag, Offer, Range, Several, Split, is_asked
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset

Request = dict[str, Any]
NUMBERS = 12  # a range of so many is tried whole; of a longer one the ends, the suggestion and the eighths
OF_AN_OFFER = 64
TRIED = 4096  # ways to fill one offer, of which `OF_AN_OFFER` are taken at even distances
LEFT_OUT = object()


def requests_of(rules: Ruleset, position: AnyPosition, seat: int, offers: Iterable[Offer], most: int) -> list[Request]:
    """At most `most` requests that the rules take as things stand, always in the same order."""
    found: list[Request] = []
    for offer in offers:
        for request in _ways(offer):
            if len(found) == most:
                return found
            if _is_taken(rules, position, request, seat):
                found.append(request)
    return found


def _is_taken(rules: Ruleset, position: AnyPosition, request: Request, seat: int) -> bool:
    try:
        names.check(rules.parse(request, seat), position.state)
    except Refused:
        return False
    return True


def _ways(offer: Offer) -> list[Request]:
    """Ways to fill an offer, spread over all that there are."""
    filled = ({"kind": offer.kind, **offer.fixed, **fields} for fields in _filled(offer.fields, {}))
    return _spread(list(islice(filled, TRIED)), OF_AN_OFFER)


def _filled(fields: Sequence[Field], before: Request) -> Iterator[Request]:
    if not fields:
        yield before
        return
    first, *others = fields
    if not is_asked(first, before):
        yield from _filled(others, before)
        return
    for value in _values(first):
        yield from _filled(others, before if value is LEFT_OUT else {**before, first.name: value})


def _values(field: Field) -> Sequence[Any]:
    """A few of the values that a field takes."""
    match field:
        case Range(low=low, high=high, suggested=suggested):
            return _numbers(low, high, suggested)
        case Choice(optional=optional):
            return [*([LEFT_OUT] if optional else []), *(value for value, _ in field.values)]
        case Cells():
            return [cell.value for cell in field.cells]
        case Several(most=most):
            known = [value for value, _ in field.values]
            return [list(some) for number in range(min(most, 2) + 1) for some in combinations(known, number)]
        case Flag():
            return [False, True]
        case _:
            if isinstance(field, Split):
                return [{}, *({str(seat): field.total} for seat in field.seats if field.total)]
            return [[], *([record] for record in islice(_filled(field.fields, {}), OF_AN_OFFER))]


def _numbers(low: int, high: int, suggested: int) -> list[int]:
    if high - low < NUMBERS:
        return list(range(low, high + 1))
    eighths = {low + (high - low) * part // 8 for part in range(9)}
    return sorted({*eighths, *({suggested} if low <= suggested <= high else ())})


def _spread(found: list[Request], most: int) -> list[Request]:
    return found if len(found) <= most else [found[at * len(found) // most] for at in range(most)]
