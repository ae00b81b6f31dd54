"""A seat's possible actions as a short numbered list of whole requests: every offer with a few values of each field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from game.engine import names
from game.engine.actions import Refused
from game.engine.offers import (
    Cells,
    Choice,
    Counts,
    Field,
    Flag,
    Offer,
    Queue,
    Range,
    Records,
    Several,
    Split,
    is_asked,
)
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset

Request = dict[str, Any]
WHOLE_RANGE = 12  # a longer range is sampled: its ends, the suggestion and the eighths
MOST_OF_AN_OFFER = 64
MAX_TRIED = 4096  # requests of one offer, from which `MOST_OF_AN_OFFER` are chosen at even distances
OMITTED = object()


def requests_of(rules: Ruleset, position: AnyPosition, seat: int, offers: Iterable[Offer], most: int) -> list[Request]:
    """At most `most` legal requests, always in the same order."""
    requests: list[Request] = []
    for offer in offers:
        for request in _requests_for(offer):
            if len(requests) == most:
                return requests
            if _is_legal(rules, position, request, seat):
                requests.append(request)
    return requests


def _is_legal(rules: Ruleset, position: AnyPosition, request: Request, seat: int) -> bool:
    try:
        names.check(rules.parse(request, seat), position.state)
    except Refused:
        return False
    return True


def _requests_for(offer: Offer) -> list[Request]:
    """Requests that fill an offer, spread evenly over all possible ones."""
    filled = ({"kind": offer.kind, **offer.fixed, **fields} for fields in _filled(offer.fields, {}))
    requests = list(islice(filled, MAX_TRIED))
    count = min(len(requests), MOST_OF_AN_OFFER)
    return [requests[at * len(requests) // count] for at in range(count)]


def _filled(fields: Sequence[Field], before: Request) -> Iterator[Request]:
    if not fields:
        yield before
        return
    first, *others = fields
    if not is_asked(first, before):
        yield from _filled(others, before)
        return
    for value in _values(first):
        yield from _filled(others, before if value is OMITTED else {**before, first.name: value})


def _values(field: Field) -> Sequence[Any]:
    """A few of the values that a field accepts."""
    match field:
        case Range(low=low, high=high, suggested=suggested, step=step):
            steps = _numbers(0, (high - low) // step, (suggested - low) // step)
            return [low + step * number for number in steps]
        case Choice() | Cells():
            is_optional = isinstance(field, Choice) and field.optional
            return [*([OMITTED] if is_optional else []), *(value for value, _ in field.values)]
        case Several(most=most):
            values = [value for value, _ in field.values]
            return [list(some) for number in range(min(most, 2) + 1) for some in combinations(values, number)]
        case Flag():
            return [False, True]
        case Split(total=total, seats=seats):
            return [{}, *({str(seat): total} for seat in seats if total)]
        case _:
            return _lists(field)


def counts_of(field: Counts) -> list[dict[str, int]]:
    """The smallest counts, and the largest, filled up from each of the parts on."""
    counts_list: list[dict[str, int]] = [] if field.least else [{}]
    for number in sorted({max(field.least, 1), field.total}):
        for first in range(len(field.parts)):
            remaining = number
            counts: dict[str, int] = {}
            for key, _, most in (*field.parts[first:], *field.parts[:first]):
                amount = min(remaining, most)
                remaining, counts = remaining - amount, counts | ({key: amount} if amount else {})
            counts_list += [] if remaining or counts in counts_list else [counts]
    return counts_list


def _lists(field: Records | Queue | Counts) -> list[Any]:
    """The empty list, and lists of one entry; for counts, some of them."""
    if isinstance(field, Counts):
        return counts_of(field)
    if isinstance(field, Queue):
        requests = (request for offer in field.offers for request in _requests_for(offer))
        return [*([] if field.least else [[]]), *([request] for request in requests)]
    return [[], *([record] for record in islice(_filled(field.fields, {}), MOST_OF_AN_OFFER))]


def _numbers(low: int, high: int, suggested: int) -> list[int]:
    if high - low < WHOLE_RANGE:
        return list(range(low, high + 1))
    eighths = {low + (high - low) * part // 8 for part in range(9)}
    return sorted({*eighths, *({suggested} if low <= suggested <= high else ())})
