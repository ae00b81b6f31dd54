"""Expectations about the log, the refusals, and who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.events import KERNEL_EVENTS, Event, read_events
from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError, known, listed, mapping
from game.engine.scenarios.story import Refusal, Story
from game.engine.scenarios.words import Answers

IN_WORDS = ("reason", "why")
COMPARISONS = {
    "hidden_from": "viewers who cannot tell this story from the one whose steps are `otherwise`",
    "shown_to": "viewers who can",
}


def events_of(rules: Ruleset) -> dict[str, type[Event]]:
    """Every kind of event by its tag, the kernel's own included."""
    return {str(kind.__struct_config__.tag): kind for kind in KERNEL_EVENTS} | dict(rules.registries["events"])


def tag_of(event: Event) -> str:
    """The event's tag."""
    return str(event.__struct_config__.tag)


def facts_of(story: Story, event: Event) -> dict[str, Any]:
    """An event's fields, with players by name."""
    facts: dict[str, Any] = {name: msgspec.to_builtins(getattr(event, name)) for name in event.__struct_fields__}
    for name in ("seat", *story.words.seats_in):
        tag, _, field = name.rpartition(".")
        if field in facts and tag in ("", tag_of(event)):
            facts[field] = _named(story, facts[field])
    return {name: list(value) if isinstance(value, tuple) else value for name, value in facts.items()}


def _named(story: Story, seats: Any) -> Any:
    """One seat or several as names; None stays None."""
    if isinstance(seats, list | tuple):
        return [story.names[seat] for seat in seats]
    return None if seats is None else story.names[seats]


def log(story: Story, question: str, expected: Any) -> Answers:
    """Every entry, each searched for after the one before it."""
    remaining = list(story.events)
    for entry in listed(expected):
        tag, wanted = _entry(story, entry)
        candidates = [(i, facts_of(story, event)) for i, event in enumerate(remaining) if tag_of(event) == tag]
        at = next((i for i, facts in candidates if _fits(facts, wanted)), None)
        actual = dict(wanted) if at is not None else [facts for _, facts in candidates]
        yield f"log has {tag}", dict(wanted), actual
        remaining = remaining if at is None else remaining[at + 1 :]


def _entry(story: Story, entry: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(entry, str):
        entry = {entry: None}
    if len(mapping(entry, "an entry of the log")) != 1:
        raise ScenarioError(f"an entry of the log is one event, not {entry!r}")
    ((tag, wanted),) = entry.items()
    events = events_of(story.rules)
    wanted = mapping(wanted, tag)
    for field in wanted:
        known(field, events[known(tag, events, "event")].__struct_fields__, f"field of {tag}")
    return known(tag, events, "event"), wanted


def _fits(facts: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(_agrees(field, facts[field], value) for field, value in wanted.items())


def _agrees(field: str, fact: Any, value: Any) -> bool:
    """True if a fact is the expected one; reasons need only contain the words."""
    return str(value) in fact if field in IN_WORDS else bool(fact == value)


def log_count(story: Story, question: str, expected: Any) -> Answers:
    """How often events of these kinds are in the log."""
    for tag, count in mapping(expected, question).items():
        known(tag, events_of(story.rules), "event")
        yield f"how often {tag}", count, sum(tag_of(event) == tag for event in story.events)


def refusals(story: Story, question: str, expected: Any) -> Answers:
    """All refusals in order: each a player, a rule, and words that the refusal contains."""
    wanted = [mapping(refusal, "a refusal") for refusal in listed(expected)]
    lines = [refusal_line(refusal) for refusal in story.refusals]
    yield "how many refusals", len(wanted), len(lines) if len(wanted) == len(lines) else lines
    for entry, refusal in zip(wanted, story.refusals, strict=False):
        yield from _refusal(story, entry, refusal)


def _refusal(story: Story, entry: Mapping[str, Any], refusal: Refusal) -> Answers:
    for word in entry:
        known(word, ("player", "rule", "words"), "word of a refusal")
    if "player" in entry:
        yield f"who is refused “{refusal.step}”", known(entry["player"], story.names, "player"), refusal.player
    yield f"rule that refuses “{refusal.step}”", entry.get("rule", refusal.rule), refusal.rule
    for words in listed(entry.get("words")):
        actual = words if str(words).lower() in refusal.text.lower() else refusal.text
        yield f"words that refuse “{refusal.step}”", words, actual


def refusal_line(refusal: Refusal) -> str:
    """A refusal as a line: the step contains the player's name."""
    return f"{refusal.step}: {refusal.text} ({refusal.rule})"


def view(story: Story, question: str, expected: Any) -> Answers:
    """Values in a viewer's view, by path."""
    for viewer, paths in mapping(expected, question).items():
        view = msgspec.to_builtins(story.rules.view(story.position, story.viewer(viewer)), str_keys=True)
        for path, value in mapping(paths, f"the view of {viewer}").items():
            yield f"{path} as {viewer} sees it", value, _at(view, str(path))


def _at(view: Any, path: str) -> Any:
    for word in path.split("."):
        if isinstance(view, list | tuple):
            if word == "count":
                return len(view)
            known(word, [str(place) for place in range(len(view))], "place in the view")
            view = view[int(word)]
        else:
            view = view[known(word, mapping(view, path), "word of the view")]
    return list(view) if isinstance(view, tuple) else view


def seen_by(story: Story, viewer: str) -> bytes:
    """Everything that a viewer has been shown: the view and the log."""
    seat = story.viewer(viewer)
    return msgspec.json.encode((story.rules.view(story.position, seat), read_events(story.events, seat)))


def compare_views(story: Story, other: Story | None, question: str, expected: Any) -> Answers:
    """Compare what viewers see of this story and of the one with the other steps."""
    if other is None:
        raise ScenarioError(f"{question} compares with the steps of `otherwise`; there are none")
    for viewer in listed(expected):
        same = seen_by(story, viewer) == seen_by(other, viewer)
        yield f"{viewer} can tell it from `otherwise`", question == "shown_to", not same
