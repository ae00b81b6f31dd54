"""A game being told: the position, what happened, and what was refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import ScriptedChance
from game.engine.events import Event
from game.engine.ledger import BANK
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.rulesets.sectors.options import parse_options
from game.rulesets.sectors.positions import build
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.scenarios.language import ScenarioError, known
from game.rulesets.sectors.state import SectorsState

STRANGER = "stranger"
PATIENCE = 200  # clocks that may run out on the way to a phase


class Refusal(msgspec.Struct, frozen=True):
    """Who was refused what, under which rule and in which words."""

    step: str
    rule: str
    text: str


class Story:
    """One game from its given position on."""

    def __init__(self, names: list[str], script: dict[str, list[Any]]) -> None:
        self.names = names
        self.script = script
        self.told: list[Event] = []
        self.refusals: list[Refusal] = []
        self._position: AnyPosition | None = None
        self._bank = self._consumers = 0

    @property
    def position(self) -> AnyPosition:
        """Where the game stands."""
        if self._position is None:
            raise ScenarioError(f"there is no position: {' '.join(refusal.text for refusal in self.refusals)}")
        return self._position

    @property
    def state(self) -> SectorsState:
        """The rules' state."""
        state: SectorsState = self.position.state
        return state

    @property
    def phase(self) -> str:
        """The name of the open phase; empty when the game is over."""
        phase = referee.phase_of(SECTORS, self.position)
        return phase.name if phase else ""

    def seat(self, name: Any) -> int:
        """A player's seat."""
        return self.names.index(known(name, self.names, "player"))

    def viewer(self, name: Any) -> int | None:
        """A player's seat; none for a stranger."""
        return None if name == STRANGER else self.seat(name)

    def stand(self, description: Mapping[str, Any]) -> None:
        """Begin at a position in words; one that could not be stored is none. Raises `OverflowError`."""
        self._position = build(description)
        SECTORS.codec.encode(self._position.state)
        self._remember()

    def deal(self, options: Mapping[str, Any]) -> None:
        """Begin a game from nothing; its options may be refused."""
        try:
            self._take(referee.start(SECTORS, parse_options(options), len(self.names), self._chance()))
        except Refused as refused:
            self.refusals.append(Refusal("start", refused.rule, refused.text))
            return
        self._remember()

    def ask(self, name: str, request: Mapping[str, Any], step: str) -> None:
        """A player asks something; a refusal is noted and the game stays as it is."""
        seat = self.seat(name)
        try:
            action = SECTORS.parse(request, seat)
            self._take(referee.apply(SECTORS, self.position, action, self._chance()))
        except Refused as refused:
            self.refusals.append(Refusal(step, refused.rule, refused.text))

    def close(self) -> None:
        """The open phase closes; the game runs on to the next decision."""
        self._take(referee.close(SECTORS, self.position, self._chance()))

    def all_ready(self) -> None:
        """Everybody who is waited for says ready, until the phase closes."""
        serial = self.position.cursor.serial
        for seat in sorted(referee.waiting_on(SECTORS, self.position)):
            if self.position.cursor.serial == serial:
                self.ask(self.names[seat], {"kind": "ready"}, "everybody_ready")

    def play_to(self, phase: str) -> None:
        """Let clocks run out until a phase is open; "the end" plays the game out."""
        for _ in range(PATIENCE):
            if self.position.is_over or self.phase == phase:
                break
            self.close()
        if self.phase != ("" if phase == "the end" else phase):
            raise ScenarioError(f"the game never came to {phase}; it stands at {self.phase or 'its end'}")

    @property
    def is_told(self) -> bool:
        """Whether there is a game: its options may have been refused."""
        return self._position is not None

    @property
    def bank_change(self) -> int:
        """What the bank gained since the beginning."""
        return self.state.ledger.balance(BANK) - self._bank

    @property
    def is_conserved(self) -> bool:
        """Whether as many consumers are about as at the beginning; money is asserted by every step."""
        return _consumers(self.state) == self._consumers

    def _chance(self) -> ScriptedChance:
        return ScriptedChance("a scenario", self.script)

    def _take(self, outcome: Outcome[Any]) -> None:
        self._position = outcome.position
        self.told += outcome.events
        outcome.position.state.ledger.assert_sound()

    def _remember(self) -> None:
        self._bank, self._consumers = self.state.ledger.balance(BANK), _consumers(self.state)


def _consumers(state: SectorsState) -> int:
    return state.pool + sum(sector.consumers for sector in state.sectors.values())
