"""The course of one game among bots: worth and bank by turn, whom the table waited for, and where money came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from game.engine.actions import Action
from game.engine.events import ActionTakenBack
from game.engine.ledger import BANK, Transfer
from game.engine.play import Outcome
from game.engine.ruleset import Ruleset

CASH = "cash:"
Counts = Counter[tuple[str, str]]  # by registry and key


class Course:
    """Told every round of decisions, like a survey; keeps what has a time or an amount.

    What a seat took back counts as never done: its actions, its events and its money."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._turn = 0
        self._points: list[dict[str, Any]] = []
        self._waits: Counter[int] = Counter()
        self._asked: Counter[int] = Counter()
        self._income: Counter[str] = Counter()
        self._spending: Counter[str] = Counter()
        self._undoable: list[Counts] = []  # what each action counted that can still be taken back, the last one last
        self.occurred: dict[str, Counter[str]] = {name: Counter() for name in rules.registries}

    def watch(self, actions: list[Action], outcome: Outcome[Any]) -> None:
        """One round of decisions and all that followed from it."""
        if actions:
            self._waits[self._turn] += 1
            self._asked[self._turn] += len({action.actor for action in actions})
        self._count_money(outcome.transfers)
        self._count(actions, outcome)
        state = outcome.position.state
        if not self._points or state.turn > self._turn or outcome.position.is_over:
            self._points.append(self._point(state))
        self._turn = state.turn

    def _count(self, actions: Iterable[Action], outcome: Outcome[Any]) -> None:
        """What was done and what happened; an action that is taken back is subtracted, and so is the taking back."""
        counted: Counts = Counter(("actions", str(action.__struct_config__.tag)) for action in actions)
        for event in outcome.events:
            counted["events", str(event.__struct_config__.tag)] += 1
            counted.update(self._rules.occurrences(event))
        if any(isinstance(event, ActionTakenBack) for event in outcome.events):
            counted = Counter({what: -count for what, count in self._undoable.pop().items()})
        else:
            self._undoable.append(counted)
        self._undoable = self._undoable[-len(outcome.position.earlier) :] if outcome.position.earlier else []
        for (name, key), count in counted.items():
            self.occurred[name][key] += count

    def _count_money(self, transfers: Iterable[Transfer]) -> None:
        """What enters and leaves hands; money that only changes hands between a seat's own accounts counts as its
        reason says."""
        for transfer in transfers:
            if transfer.payee.startswith(CASH):
                self._income[transfer.why] += transfer.amount
            if transfer.payer.startswith(CASH):
                self._spending[transfer.why] += transfer.amount

    def _point(self, state: Any) -> dict[str, Any]:
        """Seats' worth by seat, and the bank, as a turn begins or the game ends."""
        worth = {standing.seat: standing.score for standing in self._rules.standings(state)}
        return {
            "turn": state.turn,
            "worth": [worth[seat] for seat in sorted(worth)],
            "bank": state.ledger.balance(BANK),
        }

    def report(self, state: Any) -> dict[str, Any]:
        """The whole course; keys are words so that it reads back from JSON as it was."""
        return {
            "course": self._points,
            "waits": {str(turn): count for turn, count in sorted(self._waits.items())},
            "asked": {str(turn): count for turn, count in sorted(self._asked.items())},
            "income": dict(self._income.most_common()),
            "spending": dict(self._spending.most_common()),
            "occurred": {name: dict(counts) for name, counts in self.occurred.items()},
            "facts": dict(self._rules.facts(state)),
        }
