"""What a form may hold at all: the decision's own fields, once each unless they are lists, and readable text."""

from __future__ import annotations

from game.boards.decision import Decision
from game.boards.fields import BadField, Filled

COMMON = frozenset(
    {"csrfmiddlewaretoken", "serial", "step", "token", "phase", "do", "ready", "asks_ready", "touched", "of"}
)
LONGEST_NAME = 40


def check_names(decision: Decision, form: Filled, *, rule: str) -> None:
    """Refuse fields that no form of this decision has, duplicates, and unreadable text. Raises `BadField`."""
    for name in form.names():
        known = _known(decision, name)
        if known is None:
            raise BadField(name, "This form has no field “{name}”.", rule, name=_shown(name))
        values = form.several(name)
        if len(values) > 1 and known not in decision.lists:
            raise BadField(
                name,
                "“{name}” was submitted {n} times. Reload the page and submit again.",
                rule,
                name=_shown(name),
                n=len(values),
            )
        if any(not value.isprintable() for value in values):
            raise BadField(name, "“{name}” contains an unreadable character. Type it again.", rule, name=_shown(name))


def _known(decision: Decision, name: str) -> str | None:
    """The entry of the decision's names that a field falls under."""
    if name in COMMON or name in decision.names:
        return name
    return next((known for known in decision.names if known.endswith("_") and name.startswith(known)), None)


def _shown(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST_NAME])
