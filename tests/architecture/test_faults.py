"""The table of faults: every row has a test that is there, or says what is measured or not shown instead."""

import ast
import re

from tests.servers import ROOT

ROWS = range(1, 36)


def rows() -> dict[str, str]:
    """What shows each row, by its number."""
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    cells = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("| F")]
    assert all(len(row) == 4 for row in cells)
    return {row[0]: row[3] for row in cells}


def test_every_row_has_a_test_or_a_reason() -> None:
    assert list(rows()) == [f"F{number}" for number in ROWS]
    assert not [row for row, shown in rows().items() if "::test_" not in shown and "measured by `" not in shown]


def test_every_module_ends_in_the_oracle_or_the_page_says_why_not() -> None:
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    modules = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "faults").glob("test_*.py")}
    asks = {name for name, text in modules.items() if re.search(r"\bverdict\(|\bjudged\b", text)}
    assert {name for name in modules if f"`{name}`" in page} == set(modules) - asks


def test_every_test_of_another_folder_ends_in_the_oracle_or_the_page_says_why_not() -> None:
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8").split("| | fault |")[0]
    named = set(re.findall(r"`(tests/(?!faults|bench)[\w/.]+)::(\w+)`", "".join(rows().values())))
    quiet = {name for path, name in named if not is_judged(path, name)}
    assert quiet == {name for _, name in named if f"`{name}`" in page}


def is_judged(path: str, name: str) -> bool:
    """Whether a test, or its whole module, ends in the oracle."""
    text = (ROOT / path).read_text(encoding="utf-8")
    marked = r"^pytestmark = .*\"judged\"|assert verdict\("
    if re.search(marked, text, re.MULTILINE):
        return True
    tests = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == name)
    return any(re.search(r"\boracle\.|usefixtures\('judged'\)", ast.unparse(test)) for test in tests)


def test_every_test_it_names_is_there() -> None:
    missing = []
    for shown in rows().values():
        for path, name in re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", shown):
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            known = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
            missing += [f"{path}::{name}"] if name and name not in known else []
    assert not missing
