"""Catalogues in gettext's PO format, which all translation programs read and write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HEAD = 'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
HEAD += '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[[01]\])\s+)?(".*")')


class Text(NamedTuple):
    """A translatable text: English, its plural and its context, where there are any."""

    one: str
    many: str = ""
    context: str = ""


Catalogue = dict[Text, tuple[str, ...]]  # one translation, or two for a plural; empty: missing


class BadCatalogue(ValueError):
    """A file is malformed; the message says where."""


def read(path: Path) -> Catalogue:
    """The entries of a file, without those commented out. Raises `BadCatalogue`."""
    catalogue: Catalogue = {}
    for entry in _entries(path):
        text = Text(entry.get("msgid", ""), entry.get("msgid_plural", ""), entry.get("msgctxt", ""))
        names = ("msgstr[0]", "msgstr[1]") if text.many else ("msgstr",)
        if text in catalogue or not all(name in entry for name in names):
            raise BadCatalogue(f"{path}: “{text.one}” stands there twice, or has no translation.")
        if text.one:
            catalogue[text] = tuple(entry[name] for name in names)
    return catalogue


def write(path: Path, catalogue: Catalogue, language: str) -> None:
    """Sorted by the English text and without source references, to keep diffs small."""
    parts = [HEAD.format(language=language)]
    parts += [_entry(text, catalogue[text]) for text in sorted(catalogue, key=lambda text: (text.one, text.context))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _entries(path: Path) -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    field = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise BadCatalogue(f"{path}:{number}: {line}")
        if (name := match[1]) is not None:
            if name == "msgctxt" or (name == "msgid" and field != "msgctxt"):
                if entry:
                    yield entry
                entry = {}
            field = name
        entry[field] = entry.get(field, "") + json.loads(match[2])
    if entry:
        yield entry


def _entry(text: Text, translations: Iterable[str]) -> str:
    lines = [f"msgctxt {_quoted(text.context)}"] if text.context else []
    lines += [f"msgid {_quoted(text.one)}"]
    if not text.many:
        return "\n".join([*lines, *(f"msgstr {_quoted(each)}" for each in translations), ""])
    lines += [f"msgid_plural {_quoted(text.many)}"]
    return "\n".join([*lines, *(f"msgstr[{form}] {_quoted(each)}" for form, each in enumerate(translations)), ""])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
