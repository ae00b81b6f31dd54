"""Collects the texts that players read, and compares them with the catalogues, which are stored
next to the code they translate (docs/languages.md)."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.template import Template, engines
from django.template.backends.jinja2 import Jinja2
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from jinja2.ext import GETTEXT_FUNCTIONS, extract_from_ast

from accounts import languages
from accounts.languages import Catalogue, Text

FUNCTIONS = (*GETTEXT_FUNCTIONS, "term")  # `term` translates the label that it links
MIN_ARGUMENTS = {"count": 3}  # distinguishes the call from the list method
DESK_FILES = {
    "delivery": ("bounces",),
    "history": ("archive",),
    "moderation": (
        *("approvals", "break_glass", "cases", "chat_moderation", "collusion", "interventions", "multi_accounts"),
        *("name_erasure", "permissions", "repairs", "rewind", "roles", "sanctions", "seat_acts", "site_desk"),
    ),
    "people": ("account_closure", "identity", "two_people"),
    "seats": ("handover",),
}
"""Files with texts for staff only, by room."""
ENGLISH_ONLY = (
    *("game/admin", "game/management", "templates/admin", "templates/reports"),
    *(f"game/{room}/{name}.py" for room, names in DESK_FILES.items() for name in names),
)
"""The moderation desk and the commands. Rulebooks and scenarios are in English too, but contain no marked texts."""
SOURCES = ("accounts", "game", "sectors_site", "templates")
SUFFIXES = {".py", ".html", ".txt"}
PLACEHOLDERS = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAGS = re.compile(r"</?[a-z][^>]*>")


class Places(NamedTuple):
    """The positions of the text, its plural and its context among the arguments of a call."""

    one: int = 0
    many: int | None = None
    context: int | None = None


class Unreadable(NamedTuple):
    """A call whose text is built in place, so that no catalogue can contain it."""

    line: int
    call: str


PLAIN, SECOND_ARGUMENT, PLURAL, WITH_CONTEXT = Places(), Places(1), Places(0, 1), Places(1, context=0)
CALLS = dict.fromkeys(("say", "mark", "Refused", "gettext", "gettext_lazy", "gettext_noop", "_"), PLAIN)
CALLS |= dict.fromkeys(("refused", "BadField", "Missing"), SECOND_ARGUMENT)
CALLS |= dict.fromkeys(("count", "ngettext", "ngettext_lazy"), PLURAL)
CALLS |= dict.fromkeys(("say_as", "mark_as", "pgettext", "pgettext_lazy"), WITH_CONTEXT)


def jinja_texts(source: str) -> Iterator[Text]:
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    for _, function, arguments in extract_from_ast(engine.env.parse(source), FUNCTIONS, babel_style=False):
        texts = [text for text in (arguments if isinstance(arguments, tuple) else (arguments,)) if text is not None]
        if function == "pgettext":
            yield Text(texts[1], context=texts[0])
        else:
            yield Text(*texts)


def django_texts(source: str) -> Iterator[Text]:
    template = Template(source)
    for node in template.nodelist.get_nodes_by_type(TranslateNode):
        assert isinstance(node, TranslateNode)
        variable = node.filter_expression.var
        text = variable if isinstance(variable, str) else variable.literal
        yield Text(str(text), context=_context_of(node))
    for block in template.nodelist.get_nodes_by_type(BlockTranslateNode):
        assert isinstance(block, BlockTranslateNode)
        one, _ = block.render_token_list(block.singular)
        many = block.render_token_list(block.plural)[0] if block.plural else ""
        if block.trimmed:
            one, many = (" ".join(line.strip() for line in each.strip().splitlines()).strip() for each in (one, many))
        yield Text(one, many, _context_of(block))


def texts_of(source: str) -> Iterator[Text | Unreadable]:
    """Every text of a Python file, in order. A constant passed to `say` is found where `mark` wraps it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := _name_of(node)) in CALLS:
            yield from _texts_of_call(node, name, CALLS[name])


def sources(root: Path) -> Iterator[Path]:
    """Every file that may contain texts for players, relative to the root."""
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            place = path.relative_to(root)
            is_english_only = place.as_posix().startswith(ENGLISH_ONLY)
            if path.suffix in SUFFIXES and "migrations" not in place.parts and not is_english_only:
                yield place


def area_of(place: Path) -> Path:
    """The folder whose `locale/` holds the texts of a file."""
    top, *inner = place.parts
    if top == "accounts" or (top == "templates" and inner[0].startswith("account")):
        return Path("accounts")
    if top == "templates" and "boards" in inner[:-1]:
        return _board(inner[inner.index("boards") + 1])
    if top == "game" and inner[0] == "boards":
        return _board(inner[1] if len(inner) > 2 else "")
    if top == "game" and inner[0] == "rulesets" and len(inner) > 2:
        return Path("game/rulesets", inner[1])
    return Path("game/engine") if place.as_posix().startswith("game/engine") else Path()


def collected(root: Path) -> dict[Path, set[Text]]:
    """The texts of every area."""
    texts_by_area: dict[Path, set[Text]] = defaultdict(set)
    for place, each in _texts_by_file(root):
        if isinstance(each, Text):
            texts_by_area[area_of(place)].add(each)
    return texts_by_area


def unreadable(root: Path) -> list[str]:
    """The places at which a text is built inside the call that translates it."""
    return [f"{place}:{each.line}" for place, each in _texts_by_file(root) if isinstance(each, Unreadable)]


def catalogue_of(root: Path, area: Path, language: str) -> Path:
    return root / area / "locale" / f"{language}.po"


def catalogues(root: Path, language: str) -> dict[Path, Catalogue]:
    files = (file for folder in ("locale", "accounts", "game") for file in (root / folder).rglob(f"{language}.po"))
    return {file.parent.parent.relative_to(root): languages.read_catalogue(file) for file in sorted(files)}


def updated(texts: set[Text], catalogue: Catalogue, elsewhere: Catalogue) -> Catalogue:
    """A catalogue with exactly these texts; translations of other areas are reused."""
    return {text: catalogue.get(text) or elsewhere.get(text) or (("", "") if text.many else ("",)) for text in texts}


def missing(catalogue: Catalogue) -> list[Text]:
    return sorted(text for text, translations in catalogue.items() if not all(translations))


def faults(catalogue: Catalogue) -> list[str]:
    """Translations whose placeholders or tags differ from the English text."""
    return [
        f"{text.one} -> {german}"
        for text, translations in catalogue.items()
        for english, german in zip((text.one, text.many or text.one), translations, strict=False)
        if german and not (_matches(english, german) or (text.many and _matches(text.many, german)))
    ]


def _context_of(node: TranslateNode | BlockTranslateNode) -> str:
    context = node.message_context
    return str(context.var) if context else ""


def _texts_of_call(call: ast.Call, name: str, places: Places) -> Iterator[Text | Unreadable]:
    if len(call.args) < max(MIN_ARGUMENTS.get(name, 0), 1 + max(place for place in places if place is not None)):
        return
    singulars = list(_strings(call.args[places.one]))
    plurals = [""] if places.many is None else list(_strings(call.args[places.many]))
    contexts = [""] if places.context is None else list(_strings(call.args[places.context]))
    for one, many in zip(singulars, plurals * len(singulars) if places.many is None else plurals, strict=False):
        for context in contexts:
            if one is None or many is None or context is None:
                yield Unreadable(call.lineno, name)
            else:
                yield Text(one, many, context)


def _strings(node: ast.expr) -> Iterator[str | None]:
    """The possible values of an argument; None for a text that is built, nothing for a variable."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)
    elif isinstance(node, ast.JoinedStr | ast.BinOp):
        yield None


def _name_of(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _board(key: str) -> Path:
    """The area of a game's board; shared parts belong to `game/boards`."""
    return Path("game/boards") if key in {"", "auto", "rulebook", "story"} else Path("game/boards", key)


def _texts_by_file(root: Path) -> Iterator[tuple[Path, Text | Unreadable]]:
    for place in sources(root):
        source = (root / place).read_text(encoding="utf-8")
        if place.suffix == ".py":
            yield from ((place, each) for each in texts_of(source))
        elif place.is_relative_to("templates/jinja"):
            yield from ((place, each) for each in jinja_texts(source))
        else:
            yield from ((place, each) for each in django_texts(source))


def _matches(english: str, german: str) -> bool:
    return set(PLACEHOLDERS.findall(english)) == set(PLACEHOLDERS.findall(german)) and sorted(
        TAGS.findall(english)
    ) == sorted(TAGS.findall(german))
