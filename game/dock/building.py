"""Puts the dock together from the viewer's own view, the offers, and what the form or the draft holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.dock import brief, derivatives, opening, order, votes
from game.dock.last import is_last, last_words
from game.dock.shapes import Asked, Dock, Presenter, Preview, Received, Say, Send, Ticket
from game.dock.words import opened, summary_of
from game.engine.actions import Refused
from game.engine.offers import Offer
from game.forms import BadField, Filled, fill, read
from game.forms.readers import Request

PRESENTERS: dict[str, Presenter] = {
    "influence_bid": opening.bid,
    "start_turn": opening.pledge,
    "tranche_vote": opening.tranche,
    "tranche_distribution": opening.distribution,
    "stock_orders": order.order,
    "cover_shorts": derivatives.cover,
    "exercise_options": derivatives.exercise,
    "revenue_vote": votes.revenue,
    "company_vote": votes.ballot,
    "contributions": votes.contribution,
}
DEFAULTS = {"influence_bid": opening.with_defaults, "stock_orders": order.with_defaults}
PASSED = "You passed: nothing of yours will be carried out."
STATES = {
    "untouched": "Nothing saved yet",
    "draft": "Draft saved",
    "submitted": "Submitted",
    "ready": "Ready",
    "review": "Results are shown",
}


class Material(msgspec.Struct, frozen=True):
    """What the dock is made of. `filled` is the form as it was sent back, None where it is drawn afresh."""

    view: Any
    seats: Sequence[Any]
    offers: Sequence[Offer] = ()
    ballots: Mapping[str, Sequence[Any]] = {}
    draft: Sequence[Request] | None = None
    saved_at: Any = None
    received: Received | None = None
    deadline: Any = None
    is_timed: bool = True
    filled: Filled | None = None
    refusal: Refused | None = None
    message: str = ""
    token: str = ""
    stays_ready: bool = False


def dock_of(material: Material) -> Dock:
    """The dock of one viewer."""
    view = material.view
    state, asked = _state(material), _asked(material)
    ticket = _ticket(asked)
    if ticket and _stays_passed(material):
        ticket = msgspec.structs.replace(ticket, preview=Preview(hint=PASSED))
    summary = _summary(material, state)
    phase = view.phase
    return Dock(
        serial=phase.serial if phase else 0,
        phase=phase.name if phase else "",
        brief=brief.brief_of(view, material.seats, ticket.title if ticket else "", state, summary, is_timed=material.is_timed),
        ticket=ticket,
        send=_send(material, state, summary),
        prices=brief.shown_prices(view),
        refusal=_refusal(material, asked),
        bad_field=_field(material, asked),
        message=material.message,
        deadline=material.deadline,
        no_deadline="" if material.is_timed or phase is None else brief.UNHURRIED[view.seat is not None],
        token=material.token,
        standings=view.standings,
    )


def _state(material: Material) -> str:
    """Where the viewer stands; a draft is nobody else's business and is known only here."""
    view = material.view
    if view.phase is None or view.seat is None:
        return "none"
    if view.phase.mode == "automatic":
        return "ready" if view.is_ready else "review"
    state = str(view.player(view.seat).state)
    if state == "none" and material.offers:
        state = "submitted" if view.mine else "untouched"
    return "draft" if state == "untouched" and material.draft else state


def _stays_passed(material: Material) -> bool:
    """Whether a pass is what counts, and nothing else is being written."""
    return "pass" in material.view.mine and material.filled is None and not material.draft


def _asked(material: Material) -> Asked:
    """The form as it was sent, else the draft, else what was submitted."""
    view = material.view
    filled = material.filled
    if filled is None:
        filled = fill(material.draft or view.mine.values())
    prefers = material.filled is None and (material.stays_ready or is_last(view, material.seats))
    asked = Asked(view, material.offers, material.ballots, material.seats, filled, prefers_ready=prefers)
    if view.phase is None or not material.offers:
        return asked
    filled = DEFAULTS[view.phase.name](asked) if view.phase.name in DEFAULTS else filled
    try:
        requests, bad = tuple(read(view.phase.name, filled, material.offers)), None
    except BadField as error:
        requests, bad = (), error
    return msgspec.structs.replace(asked, filled=filled, requests=requests, bad=bad)


def _ticket(asked: Asked) -> Ticket | None:
    phase = asked.view.phase
    presenter = PRESENTERS.get(phase.name) if phase and asked.offers else None
    return presenter(asked) if presenter else None


def _summary(material: Material, state: str) -> str:
    """What would count if the phase closed now."""
    if state == "draft":
        return summary_of(material.draft or (), material.view)
    return summary_of(material.view.mine.values(), material.view)


def _send(material: Material, state: str, summary: str) -> Send:
    view = material.view
    is_open = view.phase is not None and view.phase.mode == "open"
    note = f"sealed until phase {int(view.phase.number) + 1}" if view.phase and view.phase.mode == "sealed" else ""
    is_pass = state in {"submitted", "ready"} and "pass" in view.mine
    words, shown = ("You passed", "") if is_pass else (STATES.get(state, ""), opened(summary))
    words = "A gift counts at once" if is_open and state == "untouched" else words
    words = "Ready to go on" if state == "ready" and view.phase and view.phase.mode != "sealed" else words
    is_waited = view.seat is None or view.phase is None or view.player(view.seat).state != "none"
    at = material.saved_at if state == "draft" else None
    ran, received = _ran(material, state, summary), material.received if state in {"submitted", "ready"} else None
    ready, remembered = _ready(material)
    last = last_words(view, material.seats, state, is_open=is_open)
    return Send(state, words, shown, note, ran, at, ready, remembered, last, is_open, is_waited, received)


def _ready(material: Material) -> tuple[bool, bool]:
    """Whether “ready” is ticked, and whether that is the person's own choice, to be remembered; a form sent back stays as it was sent."""
    if material.filled is not None:
        return material.stays_ready, bool(material.filled.get("asks_ready"))
    return (True, material.stays_ready) if is_last(material.view, material.seats) else (material.stays_ready, True)


def _ran(material: Material, state: str, summary: str) -> str:
    """What counted, should the phase close while the form is open."""
    phase = material.view.phase
    if phase is None:
        return ""
    if state == "draft" and summary:
        return f"Your saved draft was sent for you: {summary}."
    if state in {"submitted", "ready"}:
        return f"What you had submitted counted: {summary}." if summary else "What you had submitted counted."
    return f"Nothing of yours was sent: {phase.default}." if phase.default else ""


def _refusal(material: Material, asked: Asked) -> Say | None:
    error = material.refusal or (asked.bad if material.filled is not None else None)
    return Say(error.text, error.rule, "no") if error else None


def _field(material: Material, asked: Asked) -> str:
    error = material.refusal or asked.bad
    return error.field if isinstance(error, BadField) and material.filled is not None else ""
