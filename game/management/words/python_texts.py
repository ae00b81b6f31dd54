"""Finds the texts of a Python file in the calls that translate or mark them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from accounts.po import Text


class Places(NamedTuple):
    """The positions of the text, its plural and its context among the arguments of a call."""

    one: int = 0
    many: int | None = None
    context: int | None = None


PLAIN, SECOND_ARGUMENT, PLURAL, WITH_CONTEXT = Places(), Places(1), Places(0, 1), Places(1, context=0)
CALLS = dict.fromkeys(("say", "mark", "Refused", "gettext", "gettext_lazy", "gettext_noop", "_"), PLAIN)
CALLS |= dict.fromkeys(("refused", "BadField", "Missing"), SECOND_ARGUMENT)
CALLS |= dict.fromkeys(("count", "ngettext", "ngettext_lazy"), PLURAL)
CALLS |= dict.fromkeys(("say_as", "mark_as", "pgettext", "pgettext_lazy"), WITH_CONTEXT)
MIN_ARGUMENTS = {"count": 3}  # distinguishes the call from the list method


class Unreadable(NamedTuple):
    """A call whose text is built in place, so that no catalogue can contain it."""

    line: int
    call: str


def texts_of(source: str) -> Iterator[Text | Unreadable]:
    """Every text, in order. Texts in constants are found where they are marked."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := _name_of(node)) in CALLS:
            yield from _texts_of_call(node, name, CALLS[name])


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
