"""The vocabulary of scenarios as a page, generated from the runner's words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from game.engine.ruleset import Ruleset
from game.engine.scenarios.given import EVERY_GAME, MEANINGS, groups_of
from game.engine.scenarios.log import COMPARISONS, events_of
from game.engine.scenarios.questions import QUESTIONS
from game.engine.scenarios.reading import KEYS
from game.engine.scenarios.standing import Given
from game.engine.scenarios.steps import COMMON, TABLE_STEPS
from game.engine.scenarios.story import phase_names, words_of
from game.engine.scenarios.words import Question, Sentence, Words


def common_vocabulary() -> str:
    """The words of every game, as Markdown."""
    lines = ["## Words of every game", ""]
    lines += _table("Keys of a scenario", ("key", "what it says"), KEYS.items())
    lines += _words("Words of `given`", MEANINGS, _fields_of(Given), MEANINGS)
    lines += _sentences("Sentences of `when`", COMMON.values())
    lines += ["* `ada: {kind: …}`: any request as a client would send it", ""]
    lines += _table("Other steps", ("step", "what happens"), _steps().items())
    lines += _questions("Words of `then`", QUESTIONS)
    lines += [f"| `{word}` | viewer | {meaning} |" for word, meaning in COMPARISONS.items()]
    return "\n".join(lines) + "\n"


def vocabulary(rules: Ruleset) -> str:
    """The words that a ruleset adds, as Markdown."""
    words = words_of(rules)
    lines = [f"## Words of {rules.title}", ""]
    lines += _given(rules, words)
    lines += [line for each in words.glossaries for line in _glossary(each.title, each.head, each.meanings, each.note)]
    if words.draws:
        lines += _table("Named draws", ("draw", "its answers"), words.draws.items())
    lines += [*_sentences("Sentences of `when`", words.sentences), ""]
    lines += [*_questions("Words of `then`", words.questions), ""]
    lines += [f"Events for `log` and `log_count`: {_code(events_of(rules))}."]
    return "\n".join(lines) + "\n"


def _steps() -> dict[str, str]:
    steps = {word: meaning for word, (meaning, _) in TABLE_STEPS.items()}
    more = {"play_to: production": "deadlines pass until that phase is open; `the end` plays the game out"}
    return steps | more | {"then: {…}": "expectations half-way"}


def _given(rules: Ruleset, words: Words) -> Iterable[str]:
    """The words of `given`, those of their values, and the possible values."""
    common, meanings = {*Given.__struct_fields__, *EVERY_GAME}, words.meanings["given"]
    fields = {word: field for word, field in _fields_of(words.given).items() if word in meanings or word not in common}
    yield from _words("Words of `given`", {**MEANINGS, **meanings}, fields)
    yield from (f"Phases: {_code(phase_names(rules))}.", "")
    for word, (_, shape) in groups_of(words).items():
        yield from _words(f"Words of `{word}`", words.meanings[word], _fields_of(shape))
    for (word, field), values in words.values.items():
        yield from (f"`{field}` of `{word}` is one of {_code(value or repr(value) for value in values)}.", "")


def _fields_of(shape: type[Any]) -> dict[str, Any]:
    return {field.name: field for field in msgspec.structs.fields(shape)}


def _sentences(title: str, sentences: Iterable[Sentence]) -> Iterable[str]:
    yield from (f"### {title}", "")
    yield from (f"* `ada {form}`" for sentence in sentences for form in sentence.forms)


def _questions(title: str, questions: Mapping[str, Question]) -> Iterable[str]:
    yield from (f"### {title}", "", "| word | of | what it is |", "|---|---|---|")
    yield from (f"| `{word}` | {question.of} | {question.meaning} |" for word, question in questions.items())


def _words(
    title: str,
    meanings: Mapping[str, str],
    fields: Mapping[str, Any],
    words: Iterable[str] = (),
) -> Iterable[str]:
    """The meaning of each word, and its default; `words` are those to list, by default those with a field."""
    yield from (f"### {title}", "", "| word | what it says | if left out |", "|---|---|---|")
    for word in words or fields:
        meaning, _, otherwise = meanings[word].partition("; otherwise ")
        yield f"| `{word}` | {meaning} | {otherwise or _default(fields.get(word))} |"
    yield ""


def _default(field: Any) -> str:
    """The default value of a word; empty defaults are not printed."""
    if field is None or field.default in (None, ""):
        return ""
    if field.required:
        return "must be said"
    return f"`{json.dumps(field.default)}`" if isinstance(field.default, int | str) else ""


def _glossary(title: str, head: tuple[str, str], rows: Mapping[str, str], note: str) -> Iterable[str]:
    yield from _table(title, head, rows.items())
    if note:
        yield from (note, "")


def _table(title: str, head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterable[str]:
    yield from (f"### {title}", "", f"| {' | '.join(head)} |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in rows)
    yield ""


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
