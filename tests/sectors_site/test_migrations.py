"""What a migration does to the data of a site that has been played on, in databases of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.homes import empty_database
from tests.servers import ROOT

DETAILS = """
import json, django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

BEFORE = ("game", "0010_restore_from_log")
call_command("migrate", *BEFORE, verbosity=0)
old = MigrationLoader(connection).project_state(BEFORE).apps.get_model
game = old("game", "Game").objects.create(name="The Tuesday Consortium", seats_wanted=2)
paper = {"sector": "industrial", "tier": "growth", "status": "active", "price": 30, "ipo_price": 20, "ipo": 3, "market":
2, "aside": 1}
works = {"unit_price": 9, "treasury": 400, "operating_cost": 50, "prestige": -1, "supply": 4, "demand": 5, "revenue":
27}
for ticker, has_loan in (("ACME", True), ("BOLT", False)):
    old("game", "Company").objects.create(game=game, ticker=ticker, name=ticker, has_loan=has_loan, **paper, **works)
where = {"company": "ACME", "location": "ipo", "turn": 3, "sub_round": 2}
old("game", "Order").objects.create(game=game, number=1, seat=0, status="filled", kind="market", side="buy", quantity=2,
paid=40, **where)
old("game", "Order").objects.create(game=game, number=2, seat=1, status="pending", **where)
terms = {"term": 3, "strike": 40, "premium": 6, "bonus": -2}
old("game", "Contract").objects.create(game=game, number=7, company="ACME", shares=2, owner=1, turns_left=2,
is_gone=True, **terms)
call_command("migrate", verbosity=0)
from game.store.board_rows import Company, Contract, Order
rows = [row for table in (Company, Order, Contract) for row in table.objects.order_by("id").values()]
print(json.dumps([{name: value for name, value in row.items() if name not in ("id", "game_id")} for row in rows]))
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/played.sqlite3"
    return empty_database(request.getfixturevalue("postgres_url"), "test_migrations")


def test_what_only_sectors_has_moves_into_details(database: str, tmp_path: Path) -> None:
    found = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
    }
    found["DATABASE_URL"] = database
    done = subprocess.run(
        [sys.executable, "-c", DETAILS], env=found, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    acme, bolt, filled, sealed, contract = json.loads(done.stdout)
    assert acme == _company("ACME", has_loan=True)
    assert bolt == _company("BOLT", has_loan=False)
    shared = {"company": "ACME", "turn": 3, "price": None, "reason": ""}
    placed = {"location": "ipo", "sub_round": 2, "contract": None, "margin": None}
    bought = {"number": 1, "seat": 0, "status": "filled", "kind": "market", "side": "buy", "quantity": 2}
    assert filled == shared | bought | {"details": placed | {"paid": 40}}
    hidden = {"number": 2, "seat": 1, "status": "pending", "kind": None, "side": None, "quantity": None}
    assert sealed == shared | hidden | {"details": placed | {"paid": None}}
    terms = {"term": 3, "strike": 40, "premium": 6, "bonus": -2, "turns_left": 2}
    assert contract == {"number": 7, "company": "ACME", "shares": 2, "owner": 1, "is_gone": True, "details": terms}


def _company(key: str, *, has_loan: bool) -> dict[str, Any]:
    worth = {
        "tier": "growth",
        "ipo_price": 20,
        "ipo": 3,
        "market": 2,
        "aside": 1,
        "unit_price": 9,
        "operating_cost": 50,
    }
    works = {"prestige": -1, "supply": 4, "demand": 5, "revenue": 27, "has_loan": has_loan}
    shared = {"key": key, "name": key, "group": "industrial", "status": "active", "price": 30, "treasury": 400}
    return shared | {"details": worth | works}


SWITCHES = """
import json, django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

BEFORE = [("accounts", "0010_api_tokens"), ("game", "0025_paces")]
for name, number in BEFORE:
    call_command("migrate", name, number, verbosity=0)
people = MigrationLoader(connection).project_state(BEFORE).apps.get_model("accounts", "User").objects
people.create(username="Ada", skeleton="ada", email="ada@example.org")
people.create(username="Ben", skeleton="ben", email="ben@example.org", mail_turns=False, mail_mentions=False)
people.create(username="Cy", skeleton="cy", email="cy@example.org", mail_reminders=False)
call_command("migrate", verbosity=0)
from game.store.wish_models import Wish
print(json.dumps(sorted(Wish.objects.values_list("user__username", "topic", "channel", "how", "game"))))
"""


def test_what_was_switched_off_stays_off(database: str, tmp_path: Path) -> None:
    found = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
        "DATABASE_URL": database,
    }
    done = subprocess.run(
        [sys.executable, "-c", SWITCHES], env=found, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    ben = [
        ["Ben", topic, "mail", "off", None] for topic in ("finished", "mention", "missed", "seat", "started", "turn")
    ]
    assert json.loads(done.stdout) == [*ben, ["Cy", "reminder", "mail", "off", None]]
