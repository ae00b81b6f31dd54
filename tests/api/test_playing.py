"""A game that nobody drew a board for is created, played to its end and read by two programs, through the API alone."""

from typing import Any

import pytest

from game.store.game import Game
from game.store.log import LoggedAction
from game.store.replay import replay_game
from tests.api.clients import Program, action_of
from tests.tables import at_phase, everything, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def seated(ada: Program, ben: Program) -> int:
    """Ada creates a table for two, and ben sits down."""
    made = ada.post("games", {"ruleset": "toy", "seats": 2, "name": "Tuesday", "pace": "demo"})
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1/games/{made.json()['id']}"
    number = int(made.json()["id"])
    assert ben.post(f"games/{number}/seats").json()["you"] == 1
    return number


def play_to_the_end(number: int, programs: list[Program]) -> None:
    for _ in range(200):
        if programs[0].get(f"games/{number}").json()["status"] != "running":
            return
        for program in programs:
            result = program.get(f"games/{number}/offers").json()
            if not result["waiting_for_you"]:
                continue
            ready = [{"kind": "ready"}] if result["takes_ready"] else []
            allowed = [offer for offer in result["offers"] if not offer["refused"]]
            answer = program.move(number, *map(action_of, allowed[:1]), *ready)
            assert answer.status_code == 200, answer.json()
    raise AssertionError("The game does not end.")


def test_two_programs_play_a_game_from_its_creation_to_its_standings() -> None:
    ada, ben, nobody = Program("ada"), Program("ben"), Program()
    number = seated(ada, ben)
    assert ada.get(f"games/{number}/offers").status_code == 409
    assert ada.get(f"games/{number}/results").json()["type"].endswith("/problems/not-finished")
    assert ben.post(f"games/{number}/start").json()["type"].endswith("/problems/not-host")
    started = ada.post(f"games/{number}/start").json()
    assert (started["status"], started["phase"]["mode"], started["waiting_for"]) == ("running", "sealed", [0, 1])
    play_to_the_end(number, [ada, ben])
    results = nobody.get(f"games/{number}/results").json()
    assert [row["place"] for row in results["standings"]] == [1, 2] or results["standings"][0]["place"] == 1
    assert results["reason"] == "The last round was played."
    assert results["draws"]["commitment"] == f"sha256:{Game.objects.get(pk=number).secret_hash}"
    result = nobody.get(f"games/{number}/log").json()
    assert [item["kind"] for item in result["items"]][-1:] != []
    assert nobody.get(f"games/{number}/position").json()["view"]["standings"]
    assert ada.get(f"games/{number}/position").json()["seat"] == 0


def test_the_log_is_read_page_by_page_without_gaps() -> None:
    ada, ben = Program("ada"), Program("ben")
    number = seated(ada, ben)
    ada.post(f"games/{number}/start")
    play_to_the_end(number, [ada, ben])
    whole = ada.get(f"games/{number}/log?limit=100").json()
    assert whole["next"] is None
    read, path = [], f"games/{number}/log?limit=3&after=0"
    while path:
        page = ada.get(path).json()
        read += page["items"]
        path = (page["next"] or "").removeprefix("/api/v1/")
    assert [item["id"] for item in read] == [item["id"] for item in whole["items"]]
    assert len({item["id"] for item in read}) == len(read)
    back = ada.get(f"games/{number}/log?limit=2&before=7").json()
    assert {item["version"] for item in back["items"]} <= {5, 6}


def test_a_move_is_answered_once_and_for_good() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Program("ada")
    body = {"phase_serial": 1, "actions": [{"kind": "bid", "coins": 2}]}
    first = ada.post(f"games/{game.pk}/moves", body, **{"Idempotency-Key": "one"}).json()
    before = everything(game)
    assert ada.post(f"games/{game.pk}/moves", body, **{"Idempotency-Key": "one"}).json() == first | {
        "replayed": True,
        "seat_version": first["seat_version"],
    }
    assert everything(game) == before
    other = {"phase_serial": 1, "actions": [{"kind": "bid", "coins": 3}]}
    refused = ada.post(f"games/{game.pk}/moves", other, **{"Idempotency-Key": "one"})
    assert refused.json()["type"].endswith("/problems/key-reused")
    send(game, 1, {"kind": "ready"})
    send(game, 0, {"kind": "ready"})
    later = ada.post(f"games/{game.pk}/moves", body, **{"Idempotency-Key": "one"}).json()
    assert (later["replayed"], later["version"]) == (True, first["version"])
    stale = ada.post(f"games/{game.pk}/moves", body | {"phase_serial": 2}, **{"Idempotency-Key": "one"})
    assert stale.json()["type"].endswith("/problems/key-reused"), "the same key in the next phase is another request"


def test_what_is_refused_says_what_why_where_and_with_which_numbers() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, before = Program("ada"), everything(game)
    answer = ada.move(game, {"kind": "bid", "coins": 2}, {"kind": "bid", "coins": 99})
    problem = answer.json()
    assert answer.status_code == 422
    assert problem["nothing_was_sent"] is True
    assert problem["errors"][0]["pointer"].startswith("#/actions/1")
    assert problem["rule"] == problem["errors"][0]["rule"]
    wrong = ada.move(game, {"kind": "bid", "coins": "two"}).json()["errors"][0]
    assert (wrong["pointer"], wrong["code"]) == ("#/actions/0/coins", "wrong_value")
    assert ada.move(game, {"kind": "bid"}).json()["errors"][0]["code"] == "missing"
    assert ada.move(game, {"kind": "fly"}).json()["errors"][0]["code"] == "unknown_action"
    closed = ada.post(f"games/{game.pk}/moves", {"phase_serial": 7, "actions": [{"kind": "ready"}]})
    assert closed.status_code == 409
    assert (closed.json()["phase_serial"], closed.json()["game_status"]) == (1, "running")
    assert everything(game) == before


def test_a_move_may_replace_all_that_is_under_seal() -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    ada.move(game, {"kind": "bid", "coins": 2})
    assert (
        ada.move(game, {"kind": "bid", "coins": 99}, replace=True)
        .json()["errors"][0]["pointer"]
        .startswith("#/actions/0")
    )
    assert ada.get(f"games/{game.pk}/position").json()["view"]["mine"]["bid"]["coins"] == 2
    assert ada.move(game, {"kind": "ready"}, replace=True).status_code == 200
    assert ada.get(f"games/{game.pk}/position").json()["view"]["mine"] == {}


def test_a_dry_run_refuses_as_the_move_would_and_changes_nothing() -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    before = everything(game)
    assert ada.move(game, {"kind": "bid", "coins": 2}, {"kind": "ready"}, dry_run=True).json()["dry_run"] is True
    assert ada.move(game, {"kind": "bid", "coins": 99}, dry_run=True).status_code == 422
    assert ada.move(game, {"kind": "draw"}, dry_run=True).status_code == 422
    assert ada.move(game, {"kind": "withdraw", "of": "bid"}, dry_run=True).status_code == 422
    assert everything(game) == before
    assert not LoggedAction.objects.filter(game=game, kind="submit").exists()


def test_a_dry_run_says_what_the_page_says_of_an_order() -> None:
    game, ada = new_game("ada", "ben", ruleset="sectors"), Program("ada")
    part = ada.move(game, {"kind": "bid_influence", "points": 20}, {"kind": "ready"}, dry_run=True).json()["preview"]
    assert part["sentence"].startswith("Bid 20")
    assert ada.move(game, {"kind": "ready"}, dry_run=True).json()["preview"]["sentence"] == ""
    assert ada.move(game, {"kind": "bid_influence", "points": 20}).json()["preview"] is None
    at_phase(game, "stock_orders")
    company = ada.get(f"games/{game.pk}/position").json()["view"]["sectors"][0]["companies"][0]
    order = {"kind": "market_order", "company": company["ticker"], "side": "buy", "location": "ipo", "quantity": 2}
    part = ada.move(game, order, dry_run=True).json()["preview"]
    assert part["caption"] == f"If the order for {company['name']} fills"
    cost = 2 * company["ipo_price"]
    assert {"label": "Cost now", "now": f"2 × {company['ipo_price']} = {cost}", "was": "", "note": ""} in part["rows"]
    assert ada.get(f"games/{game.pk}/position").json()["view"]["mine"] == {}
    dear = ada.move(game, order | {"quantity": company["ipo"]}, dry_run=True).json()["preview"]
    assert {(said["kind"], bool(said["text"])) for said in dear["says"]} == {("warning", True)}
    german = Program("ada", **{"Accept-Language": "de"}).move(game, order, dry_run=True).json()["preview"]
    assert german["sentence"] != part["sentence"]


def test_a_card_is_left_for_the_own_turn_taken_back_and_the_seat_given_up() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, ben = Program("ada"), Program("ben")
    ada.move(game, {"kind": "bid", "coins": 3}, {"kind": "ready"})
    ben.move(game, {"kind": "bid", "coins": 0}, {"kind": "ready"})
    assert ben.get(f"games/{game.pk}/offers").json()["waiting_for_you"] is False
    offer = ben.get(f"games/{game.pk}/offers").json()["offers"][0]
    assert ben.move(game, action_of(offer)).status_code == 200, "a standing input"
    assert ben.get(f"games/{game.pk}/position").json()["view"]["mine"]
    assert ada.get(f"games/{game.pk}/position").json()["view"]["mine"] == {}
    assert ada.move(game, action_of(ada.get(f"games/{game.pk}/offers").json()["offers"][0])).status_code == 200
    assert ada.move(game, {"kind": "undo"}).status_code == 200
    assert ada.get(f"games/{game.pk}/position").json()["view"]["board"] == []
    stale = ada.post(f"games/{game.pk}/moves", {"phase_serial": 2, "step": 0, "actions": [{"kind": "draw"}]})
    assert stale.json()["type"].endswith("/problems/phase-closed")
    assert ben.post(f"games/{game.pk}/resign").json()["you"] is None
    assert fresh(game).keepers == {"1": "resigned"}


def test_where_players_act_in_turns_a_move_names_its_step_and_is_never_made_twice() -> None:
    game, programs = new_game("ada", "ben", ruleset="power_up", pace="daily"), (Program("ada"), Program("ben"))
    acts = programs[game.waiting_seats[0]]
    result = acts.get(f"games/{game.pk}/offers").json()
    move = {"phase_serial": result["phase_serial"], "actions": [action_of(result["offers"][0])]}
    for more in ({}, {"dry_run": True}):
        response = acts.post(f"games/{game.pk}/moves", move | more)
        assert (response.status_code, response.json()["errors"][0]["code"]) == (422, "step_missing")
        assert response.json()["errors"][0]["pointer"] == "#/step"
    sent = [acts.post(f"games/{game.pk}/moves", move | {"step": result["step"]}) for _ in range(2)]
    assert [each.status_code for each in sent] == [200, 409]
    assert sent[1].json()["errors"][0]["code"] == "turn_moved"


def test_what_is_done_and_undone_in_one_move_leaves_a_game_that_can_be_read() -> None:
    """The state is the very one of before, but the turn is two steps further."""
    game = new_game("ada", "ben", ruleset="power_up", pace="daily")
    ada = Program(("ada", "ben")[game.waiting_seats[0]])
    place = action_of(ada.get(f"games/{game.pk}/offers").json()["offers"][0])
    before = fresh(game)
    receipt = ada.move(game, place, {"kind": "undo"})
    assert (receipt.status_code, receipt.json()["version"]) == (200, before.version + 1)
    after = fresh(game)
    assert after.load_position().state == before.load_position().state
    assert (after.phase_step, after.waiting_seats) == (before.phase_step + 2, before.waiting_seats)
    assert all(check.is_equal for check in replay_game(game=after))
    assert ada.move(game, place).status_code == 200
    assert ada.move(game, {"kind": "undo"}).status_code == 200
    assert fresh(game).load_position().state == before.load_position().state


def test_creating_a_game_twice_with_one_key_makes_one() -> None:
    ada, body = Program("ada"), {"ruleset": "toy", "seats": 2, "bots": 1}
    first = ada.post("games", body, **{"Idempotency-Key": "table"}).json()
    assert ada.post("games", body, **{"Idempotency-Key": "table"}).json()["id"] == first["id"]
    again = ada.post("games", body | {"seats": 3}, **{"Idempotency-Key": "table"})
    assert again.json()["type"].endswith("/problems/key-reused")
    assert Game.objects.count() == 1
    assert first["seats"][1]["is_bot"] is True


def test_a_host_seats_bots_and_sends_away_and_cancels() -> None:
    ada, ben = Program("ada"), Program("ben")
    number = seated(ada, ben)
    full = ada.post(f"games/{number}/seats", {"bot": "house"})
    assert full.json()["type"].endswith("/problems/seat-taken")
    assert ada.delete(f"games/{number}/seats/1").status_code == 204
    assert ada.post(f"games/{number}/seats", {"bot": "house"}).json()["seats"][1]["is_bot"] is True
    assert ben.delete(f"games/{number}").status_code == 403
    assert ada.delete(f"games/{number}").status_code == 204
    assert ada.get(f"games/{number}").json()["status"] == "abandoned"


def test_decisions_of_all_games_the_nearest_deadline_first() -> None:
    slow = new_game("ada", "ben", ruleset="toy", pace="daily")
    quick = new_game("ada", "ben", ruleset="toy", pace="demo")
    ada = Program("ada")
    items = ada.get("me/decisions").json()["items"]
    assert [item["game"] for item in items] == [quick.pk, slow.pk]
    tag = ada.get("me/decisions")["ETag"]
    send(quick, 1, {"kind": "bid", "coins": 1}, {"kind": "ready"})
    assert ada.get("me/decisions", **{"If-None-Match": tag}).status_code == 304, "what rivals do is no news here"
    ada.move(quick, {"kind": "ready"})
    assert ada.get("me/decisions", **{"If-None-Match": tag}).status_code == 200


def test_a_program_reads_what_a_host_chooses_from() -> None:
    nobody = Program()
    assert {"sectors", "power_up", "toy"} <= {line["key"] for line in nobody.get("rulesets").json()["items"]}
    for key in ("sectors", "power_up", "toy"):
        facts = nobody.get(f"rulesets/{key}").json()
        assert facts["options"]["properties"]
        assert all(phase["seconds"].keys() == set(facts["paces"]) for phase in facts["phases"])
        schema = nobody.get(f"rulesets/{key}/schema").json()
        assert "actor" not in str(schema["actions"])
        assert not any("actor" in shape.get("properties", {}) for name, shape in schema["definitions"].items())
    assert nobody.get("rulesets/chess").status_code == 404


def test_people_are_known_by_name_and_number() -> None:
    ada, user = Program("ada"), person("ada")
    assert ada.get("me").json()["name"] == "ada"
    assert ada.get(f"people/{user.pk}").json() == ada.get("people?name=ADA").json()["items"][0]
    assert ada.get("people?name=nobody").json() == {"items": []}
    assert ada.get("people/999999").status_code == 404
