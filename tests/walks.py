"""The walk of a request through the rooms, as the code runs: `python -m tests.walks` writes `docs/walks.md`, or prints
it with `--print`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

from tests.homes import fresh_home
from tests.servers import ROOT

TOPS = ("accounts", "game", "sectors_site")
PAGE = ROOT / "docs" / "walks.md"
HEAD = """# How a request walks through the rooms

Each table shows the rooms that one piece of work enters, from the highest to the lowest, and the function by which it
first enters each. Imports only go down; what seems to go up is a callback: a middleware calls the view, a template
its filters, the engine the rules of the game. `python -m tests.walks` writes this page by doing the work and watching.
"""
ABOVE = ("sectors_site", "accounts")
"""Rooms outside of `game`: settings and middleware, and people."""


class Walk:
    """The modules and functions of ours that a piece of work enters, in order."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.functions: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def watched(self) -> Iterator[None]:
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(tuple(f"{ROOT}/{top}/" for top in TOPS)):
            self.functions[file, frame.f_code.co_name] += 1

    def __str__(self) -> str:
        modules = {file for file, _ in self.functions}
        return f"{len(modules)} modules, {len(self.functions)} functions, {self.functions.total()} calls"

    def entries(self) -> dict[str, str]:
        """The function that first enters each room, as `module.function`, from the highest room to the lowest."""
        first: dict[str, str] = {}
        for file, function in self.functions:
            path = Path(file).relative_to(ROOT)
            if function.isidentifier() and not function.startswith("_"):
                first.setdefault(room_of(path), f"{path.stem}.{function}")
        return {room: first[room] for room in rooms() if room in first}


def rooms() -> list[str]:
    """All rooms, the highest first, as the layers of imports order them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return [*ABOVE, *re.findall(r"\((\w+)\)", text.split("layers = [")[1].split("]")[0])]


def room_of(path: Path) -> str:
    return path.parts[0] if path.parts[0] != "game" else path.parts[1].removesuffix(".py")


def page_of(walks: list[Walk]) -> str:
    """The page that shows these walks."""
    parts = [HEAD]
    for walk in walks:
        rows = "".join(f"| `{room}` | `{entry}` |\n" for room, entry in walk.entries().items())
        title = walk.name[0].upper() + walk.name[1:]
        parts.append(f"## {title}\n\n| room | first entered by |\n|---|---|\n{rows}")
    return "\n".join(parts)


def walk_all() -> Iterator[Walk]:
    """Do each piece of work once, in a fresh home."""
    with tempfile.TemporaryDirectory() as home:
        fresh_home(Path(home))
        os.environ |= {"SECTORS_HOME": home, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        import django

        django.setup()
        from django.test.utils import setup_test_environment

        setup_test_environment()
        yield from _walks()


def _walks() -> Iterator[Walk]:
    """An order by browser, the page of a board, a move of a program, a deadline, the mail of a turn and a pause by a
    moderator."""
    from django.core import mail as outgoing
    from django.db.models.functions import Now
    from django.test import Client
    from django.urls import reverse

    from game.delivery import notice_sending
    from game.outbox import notices
    from game.store.game import Game, Status
    from tests.api.clients import Program
    from tests.pages.panels import Controls
    from tests.scenes import let_time_pass, moderator, person, seen
    from tests.tables import at_phase, fresh, new_game, sweep_again

    ada, *_ = [person(name, quiet_from=0, quiet_until=0) for name in ("ada", "ben", "cid")]
    game = at_phase(new_game("ada", "ben", "cid", pace="daily"), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 1}
    browser, program, desk = Client(), Program("ben"), Client()
    browser.force_login(ada)
    desk.force_login(moderator("Lena"))
    page = f"/games/{game.pk}/"
    form = dict(Controls(browser.get(page).content.decode()).sent)

    def send() -> None:
        answer = browser.post(f"{page}actions/", {**form, "do": "submit"}, HTTP_HX_REQUEST="true")
        assert answer.status_code == 200, answer.status_code

    def move() -> None:
        assert program.move(game, order).status_code == 200

    def mail() -> None:
        notice_sending.send_due_notices()
        assert outgoing.outbox

    def pause() -> None:
        fields = {"reason": "A question.", **seen(fresh(game))._asdict()}
        desk.post(reverse("admin:moderate", args=[game.pk, "pause"]), fields)
        assert fresh(game).status == Status.PAUSED

    work: dict[str, Callable[[], object]] = {
        "order by browser": send,
        "page of the board": lambda: browser.get(page),
        "move of a program": move,
        "deadline": sweep_again,
        "mail of a turn": mail,
        "pause by a moderator": pause,
    }
    again = {"order by browser", "page of the board", "move of a program"}
    for name, step in work.items():
        if name in again:  # what a process keeps of the first time is kept
            step()
        if name == "deadline":
            Game.objects.filter(pk=game.pk).update(deadline_at=Now())
        if name == "mail of a turn":
            notices.write_notices()
            let_time_pass(game, timedelta(hours=7))
        walk = Walk(name)
        with walk.watched():
            step()
        yield walk


if __name__ == "__main__":
    text = page_of(list(walk_all()))
    if "--print" in sys.argv:
        print(text)  # noqa: T201
    else:
        PAGE.write_text(text, encoding="utf-8")
