"""The head of the decision panel: whose decision it is, what is asked, and what happens if nothing is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.base import Board
from game.boards.shapes import Brief, Who
from game.engine.phrases import listed, plural, thousands

YOURS, DECIDED, WAITING = "Your decision", "Submitted", "Nothing to decide"
UNHURRIED = {True: "No deadline: the bots wait for you.", False: "No deadline: one person plays against bots."}
NOT_YOUR_TURN = "It is not your turn. What you leave here is done when your turn comes, if it is still allowed then."
LOOKS = {"automatic": {"untouched": "looking", "ready": "seen"}, "turns": {"untouched": "acting", "none": "waiting"}}
"""What the state of a seat means where nothing is decided, and where seats act one after another."""


def brief_of(
    board: Board, view: Any, seats: Any, title: str, state: str, summary: str, *, is_timed: bool = True
) -> Brief:
    """The four answers for this viewer; `title` is the ticket's sentence, empty without one."""
    if view.phase is None:
        return Brief("The game is over", f"after turn {view.turn}", won(view, seats), who=())
    looks = LOOKS.get(view.phase.mode, {})
    who = tuple(_who(seats[player.seat], player, state, looks) for player in view.players)
    aside = board.aside(view)
    if view.phase.mode == "automatic":
        return Brief("Result", aside, board.result(view), "Nothing to decide. The game continues by itself.", who=who)
    if not title:
        return Brief("You are watching" if view.seat is None else WAITING, aside, _waiting(view, seats), who=who)
    if view.player(view.seat).state == "none":
        if view.phase.mode == "turns":
            return Brief(WAITING, aside, _waiting(view, seats), NOT_YOUR_TURN, who=who)
        return Brief(WAITING, aside, title, board.ahead, who=who)
    lead, bold, tail = (_default if is_timed else _default_without_clock)(view, state, summary)
    is_in = state in {"submitted", "ready"}
    return Brief(DECIDED if is_in else YOURS, aside, title, lead, bold, tail, is_yours=not is_in, who=who)


def _who(place: Any, player: Any, state: str, looks: Mapping[str, str]) -> Who:
    shown = state if player.is_you and player.state == "untouched" and state == "draft" else player.state
    return Who(place, "You" if player.is_you else place.name, place.keeper or looks.get(shown, shown), player.is_you)


def _default(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """What counts at the deadline: a sentence in three parts, the middle one bold."""
    if view.phase.mode in {"open", "turns"}:
        return "If you do nothing, ", view.phase.default, "."
    if state in {"submitted", "ready"}:
        return "At the deadline ", "what you submitted counts", f": {summary}." if summary else "."
    if state == "draft" and summary:
        return "If you do nothing, ", "your draft is submitted", f" at the deadline: {summary}."
    return "If you do nothing, ", view.phase.default, "."


def _default_without_clock(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """The same where no deadline comes: nothing happens without the viewer."""
    if state in {"submitted", "ready"}:
        return "As soon as you are ready, ", "what you submitted counts", f": {summary}." if summary else "."
    if state == "draft" and summary:
        return "Your draft is kept ", "and counts once you submit it", f": {summary}."
    return "Take your time: ", "nothing happens without you", "."


def _waiting(view: Any, seats: Any) -> str:
    asked = [player for player in view.players if player.state in {"untouched", "submitted"}]
    waited = [seats[player.seat].name for player in asked]
    if not waited:
        return f"{view.phase.title}."
    if view.phase.mode == "turns" and [player.seat for player in asked] == [view.seat]:
        return "It is your turn."
    if view.phase.mode == "turns":
        return f"{listed(waited)}: it is their turn." if len(waited) > 1 else f"It is {waited[0]}’s turn."
    names = listed(waited) if len(waited) <= 3 else f"{plural(len(waited), 'player')}"
    return f"{names} {'decides' if len(waited) == 1 else 'decide'}: {view.phase.title.lower()}."


def won(view: Any, seats: Any) -> str:
    """Who has won, as a headline."""
    first = [seats[row.seat] for row in view.standings if row.place == 1]
    if not first:
        return "The game is over."
    names, worth = ["You" if place.is_you else place.name for place in first], thousands(view.standings[0].score)
    if len(names) > 1:
        return f"{listed(names)} share the first place with {worth}."
    return f"{names[0]} {'win' if first[0].is_you else 'wins'} with {worth}."
