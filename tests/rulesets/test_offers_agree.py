"""What offers say is what `check` says: an open offer has requests that are accepted, and a refused one has none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

import msgspec
import pytest

from game.engine import referee
from game.engine.actions import Action, Refused
from game.engine.chance import Chance
from game.engine.offers import Counts, Offer
from game.engine.random_bot import Request, random_request
from game.rulesets.big_shoulders.stock_checks import CERTIFICATES
from tests.rulesets.asking import fields_of, known, names_of, value_of
from tests.rulesets.games import TABLES, Game, Step, played

each_table = pytest.mark.parametrize(("key", "seats", "variant"), TABLES)
EVERY = 7  # steps of a game of which one is looked at; others in games of other sizes
TRIES, FILLINGS = 30, 40


@each_table
def test_an_open_offer_has_a_request_that_is_accepted(key: str, seats: int, variant: int) -> None:
    game = played(key, seats, variant)
    for step, seat, offers in asked(game):
        for offer in (offer for offer in offers if not offer.refused):
            chance = Chance("agree").at(branch=seat, serial=step.before.cursor.serial)
            requests = (random_request(offer, chance) for _ in range(TRIES))
            assert any(is_accepted(game, step, seat, request) for request in requests), offer


@each_table
def test_no_request_of_a_refused_offer_is_accepted(key: str, seats: int, variant: int) -> None:
    """Whatever its other fields hold, as the sale that a purchase carries; unless another offer has that request."""
    game = played(key, seats, variant)
    for step, seat, offers in asked(game):
        for offer in (offer for offer in offers if offer.refused):
            others = [other for other in offers if other.kind == offer.kind and not other.refused]
            for request in islice(fillings(game, step, seat, offer), FILLINGS):
                if not any(covers(other, request) for other in others):
                    assert not is_accepted(game, step, seat, request), (offer.refused, request)


def asked(game: Game) -> Iterator[tuple[Step, int, list[Offer]]]:
    """Some moments of a game with everybody's offers."""
    for step in game.steps[game.seats % EVERY :: EVERY]:
        for seat in range(game.seats):
            yield step, seat, referee.offers(game.rules, step.before, seat)


def is_accepted(game: Game, step: Step, seat: int, request: Request) -> bool:
    try:
        referee.check(game.rules, step.before, game.rules.parse(request, seat))
    except Refused:
        return False
    return True


def covers(offer: Offer, request: Request) -> bool:
    """True if an offer of the same kind leaves this request open."""
    return all(request.get(name) == value for name, value in offer.fixed.items())


def fillings(game: Game, step: Step, seat: int, offer: Offer) -> Iterator[Request]:
    """Requests of an offer: with the fields that it needs, and with each other one, for every name there is."""
    kind = game.rules.actions[offer.kind]
    missing = {name: of for name, of in fields_of(kind).items() if name not in offer.fixed}
    needed = [name for name in required_fields(kind) if name in missing]
    bases: list[Request] = [{"kind": offer.kind, **offer.fixed}]
    for name in needed:
        bases = [base | {name: value} for base in bases for value in values(missing[name], step.before.state, seat)]
    yield from bases
    for name in (name for name in missing if name not in needed):
        for base in bases[:4]:
            yield from (base | {name: value} for value in values(missing[name], step.before.state, seat))


@cache
def required_fields(kind: type[Action]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind) if field.required]


def values(of: Any, state: Any, seat: int) -> list[Any]:
    """A value of a type for each name that there is."""
    all_values: list[Any] = []
    names = {kind: known(kind, state, seat) for kind in names_of(of)}
    for at in range(max(map(len, names.values()), default=1)):
        with suppress(IndexError):
            all_values.append(value_of(of, lambda kind, _, at=at: names[kind][at]))
    return all_values


EXACT = {("big_shoulders", "buy"), ("big_shoulders", "start"), ("sectors", "standing_order")}
"""What a purchase or a start sells with it, and the limit of an order that waits."""


@pytest.mark.parametrize(("key", "kind"), sorted(EXACT))
def test_every_request_of_these_offers_is_accepted(key: str, kind: str) -> None:
    met = 0
    for table in (table for table in TABLES if table[0] == key):
        game = played(*table)
        for step, seat, offers in asked(game):
            chance = Chance("exact").at(branch=seat, serial=step.before.cursor.serial)
            for offer in (offer for offer in offers if offer.kind == kind and not offer.refused and offer.fields):
                for request in (random_request(offer, chance) for _ in range(5)):
                    referee.check(game.rules, step.before, game.rules.parse(request, seat))
                    met += 1
    assert met


@pytest.mark.parametrize("kind", ["buy", "start"])
def test_a_sale_that_is_accepted_with_a_deal_is_offered_with_it_though_it_is_not_needed(kind: str) -> None:
    both = set()
    for table in (table for table in TABLES if table[0] == "big_shoulders"):
        game = played(*table)
        for step, seat, offers in asked(game):
            chance = Chance("sold").at(branch=seat, serial=step.before.cursor.serial)
            for offer in (offer for offer in offers if offer.kind == kind and not offer.refused):
                deal = random_request(offer, chance) | {"sale": {}}
                parts = {name for field in offer.fields if isinstance(field, Counts) for name, *_ in field.parts}
                for name in CERTIFICATES:
                    request = deal | {"sale": {name: 1}}
                    both.add(is_accepted(game, step, seat, request))
                    assert name in parts or not is_accepted(game, step, seat, request), (offer, request)
    assert both == {True, False}
