"""The examples of docs/api/README.md, sent to the running site: each is answered with the status that stands under it,
and with the fields that it shows."""

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from accounts import api_tokens
from game.store.log import LoggedAction
from tests.servers import PATIENCE, ROOT
from tests.tables import new_game, person

if TYPE_CHECKING:
    from tests.live_site import LiveSite

GUIDE = (ROOT / "docs" / "api" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
SITE = "URL=http://127.0.0.1:8000/api/v1\n"
STATUS, FIELD = re.compile(r"^# (\d{3})\b"), re.compile(r'"(\w+)":')
MADE = re.compile(r'^\{"id":(\d+)')


class Example(NamedTuple):
    """A command, and what the guide says that it is answered with."""

    command: str
    answer: str

    @property
    def status(self) -> int:
        """The status that is promised; 0 where none is."""
        found = STATUS.match(self.answer)
        return int(found[1]) if found else 0


def shell() -> tuple[str, list[Example]]:
    """What stands before the first command, and the commands, each with the comment under it."""
    before, *calls = re.split(r"^(?=api )", block("sh"), flags=re.MULTILINE)
    examples = []
    for call in calls:
        command, _, answer = call.partition("\n#")
        examples.append(Example(command, f"#{answer}"))
    return before, examples


def block(language: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language]
    return str(found)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_every_example_is_one_that_is_run_here() -> None:
    assert sorted(kind for kind, _ in BLOCKS) == ["py", "python", "sh"]
    before, examples = shell()
    assert SITE in before
    assert len(examples) > 8
    assert [each.command for each in examples if not each.status] == [], "without a status under them"


def test_what_the_guide_sends_with_curl_is_answered_as_it_says(live_site: "LiveSite") -> None:
    before, examples = shell()
    before = before.replace(SITE, f"URL={live_site.address}/api/v1\n")
    token = token_of("ada", "read", "play", "manage")
    for example in examples:
        status, body = run(before, example.command, token)
        assert status == example.status, (example.command, body)
        result = re.sub(r"^# *", "", example.answer, flags=re.MULTILINE)
        assert {*FIELD.findall(result)} <= {*FIELD.findall(body)}, (example.command, body)
        if status == 201:
            before += f"GAME={MADE.findall(body)[0]}\n"


def token_of(name: str, *scopes: str) -> str:
    return api_tokens.issue(user=person(name), name="guide", scopes=scopes, days=30)[1]


def run(before: str, command: str, token: str) -> tuple[int, str]:
    """The command in a shell: the status of the answer, and its body."""
    asked = command.replace("api ", "api -w '\\n%{http_code}' ", 1)
    shell = ["bash", "-c", f"set -euo pipefail\n{before}{asked}"]
    known = {**os.environ, "SECTORS_TOKEN": token}
    done = subprocess.run(shell, capture_output=True, text=True, check=True, timeout=PATIENCE, env=known)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), body


def test_the_client_of_the_guide_plays(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", pace="daily")
    submitted = LoggedAction.objects.filter(game=game, seat=0)
    assert not submitted.exists()
    example = block("python")
    assert '"https://sectors.example"' in example
    program = f"token = {token_of('ada', 'read', 'play')!r}\n" + example.replace(
        "https://sectors.example", live_site.address
    )
    player = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    try:
        ends = time.monotonic() + PATIENCE
        while not submitted.exists():
            assert player.poll() is None, "it plays on until it is stopped"
            assert time.monotonic() < ends
            time.sleep(0.1)
    finally:
        player.kill()
        player.wait()
