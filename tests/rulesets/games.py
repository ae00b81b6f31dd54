"""Whole games of legal-random bots, recorded step by step and shared by the tests that look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Action, Ready, Refused
from game.engine.chance import Chance
from game.engine.ledger import Ledger, Transfer
from game.engine.offers import Offer
from game.engine.position import AnyPosition, Position
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored, restore
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.options import Options
from tests.toy.ruleset import TOY


@dataclass
class Step:
    """One round of decisions: where it was taken, what was asked, and what came of it."""

    before: AnyPosition
    actions: list[Action]
    after: AnyPosition
    events: list[Any]
    transfers: list[Transfer]
    offers: list[Offer]


@dataclass
class Game:
    """A game from its set-up to its end."""

    rules: Ruleset
    options: Any
    seats: int
    chance: Chance
    bots: list[str]
    first: Step
    steps: list[Step] = field(default_factory=list)

    def all(self) -> Iterator[Step]:
        yield self.first
        yield from self.steps

    @property
    def last(self) -> AnyPosition:
        return [self.first, *self.steps][-1].after


VARIANTS: dict[str, tuple[Any, ...]] = {
    "sectors": (
        Options(),
        Options(bank=20_000, max_turns=23, starting_cash=400),
        Options(distribution="bid", concealed=False, max_turns=11, ipo_discount=True),
        Options(bank=3000, max_turns=15, loan_interest_percent="10", max_short_quantity=3, no_round_trips=True, max_sub_rounds=3),
        Options(edition=1, bank=10_000),
        Options(edition=1, distribution="bid", starting_cash=400),
    )
}
"""Options to play with, per ruleset. In odd variants every other seat is the house bot, so that companies thrive."""

SHIPPED = {key: rules for key, rules in RULESETS.items() if key != TOY.key}
TABLES = [
    (key, seats, variant)
    for key, rules in SHIPPED.items()
    for seats in rules.seats
    for variant in range(len(VARIANTS[key]))
    if variant != 1 or seats in (5, 6)  # the longest one, where companies live to use all that there is
    if variant < 4 or seats in (2, 5, 8)
]


@cache
def played(key: str, seats: int, variant: int, *, reviews: bool = False) -> Game:
    """A game among random bots; some seats are sometimes not ready and the clock runs out on them."""
    rules, options = RULESETS[key], VARIANTS[key][variant]
    chance = Chance(f"conformance {key} {seats} {variant}")
    out = referee.start(rules, options, seats, chance, reviews=reviews)
    begun: AnyPosition = Position(rules.setup(options, seats), out.position.cursor)
    bots = ["house" if "house" in rules.bots and variant % 2 and seat % 2 == 0 else "random" for seat in range(seats)]
    game = Game(rules, options, seats, chance, bots, Step(begun, [], out.position, out.events, out.transfers, []))
    while not game.last.is_over:
        game.steps.append(take_step(game, game.last))
    return game


def games_of(key: str) -> Iterator[Game]:
    for name, seats, variant in TABLES:
        if name == key:
            yield played(name, seats, variant)


def take_step(game: Game, position: AnyPosition) -> Step:
    """Everybody who is waited for asks what his bot wants; then all are ready or the clock runs out."""
    serial, phase = position.cursor.serial, referee.phase_of(game.rules, position)
    bots = Chance("bots").at(branch=0, serial=serial)
    now, asked, events, transfers, offered = position, [], [], [], []
    for seat in sorted(referee.waiting_on(game.rules, position)):
        offers = referee.offers(game.rules, now, seat)
        offered += offers
        own = game.chance.at(branch=7, serial=serial * 10 + seat)
        requests = game.rules.bots[game.bots[seat]](game.rules.view(now, seat), lambda offers=offers: offers, own)
        ready = [Ready(actor=seat)] if bots.below("ready", 3) else []
        for action in [*(game.rules.parse(request, seat) for request in requests), *ready]:
            if now.cursor.serial != serial:
                break
            out = allowed(game, now, action)
            if out is not None:
                now, asked = out.position, [*asked, action]
                events, transfers = events + out.events, transfers + out.transfers
    if now.cursor.serial == serial:
        assert phase is not None
        out = referee.close(game.rules, now, game.chance)
        now, asked, events, transfers = out.position, [*asked, CLOCK], events + out.events, transfers + out.transfers
    return Step(position, asked, now, events, transfers, offered)


CLOCK = Ready(actor=-1)
"""Stands in a record for the clock that ran out."""


def allowed(game: Game, position: AnyPosition, action: Action) -> referee.Outcome[Any] | None:
    try:
        return referee.apply(game.rules, position, action, game.chance)
    except Refused:
        return None


def repeat(game: Game, position: AnyPosition, actions: list[Action]) -> referee.Outcome[Any]:
    """The recorded actions once more, with every position stored and loaded in between."""
    outcome: referee.Outcome[Any] = referee.Outcome(stored_and_loaded(game.rules, position))
    for action in actions:
        here = stored_and_loaded(game.rules, outcome.position)
        out = referee.close(game.rules, here, game.chance) if action is CLOCK else referee.apply(game.rules, here, action, game.chance)
        outcome.position = out.position
        outcome.events += out.events
        outcome.transfers += out.transfers
    return outcome


def stored_and_loaded(rules: Ruleset, position: AnyPosition) -> AnyPosition:
    """The position as a crashed server finds it again."""
    state, inputs = rules.codec.encode(position.state), rules.codec.encode(position.pending)
    kept = Stored(state, inputs, position.cursor, sorted(position.ready), position.reviews, rules.schema, rules.version)
    return restore(rules, msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=Stored))


def balances(ledger: Ledger, transfers: list[Transfer]) -> dict[str, int]:
    """What the accounts hold after some transfers."""
    held = dict(ledger.cash)
    for transfer in transfers:
        held[transfer.payer] = held.get(transfer.payer, 0) - transfer.amount
        held[transfer.payee] = held.get(transfer.payee, 0) + transfer.amount
    return held
