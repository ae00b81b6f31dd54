"""Whole games of legal-random bots, recorded step by step and shared by the tests that look at them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Action, Ready, Refused, Undo
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.ledger import Ledger, Transfer
from game.engine.offers import Offer
from game.engine.position import AnyPosition, Position
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored, restore


@dataclass
class Step:
    """One round of decisions: where it was taken, what was asked, and what came of it."""

    before: AnyPosition
    actions: list[Action]
    after: AnyPosition
    events: list[Any]
    transfers: list[Transfer]
    offers: list[Offer]

    @property
    def is_taken_back(self) -> bool:
        """Whether it restored an earlier position: its movements of money are then below zero."""
        return any(isinstance(action, Undo) for action in self.actions)


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
        return (self.steps[-1] if self.steps else self.first).after


PLAYED: dict[str, Any] = {
    path.parent.name: import_module(f"tests.rulesets.{path.parent.name}.conformance")
    for path in sorted(Path(__file__).parent.glob("*/conformance.py"))
}
"""By ruleset: `RULES`, the options to play with (`VARIANTS`), at which tables, and what such games show.

In odd variants every other seat is the house bot, so that companies thrive."""

OTHERWISE: dict[str, Any] = {key: import_module(f"tests.rulesets.{key}.hidden").otherwise for key in PLAYED}
"""By ruleset: a position and a viewer to the same position with everything changed that is hidden from that viewer."""

RULES: dict[str, Ruleset] = {key: module.RULES for key, module in PLAYED.items()}
TABLES = [(key, seats, variant) for key, module in PLAYED.items() for seats, variant in module.TABLES]


@cache
def played(key: str, seats: int, variant: int, *, reviews: bool = False) -> Game:
    """A game among random bots; some seats are sometimes not ready and the clock runs out on them."""
    rules, options = RULES[key], PLAYED[key].VARIANTS[variant]
    chance = Chance(f"conformance {key} {seats} {variant}")
    out = referee.start(rules, options, seats, chance, reviews=reviews)
    begun: AnyPosition = Position(rules.setup(options, seats), out.position.cursor)
    bots = ["house" if "house" in rules.bots and variant % 2 and seat % 2 == 0 else "random" for seat in range(seats)]
    game = Game(rules, options, seats, chance, bots, Step(begun, [], out.position, out.events, out.transfers, []))
    while not game.last.is_over:
        game.steps.append(take_step(game, game.last))
    gc.freeze()  # stays until the end of the run: no collection need go through its positions again
    return game


def games_of(key: str) -> Iterator[Game]:
    for name, seats, variant in TABLES:
        if name == key:
            yield played(name, seats, variant)


def take_step(game: Game, position: AnyPosition) -> Step:
    """Everybody who is waited for asks what his bot wants; then all are ready or the clock runs out."""
    serial, phase = position.cursor.serial, referee.phase_of(game.rules, position)
    if phase is not None and phase.mode is Mode.TURNS:
        return take_action(game, position)
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


def take_action(game: Game, position: AnyPosition) -> Step:
    """One action of the seat whose turn it is; now and then it takes one back, or its clock runs out. After an input
    for a later phase, which does not move the turn on, it acts."""
    cursor, seat = position.cursor, min(referee.waiting_on(game.rules, position))
    offers = referee.offers(game.rules, position, seat)
    mood = Chance("bots").at(branch=0, serial=cursor.serial, step=cursor.step).below("mood", 12)
    actions: list[Action] = [Undo(actor=seat)] if position.earlier and mood < 2 else []
    has_sealed = bool(game.steps) and game.steps[-1].before.cursor == cursor
    if not actions and mood < 11:
        own = game.chance.at(branch=7, serial=cursor.serial * 10 + seat, step=cursor.step + 1000 * has_sealed)
        if has_sealed:
            offers = [offer for offer in offers if game.rules.actions[offer.kind].is_public]
        requests = game.rules.bots[game.bots[seat]](game.rules.view(position, seat), lambda: offers, own)
        actions = [game.rules.parse(request, seat) for request in requests[:1]]
    for action in actions:
        out = allowed(game, position, action)
        if out is not None and (out.position.cursor != cursor or not has_sealed):
            return Step(position, [action], out.position, out.events, out.transfers, offers)
        if out is not None:
            closed = referee.close_after(game.rules, out, game.chance)
            return Step(position, [action, CLOCK], closed.position, closed.events, closed.transfers, offers)
    out = referee.close(game.rules, position, game.chance)
    return Step(position, [CLOCK], out.position, out.events, out.transfers, offers)


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
        out = (
            referee.close(game.rules, here, game.chance)
            if action is CLOCK
            else referee.apply(game.rules, here, action, game.chance)
        )
        outcome.position = out.position
        outcome.events += out.events
        outcome.transfers += out.transfers
    return outcome


def stored_and_loaded(rules: Ruleset, position: AnyPosition) -> AnyPosition:
    """The position as a crashed server finds it again."""
    state, inputs = rules.codec.encode(position.state), rules.codec.encode(position.pending)
    earlier = rules.codec.pack_earlier(position.earlier)
    result = Stored(
        state, inputs, position.cursor, sorted(position.ready), position.reviews, rules.schema, rules.version, earlier
    )
    return restore(rules, msgspec.msgpack.decode(msgspec.msgpack.encode(result), type=Stored))


def balances(ledger: Ledger, transfers: list[Transfer]) -> dict[str, int]:
    """What the accounts hold after some transfers."""
    held = dict(ledger.cash)
    for transfer in transfers:
        held[transfer.payer] = held.get(transfer.payer, 0) - transfer.amount
        held[transfer.payee] = held.get(transfer.payee, 0) + transfer.amount
    return held
