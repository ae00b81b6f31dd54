"""The texts of a Python file: what stands in the calls that tell or mark one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from accounts.po import Text


class Places(NamedTuple):
    """Which arguments of a call are the text, its plural and its context."""

    one: int = 0
    many: int | None = None
    context: int | None = None


PLAIN, SECOND, PLURAL, NAMED = Places(), Places(1), Places(0, 1), Places(1, context=0)
CALLS = dict.fromkeys(("say", "mark", "Refused", "gettext", "gettext_lazy", "gettext_noop", "_"), PLAIN)
CALLS |= dict.fromkeys(("refused", "BadField", "Missing"), SECOND)
CALLS |= dict.fromkeys(("count", "ngettext", "ngettext_lazy"), PLURAL)
CALLS |= dict.fromkeys(("say_as", "mark_as", "pgettext", "pgettext_lazy"), NAMED)
OTHERS = {"count": 3}  # how many arguments a call has at least, so that no list's method is meant


class Unreadable(NamedTuple):
    """A call whose text is put together where it stands, so that nobody can look it up."""

    line: int
    call: str


def texts_of(source: str) -> Iterator[Text | Unreadable]:
    """Every text, in order. One that is held in a constant is found where it is marked."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := _name_of(node)) in CALLS:
            yield from _told(node, name, CALLS[name])


def _told(call: ast.Call, name: str, places: Places) -> Iterator[Text | Unreadable]:
    if len(call.args) < max(OTHERS.get(name, 0), 1 + max(place for place in places if place is not None)):
        return
    ones = list(_strings(call.args[places.one]))
    manies = [""] if places.many is None else list(_strings(call.args[places.many]))
    contexts = [""] if places.context is None else list(_strings(call.args[places.context]))
    for one, many in zip(ones, manies * len(ones) if places.many is None else manies, strict=False):
        for context in contexts:
            if one is None or many is None or context is None:
                yield Unreadable(call.lineno, name)
            else:
                yield Text(one, many, context)


def _strings(node: ast.expr) -> Iterator[str | None]:
    """What an argument may be; None for a text that is put together, nothing for a name that stands for one."""
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
