"""The pages that tell how something is added: what they name is there, and their examples are true."""

import ast
import builtins
import re
from importlib.util import find_spec
from inspect import signature

import pytest
from django.core.management import call_command

from game.moderation import interventions, roles
from tests.servers import ROOT

PAGES = sorted((ROOT / "docs").glob("adding_*.md"))
NEW_NAMES = {"Intervention.FEATURE", "Sentence.NOT_FEATURED"}
"""What the example of an act adds."""


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def example(name: str, beginning: str) -> str:
    """The code block of a page that begins like this, without its indentation."""
    blocks = re.findall(r"(?ms)^ *```python\n(.+?)^ *```", text_of(name))
    lines = next(block for block in blocks if block.strip().startswith(beginning)).splitlines()
    return "\n".join(line[3:] for line in lines)


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [page.name for page in PAGES if f"`docs/{page.name}`" not in readme]


def test_the_tests_and_modules_that_a_document_runs_are_there() -> None:
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))]
    paths = {path for text in texts for run in re.findall(r"dev test ([^`\n]+)`", text) for path in run.split()}
    assert not [path for path in paths if path.startswith("tests/") and not (ROOT / path).exists()]
    modules = {name for text in texts for name in re.findall(r"python -m ((?:tests|game)[\w.]+)", text)}
    assert not [name for name in modules if find_spec(name) is None]


def test_the_example_of_an_act_is_made_of_what_there_is() -> None:
    tree = ast.parse(example("adding_a_staff_act.md", "@transaction.atomic"))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [argument.arg for argument in function.args.kwonlyargs] == [*signature(interventions.pause).parameters]
    own = {*vars(interventions), *vars(builtins), *signature(interventions.pause).parameters, "game"}
    assert not {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - own
    uses = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert uses >= NEW_NAMES


def test_the_printed_table_of_roles_is_the_page_s(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r'dev manage shell -c "(.+?)"`', text_of("adding_a_staff_act.md"))
    assert code is not None
    call_command("shell", command=code[1], verbosity=0)
    assert "\n".join(roles.as_markdown()) in capsys.readouterr().out
