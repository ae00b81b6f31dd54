"""`docs/adding_a_game.md` and its second part show the toy as it is: excerpts stand in their files, paths exist, and
commands run."""

import re
from dataclasses import fields
from io import StringIO

import pytest
from django.core.management import call_command

from game.boards.base import Board
from game.engine import offers
from game.engine.flow import Mode
from game.engine.ruleset import Ruleset
from tests.servers import ROOT

PAGE, BOARDS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("adding_a_game.md", "a_board_of_its_own.md")
)
EXCERPTS = re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE + BOARDS, re.DOTALL)
COMMANDS = [re.split(r"  +", line)[0].split() for line in re.findall(r"(?m)^\./dev manage (.*)$", PAGE)]
TOY = ROOT / "tests" / "toy"


@pytest.mark.parametrize(
    ("file", "code"), EXCERPTS, ids=[f"{number} {file}" for number, (file, _) in enumerate(EXCERPTS)]
)
def test_an_excerpt_is_in_its_file(file: str, code: str) -> None:
    assert code in (ROOT / file).read_text(encoding="utf-8")


def test_there_are_excerpts_and_no_other_python() -> None:
    assert len(EXCERPTS) >= 7
    assert (PAGE + BOARDS).count("```python") == len(EXCERPTS)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_its_commands_run(command: list[str]) -> None:
    out = StringIO()
    call_command(*command, stdout=out, stderr=StringIO())
    assert out.getvalue()


def test_fields_of_a_board_are_named_as_they_are() -> None:
    rows = re.findall(r"(?m)^\| [\w ]+ \| (`.*?) \|", BOARDS)
    keys = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(keys) > 20
    assert keys <= {each.name for each in fields(Board)}


def test_every_file_of_the_toy_is_told_of() -> None:
    result = set(re.findall(r"(?m)^\| `(\w+\.py)`", PAGE))
    assert result == {path.name for path in TOY.glob("*.py")} - {"__init__.py"}


def test_every_path_exists() -> None:
    paths = set(re.findall(r"\b((?:game|tests|docs|templates)/[\w/.]+)", PAGE + BOARDS))
    whole = {path.rstrip("./") for path in paths if "<" not in path}
    assert whole
    assert not [path for path in whole if not (ROOT / path).exists()]


def test_every_mode_and_field_of_an_offer_is_told_of() -> None:
    assert {mode.name for mode in Mode} <= set(re.findall(r"(?m)^\| `([A-Z]+)` \|", PAGE))
    kinds = {kind.__name__ for kind in offers.Field.__args__}
    assert not [kind for kind in kinds if f"`{kind}`" not in PAGE]


def test_what_a_ruleset_must_give_is_told_of() -> None:
    """Every field without a default is shown or named, here or by the file it comes from."""
    obvious = {
        "key",
        "title",
        "seats",
        "options_type",
        "menus",
        "actions",
        "codec",
        "flow",
        "options_of",
        "registries",
        "occurrences",
    }
    needed = {each.name for each in fields(Ruleset) if each.default_factory is each.default} - obvious
    assert not [name for name in needed if name not in PAGE]


def test_the_readme_leads_here() -> None:
    assert "docs/adding_a_game.md" in (ROOT / "README.md").read_text(encoding="utf-8")
