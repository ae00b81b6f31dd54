"""Expectations about the log, the refusals, and who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.events import KERNEL_EVENTS, Event, read_events
from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError, known, listed, mapping
from game.engine.scenarios.story import Refusal, Story
from game.engine.scenarios.words import Asked

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


def log(story: Story, asked: str, expected: Any) -> Asked:
    """Every entry, each searched for after the one before it."""
    left = list(story.told)
    for entry in listed(expected):
        tag, wanted = _entry(story, entry)
        told = [(i, facts_of(story, event)) for i, event in enumerate(left) if tag_of(event) == tag]
        at = next((i for i, facts in told if _fits(facts, wanted)), None)
        found = dict(wanted) if at is not None else [facts for _, facts in told]
        yield f"log has {tag}", dict(wanted), found
        left = left if at is None else left[at + 1 :]


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


def log_count(story: Story, asked: str, expected: Any) -> Asked:
    """How often events of these kinds are in the log."""
    for tag, count in mapping(expected, asked).items():
        known(tag, events_of(story.rules), "event")
        yield f"how often {tag}", count, sum(tag_of(event) == tag for event in story.told)


def refusals(story: Story, asked: str, expected: Any) -> Asked:
    """All refusals in order: each a player, a rule, and words that the refusal contains."""
    wanted = [mapping(refusal, "a refusal") for refusal in listed(expected)]
    told = [told_of(refusal) for refusal in story.refusals]
    yield "how many refusals", len(wanted), len(told) if len(wanted) == len(told) else told
    for said, refusal in zip(wanted, story.refusals, strict=False):
        yield from _refusal(story, said, refusal)


def _refusal(story: Story, said: Mapping[str, Any], refusal: Refusal) -> Asked:
    for word in said:
        known(word, ("player", "rule", "words"), "word of a refusal")
    if "player" in said:
        yield f"who is refused “{refusal.step}”", known(said["player"], story.names, "player"), refusal.player
    yield f"rule that refuses “{refusal.step}”", said.get("rule", refusal.rule), refusal.rule
    for words in listed(said.get("words")):
        found = words if str(words).lower() in refusal.text.lower() else refusal.text
        yield f"words that refuse “{refusal.step}”", words, found


def told_of(refusal: Refusal) -> str:
    """A refusal as a line: the step contains the player's name."""
    return f"{refusal.step}: {refusal.text} ({refusal.rule})"


def view(story: Story, asked: str, expected: Any) -> Asked:
    """Values in a viewer's view, by path."""
    for viewer, paths in mapping(expected, asked).items():
        seen = msgspec.to_builtins(story.rules.view(story.position, story.viewer(viewer)), str_keys=True)
        for path, value in mapping(paths, f"the view of {viewer}").items():
            yield f"{path} as {viewer} sees it", value, _at(seen, str(path))


def _at(seen: Any, path: str) -> Any:
    for word in path.split("."):
        if isinstance(seen, list | tuple):
            if word == "count":
                return len(seen)
            known(word, [str(place) for place in range(len(seen))], "place in the view")
            seen = seen[int(word)]
        else:
            seen = seen[known(word, mapping(seen, path), "word of the view")]
    return list(seen) if isinstance(seen, tuple) else seen


def seen_by(story: Story, viewer: str) -> bytes:
    """Everything that a viewer has been shown: the view and the log."""
    seat = story.viewer(viewer)
    return msgspec.json.encode((story.rules.view(story.position, seat), read_events(story.told, seat)))


def compare_views(story: Story, other: Story | None, asked: str, expected: Any) -> Asked:
    """Compare what viewers see of this story and of the one with the other steps."""
    if other is None:
        raise ScenarioError(f"{asked} compares with the steps of `otherwise`; there are none")
    for viewer in listed(expected):
        same = seen_by(story, viewer) == seen_by(other, viewer)
        yield f"{viewer} can tell it from `otherwise`", asked == "shown_to", not same
