"""The head of the dock: whose decision it is, what is asked, and what happens if nothing is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.dock.results import result_of
from game.dock.shapes import Brief, Who
from game.dock.words import won
from game.engine.phrases import listed, plural

YOURS, DECIDED, WAITING = "Your decision", "Your decision is in", "No decision for you"
UNHURRIED = {True: "No deadline: the bots wait for you.", False: "No deadline: one person plays against bots."}
LOOKS = {"untouched": "looking", "ready": "seen"}  # what being ready means where nothing is decided


def brief_of(view: Any, seats: Any, title: str, state: str, summary: str, *, is_timed: bool = True) -> Brief:
    """The four answers for this viewer; `title` is the ticket's sentence, empty without one."""
    is_review = view.phase is not None and view.phase.mode == "automatic"
    who = tuple(_who(seats[player.seat], player, state, is_review=is_review) for player in view.players)
    if view.phase is None:
        return Brief("The game is over", f"after turn {view.turn}", won(view, seats), who=())
    aside = _aside(view)
    if is_review:
        return Brief("Look at the result", aside, result_of(view), "Nothing is decided here; the game goes on by itself.", who=who)
    if not title:
        return Brief("You are watching" if view.seat is None else WAITING, aside, _waiting(view, seats), who=who)
    if view.player(view.seat).state == "none":
        words = "Nobody waits for you. What you choose here counts when the company’s turn comes."
        return Brief(WAITING, aside, title, words, who=who)
    lead, bold, tail = (_default if is_timed else _default_without_clock)(view, state, summary)
    is_in = state in {"submitted", "ready"}
    return Brief(DECIDED if is_in else YOURS, aside, title, lead, bold, tail, is_yours=not is_in, who=who)


def _who(place: Any, player: Any, state: str, *, is_review: bool) -> Who:
    shown = state if player.is_you and player.state == "untouched" and state == "draft" else player.state
    shown = LOOKS.get(shown, shown) if is_review else shown
    return Who(place, "You" if player.is_you else place.name, shown, player.is_you)


def _aside(view: Any) -> str:
    phase = view.phase
    if phase.name == "stock_orders":
        return f"Stock round, pass {phase.sub_round}"
    if phase.company and view.queue:
        return f"Operating round, company {view.queue.index(phase.company) + 1} of {len(view.queue)}"
    return f"Phase {phase.number}, {phase.title}" if phase.round in (phase.title, "Turn") else f"{phase.round}, phase {phase.number}"


def _default(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """What counts at the deadline: a sentence in three parts, the middle one bold."""
    if view.phase.mode == "open":
        return "If you do nothing, ", view.phase.default, "."
    if state in {"submitted", "ready"}:
        return "At the deadline ", "what you submitted counts", f": {summary}." if summary else "."
    if state == "draft" and summary:
        return "If you do nothing, ", "your saved draft runs", f" at the deadline: {summary}."
    return "If you do nothing, ", view.phase.default, "."


def _default_without_clock(view: Any, state: str, summary: str) -> tuple[str, str, str]:
    """The same where no deadline comes: nothing happens without the viewer."""
    if state in {"submitted", "ready"}:
        return "As soon as you are ready, ", "what you submitted counts", f": {summary}." if summary else "."
    if state == "draft" and summary:
        return "Your draft is kept ", "and counts once you submit it", f": {summary}."
    return "Take your time: ", "nothing happens without you", "."


def _waiting(view: Any, seats: Any) -> str:
    waited = [seats[player.seat].name for player in view.players if player.state in {"untouched", "submitted"}]
    if not waited:
        return f"{view.phase.title}."
    names = listed(waited) if len(waited) <= 3 else f"{plural(len(waited), 'player')}"
    return f"{names} {'decides' if len(waited) == 1 else 'decide'}: {view.phase.title.lower()}."


def shown_prices(view: Any) -> str:
    """The share prices under a form, for the line that says what has changed since it was opened."""
    prices: Mapping[str, int] = {company.ticker: company.price for company in view.companies}
    return " ".join(f"{ticker}:{price}" for ticker, price in prices.items())
