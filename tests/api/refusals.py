"""Every refusal that the code can raise, as the code says it; run as a program it writes docs/api/refusals.md."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from game.engine.ruleset import REFUSALS
from game.rulesets.registry import RULESETS
from tests.house import tree
from tests.rulesets.asking import fields_of, names_of
from tests.servers import ROOT

KERNEL = ROOT / "game" / "engine" / "ruleset.py"  # it refuses by a table of its own
NAMES = ROOT / "game" / "engine" / "names.py"  # and here by what the types of requests say
TABLE = ROOT / "docs" / "api" / "refusals.md"
HEAD = """# Why the site refuses something

A problem of the type `refused` says in `errors` what is wrong: `code`, `field` (the field of the request that is at
fault, where there is one), `facts` (the numbers and names that the sentence holds) and `rule`. The sentence is in the
language of the reader and may change; a code keeps its meaning. Pages, emails and the API tell the same refusal. The
table is read from the code (`python -m tests.api.refusals`); a test finds every code of the rules in it.

| code | field | rule | says |
|---|---|---|---|
"""


class Refusal(NamedTuple):
    """A place that refuses; texts that are put together elsewhere are missing."""

    place: str
    code: str
    field: str
    rule: str
    texts: tuple[str, ...]


def every_refusal() -> Iterator[Refusal]:
    for path in sorted((ROOT / "game").rglob("*.py")):
        if path in {KERNEL, NAMES}:
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                found = _read(path, node)
                yield from (found, *(found._replace(field=name) for name in _renamed().get(found.field, ())))
            elif isinstance(node, ast.ClassDef) and (code := _usual_code(node)):
                yield Refusal(f"{path.relative_to(ROOT)}:{node.lineno}", code, "", "", tuple(_marked_in(node)))
    yield from _of_names()
    for what, code in REFUSALS.items():
        yield Refusal(str(KERNEL), code, "", "", (f"The kernel’s refusal about: {what}.",))


def _of_names() -> Iterator[Refusal]:
    """The refusals of names that nothing bears, with the fields in which such names stand."""
    for rules in RULESETS.values():
        for action in rules.actions.values():
            for field, of in fields_of(action).items():
                for kind in names_of(of):
                    yield Refusal(str(NAMES), kind.code, field, kind.rule, (kind.refusal,))


def _usual_code(node: ast.ClassDef) -> str:
    """The code of a kind of refusal that has a class of its own."""
    if "Refused" not in {ast.unparse(base) for base in node.bases}:
        return ""
    given = [each for each in node.body if isinstance(each, ast.Assign)]
    return "".join(_constant(each.value) for each in given if ast.unparse(each.targets[0]) == "usual_code")


def _marked_in(node: ast.AST) -> Iterator[str]:
    """The texts that are marked within."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "mark" and isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value)


@cache
def _renamed() -> dict[str, list[str]]:
    """The fields that the API calls by another name: `if refused.field == "level": refused.field = "bot"`."""
    found = defaultdict(list)
    for path in sorted((ROOT / "game" / "api").glob("*.py")):
        for node in ast.walk(tree(path)):
            match node:
                case ast.If(
                    test=ast.Compare(left=ast.Attribute(attr="field"), comparators=[ast.Constant(value=old)]),
                    body=[ast.Assign(targets=[ast.Attribute(attr="field")], value=ast.Constant(value=new))],
                ):
                    found[str(old)].append(str(new))
    return found


def _read(path: Path, call: ast.Call) -> Refusal:
    given = {each.arg: each.value for each in call.keywords if each.arg}
    code, field = (_constant(given.get(name)) for name in ("code", "field"))
    rule = _constant(call.args[1]) if len(call.args) > 1 else ""
    place = f"{path.relative_to(ROOT)}:{call.lineno}"
    return Refusal(place, code, field, rule, tuple(_texts(path, call.args[0])))


def _constant(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _texts(path: Path, node: ast.expr) -> Iterator[str]:
    """The templates that an expression may be; a name is looked up where it was written."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(path, node.body), *_texts(path, node.orelse))
    elif isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "…" for each in node.values)
        yield "".join(map(str, parts))
    elif isinstance(node, ast.Name | ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        yield from _marked(path).get(name, ())
        if isinstance(node, ast.Attribute) and (path.parent.parent / f"{ast.unparse(node.value)}.py").exists():
            yield from _marked(path.parent.parent / f"{ast.unparse(node.value)}.py").get(name, ())


@cache
def _marked(path: Path) -> dict[str, tuple[str, ...]]:
    """The marked texts of a module by their names."""
    return {
        target.id: tuple(_marked_in(node.value))
        for node in tree(path).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def table() -> str:
    """The page about them: one line for each meaning."""
    found: dict[str, list[set[str]]] = defaultdict(lambda: [set(), set(), set()])
    for refusal in every_refusal():
        for kept, told in zip(found[refusal.code], ((refusal.field,), (refusal.rule,), refusal.texts), strict=True):
            kept.update(filter(None, told))
    return HEAD + "".join(
        f"| `{code}` | {_cell(fields)} | {_cell(rules)} | {'<br>'.join(sorted(texts))} |\n"
        for code, (fields, rules, texts) in sorted(found.items())
    )


def _cell(words: set[str]) -> str:
    return ", ".join(sorted(words))


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
