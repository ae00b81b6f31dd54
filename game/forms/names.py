"""What a form may hold at all: each phase's own fields, once each unless they are lists, and readable text."""

from __future__ import annotations

from collections.abc import Mapping

from game.forms.fields import BadField, Filled

COMMON = frozenset({"csrfmiddlewaretoken", "serial", "token", "phase", "do", "ready", "asks_ready", "touched"})
LISTS = frozenset({"cover", "exercise", "actions_"})
NAMES: Mapping[str, frozenset[str]] = {
    "influence_bid": frozenset({"points"}),
    "start_turn": frozenset({"headline"}),
    "tranche_vote": frozenset({"tranche"}),
    "tranche_distribution": frozenset({"cash_", "prestige_to", "ability_to"}),
    "stock_orders": frozenset(
        {"kind", "company", "side", "location", "quantity", "value", "bid", "contract", "contract_bid", "drawn_for", "drawn_as"}
    ),
    "cover_shorts": frozenset({"cover"}),
    "exercise_options": frozenset({"exercise"}),
    "revenue_vote": frozenset({"vote_"}),
    "company_vote": frozenset({"actions_", "ready_"}),
    "contributions": frozenset({"cash", "shares", "sure", "actions_", "ready_"}),
}
"""By phase; a name that ends in an underscore stands for all that begin so."""
LONGEST_NAME = 40


def check_names(phase: str, form: Filled) -> None:
    """Refuse what no form of this phase holds, what stands twice, and text that is none. Raises `BadField`."""
    for name in form.names():
        known = _known(phase, name)
        if known is None:
            raise BadField(name, f"This form has no field “{_shown(name)}”.", "S 5.1")
        values = form.several(name)
        if len(values) > 1 and known not in LISTS:
            raise BadField(name, f"“{_shown(name)}” stands {len(values)} times in the form; it may stand once.", "S 5.1")
        if any(not value.isprintable() for value in values):
            raise BadField(name, f"“{_shown(name)}” holds a character that cannot be read.", "S 5.1")


def _known(phase: str, name: str) -> str | None:
    """The entry of the table a name falls under."""
    if name in COMMON:
        return name
    names = NAMES.get(phase, frozenset())
    return name if name in names else next((known for known in names if known.endswith("_") and name.startswith(known)), None)


def _shown(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST_NAME])
