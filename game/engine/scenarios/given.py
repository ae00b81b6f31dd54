"""The position at which a scenario begins: built from words, or dealt, with scripted draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import DescriptionError, ScenarioError, known, listed, mapping
from game.engine.scenarios.standing import Situation
from game.engine.scenarios.story import Story, words_of
from game.engine.scenarios.words import Words

MEANINGS = {
    "phase": "name of the phase in which the game stands",
    "just_before": "true: a phase with decisions has not begun yet, `play_on` begins it",
    "turn": "number of the turn",
    "players": "names in seat order, alone as a list, or each with the words below; otherwise ada and bob",
    "options": "the host's choices, with the words below; one may stand alone where its name means nothing else here",
    "reviews": "true: automatic phases wait for `clock_runs_out`, as in a live game; if not, they pass at once",
    "draws": "named draws, each with its answers in order",
    "start": "true: the game is dealt from its beginning; only players, options and draws go with it",
}
EVERY_GAME = ("draws", "start")
PLAYERS = ("ada", "bob")


def stand(rules: Ruleset, given: Mapping[str, Any]) -> Story:
    """A story at its beginning."""
    words = words_of(rules)
    values = _tidy(rules, words, given)
    draws, is_dealt = values.pop("draws", {}), values.pop("start", False)
    names = list(values["players"])
    story = Story(rules, names, _script(words, mapping(draws, "draws"), names))
    if is_dealt:
        for word in values:
            known(word, ("players", "options"), "word beside start")
        story.deal(mapping(values.get("options"), "options"))
    else:
        story.stand(build(words, values))
    return story


def build(words: Words, values: Mapping[str, Any]) -> Situation:
    """The position described in a ruleset's words. Raises `DescriptionError`."""
    try:
        given = msgspec.convert(dict(values), words.given)
    except msgspec.ValidationError as error:
        raise DescriptionError(str(error)) from None
    situation: Situation = words.build(given)
    return situation


def groups_of(words: Words) -> dict[str, tuple[str, type[Any]]]:
    """Words of `given` whose values have words of their own: whether they are keyed, listed or single, and their
    type."""
    groups: dict[str, tuple[str, type[Any]]] = {}
    for field in msgspec.structs.fields(words.given):
        of = inspect.type_info(field.type)
        if isinstance(of, inspect.DictType) and isinstance(of.value_type, inspect.StructType):
            groups[field.name] = ("keyed", of.value_type.cls)
        elif isinstance(of, inspect.ListType) and isinstance(of.item_type, inspect.StructType):
            groups[field.name] = ("listed", of.item_type.cls)
        elif isinstance(of, inspect.StructType):
            groups[field.name] = ("single", of.cls)
    return groups


def _tidy(rules: Ruleset, words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """The description with every word checked; an empty value is an empty description, and a single option needs no
    list."""
    values = dict(given)
    for option in rules.menus:
        if option in values and option not in words.given.__struct_fields__:
            values["options"] = {option: values.pop(option), **mapping(values.get("options"), "options")}
    for word in values:
        known(word, (*words.given.__struct_fields__, *EVERY_GAME), "word of given")
    _check_values(words, "given", values)
    is_dealt = bool(values.get("start"))
    values["players"] = _players(rules, values.get("players", list(PLAYERS)), is_dealt=is_dealt)
    for word, (writing, shape) in groups_of(words).items():
        if word in values and not (is_dealt and word == "options"):
            values[word] = _group(words, word, writing, shape, values[word])
    return values


def _group(words: Words, word: str, writing: str, shape: type[Any], values: Any) -> Any:
    """The value of a word of `given` that has words of its own."""
    if writing == "keyed":
        return {name: _fields(words, word, shape, value) for name, value in mapping(values, word).items()}
    if writing == "listed":
        return [_fields(words, word, shape, value) for value in listed(values)]
    return _fields(words, word, shape, values)


def _players(rules: Ruleset, entry: Any, *, is_dealt: bool) -> dict[str, Any]:
    """Names, alone or with the words about the player. A deal refuses a wrong number of players itself."""
    players = dict.fromkeys(map(str, entry)) if isinstance(entry, list) else dict(mapping(entry, "players"))
    if isinstance(entry, list) and len(players) < len(entry):
        raise ScenarioError(f"two players have one name: {', '.join(map(str, entry))}")
    if len(players) not in rules.seats and not is_dealt:
        raise ScenarioError(f"a position has {rules.seats.start} to {rules.seats.stop - 1} players, not {len(players)}")
    return players


def _fields(words: Words, group: str, shape: Any, values: Any) -> dict[str, Any]:
    fields = mapping(values, group)
    for field in fields:
        known(field, shape.__struct_fields__, f"word of {group}")
    _check_values(words, group, fields)
    return dict(fields)


def _check_values(words: Words, group: str, fields: Mapping[str, Any]) -> None:
    for field, entry in fields.items():
        if (group, field) in words.values:
            for value in entry if isinstance(entry, (list, Mapping)) else [entry]:
                known(value, words.values[group, field], f"{field} in {group},")
    words.check(group, fields)


def _script(words: Words, draws: Mapping[str, Any], names: list[str]) -> dict[str, list[Any]]:
    """The scripted answers as the rules draw them."""
    script: dict[str, list[Any]] = {}
    for label, answers in draws.items():
        known(label, words.draws, "draw")
        read = words.read.get(label)
        script[label] = [read(answer, names) if read else answer for answer in listed(answers)]
    return script
