"""The head of the decision panel: whose decision it is, what is asked, what happens otherwise, and who is last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.base import Board
from game.boards.shapes import Brief, Who
from game.engine.language import count, mark, say
from game.engine.phrases import inside, listed, thousands
from game.engine.progress import HIDDEN, NOT_ASKED

YOURS, DECIDED, WAITING = mark("Your decision"), mark("Submitted"), mark("Nothing to decide")
NOT_YOUR_TURN = mark(
    "It is not your turn. What you save here is done when your turn comes, if it is still allowed then."
)
LOOKS = {"automatic": {"untouched": "looking", "ready": "seen"}, "turns": {"untouched": "acting", "none": "waiting"}}
"""What the state of a seat means in phases without decisions, and in phases with turns."""
WAITED = {"untouched", "submitted"}
BOTS_DECIDE = {
    "button": mark("Only bots are still deciding, and they are quick: “{button}” closes the phase."),
    "ready": mark("Only bots are still deciding, and they are quick: “Ready” closes the phase."),
    "submit": mark("Only bots are still deciding, and they are quick: submit as ready to close the phase."),
}
ALL_ARE_READY = {
    "button": mark("Everyone else is ready: “{button}” closes the phase."),
    "ready": mark("Everyone else is ready: “Ready” closes the phase."),
    "submit": mark("Everyone else is ready: submit as ready to close the phase."),
}


def brief_of(
    board: Board, view: Any, seats: Any, title: str, state: str, summary: str, *, is_timed: bool = True
) -> Brief:
    """The head of the panel for this viewer; `title` is the ticket's sentence, empty without a ticket."""
    if view.phase is None:
        after = say("after {turn}", turn=board.rules.turn_inside(view.turn))
        return Brief(say("The game is over"), after, won(view, seats), who=())
    looks = LOOKS.get(view.phase.mode, {})
    who = tuple(_who(seats[player.seat], player, state, looks) for player in view.players)
    aside = board.aside(view)
    if view.phase.mode == "automatic":
        lead = say("Nothing to decide. The game continues by itself.")
        return Brief(say("Result"), aside, board.result(view), lead, who=who)
    if not title:
        flag = say("You are watching") if view.seat is None else say(WAITING)
        return Brief(flag, aside, _waiting(view, seats), who=who)
    if view.player(view.seat).state in NOT_ASKED:
        if view.phase.mode == "turns":
            return Brief(say(WAITING), aside, _waiting(view, seats), say(NOT_YOUR_TURN), who=who)
        return Brief(say(WAITING), aside, title, say(board.ahead), who=who)
    lead, bold, tail = (_default if is_timed else _default_without_clock)(view, state, summary)
    is_in, room = state in {"submitted", "ready"}, _room(view, state) if is_timed else ()
    return Brief(say(DECIDED if is_in else YOURS), aside, title, lead, bold, tail, room, is_yours=not is_in, who=who)


def no_deadline(view: Any) -> str:
    """What a game without a clock says in place of the deadline."""
    if view.seat is None:
        return say("No deadline: one person plays against bots.")
    if view.player(view.seat).state in WAITED:
        return say("No deadline: nothing happens without you.")
    return say("No deadline in this game.")


def at_a_standstill(board: Board, view: Any, headline: str, summary: str) -> Brief:
    """The head of the panel of a game that is paused or on hold; `summary` is what the viewer has submitted."""
    lead = say("What you submitted is kept: {summary}.", summary=summary) if summary else ""
    return Brief(say(WAITING), board.aside(view), say(headline), lead)


def _who(place: Any, player: Any, state: str, looks: Mapping[str, str]) -> Who:
    state_shown = state if player.is_you and player.state == "untouched" and state == "draft" else player.state
    return Who(
        place,
        say("You") if player.is_you else place.name,
        place.keeper or looks.get(state_shown, state_shown),
        player.is_you,
    )


def _default(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """What counts at the deadline: a sentence in three parts, the middle one bold."""
    nothing = say("If you do nothing, "), say(view.phase.default), "."
    if view.phase.mode in {"open", "turns"}:
        return nothing
    if state in {"submitted", "ready"}:
        return say("At the deadline "), say("what you submitted counts"), f": {summary}." if summary else "."
    if state == "draft" and summary:
        return say("At the deadline "), say("your draft is submitted"), "."
    return nothing


def _room(view: Any, state: str) -> tuple[str, ...]:
    """The sentence that replaces the present one when a draft is saved or removed. Space for both is kept, so that the
    form below does not move."""
    if view.phase.mode != "sealed" or state not in {"untouched", "draft"}:
        return ()
    other = "draft" if state == "untouched" else "untouched"
    return _default(view, other, "a draft")


def _default_without_clock(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """What counts without a deadline, in three such parts: another line says that nothing happens without the viewer,
    and the bar has the draft."""
    if state == "submitted":
        lead = say("As soon as you are ready, ")
        return lead, say("what you submitted counts"), f": {summary}." if summary else "."
    return "", "", ""


def _waiting(view: Any, seats: Any) -> str:
    deciding = [player for player in view.players if player.state in {"untouched", "submitted"}]
    waited = [seats[player.seat].name for player in deciding]
    if not waited:
        return f"{say(view.phase.title)}."
    if view.phase.mode == "turns" and [player.seat for player in deciding] == [view.seat]:
        return say("It is your turn.")
    if view.phase.mode == "turns":
        one, many = mark("It is {names}’s turn."), mark("{names}: it is their turn.")
        return say(many if len(waited) > 1 else one, names=listed(waited))
    names = listed(waited) if len(waited) <= 3 else count("{n} player", "{n} players", len(waited))
    phase = inside(view.phase.title)
    return say("Waiting for {names}: {phase}.", names=names, phase=phase)


def won(view: Any, seats: Any) -> str:
    """The headline that names the winner."""
    first = [seats[row.seat] for row in view.standings if row.place == 1]
    if not first:
        return say("The game is over.")
    names, worth = [say("You") if place.is_you else place.name for place in first], thousands(view.standings[0].score)
    if len(names) > 1:
        return say("{names} share first place with {worth}.", names=listed(names), worth=worth)
    if first[0].is_you:
        return say("You win with {worth}.", worth=worth)
    return say("{name} wins with {worth}.", name=names[0], worth=worth)


def is_last(view: Any, seats: Sequence[Any]) -> bool:
    """True if the viewer must decide and no other person must; bots take no time."""
    if view.seat is None or view.phase is None or view.player(view.seat).state not in WAITED:
        return False
    return all(seats[player.seat].is_bot for player in _others(view))


def last_words(view: Any, seats: Sequence[Any], state: str, *, skip: str) -> str:
    """The text next to the buttons for the only person who is still waited for; empty for others, and in phases without
    decisions. `skip` is the button that ends their part of an open phase."""
    if not is_last(view, seats) or view.phase.mode == "automatic":
        return ""
    texts = BOTS_DECIDE if _others(view) else ALL_ARE_READY
    if skip:
        return say(texts["button"], button=say(skip))
    return say(texts["ready" if state == "submitted" else "submit"])


def _others(view: Any) -> list[Any]:
    """The other players whom the phase waits for, or may wait for where it does not show whom it asks."""
    return [player for player in view.players if not player.is_you and player.state in {*WAITED, HIDDEN}]
