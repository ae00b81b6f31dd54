"""The games of this site as structs and JSON Schema for programs, made from the rulesets alone."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from game.boards.options import Preset
from game.boards.registry import board_of
from game.deadlines import paces
from game.engine import referee
from game.engine.language import say
from game.engine.requests import filled_in
from game.engine.ruleset import Ruleset
from game.lobby.host_choices import menus_of
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.badges import ModeKey, PaceKey
from game.store.game import Pace

WHERE = "#/definitions/{name}"


class RulesetLine(msgspec.Struct, frozen=True):
    """A game in a list; `seats` are the possible numbers of players."""

    key: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    version: int


class PhaseFacts(msgspec.Struct, frozen=True):
    """A phase in the order of play; `seconds` is its length by pace, 0 for one without a wait."""

    number: str
    name: str
    title: str
    mode: ModeKey
    default: str
    seconds: dict[str, int]


class PresetFacts(msgspec.Struct, frozen=True):
    """A named set of options; `seats` are the numbers of players that it is for."""

    key: str
    title: str
    options: dict[str, Any]
    seats: tuple[int, ...] = ()


class LevelFacts(msgspec.Struct, frozen=True):
    """A level of bots."""

    key: str
    title: str
    about: str


class RulesetFacts(msgspec.Struct, frozen=True):
    """A game with all the choices of its host; `options` is a JSON Schema. `ladders` are the titles of what its games
    are rated on; an only ladder is "" and has none."""

    key: str
    title: str
    pitch: str
    seats: tuple[int, ...]
    version: int
    paces: tuple[PaceKey, ...]
    presets: tuple[PresetFacts, ...]
    levels: tuple[LevelFacts, ...]
    ladders: dict[str, str]
    phases: tuple[PhaseFacts, ...]
    options: dict[str, Any]


class RulesetSchema(msgspec.Struct, frozen=True):
    """JSON Schemas of one game, for this version of its rules: the requests in `actions` of a move, the view, and the
    events of the log."""

    key: str
    ruleset_version: int
    actions: dict[str, Any]
    view: dict[str, Any]
    events: dict[str, Any]
    definitions: dict[str, Any]


def list_rulesets() -> list[RulesetLine]:
    """Every game that the site offers."""
    return [_line(RULESETS[key]) for key in features.offered_rulesets()]


def facts_of(rules: Ruleset) -> RulesetFacts:
    """Everything a host can choose."""
    board, line = board_of(rules.key), _line(rules)
    return RulesetFacts(
        **msgspec.structs.asdict(line),
        paces=tuple(Pace.values),
        presets=tuple(_preset(rules, each) for each in board.options.presets),
        levels=tuple(LevelFacts(each.key, say(each.title), say(each.about)) for each in board.levels),
        ladders={key: say(title) for key, title in rules.ladders.items()},
        phases=_phases(rules),
        options=_options(rules),
    )


def _preset(rules: Ruleset, preset: Preset) -> PresetFacts:
    seats = rules.seats_with(rules.parse_options(preset.options))
    return PresetFacts(preset.key, say(preset.title), dict(preset.options), tuple(seats))


@cache
def schema_of(rules_key: str) -> RulesetSchema:
    """The JSON Schemas of a ruleset's actions, view and events."""
    rules = RULESETS[rules_key]
    actions: Any = reduce(or_, rules.actions.values())
    shapes = (actions, referee.view_type_of(rules), rules.codec.event_type)
    (actions_schema, view, events), definitions = msgspec.json.schema_components(shapes, ref_template=WHERE)
    for kind in rules.actions.values():
        for name in filled_in(kind):
            definitions.get(kind.__name__, {}).get("properties", {}).pop(name, None)
    return RulesetSchema(rules.key, rules.version, actions_schema, view, events, definitions)


def _line(rules: Ruleset) -> RulesetLine:
    return RulesetLine(rules.key, rules.title, say(board_of(rules.key).pitch), tuple(rules.seats), rules.version)


def _phases(rules: Ruleset) -> tuple[PhaseFacts, ...]:
    options = rules.parse_options({})
    return tuple(
        PhaseFacts(
            row.phase.number,
            row.phase.name,
            say(row.phase.title),
            row.phase.mode.value,
            say(row.phase.default),
            {pace: paces.seconds_of(rules, options, row.phase, pace) for pace in Pace.values},
        )
        for row in rules.flow(options).rows
    )


def _options(rules: Ruleset) -> dict[str, Any]:
    table, usual = board_of(rules.key).options, rules.parse_options({})
    properties = {}
    for name, menu in menus_of(rules).items():
        words = table.words_of(name)
        properties[name] = {"title": say(words.label), "enum": list(menu), "default": getattr(usual, name)}
        if words.rule:
            properties[name]["x-rule"] = words.rule
    return {"type": "object", "additionalProperties": False, "properties": properties}
