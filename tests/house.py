"""The size of the product and how far one request walks through it: `python -m tests.house`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests import walks
from tests.servers import ROOT

TOPS = ("accounts", "game", "sectors_site")
SMALL = 60  # lines


def files() -> list[Path]:
    return [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of a file, parsed once for all tests that read it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def sizes() -> Iterator[str]:
    """Lines, modules and files of each package."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files()}
    modules = [path for path in lines if path.name != "__init__.py" and "migrations" not in path.parts]
    small = [path for path in modules if lines[path] <= SMALL]
    yield f"product lines with migrations  {sum(lines.values())}"
    yield f"modules                        {len(modules)}, of which {len(small)} have at most {SMALL} lines"
    packages = Counter(str(path.parent.relative_to(ROOT)) for path in modules)
    yield "files of a package             " + ", ".join(f"{name} {count}" for name, count in packages.most_common())


def main() -> None:
    for line in sizes():
        print(line)  # noqa: T201
    for walk in walks.walk_all():
        print(f"{walk.name:<30} {walk}")  # noqa: T201


if __name__ == "__main__":
    main()
