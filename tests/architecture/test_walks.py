"""The page of walks names the rooms that work enters today, and functions that there are."""

import re
import subprocess
import sys

from tests.servers import ROOT
from tests.walks import PAGE

ROW = re.compile(r"^\| `(\w+)` \| `(\w+)\.(\w+)` \|$", re.MULTILINE)


def rooms_in(text: str) -> dict[str, list[str]]:
    """The rooms by title."""
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {title: [room for room, *_ in ROW.findall(rows)] for title, _, rows in parts}


def test_work_walks_through_the_rooms_on_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.walks", "--print"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    walked = rooms_in(done.stdout)
    assert len(walked) == 6
    assert walked == rooms_in(PAGE.read_text(encoding="utf-8")), "python -m tests.walks"


def test_every_function_on_the_page_is_there() -> None:
    missing = []
    for room, module, function in ROW.findall(PAGE.read_text(encoding="utf-8")):
        folder = ROOT / room if room in {"accounts", "sectors_site"} else ROOT / "game" / room
        files = [*folder.rglob(f"{module}.py"), *(ROOT / "game").glob(f"{room}.py")]
        if not any(re.search(rf"\bdef {function}\(", file.read_text(encoding="utf-8")) for file in files):
            missing.append(f"{room}/{module}.{function}")
    assert not missing
