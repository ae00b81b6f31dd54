"""A game at a random table, taken one request at a time, with every property asked after every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.engine import referee
from game.engine.actions import Action, Pass, Ready, Withdraw
from game.engine.chance import Chance
from game.engine.ledger import OUTSIDE, treasury_of
from game.engine.play import Outcome
from game.engine.position import AnyPosition, Position
from game.rulesets.sectors.options import EDITIONS, MENUS, Options
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import SectorsState
from game.rulesets.sectors.tables.chart import LAST
from tests.rulesets.games import CLOCK, Game, Step, allowed
from tests.rulesets.sectors import properties
from tests.rulesets.sectors.keen import keen_bot

CHOICES: Mapping[str, tuple[Any, ...]] = {
    **MENUS,
    "starting_cash": (200, 300, 400, 2000),
    "bank": (400, 1500, 7500, 20_000),
    "max_turns": (1, 2, 3, 4, 6),
    "max_sub_rounds": (1, 2, 3, 10),
}
"""What a random table chooses from: the menus, with banks that break, games that end soon, and players who can afford
everything."""

BOTS = {**SECTORS.bots, "keen": keen_bot}
MIXES: Mapping[str, tuple[str, ...]] = {
    "random": ("random",),
    "house": ("house",),
    "keen": ("keen",),
    "mixed": ("house", "random"),
    "well mixed": ("keen", "house", "keen", "random"),
}
WAVERINGS = ("withdraw", "pass", "ready", "unready")


def lawful(chosen: Mapping[str, Any]) -> Options:
    """The chosen options, with those that the edition leaves no choice in."""
    return Options(**{**chosen, **EDITIONS[chosen["edition"]].fixed_options})


def seated(mix: str, seats: int) -> list[str]:
    """Bots by seat."""
    return [MIXES[mix][seat % len(MIXES[mix])] for seat in range(seats)]


def shake(state: SectorsState, chance: Chance) -> None:
    """Companies that have seen better days, or worse: any price, a treasury of a few fees, and whatever helps to
    sell."""
    for company in state.companies.values():
        company.step = chance.pick("step", (0, 1, chance.integer("somewhere", 2, LAST - 2), LAST - 1, LAST))
        company.prestige = chance.integer("prestige", 0, 4)
        company.base_demand = chance.integer("demand", 0, 6)
        treasury = treasury_of(company.ticker)
        state.ledger.pay(treasury, OUTSIDE, chance.integer("spent", 0, state.ledger.balance(treasury)))
    for sector in state.sectors.values():
        sector.consumers = chance.integer("consumers", 0, min(state.pool, 8))
        state.pool -= sector.consumers


class Walk:
    """The game, the phase that is open, and what was asked in it so far."""

    def __init__(
        self, options: Options, bots: list[str], secret: str, *, reviews: bool = False, shaken: bool = False
    ) -> None:
        chance, seats = Chance(secret), len(bots)
        out = referee.start(SECTORS, options, seats, chance, reviews=reviews)
        empty: AnyPosition = Position(SECTORS.setup(options, seats), out.position.cursor)
        first = Step(empty, [], out.position, out.events, out.transfers, [])
        self.game = Game(SECTORS, options, seats, chance, bots, first)
        self.watch = properties.Watch()
        self.steps = self.looks = 0
        self._finish(first)
        if shaken:
            shake(self.position.state, Chance(f"shaken {secret}"))

    def _finish(self, step: Step) -> None:
        """Look at what happened, and turn to the phase now open."""
        self.watch.see(self.game, step)
        self.last, self.position = step, step.after
        self.steps += 1
        self._open = Step(step.after, [], step.after, [], [], [])

    def _absorb(self, action: Action, out: Outcome[Any]) -> None:
        now = self._open
        now.actions.append(action)
        now.events += out.events
        now.transfers += out.transfers
        now.after = self.position = out.position
        if out.position.cursor.serial != now.before.cursor.serial:
            self._finish(now)

    def take(self, action: Action) -> bool:
        """Ask for an action; False when the rules refuse it."""
        out = None if self.position.is_over else allowed(self.game, self.position, action)
        if out is not None:
            self._absorb(action, out)
        return out is not None

    def close(self) -> None:
        """The clock runs out."""
        if not self.position.is_over:
            self._absorb(CLOCK, referee.close(SECTORS, self.position, self.game.chance))

    def decide(self, seat: int, own: Chance) -> None:
        """Ask what the seat's bot wants."""
        offers = referee.offers(SECTORS, self.position, seat)
        serial = self.position.cursor.serial
        for request in (
            BOTS[self.game.bots[seat]](SECTORS.view(self.position, seat), lambda: offers, own) if offers else []
        ):
            if self.position.cursor.serial == serial:
                self.take(SECTORS.parse(request, seat))

    def waver(self, seat: int, how: str, own: Chance) -> None:
        """Think again: withdraw one input, pass, or be ready or no longer."""
        mine = sorted(self.position.pending.get(seat, {}))
        match how:
            case "withdraw":
                self.take(Withdraw(actor=seat, of=own.pick("of", mine) if mine else "nothing"))
            case "pass":
                self.take(Pass(actor=seat))
            case _:
                self.take(Ready(actor=seat, on=how == "ready"))

    def play_phase(self, own: Chance, *, closely: int = 0) -> None:
        """Everybody who is waited for decides, now and then wavers and decides again; then ready, or the clock.

        `closely`: after one seat in so many everything is looked at, sealed inputs and all."""
        serial = self.position.cursor.serial
        for seat in sorted(referee.waiting_on(SECTORS, self.position)):
            for how in ("", *self._whims(own), "ready" if own.below("patience", 4) else "unready"):
                if self.position.cursor.serial != serial:
                    return
                self.decide(seat, own) if not how else self.waver(seat, how, own)
            if closely and own.below("closely", closely) == 0:
                self.look_closely()
        if self.position.cursor.serial == serial:
            self.close()

    def _whims(self, own: Chance) -> list[str]:
        return [own.pick("whim", WAVERINGS), ""] if own.below("whims", 6) == 0 else []

    def look_closely(self) -> None:
        """What takes longer: secrets and crashes, in the step just taken and with what lies sealed in the phase now
        open."""
        self.looks += 1
        if self.last.actions:  # the set-up has none
            properties.survives_crashes(self.game, self.last)
        properties.views_leak_nothing(self.position)
        properties.closing_goes_on(self.game, self.position)
        properties.survives_a_crash_before_closing(self.game, self.position)
