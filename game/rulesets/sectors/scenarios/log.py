"""Expectations about what was told: the log, the refusals, and who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.events import Event, read_events
from game.rulesets.sectors.events import EVENTS
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.scenarios.language import ScenarioError, known, listed, mapping
from game.rulesets.sectors.scenarios.questions import QUESTIONS, Asked, Question
from game.rulesets.sectors.scenarios.story import STRANGER, Refusal, Story

SEATS = ("seat", "giver")
SEAT_LISTS = ("payers", "voters")
IN_WORDS = ("reason", "why")


def tag_of(event: Event) -> str:
    """The event's tag."""
    return str(event.__struct_config__.tag)


def facts_of(story: Story, event: Event) -> dict[str, Any]:
    """An event's fields, players by name."""
    facts: dict[str, Any] = {name: msgspec.to_builtins(getattr(event, name)) for name in event.__struct_fields__}
    named = {name: story.names[facts[name]] for name in SEATS if name in facts}
    by_seat = (*SEAT_LISTS, "order") if tag_of(event) == "priority_set" else SEAT_LISTS
    named |= {name: [story.names[seat] for seat in facts[name]] for name in by_seat if name in facts}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in (facts | named).items()}


def _log(story: Story, asked: str, expected: Any) -> Asked:
    """Each entry is found after the one before it."""
    left = list(story.told)
    for entry in listed(expected):
        tag, wanted = _entry(entry)
        at = next((i for i, event in enumerate(left) if tag_of(event) == tag and _fits(facts_of(story, event), wanted)), None)
        told = [facts_of(story, event) for event in left if tag_of(event) == tag]
        yield f"log has {tag}", dict(wanted), dict(wanted) if at is not None else told
        left = left if at is None else left[at + 1 :]


def _entry(entry: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(entry, str):
        entry = {entry: None}
    ((tag, wanted),) = mapping(entry, "an entry of the log").items()
    wanted = mapping(wanted, tag)
    for field in wanted:
        known(field, EVENTS[known(tag, EVENTS, "event")].__struct_fields__, f"field of {tag}")
    return known(tag, EVENTS, "event"), wanted


def _fits(facts: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(str(value) in facts[field] if field in IN_WORDS else facts[field] == value for field, value in wanted.items())


def _log_count(story: Story, asked: str, expected: Any) -> Asked:
    for tag, count in mapping(expected, asked).items():
        known(tag, EVENTS, "event")
        yield f"how often {tag}", count, sum(tag_of(event) == tag for event in story.told)


def _phases(story: Story, asked: str, expected: Any) -> Asked:
    for phase, count in mapping(expected, asked).items():
        opened = [event for event in story.told if tag_of(event) == "phase_opened"]
        yield f"how often {phase}", count, sum(getattr(event, "phase", "") == phase for event in opened)


def _refusals(story: Story, asked: str, expected: Any) -> Asked:
    """All refusals in order: each a rule, and words that the refusal contains."""
    wanted = [mapping(refusal, "a refusal") for refusal in listed(expected)]
    yield "how many refusals", len(wanted), len(story.refusals) if len(wanted) == len(story.refusals) else list(map(_told, story.refusals))
    for said, refusal in zip(wanted, story.refusals, strict=False):
        for word in said:
            known(word, ("rule", "words"), "word of a refusal")
        yield f"rule that refuses “{refusal.step}”", said.get("rule", refusal.rule), refusal.rule
        for words in listed(said.get("words")):
            yield f"words that refuse “{refusal.step}”", words, words if str(words).lower() in refusal.text.lower() else refusal.text


def _told(refusal: Refusal) -> str:
    return f"{refusal.step}: {refusal.text} ({refusal.rule})"


def _view(story: Story, asked: str, expected: Any) -> Asked:
    """Values in a viewer's view, by path."""
    for viewer, paths in mapping(expected, asked).items():
        known(viewer, (*story.names, STRANGER), "viewer")
        seen = msgspec.to_builtins(SECTORS.view(story.position, story.viewer(viewer)), str_keys=True)
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
    """Everything a viewer has been shown: the view and the log."""
    seat = story.viewer(known(viewer, (*story.names, STRANGER), "viewer"))
    view = SECTORS.view(story.position, seat)
    return msgspec.json.encode((view, read_events(story.told, seat)))


def compare_views(story: Story, other: Story | None, asked: str, expected: Any) -> Asked:
    """Whether viewers can tell this story from the one with the other steps."""
    if other is None:
        raise ScenarioError(f"{asked} compares with the steps of `otherwise`; there are none")
    for viewer in listed(expected):
        same = seen_by(story, viewer) == seen_by(other, viewer)
        yield f"{viewer} can tell it from `otherwise`", asked == "shown_to", not same


QUESTIONS["log"] = Question("event", "events told in this order: a tag, or a tag with some of its fields", _log)
QUESTIONS["log_count"] = Question("event", "how often an event was told", _log_count)
QUESTIONS["phase_count"] = Question("phase", "how often a phase was entered", _phases)
QUESTIONS["refusals"] = Question("list", "everything that was refused, in order: `rule` and `words` (one or a list)", _refusals)
QUESTIONS["view"] = Question("viewer", "values in what a player or `stranger` sees, by path (`orders.0.quantity`, `orders.count`)", _view)
COMPARISONS = {
    "hidden_from": "viewers who cannot tell this story from the one whose steps are `otherwise`",
    "shown_to": "viewers who can",
}
