"""The table of attacks: every row has tests that are there, the first of them named after the row."""

import ast
import re
from functools import cache

from tests.servers import ROOT

ROWS = range(1, 39)


def rows() -> dict[str, list[tuple[str, str]]]:
    """File and name of the tests that show each row."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    cells = [line.strip("| \n").split(" | ") for line in text.splitlines() if re.match(r"\| A\d", line)]
    assert all(len(row) == 4 for row in cells)
    return {row[0]: re.findall(r"`([\w/]+\.py)::(\w+)`", row[3]) for row in cells}


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def test_every_attack_has_a_test_named_after_it() -> None:
    found = rows()
    assert list(found) == [f"A{number}" for number in ROWS]
    unnamed = [row for row, shown in found.items() if not shown or not shown[0][1].startswith(f"test_{row.lower()}_")]
    assert unnamed == []


def test_every_test_it_names_is_there() -> None:
    named = {test for shown in rows().values() for test in shown}
    assert {f"{path}::{name}" for path, name in named if name not in functions_of(path)} == set()


def test_every_test_named_after_an_attack_is_in_its_row() -> None:
    named = {(row, *test) for row, shown in rows().items() for test in shown}
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if "stored" not in path.parts]
    missing = []
    for path in files:
        where = str(path.relative_to(ROOT))
        for name in functions_of(where):
            if found := re.match(r"test_a(\d+)_", name):
                missing += [] if (f"A{found[1]}", where, name) in named else [f"{where}::{name}"]
    assert missing == []
