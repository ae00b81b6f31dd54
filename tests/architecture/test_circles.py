"""No module imports another that imports it again, and none takes from another what that keeps for itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from tests.house import tree
from tests.servers import ROOT

TOPS = ("accounts", "game", "sectors_site")
PAGES = {"views", "forms", "urls"}
OF_OTHERS = {"game.people.personal_data"}
"""The file of somebody's own data names each setting as the form does on which they chose it."""


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {_dotted(path): path for top in TOPS for path in (ROOT / top).rglob("*.py") if "migrations" not in path.parts}


@cache
def imports() -> list[tuple[str, str, str]]:
    """Every import of ours: the module, the one it imports from, and the name it takes."""
    rows = []
    for module, path in FILES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in TOPS:
                rows += [(module, node.module, alias.name) for alias in node.names]
    return rows


def test_no_import_leads_back() -> None:
    needs: dict[str, set[str]] = defaultdict(set)
    for module, source, name in imports():
        target = f"{source}.{name}" if f"{source}.{name}" in FILES else source
        if target in FILES and target != module:
            needs[module].add(target)
    TopologicalSorter(needs).prepare()  # names the circle where there is one


def test_nobody_takes_what_another_module_keeps_for_itself() -> None:
    private = [(module, source, name) for module, source, name in imports() if name.startswith("_")]
    assert [row for row in private if f"{row[1]}.{row[2]}" not in FILES] == []


def test_views_and_forms_are_known_in_their_own_room_alone() -> None:
    def room(module: str) -> str:
        return ".".join(module.split(".")[:2]) if module.startswith("game.") else module.split(".", maxsplit=1)[0]

    foreign = []
    for module, source, name in imports():
        target = f"{source}.{name}" if f"{source}.{name}" in FILES else source
        is_page = target.split(".")[-1].rpartition("_")[2] in PAGES
        if is_page and room(target) != room(module) and module.split(".")[-1] != "urls" and module not in OF_OTHERS:
            foreign.append((module, target))
    assert foreign == []
