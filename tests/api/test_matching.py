"""Changes name what they were made for: who changes a table, or sits down at it, has seen it as it is."""

from typing import Any

import pytest

from game.delivery import webhooks
from game.lobby import lobby
from game.store.game import Game
from tests.api.clients import Program
from tests.tables import fresh, person

pytestmark = [pytest.mark.django_db]
TABLE = {"ruleset": "toy", "seats": 3, "name": "Tuesday"}


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.API_LIMITS = False


def code_of(answer: Any) -> str:
    """What is wrong with the first thing that is."""
    return str(answer.json()["errors"][0]["code"])


def test_a_table_is_changed_as_it_was_read_or_not_at_all() -> None:
    ada, ben = Program("ada"), Program("ben")
    made = ada.post("games", TABLE).json()["id"]
    path = f"games/{made}"
    tag = ada.get(path)["ETag"]
    missing = ada.patch(path, {"name": "Wednesday"})
    assert (missing.status_code, missing.json()["type"].rpartition("/")[2]) == (428, "no-match")
    changed = ada.patch(path, {"name": "Wednesday"}, **{"If-Match": tag})
    assert (changed.status_code, changed.json()["name"]) == (200, "Wednesday")
    assert ada.get(path, **{"If-None-Match": changed["ETag"]}).status_code == 304
    ben.post(f"{path}/seats")
    late = ada.patch(path, {"name": "Thursday"}, **{"If-Match": changed["ETag"]})
    assert (late.status_code, late.json()["type"].rpartition("/")[2]) == (412, "changed")
    assert late["ETag"] == ada.get(path)["ETag"]
    for odd in (f"W/{late['ETag']}", '"nothing of ours"', 'W/"no tag', ""):
        assert ada.patch(path, {"name": "Thursday"}, **{"If-Match": odd}).status_code == 412
    assert ada.get(path).json()["name"] == "Wednesday"
    assert ada.patch(path, {"name": "Thursday"}, **{"If-Match": "*"}).json()["name"] == "Thursday"
    blank = ada.patch(path, {"name": " \u200b "}, **{"If-Match": "*"})
    assert (blank.status_code, code_of(blank)) == (422, "no_name"), "what cannot be seen is no name"


def test_a_host_says_anew_whether_a_table_is_rated_until_somebody_sits_down() -> None:
    ada, ben = Program("ada"), Program("ben")
    path = f"games/{ada.post('games', TABLE).json()['id']}"
    for is_rated in (True, False, True):
        tag = {"If-Match": ada.get(path)["ETag"]}
        assert ada.patch(path, {"is_rated": is_rated}, **tag).json()["is_rated"] is is_rated
    seen = {"If-Match": ada.get(path)["ETag"]}
    assert ben.patch(path, {"is_rated": False}, **{"If-Match": "*"}).status_code == 403
    ben.post(f"{path}/seats")
    assert ada.patch(path, {"is_rated": False}, **seen).status_code == 412
    refused = ada.patch(path, {"is_rated": False, "name": "Other"}, **{"If-Match": "*"})
    assert (refused.status_code, code_of(refused)) == (422, "others_seated")
    after = ada.get(path).json()
    assert (after["is_rated"], after["name"]) == (True, "Tuesday"), "nothing is half done"


def test_who_sits_down_is_rated_only_if_they_were_told_so(client: Any) -> None:
    """The host changes the game between the look and the click."""
    game = lobby.create_game(host=person("ada"), name="Tuesday", seats=3, ruleset="toy")
    lobby.change_game(game_id=game.pk, user=person("ada"), is_rated=True)
    refused = Program("ben").post(f"games/{game.pk}/seats", {"is_rated": False})
    assert (refused.status_code, code_of(refused)) == (422, "terms_changed")
    client.force_login(person("ben"))
    answer = client.post(f"/games/{game.pk}/join/", {"rated": "no"})
    assert answer.status_code == 409
    assert "has just changed whether this game is rated" in answer.content.decode()
    assert 'name="rated" value="yes"' in answer.content.decode()
    assert not seated(game, "ben")
    assert client.post(f"/games/{game.pk}/join/", {"rated": "yes"}).status_code == 302
    assert seated(game, "ben")


def test_every_button_that_takes_a_seat_says_what_it_was_shown_for(client: Any) -> None:
    plain = lobby.create_game(host=person("ada"), name="Plain", seats=3, ruleset="toy")
    counted = lobby.create_game(host=person("ada"), name="Counted", seats=3, ruleset="toy", is_rated=True)
    client.force_login(person("ben"))
    for page in ("/", "/games/?show=open"):
        html = client.get(page).content.decode()
        for game, said in ((plain, "no"), (counted, "yes")):
            form = html.partition(f'action="/games/{game.pk}/join/"')[2].partition("</form>")[0]
            assert f'name="rated" value="{said}"' in form, page


def seated(game: Game, name: str) -> bool:
    return fresh(game).seats.filter(user=person(name)).exists()


def test_a_webhook_is_told_of_other_things_once_its_owner_has_read_it(settings: Any) -> None:
    hook = webhooks.add(user=person("ada"), url="https://hooks.example.org/sectors")
    ada, path = Program("ada"), f"me/webhooks/{hook.pk}"
    read = ada.get(path)
    assert ada.patch(path, {"types": ["game.started"]}).status_code == 428
    changed = ada.patch(path, {"types": ["game.started"]}, **{"If-Match": read["ETag"]})
    assert (changed.status_code, changed.json()["types"]) == (200, ["game.started"])
    assert ada.patch(path, {"types": []}, **{"If-Match": read["ETag"]}).status_code == 412
    unknown = ada.patch(path, {"types": ["game.lost"]}, **{"If-Match": changed["ETag"]})
    assert (unknown.status_code, code_of(unknown)) == (422, "unknown_type")
    assert ada.patch(path, {"types": []}, **{"If-Match": changed["ETag"]}).json()["types"] == []
    assert Program("ben").patch(path, {"types": []}, **{"If-Match": "*"}).status_code == 404


def test_a_program_reads_and_finds_the_tables_that_take_bots() -> None:
    ada = Program("ada")
    open_, closed = (ada.post("games", TABLE | {"takes_bots": takes}).json() for takes in (True, False))
    assert (open_["takes_bots"], closed["takes_bots"]) == (True, False)
    for takes, game in (("true", open_), ("false", closed)):
        listed = Program("ben").get(f"games?takes_bots={takes}&has_room=true").json()["items"]
        assert [(each["id"], each["takes_bots"]) for each in listed] == [(game["id"], game["takes_bots"])]
