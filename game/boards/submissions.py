"""Converts a form or a draft to actions: the fields of each form, the buttons, and the drafts that can still be
shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from game.boards.base import Board
from game.boards.decision import BadField, Decision, Filled
from game.boards.shapes import Request
from game.engine import referee, requests
from game.engine.actions import ROUND, Action, Pass, Ready, Refused, Undo, Withdraw
from game.engine.flow import Mode, Phase
from game.engine.offers import Offer
from game.engine.position import AnyPosition
from game.engine.ruleset import Offered, Ruleset
from game.engine.view import inputs_of_phase

COMMON = frozenset(
    # pages opened before an update may still send `asks_ready`; it means nothing
    {
        "csrfmiddlewaretoken",
        "serial",
        "step",
        "token",
        "phase",
        "do",
        "ready",
        "asks_ready",
        "touched",
        "of",
        "for_seat",
    }
)
LONGEST_NAME = 40
BUTTONS = ("submit", "pass", "withdraw", "ready", "unready", "undo", "undo_all", "discard", "stop")
AT_ONCE = (Ready, Withdraw, Undo)
"""Requests that no form shows: a button makes them, and a late submission may have stored them."""


def check_names(decision: Decision, form: Filled, *, rule: str) -> None:
    """Refuse fields that no form of this decision has, duplicates, and unreadable text. Raises `BadField`."""
    for name in form.names():
        known = _known(decision, name)
        if known is None:
            raise BadField(name, "This form has no field “{name}”.", rule, name=_printable(name))
        values = form.several(name)
        if len(values) > 1 and known not in decision.lists:
            raise BadField(
                name,
                "“{name}” was submitted {n} times. Reload the page and submit again.",
                rule,
                name=_printable(name),
                n=len(values),
            )
        if any(not value.isprintable() for value in values):
            raise BadField(
                name, "“{name}” contains an unreadable character. Type it again.", rule, name=_printable(name)
            )


def _known(decision: Decision, name: str) -> str | None:
    """The name in the decision's list that covers a field."""
    if name in COMMON or name in decision.names:
        return name
    return next((known for known in decision.names if known.endswith("_") and name.startswith(known)), None)


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST_NAME])


def button_of(form: Filled) -> str:
    """The pressed button. Raises `Refused`."""
    do = form.get("do", "submit")
    if do not in BUTTONS:
        raise Refused(
            "There is no button “{name}”. Choose one of {known}.",
            name=do[:20],
            known=", ".join(BUTTONS),
            code="unknown_button",
        )
    return do


def actions_of(board: Board, position: AnyPosition, seat: int, form: Filled, offered: Offered) -> list[Action]:
    """The actions that a form asks for in the open phase of a position; `offered` returns the seat's offers there.
    Raises `Refused`."""
    phase = referee.phase_of(board.rules, position)
    if phase is None:
        raise board.rules.refused("over", "The game is over.")
    decision = board.decision_at(position, seat, phase.name)
    check_form(board, decision, form)
    do, ready = button_of(form), [Ready(actor=seat)] if form.get("ready") else []
    if do in {"ready", "unready", "undo", "undo_all", "stop"}:
        return [_at_once(do, seat, form)]
    if do == "pass":
        ahead = decision.ahead(form, offered())
        actions = [board.rules.parse(request, seat) for request in ahead]
        return [Pass(actor=seat), *actions, *(ready or _ready_for_good(actions, seat))]
    mine = inputs_of_phase(position, seat, board.rules.flow_of(position))
    if do == "withdraw":
        if not mine:
            raise board.rules.refused("withdraw", "You have submitted nothing to withdraw.")
        return [Withdraw(actor=seat, of=slot) for slot in mine]
    choices = _choices_in(board, decision, seat, phase, form, offered(), takes_back=bool(mine))
    if phase.mode is Mode.TURNS:
        return list(choices)
    passed = [Pass(actor=seat)] if _is_all_for_later(phase, choices, position.state) else []
    return [*passed, *_with_withdrawals(phase, choices, mine, seat), *(ready or _ready_for_good(choices, seat))]


def _ready_for_good(actions: Sequence[Action], seat: int) -> list[Action]:
    """A player who does not want to be asked again is ready for the open phase as well."""
    return [Ready(actor=seat)] if any(action.is_lasting for action in actions) else []


def _is_all_for_later(phase: Phase, actions: Sequence[Action], state: Any) -> bool:
    """True if a sheet for several rounds asks for nothing in the open phase, which is a pass there."""
    return bool(actions) and all(action.lasts != ROUND and not phase.uses(action, state) for action in actions)


def _at_once(do: str, seat: int, form: Filled) -> Action:
    """The actions of a button that sends no fields of the decision."""
    if do in {"undo", "undo_all"}:
        return Undo(actor=seat, all=do == "undo_all")
    return Withdraw(actor=seat, of=form.get("of")) if do == "stop" else Ready(actor=seat, on=do == "ready")


def check_form(board: Board, decision: Decision, form: Filled) -> None:
    """Refuse fields that do not belong to the decision's form."""
    check_names(decision, form, rule=board.rules.cites.get("request", ""))


def _choices_in(
    board: Board,
    decision: Decision,
    seat: int,
    phase: Phase,
    form: Filled,
    offers: Sequence[Offer],
    *,
    takes_back: bool,
) -> list[Action]:
    """The choices in the form; none if every earlier choice is withdrawn. Raises `Refused`."""
    requests = decision.read(form, offers)
    is_for_nothing = decision.is_vote and not requests and not takes_back
    if phase.mode is Mode.TURNS or (phase.mode is Mode.OPEN and (requests or not takes_back)) or is_for_nothing:
        decision.confirm(requests, form)
    return [board.rules.parse(request, seat) for request in requests]


def _with_withdrawals(phase: Phase, actions: Sequence[Action], mine: Iterable[str], seat: int) -> list[Action]:
    """All choices, and withdrawals of earlier submissions that are no longer chosen, for later phases too; no choice at
    all is a pass. A public action goes last, because it may close the phase."""
    slots = {action.slot() for action in actions} | {"pass"}
    withdrawn: list[Action] = [Withdraw(actor=seat, of=slot) for slot in mine if slot not in slots]
    if not actions:
        return withdrawn if phase.mode is Mode.OPEN else [*withdrawn, Pass(actor=seat)]
    sealed = [action for action in actions if not action.is_public]
    return [*sealed, *withdrawn, *(action for action in actions if action.is_public)]


def requests_shown(rules: Ruleset, phase: Phase | None, content: Any) -> list[Request] | None:
    """The requests of a stored draft that the form of a phase can show; None if the phase does not accept all of
    them."""
    if not isinstance(content, list):
        return None
    kinds = [_kind_of(rules, request) for request in content]
    if phase is None or not all(kind and issubclass(kind, (*phase.takes, *AT_ONCE)) for kind in kinds):
        return None
    return [request for request, kind in zip(content, kinds, strict=True) if kind not in AT_ONCE]


def _kind_of(rules: Ruleset, request: Any) -> type[Action] | None:
    """The kind of a request; None if it cannot be read."""
    kind = rules.actions.get(str(request.get("kind"))) if isinstance(request, dict) else None
    if kind is None:
        return None
    try:
        requests.read(request, kind, rule="")
    except Refused:
        return None
    return kind
