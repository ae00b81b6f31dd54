"""What a table decides together and what is one's own, through the API: each as on the pages."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.rulesets.registry import RULESETS
from game.store.proposals import VoteTopic
from tests.api.clients import Program
from tests.api.refusals import every_refusal
from tests.scenes import play_on
from tests.tables import change_proposal, fresh, new_game

ANY = {"If-Match": "*"}
pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_a_host_changes_a_table_before_it_begins_and_nobody_else_does() -> None:
    ada, ben = Program("ada"), Program("ben")
    made = {"ruleset": "toy", "seats": 3, "name": "Tuesday", "has_chat": False, "bots": 1}
    number = ada.post("games", made).json()["id"]
    assert ben.patch(f"games/{number}", {"name": "Ben’s"}, **ANY).status_code == 403
    changed = ada.patch(f"games/{number}", {"name": "Wednesday", "is_open": False}, **ANY).json()
    assert (changed["name"], changed["is_open"]) == ("Wednesday", False)
    assert ben.get(f"games/{number}").status_code == 404
    link = ada.get(f"games/{number}/invitation").json()["invitation"]
    new = ada.post(f"games/{number}/invitation").json()
    assert new["invitation"] != link
    assert new["url"].endswith(f"/games/{number}/invite/{new['invitation']}/")
    assert ben.post(f"games/{number}/seats", {"invitation": link}).status_code in {404, 422}
    assert ben.post(f"games/{number}/seats", {"invitation": new["invitation"]}).json()["you"] == 2
    assert ben.get(f"games/{number}/invitation").status_code == 403
    ada.delete(f"games/{number}/seats/2")
    assert len(ada.post(f"games/{number}/seats/fill", {"level": "house"}).json()["seats"]) == 3
    assert ada.post(f"games/{number}/chat", {"text": "Hello"}).json()["errors"][0]["code"] == "may_not_write"
    assert ada.post(f"games/{number}/start").status_code == 200
    assert ada.patch(f"games/{number}", {"name": "Late"}, **ANY).status_code == 409


def test_players_pause_and_end_a_game_when_enough_of_them_agree() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, ben, mallory = Program("ada"), Program("ben"), Program("mallory")
    assert ada.post(f"games/{game.pk}/pause").json()["status"] == "running"
    (proposal,) = ben.get(f"games/{game.pk}/proposals").json()["items"]
    assert (proposal["kind"], proposal["by"], proposal["agreed"]) == ("pause", 0, [0])
    assert mallory.get(f"games/{game.pk}/proposals").status_code == 403
    asked = f"games/{game.pk}/pause/{proposal['number']}"
    assert ben.post(f"{asked}/withdraw").json()["errors"][0]["code"] == "not_your_proposal"
    assert ada.post(f"{asked}/withdraw").status_code == 200
    assert not ben.get(f"games/{game.pk}/proposals").json()["items"]
    assert ben.post(asked).json()["errors"][0]["code"] == "proposal_over"
    ada.post(f"games/{game.pk}/pause")
    (proposal,) = ben.get(f"games/{game.pk}/proposals").json()["items"]
    assert ben.post(f"games/{game.pk}/pause/{proposal['number']}").json()["status"] == "paused"
    assert ada.post(f"games/{game.pk}/pause/99").json()["errors"][0]["code"] == "proposal_over"
    ben.post(f"games/{game.pk}/ending")
    (ending,) = (each for each in ada.get(f"games/{game.pk}/proposals").json()["items"] if each["kind"] == "ending")
    assert ben.delete(f"games/{game.pk}/ending/{ending['number']}").status_code == 200
    assert not [each for each in ada.get(f"games/{game.pk}/proposals").json()["items"] if each["kind"] == "ending"]


def test_everybody_is_told_what_a_vote_on_a_pause_is_about() -> None:
    game = new_game("ada", "ben", "cyd", ruleset="toy")
    ada, path = Program("ada"), f"games/{game.pk}"
    before = ada.get(path)
    assert (before.json()["pause"], before.json()["paused_until"]) == (None, None)
    ada.post(f"{path}/pause")
    seen = Program().get(path)
    part = seen.json()["pause"]
    until = datetime.fromisoformat(part.pop("until"))
    assert part == {
        "number": 1, "to": "pause", "seconds": 3600, "by": 0, "agreed": [0], "declined": [], "needed": 2
    }  # fmt: skip
    assert timedelta() < until - timezone.now() <= timedelta(minutes=10)
    assert next(each["pause"] for each in Program().get("games").json()["items"])["number"] == 1
    change_proposal(game, VoteTopic.PAUSE, until=timezone.now())
    lapsed = Program().get(path)
    assert (lapsed.json()["pause"], lapsed.json()["version"]) == (None, seen.json()["version"])
    assert lapsed["ETag"] != seen["ETag"]
    ada.post(f"{path}/pause")
    paused = Program("ben").post(f"{path}/pause").json()
    assert (paused["status"], paused["pause"]) == ("paused", None)
    ends = datetime.fromisoformat(paused["paused_until"]) - timezone.now()
    assert timedelta(minutes=59) < ends <= timedelta(hours=1)
    ada.post(f"{path}/pause")
    onward = Program().get(path).json()["pause"]
    assert (onward["to"], onward["seconds"], onward["number"]) == ("go on", None, 3)


def test_a_player_takes_more_time_once_a_phase() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    before, ada = fresh(game).deadline_at, Program("ada")
    assert before is not None
    assert ada.post(f"games/{game.pk}/extend/{game.phase_serial}").status_code == 200
    after = fresh(game).deadline_at
    assert after is not None
    assert after > before
    assert ada.post(f"games/{game.pk}/extend/{game.phase_serial + 5}").status_code == 409


def test_drafts_and_notes_are_ones_own() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, ben = Program("ada"), Program("ben")
    draft = {"phase_serial": game.phase_serial, "actions": [{"kind": "bid", "coins": 2}]}
    assert ada.put(f"games/{game.pk}/draft", draft).json() == draft
    assert ben.get(f"games/{game.pk}/draft").json()["actions"] == []
    assert ada.put(f"games/{game.pk}/draft", {**draft, "phase_serial": 9}).status_code == 409
    assert ada.delete(f"games/{game.pk}/draft").status_code == 204
    assert ada.get(f"games/{game.pk}/draft").json()["actions"] == []
    result = ada.put(f"games/{game.pk}/notes", {"text": "Ben bids high.", "revision": 0}).json()
    assert result == ada.get(f"games/{game.pk}/notes").json()
    late = ada.put(f"games/{game.pk}/notes", {"text": "Or not.", "revision": 0})
    assert (late.status_code, late.json()["errors"][0]["code"]) == (422, "notes_changed")
    assert ben.get(f"games/{game.pk}/notes").json()["text"] == ""


def test_hours_and_vacations_are_declared() -> None:
    ada = Program("ada")
    assert ada.put("me/times", {"hours": list(range(60))}).json()["hours"] == list(range(60))
    first = (timezone.now() + timedelta(days=3)).date().isoformat()
    answer = ada.post("me/vacations", {"first": first, "last": first})
    assert answer.status_code == 201
    (vacation,) = answer.json()["vacations"]
    assert (vacation["first"], vacation["last"]) == (first, first)
    assert ada.post("me/vacations", {"first": first, "last": first}).json()["errors"][0]["code"] == "vacation_overlaps"
    assert Program("ben").delete(f"me/vacations/{vacation['number']}").status_code == 204
    assert len(ada.get("me/times").json()["vacations"]) == 1, "another one's is not there"
    ada.delete(f"me/vacations/{vacation['number']}")
    assert ada.get("me/times").json()["vacations"] == []


def test_a_rematch_is_opened_once_and_joined() -> None:
    game = play_on(new_game("ada", "ben", ruleset="toy"))
    ada, ben = Program("ada"), Program("ben")
    after = ada.post(f"games/{game.pk}/rematch").json()
    assert (after["status"], after["you"]) == ("waiting", 0)
    joined = ben.post(f"games/{game.pk}/rematch").json()
    assert (joined["id"], joined["you"]) == (after["id"], 1)


def test_the_rules_are_read_and_searched() -> None:
    nobody = Program()
    whole = nobody.get("rulesets/sectors/rulebook").json()
    found = nobody.get("rulesets/sectors/rulebook?q=dividend").json()
    assert 0 < len(found["sections"]) < len(whole["sections"])
    assert {section["url"] for section in found["sections"]} <= {section["url"] for section in whole["sections"]}


def test_a_refusal_says_where_its_rule_stands_as_the_game_is_played() -> None:
    usual, first = new_game("ada", "ben"), new_game("ada", "ben", edition=1)
    ada, read = Program("ada"), []
    for game in (usual, first):
        url = ada.move(game, {"kind": "bid_influence", "points": 999}).json()["rule_url"]
        read.append(Program().get(url.partition("/api/v1/")[2]).json())
    for rule in read:
        assert (rule["number"], rule["title"]) == ("S 1.5", "Influence bid")
        assert Program().client.get(rule["url"].partition("#")[0]).status_code == 200
    assert [rule["url"].partition("?")[2] for rule in read] == ["edition=2#S-1.5", "edition=1#S-1.5"]
    made = ada.post("games", {"ruleset": "sectors", "seats": 3, "options": {"edition": 3}}).json()
    assert made["rule_url"].endswith("/api/v1/rulesets/sectors/rulebook/rules/S%201.1")
    toy = new_game("ada", "ben", ruleset="toy")
    assert "rule_url" not in ada.move(toy, {"kind": "bid", "coins": 99}).json(), "it has no rulebook"


def test_every_rule_that_a_refusal_can_name_is_there_to_be_read() -> None:
    """In a variant that has it: the address in a refusal names the game's."""
    rules = {(refusal.place.split("/")[2], refusal.rule) for refusal in every_refusal() if refusal.rule}
    named = {(key, rule) for key, rule in rules if key in RULESETS}
    assert len(named) > 30
    for key, rule in named:
        variants = Program().get(f"rulesets/{key}/rulebook").json()["variants"]
        answers = [Program().get(f"rulesets/{key}/rulebook/rules/{rule}?variant={variant}") for variant in variants]
        assert any(found.status_code == 200 and found.json()["text"] for found in answers), (key, rule)
    nothing = Program().get("rulesets/sectors/rulebook/rules/S 99.1")
    assert (nothing.status_code, nothing.json()["detail"]) == (404, "There is no such rule.")


def test_what_a_variant_changes_is_told_with_the_section_that_it_changes() -> None:
    part = Program().get("rulesets/sectors/rulebook/rules/S 1.1?variant=1").json()["notes"]
    assert [note["number"] for note in part] == ["D36", "D35", "D3"]
    assert all(note["text"] for note in part)
    alone = Program().get("rulesets/sectors/rulebook/rules/D36").json()
    assert (alone["number"], alone["title"]) == ("D36", part[0]["title"])
    assert Program().get("rulesets/sectors/rulebook/rules/S 1.1").json()["notes"] == []


def test_one_game_stands_in_numbers_for_its_players_and_for_those_who_watch() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    (mine,) = Program("ada").get(f"games/{game.pk}/stream").json()["games"]
    (theirs,) = Program("mallory").get(f"games/{game.pk}/stream").json()["games"]
    assert (mine["waiting_for_you"], theirs["waiting_for_you"]) == (True, False)
    assert Program().get(f"games/{game.pk}/stream").status_code == 401
