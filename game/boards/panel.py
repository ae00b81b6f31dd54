"""Builds the decision panel from the viewer's own view, the offers, and the contents of the form or the draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from game.boards.base import Board
from game.boards.brief import at_a_standstill, brief_of, is_last, last_words, no_deadline
from game.boards.decision import BadField, Filled, Foresight, Missing, Question, nothing_foreseen
from game.boards.ranks import rank_words
from game.boards.shapes import Brief, Lasting, Panel, Preview, Received, Request, Say, Send, Ticket
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import capitalised
from game.engine.progress import NOT_ASKED

PASSED = mark("You passed. You do nothing in this phase.")
EDITED = mark("Change not submitted")
STATES = {
    "untouched": mark("Nothing saved yet"),
    "draft": mark("Draft saved"),
    "submitted": mark("Submitted"),
    "ready": mark("Ready"),
    "review": mark("Results are shown"),
}
AHEAD = {"untouched": mark("Nothing is saved for your turn"), "submitted": mark("Saved for your turn")}


class Material(msgspec.Struct, frozen=True):
    """The inputs of the panel. `filled`: the submitted form, None if the form is newly drawn; `withdrawn`: the contents
    of a submission that was withdrawn, or what a lesson fills in; `is_stopped`: the lesson is over; `headline`: what is
    said first of a game that stands still."""

    board: Board
    view: Any
    seats: Sequence[Any]
    offers: Sequence[Offer] = ()
    draft: Sequence[Request] | None = None
    saved_at: Any = None
    received: Received | None = None
    deadline: Any = None
    is_timed: bool = True
    filled: Filled | None = None
    withdrawn: Filled | None = None
    refusal: Refused | None = None
    message: str = ""
    token: str = ""
    stays_ready: bool = False
    foresee: Foresight = nothing_foreseen
    is_stopped: bool = False
    headline: str = ""


def panel_of(material: Material) -> Panel:
    board, view = material.board, material.view
    state, question = _state(material), _question(material)
    ticket = _ticket(board, question)
    if ticket and _stays_passed(material):
        ticket = msgspec.structs.replace(ticket, preview=Preview(hint=say(PASSED)))
    summary = _summary(material, state)
    phase = view.phase
    return Panel(
        serial=phase.serial if phase else 0,
        step=phase.step if phase else 0,
        phase=phase.name if phase else "",
        brief=_brief(material, ticket.title if ticket else "", state, summary),
        ticket=ticket,
        send=_send(material, question, state, summary, ticket),
        prices=board.watched(view),
        refusal=_refusal(material, question),
        bad_field=_field(material, question),
        message=material.message,
        deadline=material.deadline,
        no_deadline="" if material.is_timed or phase is None else no_deadline(view),
        token=material.token,
        stands=_stands(material),
        standings=view.standings,
        lasting=_lasting(board, view),
    )


def preview_of(material: Material) -> Preview:
    """The preview of the current form or draft."""
    ticket = _ticket(material.board, _question(material))
    return ticket.preview if ticket else Preview()


def _brief(material: Material, title: str, state: str, summary: str) -> Brief:
    board, view = material.board, material.view
    if material.headline and view.phase:
        return at_a_standstill(board, view, material.headline, summary)
    return brief_of(board, view, material.seats, title, state, summary, is_timed=material.is_timed)


def _lasting(board: Board, view: Any) -> tuple[Lasting, ...]:
    """Requests that the viewer left for later phases; they can be withdrawn in any phase."""
    return tuple(
        Lasting(slot, capitalised(board.lasting(request, view)), board.rules.actions[request["kind"]].is_lasting)
        for slot, request in view.lasting.items()
    )


def _state(material: Material) -> str:
    """The viewer's state. Only this panel knows of a draft, which is private."""
    view = material.view
    if view.phase is None or view.seat is None or material.is_stopped or material.headline:
        return "none"
    if view.phase.mode == "automatic":
        return "ready" if view.is_ready else "review"
    state = str(view.player(view.seat).state)
    if state == "none" and material.offers:
        state = "submitted" if view.mine else "untouched"
    return "draft" if state == "untouched" and material.draft else state


def _stands(material: Material) -> str:
    """A hash of the viewer's draft and submission: an open page compares it to notice that another page changed
    them."""
    counts = msgspec.json.encode([material.draft, material.view.mine], order="deterministic")
    return blake2b(counts, digest_size=6).hexdigest()


def _stays_passed(material: Material) -> bool:
    """True if the viewer has passed and has no draft and no submitted form."""
    return "pass" in material.view.mine and material.filled is None and not material.draft


def _question(material: Material) -> Question:
    """The form with, in this order: what was sent, the draft, the submission, or the withdrawn submission."""
    view, filled = material.view, material.filled
    if filled is None and material.withdrawn and not material.draft and not view.mine:
        filled = material.withdrawn
    elif filled is None:
        filled = filled_with(material.board, view, material.draft or view.mine.values(), material.offers)
    prefers = material.filled is None and (material.stays_ready or is_last(view, material.seats))
    question = Question(
        view,
        material.offers,
        material.seats,
        filled,
        prefers_ready=prefers,
        is_sent=material.filled is not None,
        foresee=material.foresee,
    )
    if view.phase is None or not material.offers:
        return question
    decision = material.board.decision_of(view)
    filled = decision.with_defaults(question)
    try:
        requests, bad = tuple(decision.read(filled, material.offers)), None
    except BadField as error:
        requests, bad = (), error
    return msgspec.structs.replace(question, filled=filled, requests=requests, bad=bad)


def filled_with(board: Board, view: Any, requests: Iterable[Mapping[str, Any]], offers: Sequence[Offer]) -> Filled:
    """The form that makes these requests. Requests saved by another version of the site are shown as far as they are
    known."""
    values: dict[str, list[str]] = {}
    for request in requests if view.phase else ():
        if request.get("kind") not in {"pass", "ready", None}:
            for name, strings in board.decision_of(view).fill(request, offers).items():
                values.setdefault(name, []).extend(strings)
    return Filled(values)


def _ticket(board: Board, question: Question) -> Ticket | None:
    phase = question.view.phase
    return board.decision_of(question.view).ticket(question) if phase and question.offers else None


def _summary(material: Material, state: str) -> str:
    """What would count if the phase closed now."""
    if state == "draft":
        return material.board.summary(material.draft or (), material.view)
    return material.board.summary(material.view.mine.values(), material.view)


def _send(material: Material, question: Question, state: str, summary: str, ticket: Ticket | None) -> Send:
    view, mode = material.view, material.view.phase.mode if material.view.phase else ""
    is_pass = state in {"submitted", "ready"} and "pass" in view.mine
    missing = _missing(material, question, mode)
    words = say("You passed") if is_pass else _state_words(material, state, mode, missing)
    submitted = _ahead_words(material) if is_pass else capitalised(summary)
    is_edited = state in {"submitted", "ready"} and _is_edited(material, question)
    return Send(
        state=state,
        words=say(EDITED) if is_edited else words,
        summary="" if is_edited else submitted,
        note=_note(view, mode, summary, is_edited=is_edited),
        ran=_ran(material, state, summary),
        at=material.saved_at if state == "draft" else None,
        is_ready=material.stays_ready or (material.filled is None and is_last(view, material.seats)),
        last=""
        if mode == "turns"
        else last_words(view, material.seats, state, skip=ticket.skip if ticket and mode == "open" else ""),
        is_open=mode == "open",
        is_waited=view.seat is None or view.phase is None or view.player(view.seat).state != "none",
        is_turn=mode == "turns",
        can_undo=view.can_undo,
        can_undo_all=view.can_undo_all,
        takes_undo=view.phase is not None and view.phase.takes_undo,
        received=material.received if state in {"submitted", "ready"} else None,
        is_edited=is_edited,
        warning=_warning(material, ticket),
        own=_own(material),
        missing=missing.field if missing else "",
    )


def _ahead_words(material: Material) -> str:
    """Requests for later phases that are submitted along with a pass in this one."""
    later = [request for slot, request in material.view.mine.items() if slot != "pass"]
    return capitalised(material.board.summary(later, material.view))


def _is_edited(material: Material, question: Question) -> bool:
    """True if the form asks for something else than the viewer's submission."""
    if material.filled is None and not material.draft:
        return False
    return question.bad is not None or sentences_of(material, question.requests) != sentences_of(
        material, material.view.mine.values()
    )


def sentences_of(material: Material, requests: Iterable[Mapping[str, Any]]) -> list[str]:
    """Requests as sorted sentences: they differ exactly if the requests do."""
    return sorted(material.board.sentence(request, material.view) for request in requests)


def _note(view: Any, mode: str, summary: str, *, is_edited: bool) -> str:
    if is_edited:
        if summary:
            return say("What you submitted still counts: {summary}", summary=summary)
        return say("What you submitted still counts")
    return _sealed_until(view) if mode == "sealed" else ""


def _warning(material: Material, ticket: Ticket | None) -> Say | None:
    """The first warning about the form, unless it repeats the refusal. A folded form shows none."""
    if ticket is None or (material.view.mine and material.filled is None):
        return None
    refusal = material.refusal.text if material.refusal else ""
    return next((warning for warning in ticket.preview.says if warning.css != "ok" and warning.text != refusal), None)


def _own(material: Material) -> tuple[tuple[str, str], ...]:
    """The viewer's figures and rank in a running game."""
    view = material.view
    if view.seat is None or view.phase is None:
        return ()
    scores = [player.score for player in view.players]
    figures = [(fact.label, fact.value) for fact in material.board.facts(view, view.seat)]
    return (*figures, (say("Rank"), rank_words(scores, view.player(view.seat).score)))


def _missing(material: Material, question: Question, mode: str) -> Missing | None:
    """The choice without which the form cannot be submitted."""
    if question.bad or not question.offers or mode in {"", "automatic"}:
        return question.bad if isinstance(question.bad, Missing) else None
    decision = material.board.decision_of(question.view)
    if mode == "sealed" and (material.view.mine or not decision.is_vote):
        return None
    try:
        decision.confirm(question.requests, question.filled)
    except BadField as bad:
        if bad.field == decision.choice[0] and not question.requests:
            return Missing(*decision.asked(question))
        return bad if isinstance(bad, Missing) else None
    return None


def _state_words(material: Material, state: str, mode: str, missing: Missing | None) -> str:
    view = material.view
    if mode == "turns" and view.seat is not None and view.player(view.seat).state == "none":
        return say(AHEAD.get(state, ""))
    if missing and state == "untouched":
        return missing.text.removesuffix(".")
    if mode in {"open", "turns"} and state == "untouched":
        return say(material.board.decision_of(material.view).at_once)
    if state == "ready" and mode not in {"", "sealed"}:
        return say("Ready")
    return say(STATES.get(state, ""))


def _sealed_until(view: Any) -> str:
    """When a submission in a sealed phase is revealed."""
    number = view.phase.next_number
    if number:
        return say("sealed until phase {number}", number=int(number) if number.isdecimal() else number)
    return say("sealed until the phase closes")


def _ran(material: Material, state: str, summary: str) -> str:
    """The text if the phase closes while the form is open: what counted; empty for a seat that was not asked."""
    phase, seat = material.view.phase, material.view.seat
    if phase is None or seat is None or material.view.player(seat).state in NOT_ASKED:
        return ""
    if state == "draft" and summary:
        return say("Your draft was submitted for you: {summary}.", summary=summary)
    if state in {"submitted", "ready"} and summary:
        return say("What you submitted counted: {summary}.", summary=summary)
    if state in {"submitted", "ready"}:
        return say("What you submitted counted.")
    return say("You submitted nothing: {default}.", default=say(phase.default)) if phase.default else ""


def _refusal(material: Material, question: Question) -> Say | None:
    unread = question.bad if material.filled is not None and not isinstance(question.bad, Missing) else None
    error = material.refusal or unread
    return Say(error.text, error.rule, "" if isinstance(error, Missing) else "no") if error else None


def _field(material: Material, question: Question) -> str:
    error = material.refusal or question.bad
    return error.field if error is not None and material.filled is not None else ""
