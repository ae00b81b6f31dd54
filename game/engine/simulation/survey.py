"""Results of many bot games: standings, lengths, how often everything of a ruleset occurred; and the course of each
game: worth and bank by turn, waits for seats, and sources of money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.events import ActionTakenBack, PhaseOpened
from game.engine.immediate import CascadeError
from game.engine.ledger import BANK, LedgerError, Transfer
from game.engine.play import Outcome
from game.engine.ruleset import Ruleset
from game.engine.selfplay import play_out

CASH = "cash:"
Counts = Counter[tuple[str, str]]  # by registry and key
Report = dict[str, Any]
ENDS = "ends"  # the registry of reasons for which a game is over


class Course:
    """Records the events of one game with their time or amount. What a seat undid is not counted: neither its actions,
    nor its events and its money."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._turn = 0
        self._points: list[dict[str, Any]] = []
        self._waits: Counter[int] = Counter()
        self._wait_counts: Counter[int] = Counter()
        self._income: Counter[str] = Counter()
        self._spending: Counter[str] = Counter()
        self._undoable: list[Counts] = []  # counts of each action that can still be taken back, the latest last
        self.occurred: dict[str, Counter[str]] = {name: Counter() for name in rules.registries}

    def watch(self, actions: list[Action], outcome: Outcome[Any]) -> None:
        """Record one round of decisions and everything that followed."""
        if actions:
            self._waits[self._turn] += 1
            self._wait_counts[self._turn] += len({action.actor for action in actions})
        self._count_money(outcome.transfers)
        self._count(actions, outcome)
        state = outcome.position.state
        if not self._points or state.turn > self._turn or outcome.position.is_over:
            self._points.append(self._point(state))
        self._turn = state.turn

    def _count(self, actions: Iterable[Action], outcome: Outcome[Any]) -> None:
        """Count actions and events; subtract an action that is undone, and the event that reports it."""
        counts: Counts = Counter(("actions", str(action.__struct_config__.tag)) for action in actions)
        for event in outcome.events:
            counts["events", str(event.__struct_config__.tag)] += 1
            counts.update(self._rules.occurrences(event))
        if any(isinstance(event, ActionTakenBack) for event in outcome.events):
            counts = Counter({what: -count for what, count in self._undoable.pop().items()})
        else:
            self._undoable.append(counts)
        self._undoable = self._undoable[-len(outcome.position.earlier) :] if outcome.position.earlier else []
        for (name, key), count in counts.items():
            self.occurred[name][key] += count

    def _count_money(self, transfers: Iterable[Transfer]) -> None:
        """Count what seats receive and pay, by reason."""
        for transfer in transfers:
            if transfer.payee.startswith(CASH):
                self._income[transfer.why] += transfer.amount
            if transfer.payer.startswith(CASH):
                self._spending[transfer.why] += transfer.amount

    def _point(self, state: Any) -> dict[str, Any]:
        """Each seat's worth, and the bank's money, at the start of a turn or the end of the game."""
        worth = {standing.seat: standing.score for standing in self._rules.standings(state)}
        return {
            "turn": state.turn,
            "worth": [worth[seat] for seat in sorted(worth)],
            "bank": state.ledger.balance(BANK),
        }

    def report(self, state: Any) -> dict[str, Any]:
        """The whole course; keys are strings, so that JSON preserves it."""
        return {
            "course": self._points,
            "waits": {str(turn): count for turn, count in sorted(self._waits.items())},
            "asked": {str(turn): count for turn, count in sorted(self._wait_counts.items())},
            "income": dict(self._income.most_common()),
            "spending": dict(self._spending.most_common()),
            "occurred": {name: dict(counts) for name, counts in self.occurred.items()},
            "facts": dict(self._rules.facts(state)),
        }


class Survey:
    """Counts over many games; keys come from the ruleset's registries, so that things that never occurred show as 0."""

    def __init__(self, rules: Ruleset, options: Any) -> None:
        self._rules = rules
        self._options = options
        self._games: list[Report] = []
        self._dropped = Counter[str]()
        self._phases: Counter[str] = Counter(dict.fromkeys((row.phase.name for row in rules.flow(options).rows), 0))
        self._kinds = {name: Counter(dict.fromkeys(entries, 0)) for name, entries in rules.registries.items()}

    def play(self, bots: Sequence[str], secret: str) -> None:
        """Play one game among the bots of these names, one per seat, and count it. A ledger that does not balance or a
        turn that never ends stops the game, which is then counted as not conserved."""
        self._decisions = self._opened = 0
        self._course, self._bots = Course(self._rules), list(bots)
        try:
            outcome = play_out(
                self._rules,
                self._options,
                [self._rules.bots[name] for name in bots],
                Chance(secret),
                self._watch,
                self._dropped,
            )
        except (LedgerError, CascadeError) as error:
            self._games.append(
                {
                    "standings": [],
                    "turns": 0,
                    "phases": self._opened,
                    "decisions": self._decisions,
                    "end": str(error),
                    "conserved": False,
                }
            )
        else:
            self._games.append(self._result(outcome.position.state))
            if not self._course.occurred.get(ENDS):  # a ruleset may count its ends by events
                self._kinds.setdefault(ENDS, Counter())[self._rules.end_reason(outcome.position.state)] += 1
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
        """The games in the order played, and occurrences by registry."""
        kinds = {name: dict(counts) for name, counts in self._kinds.items()}
        occurrences = {"phases": dict(self._phases), **kinds}
        return {"games": self._games, "occurrences": occurrences, "dropped": dict(self._dropped.most_common())}
