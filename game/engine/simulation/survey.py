"""What many games among bots show: standings, lengths, and how often each thing of a ruleset occurred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.events import PhaseOpened
from game.engine.ledger import LedgerError
from game.engine.play import Outcome
from game.engine.ruleset import Ruleset
from game.engine.selfplay import play_out
from game.engine.simulation.course import Course

Report = dict[str, Any]


class Survey:
    """Counts over many games; keys come from the ruleset's registries, so that what never occurred shows as 0."""

    def __init__(self, rules: Ruleset, options: Any) -> None:
        self._rules = rules
        self._options = options
        self._games: list[Report] = []
        self._phases: Counter[str] = Counter(dict.fromkeys((row.phase.name for row in rules.flow(options).rows), 0))
        self._kinds = {name: Counter(dict.fromkeys(entries, 0)) for name, entries in rules.registries.items()}

    def play(self, bots: Sequence[str], secret: str) -> None:
        """Play one game among the bots of these names, one a seat, and count it. A ledger that does not balance ends it
        and shows as not conserved."""
        self._decisions = self._opened = 0
        self._course, self._bots = Course(self._rules), list(bots)
        try:
            outcome = play_out(
                self._rules, self._options, [self._rules.bots[name] for name in bots], Chance(secret), self._watch
            )
        except LedgerError as error:
            self._games.append(
                {"standings": [], "turns": 0, "phases": self._opened, "end": str(error), "conserved": False}
            )
        else:
            self._games.append(self._result(outcome.position.state))
        for name, counts in self._course.occurred.items():
            self._kinds[name].update(counts)

    def _result(self, state: Any) -> Report:
        return {
            "standings": [
                {"seat": s.seat, "place": s.place, "score": s.score, "bot": self._bots[s.seat]}
                for s in self._rules.standings(state)
            ],
            "turns": state.turn,
            "phases": self._opened,
            "decisions": self._decisions,
            "end": self._rules.end_reason(state),
            "conserved": True,
            **self._course.report(state),
        }

    def _watch(self, actions: list[Action], outcome: Outcome[Any]) -> None:
        self._course.watch(actions, outcome)
        self._decisions += bool(actions)
        for event in outcome.events:
            if isinstance(event, PhaseOpened):
                self._opened += 1
                self._phases[event.phase] += 1

    def report(self) -> Report:
        """Games in the order played, and occurrences by registry."""
        kinds = {name: dict(counts) for name, counts in self._kinds.items()}
        return {"games": self._games, "occurrences": {"phases": dict(self._phases), **kinds}}
