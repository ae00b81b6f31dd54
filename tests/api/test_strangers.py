"""Where the API once misled whoever wrote a program from its pages alone."""

import codecs
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.store.proposals import VoteTopic
from game.votes import voting
from tests.api.clients import ROOT, Program
from tests.tables import new_game, person, send

pytestmark = [pytest.mark.django_db]
UTC = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_a_game_ended_by_agreement_has_results_without_places() -> None:
    """A program that waits for them would wait for ever."""
    game = new_game("ada", "ben", ruleset="toy")
    for name in ("ada", "ben"):
        voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person(name))
    ada = Program("ada")
    assert ada.get(f"games/{game.pk}").json()["status"] == "abandoned"
    results = ada.get(f"games/{game.pk}/results")
    assert results.status_code == 200
    assert [line["place"] for line in results.json()["standings"]] == [None, None]


def test_offers_say_whether_an_action_can_be_taken_back() -> None:
    game = new_game("ada", "ben", ruleset="power_up")
    program = Program(("ada", "ben")[game.waiting_seats[0]])
    offers = program.get(f"games/{game.pk}/offers").json()
    assert offers["can_undo"] is False
    tile = next(each for each in offers["offers"] if each["kind"] == "play_tile" and not each["refused"])
    fields = {}
    for field in tile["fields"]:
        if not field.get("when"):
            cells = field.get("cells")
            fields[field["name"]] = cells[0]["value"] if cells else field["values"][0][0]
    assert program.move(game, {"kind": "play_tile", **tile["fixed"], **fields}).status_code == 200
    assert program.get(f"games/{game.pk}/offers").json()["can_undo"] is True
    assert program.move(game, {"kind": "undo"}).status_code == 200


def test_all_times_are_utc_with_a_z() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Program("ada")
    ada.post(f"games/{game.pk}/chat", {"text": "Hello"})
    send(game, 0, {"kind": "bid", "coins": 1})
    moments = [
        ada.get(f"games/{game.pk}").json()["created_at"],
        ada.get(f"games/{game.pk}/chat").json()["items"][0]["at"],
        ada.get(f"games/{game.pk}/history").json()["items"][0]["at"],
        ada.get("token").json()["expires_at"],
    ]
    assert [moment for moment in moments if not re.fullmatch(UTC, moment)] == []


def test_a_vacation_is_found_where_its_answer_says() -> None:
    ada = Program("ada")
    first = timezone.now().date() + timedelta(days=3)
    made = ada.post("me/vacations", {"first": first.isoformat(), "last": first.isoformat()})
    assert made.status_code == 201
    assert ada.delete(made["Location"].removeprefix(ROOT)).status_code == 204


def test_json_may_begin_with_a_byte_order_mark() -> None:
    ada = Program("ada")
    body = codecs.BOM_UTF8 + json.dumps({"ruleset": "toy", "seats": 2, "pace": "demo"}).encode()
    sent: dict[str, Any] = {"data": body, "content_type": "application/json", "headers": ada.headers}
    assert Client().post(f"{ROOT}games", **sent).status_code == 201


def test_a_change_that_changes_nothing_keeps_the_tag() -> None:
    ada = Program("ada")
    number = ada.post("games", {"ruleset": "toy", "seats": 2, "pace": "demo", "name": "Tea"}).json()["id"]
    tag = ada.get(f"games/{number}")["ETag"]
    assert ada.patch(f"games/{number}", {"name": "Tea"}, **{"If-Match": tag})["ETag"] == tag
    assert ada.patch(f"games/{number}", {"name": "Coffee"}, **{"If-Match": tag})["ETag"] != tag


def test_a_compressed_answer_has_a_tag_of_its_own_that_counts_as_the_other() -> None:
    ada = Program("ada")
    number = ada.post("games", {"ruleset": "sectors", "seats": 3, "pace": "demo", "bots": 2}).json()["id"]
    plain = ada.get(f"games/{number}")
    packed = ada.client.get(f"{ROOT}games/{number}", headers={**ada.headers, "Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert packed["ETag"] == plain["ETag"].removesuffix('"') + '-gzip"'
    for tag in (plain["ETag"], packed["ETag"]):
        assert ada.get(f"games/{number}", **{"If-None-Match": tag}).status_code == 304
    assert ada.patch(f"games/{number}", {"name": "Tea"}, **{"If-Match": packed["ETag"]}).status_code == 200
