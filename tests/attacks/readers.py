"""Somebody with a browser and a program, and every address at which they are shown something of a game."""

from __future__ import annotations

import re
from typing import Any

from django.core.cache import cache
from django.test import Client

from game.store.game import Game
from tests.api.clients import ROOT, Program
from tests.api.operations import every_operation
from tests.api.operations import path_of as operation_path
from tests.attacks.rules import FORM, OPEN_FORM, RULES
from tests.attacks.walk import API, Answer, addresses, answer_of
from tests.tables import person

Answers = dict[str, Answer]
TABLE = re.compile(r"/|/games/|/games/\d+/|/games/\d+/chat/|/api/v1/games/\d+/position")


def paths_about(game: Game, name: str, *, takes_forms: bool = False) -> list[str]:
    """Every address that shows something of a game and its first seat, and what people find elsewhere: the lobby, their
    decisions. With `takes_forms` those too that only take forms, which answer nobody's opening."""
    given: dict[str, Any] = {"game_id": game.pk, "serial": game.phase_serial, "number": 0, "figure": "cash"}
    given |= {"subject": "0", "turn": 1, "what": "log", "form": "csv", "name": name, "key": game.ruleset}
    hidden = () if takes_forms else (FORM, OPEN_FORM)
    pages = [each.pattern for each in addresses() if each.is_of_a_game and RULES.get(each.name) not in hidden]
    calls = [
        API + "v1/" + place.pattern
        for place in every_operation()
        if place.method == "GET" and place.pattern.startswith(("games", "me/decisions"))
    ]
    found = ["/", "/games/"]
    for pattern in [*pages, *calls]:
        named = {name: value for name, value in given.items() if f"{name}>" in pattern}
        try:
            found.append("/" + operation_path(pattern, **named))
        except AssertionError:
            continue  # of a row that no game has: a webhook, a browser
    return [path for path in found if "stream" not in path]


class Reader:
    """Somebody with a browser and a program."""

    def __init__(self, name: str, paths: list[str]) -> None:
        self.client, self.program = Client(), Program(name)
        if name:
            self.client.force_login(person(name))
        self.paths, self.has_seen = paths, False
        # It leaves its traces: that they have seen the table.
        self.read([path for path in paths if TABLE.fullmatch(path)])

    def see(self) -> Answers:
        """What these addresses answer; from the second time on, those that had something to show at the first."""
        found = self.read(self.paths)
        if not self.has_seen:
            found = {path: answer for path, answer in found.items() if answer.status == 200}
            self.paths, self.has_seen = [*found], True
        return found

    def read(self, paths: list[str]) -> Answers:
        cache.clear()  # what the limits have counted
        found = {}
        for path in paths:
            answer = answer_of(self.ask(path))
            headers = tuple(each for each in answer.headers if not each[0].startswith("RateLimit"))
            found[path] = answer._replace(headers=headers)
        return found

    def ask(self, path: str) -> Any:
        is_call = path.startswith("/" + API)
        return self.program.get(path.removeprefix(ROOT)) if is_call else self.client.get(path)
