"""The size of the product and how far one request walks through it: `python -m tests.house`."""

from __future__ import annotations

import os
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
SMALL = 60  # lines


def files() -> list[Path]:
    return [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]


def sizes() -> Iterator[str]:
    """Lines, modules and files of each package."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files()}
    modules = [path for path in lines if path.name != "__init__.py" and "migrations" not in path.parts]
    small = [path for path in modules if lines[path] <= SMALL]
    yield f"product lines with migrations  {sum(lines.values())}"
    yield f"modules                        {len(modules)}, of which {len(small)} have at most {SMALL} lines"
    packages = Counter(str(path.parent.relative_to(ROOT)) for path in modules)
    yield "files of a package             " + ", ".join(f"{name} {count}" for name, count in packages.most_common())


class Walk:
    """The modules and functions of ours that a piece of work enters."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def watched(self) -> Iterator[None]:
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            file = frame.f_code.co_filename
            if file.startswith(tuple(f"{ROOT}/{top}/" for top in TOPS)):
                self.functions[
                    file, frame.f_code.co_qualname if sys.version_info >= (3, 11) else frame.f_code.co_name
                ] += 1

    def __str__(self) -> str:
        modules = {file for file, _ in self.functions}
        return f"{len(modules)} modules, {len(self.functions)} functions, {self.functions.total()} calls"


def walks() -> Iterator[str]:
    """One order by browser, the page of a board, a move of a program, a deadline and the mail of a turn."""
    from django.core import mail as outgoing
    from django.db.models.functions import Now
    from django.test import Client

    from game.delivery import notice_sending
    from game.outbox import notices
    from game.store.game import Game
    from tests.api.clients import Program
    from tests.pages.panels import Controls
    from tests.scenes import let_time_pass, person
    from tests.tables import at_phase, new_game, sweep_again

    ada, *_ = [person(name, quiet_from=0, quiet_until=0) for name in ("ada", "ben", "cid")]
    game = at_phase(new_game("ada", "ben", "cid", pace="daily"), "stock_orders")
    ticker = next(iter(game.load_position().state.companies))
    order = {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 1}
    browser, program = Client(), Program("ben")
    browser.force_login(ada)
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

    work: dict[str, Callable[[], object]] = {
        "order by browser": send,
        "page of the board": lambda: browser.get(page),
        "move of a program": move,
        "deadline": sweep_again,
        "mail of a turn": mail,
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
        walk = Walk()
        with walk.watched():
            step()
        yield f"{name:<30} {walk}"


def main() -> None:
    for line in sizes():
        print(line)  # noqa: T201
    with tempfile.TemporaryDirectory() as home:
        fresh_home(Path(home))
        os.environ |= {"SECTORS_HOME": home, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        import django

        django.setup()
        from django.test.utils import setup_test_environment

        setup_test_environment()
        for line in walks():
            print(line)  # noqa: T201


if __name__ == "__main__":
    main()
