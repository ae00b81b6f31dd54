"""The vocabulary of scenarios as a page, made from what the runner knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from game.rulesets.sectors import descriptions as words
from game.rulesets.sectors.events import EVENTS
from game.rulesets.sectors.options import LABELS, MENUS
from game.rulesets.sectors.scenarios import dictionary
from game.rulesets.sectors.scenarios.given import DRAWS, EXTRA, KEYED, LISTED, MODIFIERS, SINGLE, SOURCES, VALUES
from game.rulesets.sectors.scenarios.log import COMPARISONS
from game.rulesets.sectors.scenarios.questions import QUESTIONS
from game.rulesets.sectors.scenarios.running import KEYS
from game.rulesets.sectors.scenarios.steps import PHASES, SENTENCES, TABLE_STEPS

OPTIONS = {key: f"{label}: {', '.join(map(json.dumps, MENUS[key]))}" for key, label in LABELS.items()}


def vocabulary() -> str:
    """All words as Markdown."""
    return "\n".join((*_keys(), *_given(), *_when(), *_then())) + "\n"


def _keys() -> Iterable[str]:
    yield from _table("Keys of a scenario", ("key", "what it says"), KEYS.items())


def _given() -> Iterable[str]:
    yield from _words("given", words.Description, dictionary.GIVEN | EXTRA)
    yield from (f"Phases: {_code(PHASES)}.", "")
    for word, shape in (KEYED | LISTED | SINGLE).items():
        yield from _words(word, shape, dictionary.OF.get(word, OPTIONS))
    for (word, field), values in VALUES.items():
        yield from (f"`{field}` of `{word}` is one of {_code(value or repr(value) for value in values)}.", "")
    yield from _table("Modifiers: `{number: …, amount: …, source: …}`", ("number", "what it does"), MODIFIERS.items())
    yield from (f"`source` of a modifier is a company action, or one of {_code(key for key in SOURCES if ':' in key)}.", "")
    yield from _table("Named draws", ("draw", "its answers"), DRAWS.items())


def _when() -> Iterable[str]:
    yield from ("### Sentences of `when`", "")
    yield from (f"* `ada {form}`" for sentence in SENTENCES for form in sentence.forms)
    yield from ("* `ada: {kind: loan_sharks}`: any request as a client would send it", "")
    steps = {word: meaning for word, (meaning, _) in TABLE_STEPS.items()}
    more = {"play_to: production": "clocks run out until that phase is open; `the end` plays the game out"}
    more["then: {…}"] = "expectations half-way"
    yield from _table("Other steps", ("step", "what happens"), (steps | more).items())


def _then() -> Iterable[str]:
    rows = [(f"`{word}`", question.of, question.meaning) for word, question in QUESTIONS.items()]
    rows += [(f"`{word}`", "viewer", meaning) for word, meaning in COMPARISONS.items()]
    yield from ("### Words of `then`", "", "| word | of | what it is |", "|---|---|---|")
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield from ("", f"Events for `log` and `log_count`: {_code(EVENTS)}.")


def _words(of: str, shape: Any, meanings: Mapping[str, str]) -> Iterable[str]:
    """What each word says, and what holds when it is left out."""
    fields = {field.name: field for field in msgspec.structs.fields(shape)}
    yield from (f"### Words of `{of}`", "", "| word | what it says | if left out |", "|---|---|---|")
    for word in (*fields, *(word for word in meanings if word not in fields)):
        meaning, _, otherwise = meanings[word].partition("; otherwise ")
        yield f"| `{word}` | {meaning} | {otherwise or _default(fields.get(word))} |"
    yield ""


def _default(field: Any) -> str:
    """The value that stands for what was not said; empty ones go without saying."""
    if field is None or field.default in (None, ""):
        return ""
    if field.required:
        return "must be said"
    return f"`{json.dumps(field.default)}`" if isinstance(field.default, int | str) else ""


def _table(title: str, head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterable[str]:
    yield from (f"### {title}", "", f"| {' | '.join(head)} |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in rows)
    yield ""


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
