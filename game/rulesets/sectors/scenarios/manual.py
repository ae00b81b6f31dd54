"""The vocabulary of scenarios as a page, made from what the runner knows."""

from __future__ import annotations

from collections.abc import Iterable

from game.rulesets.sectors import descriptions as words
from game.rulesets.sectors.events import EVENTS
from game.rulesets.sectors.scenarios.given import DRAWS, EXTRA, KEYED, LISTED, MODIFIERS, SINGLE, VALUES
from game.rulesets.sectors.scenarios.log import COMPARISONS
from game.rulesets.sectors.scenarios.questions import QUESTIONS
from game.rulesets.sectors.scenarios.running import KEYS
from game.rulesets.sectors.scenarios.steps import PHASES, SENTENCES, TABLE_STEPS


def vocabulary() -> str:
    """All words as Markdown."""
    return "\n".join((*_keys(), *_given(), *_when(), *_then())) + "\n"


def _keys() -> Iterable[str]:
    yield from _table("Keys of a scenario", ("key", "what it says"), KEYS.items())


def _given() -> Iterable[str]:
    yield from ("### Words of `given`", "", _code(words.Description.__struct_fields__) + ".", "")
    yield from (f"Phases: {_code(PHASES)}.", "")
    for word, shape in (KEYED | LISTED | SINGLE).items():
        yield from (f"Words of `{word}`: {_code(shape.__struct_fields__)}.", "")
    yield from _table("Further words of `given`", ("word", "what it says"), EXTRA.items())
    for (word, field), values in VALUES.items():
        yield from (f"`{field}` of `{word}` is one of {_code(value or repr(value) for value in values)}.", "")
    yield from _table("Modifiers: `{number: …, amount: …, source: …}`", ("number", "what it does"), MODIFIERS.items())
    yield from _table("Named draws", ("draw", "its answers"), DRAWS.items())


def _when() -> Iterable[str]:
    sentences = [(f"{name} {form}", "") for sentence in SENTENCES for name, form in (("ada", form) for form in sentence.forms)]
    yield from ("### Sentences of `when`", "")
    yield from (f"* `{said}`" for said, _ in sentences)
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


def _table(title: str, head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterable[str]:
    yield from (f"### {title}", "", f"| {' | '.join(head)} |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in rows)
    yield ""


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
