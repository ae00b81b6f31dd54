"""`docs/adding_a_notice.md`, done in a copy of the site: its parts are put where it says, and its commands run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT

PAGE = (ROOT / "docs" / "adding_a_notice.md").read_text(encoding="utf-8")
PARTS = [re.sub(r"(?m)^ {3}", "", part) for part in re.findall(r"(?ms)^ {3}```\w+\n(.+?)^ {3}```", PAGE)]
WHERE = re.compile(r"(?:#|<!--|\{#) (?P<file>\S+?)(?:, (?P<side>below|above) (?P<line>.+?))?(?: -->| #\})?")
COMMANDS = re.findall(r"`((?:\./dev|python -m) .+?)`", PAGE)
OTHERS = ["./dev test tests/delivery/test_renamed.py", "./dev manage makemigrations --check --dry-run"]
"""The page's own test, and proof that the kind needs no migration."""


def put(root: Path, part: str) -> None:
    """One part of the page where its first line says: a new file, German for texts that have none, or beside a line."""
    head, text = part.split("\n", 1)
    where = WHERE.fullmatch(head)
    assert where is not None, head
    path = root / where["file"]
    if path.suffix == ".po":
        catalogue = path.read_text(encoding="utf-8")
        for entry in text.strip().split("\n\n"):
            empty = re.sub(r'msgstr ".*"', 'msgstr ""', entry)
            assert catalogue.count(empty) == 1, empty
            catalogue = catalogue.replace(empty, entry)
        path.write_text(catalogue, encoding="utf-8")
    elif where["line"] is None:
        assert not path.exists()
        path.write_text(text, encoding="utf-8")
    else:
        lines = path.read_text(encoding="utf-8").splitlines()
        at = next(number for number, line in enumerate(lines) if where["line"] in line)
        indent = re.match(" *", lines[at])[0] + ("    " if lines[at].startswith("}") else "")
        at += where["side"] == "below"
        lines[at:at] = [indent + line for line in text.splitlines()]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command of the page in the copy: `./dev` installs nothing there, and `./dev test` asks for no servers."""
    words = command.replace("./dev manage", "python manage.py").replace("./dev test", "python -m pytest -q").split()
    home = {"SECTORS_HOME": str(root / ".local")}
    given = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, *words[1:]],
        cwd=root,
        env=given | home,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )


@pytest.mark.timeout(600)
def test_the_example_added_as_the_page_says_is_sent(tmp_path: Path) -> None:
    root = tmp_path / "copy"
    ignored = shutil.ignore_patterns(".git", ".venv", ".local", "__pycache__", ".*_cache", "made")
    shutil.copytree(ROOT, root, ignore=ignored)
    (root / ".venv").symlink_to(ROOT / ".venv")
    for part in PARTS:
        if part.startswith("# locale"):
            assert run(root, "./dev manage words").returncode == 0
        put(root, part)
    assert len(COMMANDS) == 4
    for command in [
        *COMMANDS,
        "./dev manage makemigrations --check --dry-run",
        "python -m ruff check --select F,E9 game",
    ]:
        done = run(root, command)
        assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"


def test_it_is_a_commit_of_forty_lines() -> None:
    lines = [line for part in PARTS for line in part.splitlines()[1:] if line.strip()]
    assert len(lines) <= 40
