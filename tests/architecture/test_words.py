"""Every text that is marked for players has its German, with the same facts in it, and no catalogue has more."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from game.management import word_catalogues
from game.management.word_catalogues import CALLS, sources
from tests.house import tree
from tests.servers import ROOT

GERMAN = word_catalogues.catalogues(ROOT, "de")
ENGLISH_DAY = re.compile(r"""(?:\|date:|date_format\([^\n]*)["'][^"'\n]*\bj""")
FOR_STAFF = {"templates/mail/at_risk.txt"}


@cache
def collected() -> dict[Path, set[word_catalogues.Text]]:
    return word_catalogues.collected(ROOT)


def test_every_area_with_texts_has_a_german_catalogue() -> None:
    assert not {*collected()} - {*GERMAN}


@pytest.mark.parametrize("area", sorted(GERMAN), ids=str)
def test_every_text_has_its_german(area: Path) -> None:
    """`./dev words` writes the entries; the German is written by hand."""
    catalogue, texts = GERMAN.get(area, {}), collected().get(area, set())
    assert not sorted(text.one for text in {*catalogue} - texts), "Nobody says these any more: run ./dev words."
    assert not sorted(text.one for text in texts - {*catalogue}), "These are new: run ./dev words."
    assert not [text.one for text in word_catalogues.missing(catalogue)], "These have no German."
    assert not word_catalogues.faults(catalogue), "The German has other places for facts, or other tags."


def test_an_english_text_has_the_same_german_in_every_area() -> None:
    """All catalogues are one for a page; where a word means two things, `say_as` names which."""
    fields: dict[word_catalogues.Text, set[tuple[str, ...]]] = {}
    for catalogue in GERMAN.values():
        for text, german in catalogue.items():
            if all(german):
                fields.setdefault(text, set()).add(german)
    assert not {text.one: german for text, german in fields.items() if len(german) > 1}


def test_no_day_of_a_month_is_told_in_the_form_of_english_alone() -> None:
    """German has a full stop behind its number: `languages.date_words` and the filters of `times` know every form."""
    keys = {place.as_posix() for place in sources(ROOT) if ENGLISH_DAY.search((ROOT / place).read_text("utf-8"))}
    assert keys == FOR_STAFF


GREETING = re.compile(r"Hello(?: [^,\n]*)?,\W*(?=\w)")
TAGS = re.compile(r"""\{%\s*translate\s+"([^"]*)"[^%]*%\}|\{%.*?%\}""", re.DOTALL)


def test_an_english_mail_begins_with_a_capital_after_its_greeting() -> None:
    """Only German goes on in lower case after a comma."""
    texts = {path.name: path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.txt")}
    texts |= {text.one: text.one.replace("\\n", "\n") for catalogue in GERMAN.values() for text in catalogue}
    plain = {name: TAGS.sub(lambda tag: tag.group(1) or "", text) for name, text in texts.items()}
    openings = {name: match for name, text in plain.items() if (match := GREETING.search(text))}
    assert len(openings) > 10
    assert not [name for name, match in openings.items() if match.string[match.end()].islower()]


def test_no_text_is_told_when_a_module_is_imported() -> None:
    """It would stay in the language of that moment: tables `mark` their texts, and `say` tells them later."""
    tellers = {*CALLS} - {"mark", "mark_as", "_", "gettext_lazy", "gettext_noop", "pgettext_lazy", "ngettext_lazy"}
    lines = [
        f"{place}:{call.lineno}"
        for place in sources(ROOT)
        if place.suffix == ".py"
        for call in _calls_at_import(tree(ROOT / place))
        if isinstance(call.func, ast.Name) and call.func.id in tellers
    ]
    assert not lines


def _calls_at_import(node: ast.AST) -> list[ast.Call]:
    found = [node] if isinstance(node, ast.Call) else []
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            found += _calls_at_import(child)
    return found
