"""The site names no game: only a game's own folders and the registries do, and every room of the house is on a
floor."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import tree
from tests.servers import ROOT

GAMES = sorted(folder.name for folder in (ROOT / "game" / "rulesets").iterdir() if (folder / "ruleset.py").exists())
FILES = sorted(file for top in ("game", "accounts", "sectors_site") for file in (ROOT / top).rglob("*.py"))
OF_ALL_GAMES = ("game.engine", "game.boards")


def imports(file: Path) -> Iterator[str]:
    """The dotted names that a file imports from."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def game_of(module: str) -> str | None:
    """The game in whose folder a module lies."""
    found = re.match(r"game\.(?:rulesets|boards)\.(\w+)", module)
    return found[1] if found and found[1] in GAMES else None


def home_of(file: Path) -> str | None:
    return game_of(".".join(file.relative_to(ROOT).with_suffix("").parts))


def test_only_a_games_own_folders_and_the_registries_name_it() -> None:
    strangers = [
        (str(file.relative_to(ROOT)), module)
        for file in FILES
        if file.name != "registry.py"
        for module in imports(file)
        if game_of(module) not in {None, home_of(file)}
    ]
    assert strangers == []


@pytest.mark.parametrize("game", GAMES)
def test_a_board_knows_the_engine_what_all_boards_share_and_its_own_rules(game: str) -> None:
    for file in (ROOT / "game" / "boards" / game).rglob("*.py"):
        ours = {module for module in imports(file) if module.startswith("game.")}
        assert all(game_of(module) == game or module.startswith(OF_ALL_GAMES) for module in ours), file


def test_every_module_of_the_game_is_on_a_floor() -> None:
    """import-linter says nothing about what no layer names."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    floors = next(each for each in contracts if each["id"] == "floors")
    named = {name for layer in floors["layers"] for name in re.findall(r"\w+", layer)}
    folder = ROOT / "game"
    rooms = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - named <= {"__init__", "migrations", "models"}
