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
    said = _tidy(rules, words, given)
    draws, is_dealt = said.pop("draws", {}), said.pop("start", False)
    names = list(said["players"])
    story = Story(rules, names, _script(words, mapping(draws, "draws"), names))
    if is_dealt:
        for word in said:
            known(word, ("players", "options"), "word beside start")
        story.deal(mapping(said.get("options"), "options"))
    else:
        story.stand(build(words, said))
    return story


def build(words: Words, said: Mapping[str, Any]) -> Situation:
    """The position described in a ruleset's words. Raises `DescriptionError`."""
    try:
        given = msgspec.convert(dict(said), words.given)
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
    said = dict(given)
    for option in rules.menus:
        if option in said and option not in words.given.__struct_fields__:
            said["options"] = {option: said.pop(option), **mapping(said.get("options"), "options")}
    for word in said:
        known(word, (*words.given.__struct_fields__, *EVERY_GAME), "word of given")
    _check_values(words, "given", said)
    is_dealt = bool(said.get("start"))
    said["players"] = _players(rules, said.get("players", list(PLAYERS)), is_dealt=is_dealt)
    for word, (writing, shape) in groups_of(words).items():
        if word in said and not (is_dealt and word == "options"):
            said[word] = _group(words, word, writing, shape, said[word])
    return said


def _group(words: Words, word: str, writing: str, shape: type[Any], said: Any) -> Any:
    """The value of a word of `given` that has words of its own."""
    if writing == "keyed":
        return {name: _fields(words, word, shape, value) for name, value in mapping(said, word).items()}
    if writing == "listed":
        return [_fields(words, word, shape, value) for value in listed(said)]
    return _fields(words, word, shape, said)


def _players(rules: Ruleset, said: Any, *, is_dealt: bool) -> dict[str, Any]:
    """Names, alone or with the words about the player. A deal refuses a wrong number of players itself."""
    players = dict.fromkeys(map(str, said)) if isinstance(said, list) else dict(mapping(said, "players"))
    if isinstance(said, list) and len(players) < len(said):
        raise ScenarioError(f"two players have one name: {', '.join(map(str, said))}")
    if len(players) not in rules.seats and not is_dealt:
        raise ScenarioError(f"a position has {rules.seats.start} to {rules.seats.stop - 1} players, not {len(players)}")
    return players


def _fields(words: Words, group: str, shape: Any, said: Any) -> dict[str, Any]:
    fields = mapping(said, group)
    for field in fields:
        known(field, shape.__struct_fields__, f"word of {group}")
    _check_values(words, group, fields)
    return dict(fields)


def _check_values(words: Words, group: str, fields: Mapping[str, Any]) -> None:
    for field, said in fields.items():
        if (group, field) in words.values:
            for value in said if isinstance(said, (list, Mapping)) else [said]:
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
