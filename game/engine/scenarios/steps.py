"""The steps of a scenario: the players' requests as sentences, and what happens to the whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError, known, mapping
from game.engine.scenarios.story import THE_END, Story, phase_names, words_of
from game.engine.scenarios.words import Sentence

READY, WITHDRAW = re.compile(r"(not )?ready"), re.compile(r"withdraws (.+)")
UNDO = re.compile(r"takes (it|everything) back")
COMMON: Mapping[str, Sentence] = {
    "ready": Sentence(("ready", "not ready"), READY, lambda story, match: {"kind": "ready", "on": not match[1]}),
    "pass": Sentence(("passes",), re.compile(r"passes"), lambda story, match: {"kind": "pass"}),
    "withdraw": Sentence(("withdraws order",), WITHDRAW, lambda story, match: {"kind": "withdraw", "of": match[1]}),
    "undo": Sentence(
        ("takes it back", "takes everything back"),
        UNDO,
        lambda story, match: {"kind": "undo"} | ({"all": True} if match[1] == "everything" else {}),
    ),
}
"""Sentences for the kernel's own actions, by kind."""

TABLE_STEPS: dict[str, tuple[str, Callable[[Story], None]]] = {
    "everybody_ready": ("everybody who is waited for says ready, until the phase closes", Story.all_ready),
    "clock_runs_out": ("the deadline passes: the open phase closes with what was submitted", Story.close),
    "play_on": ("the same, said where a phase is about to begin", Story.close),
}


def sentences_of(rules: Ruleset) -> list[Sentence]:
    """The sentences that players can say: the ruleset's, and those for the kernel's actions that it accepts."""
    return [*words_of(rules).sentences, *(sentence for kind, sentence in COMMON.items() if kind in rules.actions)]


def take(story: Story, step: Any) -> None:
    """Carry out one step."""
    if isinstance(step, str):
        _say(story, step)
        return
    if len(mapping(step, "a step")) != 1:
        raise ScenarioError(f"a step is one thing, not {step!r}")
    ((word, value),) = step.items()
    if word == "play_to":
        story.play_to(known(value, (*phase_names(story.rules), THE_END), "phase"))
    elif isinstance(value, Mapping):
        story.ask(word, value, f"{word} asks {value.get('kind')}")
    else:
        known(word, ("play_to", "then", *story.names), "step")
        _say(story, f"{word} {value}")


def _say(story: Story, step: str) -> None:
    if step in TABLE_STEPS:
        TABLE_STEPS[step][1](story)
        return
    name, _, sentence_text = step.partition(" ")
    known(name, (*story.names, *TABLE_STEPS), "player or step")
    sentences = sentences_of(story.rules)
    for sentence in sentences:
        if match := sentence.pattern.fullmatch(sentence_text):
            story.ask(name, sentence.request(story, match), step)
            return
    forms = "; ".join(form for sentence in sentences for form in sentence.forms)
    raise ScenarioError(f"there is no sentence {sentence_text!r}; known: {forms}")
