"""What a scenario can expect in every game: each word is one question, whose answer is compared with the expected
one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.engine import referee
from game.engine.events import PhaseOpened
from game.engine.ledger import BANK, cash_of
from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import mapping
from game.engine.scenarios.log import log, log_count, refusals, view
from game.engine.scenarios.story import THE_END, Story, words_of
from game.engine.scenarios.words import Answers, Question


def questions_of(rules: Ruleset) -> dict[str, Question]:
    """Every word of `then` except the comparisons: the kernel's and the ruleset's."""
    return {**QUESTIONS, **words_of(rules).questions}


def _phase(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.phase or THE_END


def _turn(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.state.turn


def _step(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.position.cursor.step


def _opened(story: Story) -> list[str]:
    return [event.phase for event in story.events if isinstance(event, PhaseOpened)]


def _phases(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, _opened(story)


def _phase_count(story: Story, question: str, expected: Any) -> Answers:
    for phase, count in mapping(expected, question).items():
        yield f"how often {phase}", count, _opened(story).count(story.find("phase", phase))


def _waiting(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.waiting()


def _ready(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, [story.names[seat] for seat in sorted(story.position.ready)]


def _may_undo(story: Story, question: str, expected: Any) -> Answers:
    earlier = story.position.earlier
    yield question, expected, story.names[earlier[-1].seat] if earlier else None


def _inputs(story: Story, question: str, expected: Any) -> Answers:
    """Submissions that are not revealed yet, or left standing for a later turn, by player."""
    for name, value in mapping(expected, question).items():
        yield f"{question} of {name}", value, sorted(story.position.pending.get(story.seat(name), {}))


def _offered(story: Story, question: str, expected: Any) -> Answers:
    for name, value in mapping(expected, question).items():
        offers = referee.offers(story.rules, story.position, story.seat(name))
        yield f"{question} of {name}", value, sorted({offer.kind for offer in offers if not offer.refused})


def _place(story: Story, question: str, expected: Any) -> Answers:
    places = {standing.seat: standing.place for standing in story.rules.standings(story.state)}
    for name, value in mapping(expected, question).items():
        yield f"{question} of {name}", value, places[story.seat(name)]


def _score(story: Story, question: str, expected: Any) -> Answers:
    scores = {standing.seat: standing.score for standing in story.rules.standings(story.state)}
    for name, value in mapping(expected, question).items():
        yield f"{question} of {name}", value, scores[story.seat(name)]


def _cash(story: Story, question: str, expected: Any) -> Answers:
    for name, value in mapping(expected, question).items():
        yield f"{question} of {name}", value, story.state.ledger.balance(cash_of(story.seat(name)))


def _bank(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.state.ledger.balance(BANK)


def _bank_change(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.state.ledger.balance(BANK) - story.began.ledger.balance(BANK)


def _end(story: Story, question: str, expected: Any) -> Answers:
    yield question, expected, story.rules.end_reason(story.state)


def _live_seconds(story: Story, question: str, expected: Any) -> Answers:
    options = story.rules.options_of(story.state)
    for phase, value in mapping(expected, question).items():
        yield f"{question} of {phase}", value, story.rules.live_seconds(options, story.find("phase", phase))


QUESTIONS: Mapping[str, Question] = {
    "phase": Question("the table", "name of the open phase, or `before production`, or `the end` of the game", _phase),
    "turn": Question("the table", "number of the turn", _turn),
    "step": Question("the table", "actions carried out in the open phase, those taken back included", _step),
    "phases": Question("the table", "the phases entered, in order", _phases),
    "waiting": Question("the table", "the players who are waited for, in seat order", _waiting),
    "ready": Question("the table", "the players who are ready, in seat order", _ready),
    "may_undo": Question("the table", "the player who may take the last action back, or null", _may_undo),
    "bank": Question("the table", "dollars in the bank", _bank),
    "bank_change": Question("the table", "dollars the bank gained since the beginning", _bank_change),
    "end": Question("the table", "why the game ended; empty while it goes on", _end),
    "cash": Question("player", "dollars on hand", _cash),
    "score": Question("player", "what counts at the end", _score),
    "place": Question("player", "place in the standings", _place),
    "inputs": Question("player", "names of the inputs submitted, or left for a later phase, sorted", _inputs),
    "offered": Question("player", "kinds of action offered and not refused, sorted", _offered),
    "live_seconds": Question("phase", "its length in a live game", _live_seconds),
    "phase_count": Question("phase", "how often a phase was entered", _phase_count),
    "log": Question("event", "events told in this order: a tag, or a tag with some of its fields", log),
    "log_count": Question("event", "how often an event was told", log_count),
    "refusals": Question("list", "everything refused, in order: `player`, `rule`, `words` (one or a list)", refusals),
    "view": Question("viewer", "what a player or `stranger` sees, by path (`orders.0.price`, `orders.count`)", view),
}
"""The questions of every game; a ruleset adds its own or replaces these."""
