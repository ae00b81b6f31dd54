"""What the pages beside the board tell, through the API: the same figures, and no more than the reader may know."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from game.seats.takeover import resign
from game.store.game import Game, Seat
from tests import kept_games
from tests.api.clients import Program
from tests.tables import new_game, person, send

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED, settings.EXTRA_CHOICES = False, {"max_turns": (2,)}


@pytest.fixture
def over() -> Game:
    return kept_games.finished("sectors", max_turns=2)


def test_the_figures_of_a_game_that_is_over_fit_together(over: Game) -> None:
    nobody, path = Program(), f"games/{over.pk}"
    course = nobody.get(f"{path}/course").json()["items"]
    assert [point["turn"] for point in course] == [0, 1, 2]
    scores = {each["seat"]: each["score"] for each in nobody.get(f"{path}/results").json()["standings"]}
    assert course[-1]["scores"] == [scores[seat] for seat in sorted(scores)]
    tables = nobody.get(f"{path}/tables").json()
    players = next(table for table in tables["items"] if table["key"] == "players")
    cash = [column["key"] for column in players["columns"]].index("cash")
    ledger = nobody.get(f"{path}/ledger").json()["items"]
    assert {"cash", "net_worth"} <= set(tables["explained"])
    for row in players["rows"]:
        account, shown = f"cash:{row['key']}", row["cells"][cash]
        moved = sum(each["amount"] * ((each["payee"] == account) - (each["payer"] == account)) for each in ledger)
        explained = nobody.get(f"{path}/explain/cash/{row['key']}").json()
        assert moved == shown == explained["total"] == sum(each["amount"] for each in explained["entries"])
    for player in nobody.get(f"{path}/story").json()["players"]:
        assert player["figure"] == scores[player["seat"]]


def test_a_turn_is_told_round_by_round_and_one_that_was_not_played_is_not_there(over: Game) -> None:
    nobody, path = Program(), f"games/{over.pk}"
    turn = nobody.get(f"{path}/turns/1").json()
    assert turn["turns"] == [1, 2]
    assert {"stock", "operating"} <= {each["key"] for each in turn["rounds"]}
    assert all(table["rows"] for each in turn["rounds"] for table in each["tables"])
    assert nobody.get(f"{path}/turns/9").json()["detail"] == "Turn 9 has not been played: the last is turn 2."
    assert nobody.get(f"{path}/explain/cash/99").status_code == 404
    assert nobody.get(f"{path}/explain/cash/0?at=1").json()["total"] > 0
    assert nobody.get(f"{path}/explain/cash/0?at=9999").status_code == 404


def test_only_who_sits_there_has_outcomes(over: Game) -> None:
    ada, path = Program("ada"), f"games/{over.pk}/outcomes"
    result = ada.get(f"{path}?turn=1").json()
    assert result["turn"] == 1
    assert "missed" in {outcome["kind"] for each in result["items"] for outcome in each["own"]}
    assert ada.get(f"{path}?turn=9").status_code == 404
    assert Program("mallory").get(path).status_code == 403


def test_what_is_known_is_not_sent_again_and_what_is_hidden_not_before_the_end(over: Game) -> None:
    nobody = Program()
    parts = ("course", "tables", "ledger", "explain/cash/0", "turns/1", "story")
    for part in parts:
        path = f"games/{over.pk}/{part}"
        tag = nobody.get(path)["ETag"]
        assert nobody.get(path, **{"If-None-Match": tag}).status_code == 304
    running = new_game("ada", "ben", ruleset="toy")
    for part in ("ledger", "story"):
        assert Program("ada").get(f"games/{running.pk}/{part}").json()["type"].endswith("/problems/not-finished")


def test_free_seats_are_listed_for_whoever_may_take_them_page_by_page() -> None:
    tables = [new_game("ada", "ben", ruleset="toy", pace="daily") for _ in range(3)]
    dora, path = Program("dora"), "free-seats"
    nothing = dora.get(path)
    assert nothing.json()["items"] == []
    for game in tables:
        resign(game_id=game.pk, user=person("ben"))
    assert dora.get(path, **{"If-None-Match": nothing["ETag"]}).status_code == 200
    first = dora.get(f"{path}?limit=2").json()
    rest = dora.get(first["next"].removeprefix("/api/v1/")).json()
    listed = [*first["items"], *rest["items"]]
    assert [each["game"] for each in listed] == [game.pk for game in tables]
    assert rest["next"] is None
    assert {(each["seat"], each["seat_name"], each["keeper"]) for each in listed} == {(1, "ben", "resigned")}
    for name in ("ada", "ben"):
        assert Program(name).get(path).json()["items"] == [], "whoever sits or sat there"
    tag = dora.get(path)["ETag"]
    assert dora.get(path, **{"If-None-Match": tag}).status_code == 304
    taken = listed[0]
    assert dora.post(f"games/{taken['game']}/seats/{taken['seat']}").json()["you"] == 1
    assert [each["game"] for each in dora.get(path).json()["items"]] == [game.pk for game in tables[1:]]


def test_a_seat_is_listed_once_its_player_is_away_for_long_with_what_it_holds() -> None:
    game = new_game("ada", "ben", "cid", pace="daily", max_turns=2)
    away = Seat.objects.filter(game=game, number=1)
    for since, found in ((timedelta(hours=47), []), (timedelta(hours=49), [(game.pk, 1, "away")])):
        away.update(keeper="away", left_at=Now() - since)
        listed = Program("dora").get("free-seats").json()["items"]
        assert [(each["game"], each["seat"], each["keeper"]) for each in listed] == found
    send(game, 0, {"kind": "bid_influence", "points": 4})
    assert Program("dora").get("free-seats").json()["items"] == listed, "nothing of it is sealed"
