"""The game of a scenario: its position, its events, and its refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import ScriptedChance
from game.engine.events import Event
from game.engine.flow import FlowRow
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError, known
from game.engine.scenarios.standing import Situation, names_in
from game.engine.scenarios.words import Words

STRANGER = "stranger"
THE_END = "the end"
PATIENCE = 200  # deadlines that may pass on the way to a phase


class Refusal(msgspec.Struct, frozen=True):
    """A refused request with its rule and text; `player` is empty for a refused deal."""

    player: str
    step: str
    rule: str
    text: str


class Story:
    """One game from its given position on."""

    def __init__(self, rules: Ruleset, names: list[str], script: dict[str, list[Any]]) -> None:
        self.rules = rules
        self.words = words_of(rules)
        self.names = names
        self.script = script
        self.events: list[Event] = []
        self.refusals: list[Refusal] = []
        self.began: Any = None
        self._entering: FlowRow | None = None
        self._position: AnyPosition | None = None

    @property
    def position(self) -> AnyPosition:
        """The current position."""
        if self._position is None:
            raise ScenarioError(f"there is no position: {' '.join(refusal.text for refusal in self.refusals)}")
        return self._position

    @property
    def state(self) -> Any:
        """The rules' state."""
        return self.position.state

    @property
    def phase(self) -> str:
        """The name of the open phase; empty when the game is over."""
        if self._entering is not None:
            return f"before {self._entering.phase.name}"
        phase = referee.phase_of(self.rules, self.position)
        return phase.name if phase else ""

    def seat(self, name: Any) -> int:
        """A player's seat."""
        return self.names.index(known(name, self.names, "player"))

    def viewer(self, name: Any) -> int | None:
        """A player's seat; None for a stranger."""
        return None if known(name, (*self.names, STRANGER), "viewer") == STRANGER else self.seat(name)

    def find(self, of: str, name: Any) -> Any:
        """The thing with that name: a player's seat, a phase's name, or a thing of the ruleset."""
        if of == "player":
            return self.seat(name)
        if of == "phase":
            return known(name, phase_names(self.rules), "phase")
        return self.words.finders[of](self, name)

    def stand(self, standing: Situation) -> None:
        """Begin at a position. Raises `OverflowError` if it could not be stored."""
        self._position, self._entering = standing
        self.rules.codec.encode(self.state)
        self.began = self.state

    def deal(self, options: Mapping[str, Any]) -> None:
        """Begin a new game; its options may be refused."""
        try:
            self._take(referee.start(self.rules, self.rules.parse_options(options), len(self.names), self._chance()))
        except Refused as refused:
            self.refusals.append(Refusal("", "start", refused.rule, refused.text))
            return
        self.began = self.state

    def ask(self, name: str, request: Mapping[str, Any], step: str) -> None:
        """Make a player's request; a refusal is recorded and the position stays the same."""
        seat = self.seat(name)
        if self._entering is not None:
            raise ScenarioError(f"the game stands {self.phase}; the first step is play_on, not “{step}”")
        try:
            action = self.rules.parse(request, seat)
            self._take(referee.apply(self.rules, self.position, action, self._chance()))
        except Refused as refused:
            self.refusals.append(Refusal(name, step, refused.rule, refused.text))

    def close(self) -> None:
        """Begin the phase ahead, or close the open one; the game runs on to the next decision."""
        row, self._entering = self._entering, None
        if row is None:
            self._take(referee.close(self.rules, self.position, self._chance()))
        else:
            self._take(referee.enter(self.rules, self.position, row, self._chance()))

    def all_ready(self) -> None:
        """Make all seats that must decide ready, until the phase closes."""
        serial = self.position.cursor.serial
        for seat in sorted(referee.waiting_on(self.rules, self.position)):
            if self.position.cursor.serial == serial:
                self.ask(self.names[seat], {"kind": "ready"}, "everybody_ready")

    def play_to(self, phase: str) -> None:
        """Let deadlines pass until a phase is open; `the end` plays the game out."""
        for _ in range(PATIENCE):
            if self.position.is_over or self.phase == phase:
                break
            self.close()
        if self.phase != ("" if phase == THE_END else phase):
            raise ScenarioError(f"the game never came to {phase}; it stands at {self.phase or 'its end'}")

    @property
    def has_begun(self) -> bool:
        """True if there is a game: its options may have been refused."""
        return self._position is not None

    def waiting(self) -> list[str]:
        """The players who must decide."""
        seats = frozenset() if self._entering else referee.waiting_on(self.rules, self.position)
        return [self.names[seat] for seat in sorted(seats)]

    def lost_or_made(self) -> list[str]:
        """The quantities that have changed although no step may create or destroy them. Money is checked after every
        step."""
        return [name for name, count in self.words.conserved.items() if count(self.state) != count(self.began)]

    def _chance(self) -> ScriptedChance:
        return ScriptedChance("a scenario", self.script)

    def _take(self, outcome: Outcome[Any]) -> None:
        self._position = outcome.position
        self.events += outcome.events
        outcome.position.state.ledger.assert_sound()


def words_of(rules: Ruleset) -> Words:
    """The ruleset's words. Raises `ScenarioError` if it has none."""
    if rules.words is None:
        raise ScenarioError(f"{rules.title} has no words for scenarios yet")
    return rules.words


def phase_names(rules: Ruleset) -> tuple[str, ...]:
    """The phases of every sequence of play that the options can choose."""
    names: dict[str, None] = {}
    for chosen in [{}, *({option: value} for option, menu in rules.menus.items() for value in menu)]:
        names |= dict.fromkeys(names_in(rules.flow(rules.options_type(**chosen))))
    return tuple(names)
