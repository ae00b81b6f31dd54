"""Games as releases stored them, one of each version and shape of each game's rules. `python -m
tests.store.stored_games` records today's; it is kept from then on, so that later rules go on reading it."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import django

from tests.servers import ROOT

STORED = Path(__file__).parent / "stored"
FILE = re.compile(r"(\w+)_v(\d+)_s(\d+)\.json")
PHASES = {"sectors": "stock_orders"}
"""The phase in which a game is stored, where it is not its first one."""


class Told(NamedTuple):
    """The version of the rules that stored a game."""

    ruleset: str
    version: int
    schema: int

    @property
    def path(self) -> Path:
        return STORED / f"{self.ruleset}_v{self.version}_s{self.schema}.json"

    def __str__(self) -> str:
        return self.path.stem


def kept() -> list[Told]:
    """All that there are, oldest first."""
    found = (FILE.fullmatch(path.name) for path in STORED.iterdir())
    return sorted(Told(each[1], int(each[2]), int(each[3])) for each in found if each)


def restore(path: Path) -> Any:
    """The stored game in this database; its clock runs for another hour."""
    from django.db.models.functions import Now

    from game.store.game import Game, Seat
    from game.store.log import LoggedAction
    from tests.tables import fresh, person

    result = json.loads(path.read_text(encoding="utf-8"))
    game = Game(**row_of(Game, result["game"]))
    secret = game.secret
    game.save()
    # The fixture of all tests has sealed it anew.
    Game.objects.filter(pk=game.pk).update(secret=secret, fixed_sum=b"", deadline_at=Now() + timedelta(hours=1))
    for seat in result["seats"]:
        user = person(seat.pop("person")) if seat["person"] else None
        Seat.objects.create(game=game, user=user, **row_of(Seat, seat))
    remark_of = import_module("game.migrations.0011_log_remarks").remark_of
    for entry in result["log"]:
        entry.setdefault("remark", remark_of(entry["note"]))
        LoggedAction.objects.create(game=game, **row_of(LoggedAction, entry))
    return fresh(game)


def row_of(model: Any, told: dict[str, Any]) -> dict[str, Any]:
    """The columns of a row that the table still has; those that were added later get their default, as in a
    migration."""
    columns = {field.attname: field for field in model._meta.concrete_fields}
    return {name: _value(columns[name], value) for name, value in told.items() if name in columns}


def _value(column: Any, value: Any) -> Any:
    from django.db.models import DateTimeField
    from django.utils.dateparse import parse_datetime

    if isinstance(value, dict) and set(value) == {"b64"}:
        return b64decode(value["b64"])
    return parse_datetime(value) if isinstance(column, DateTimeField) and value else value


def write(game: Any, path: Path, **more: Any) -> Path:
    """A game as it is stored now, without whom its rows point to."""
    seats = [{**plain_row(seat), "person": seat.user.username if seat.user else ""} for seat in game.seats.all()]
    log = [plain_row(entry) for entry in game.log.order_by("number")]
    fields = {"game": plain_row(game), "seats": seats, "log": log, **more}
    path.write_text(json.dumps(fields, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def plain_row(row: Any) -> dict[str, Any]:
    return {name: _plain(value) for name, value in _columns(row)}


def _columns(row: Any) -> Iterator[tuple[str, Any]]:
    for field in row._meta.concrete_fields:
        if not field.is_relation and not field.primary_key:
            yield field.attname, getattr(row, field.attname)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {"b64": b64encode(value).decode()}
    return value.isoformat() if hasattr(value, "isoformat") else value


def shipped() -> list[Told]:
    """The rules of today, without those that tests add."""
    from game.rulesets.registry import RULESETS

    folders = {path.name for path in (ROOT / "game" / "rulesets").iterdir() if path.is_dir()}
    return [Told(key, rules.version, rules.schema) for key, rules in RULESETS.items() if key in folders]


def main() -> None:
    """Play one game by each of today's rules of which none is kept, and store it. `SECTORS_HOME` names an empty
    folder."""
    from django.core.management import call_command

    from tests.tables import at_phase, fresh, new_game

    call_command("migrate", verbosity=0)
    for key, *_ in set(shipped()) - set(kept()):
        game = new_game("ada", "bob", bots=1, ruleset=key)
        game = at_phase(game, PHASES[key]) if key in PHASES else game
        decide(game)
        game = fresh(game)
        path = write(game, Told(game.ruleset, game.ruleset_version, game.schema).path)
        sys.stdout.write(f"{path}\n")


def decide(game: Any) -> None:
    """The first person asks for what a bot would."""
    from tests.tables import send

    seat = min(game.waiting_seats)
    send(game, seat, *bot_requests(game, seat))


def bot_requests(game: Any, seat: int) -> list[dict[str, Any]]:
    """What a bot would ask for in a seat now."""
    from game.engine import referee
    from game.engine.chance import Chance

    rules, position = game.rules, game.load_position()
    view, bot = rules.view(position, seat), rules.bots["house"]
    return list(bot(view, lambda: referee.offers(rules, position, seat), Chance("0")))


if __name__ == "__main__":
    django.setup()
    main()
