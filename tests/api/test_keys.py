"""Every POST can be sent again with its key: the work is done once, and the answer is the same."""

from typing import Any

import pytest

from game.models import Game, KeptAnswer
from game.services import webhooks
from tests.api.clients import Program
from tests.api.operations import every_operation, path_of
from tests.tables import fresh, new_game, person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
KEY = "Idempotency-Key"
NAMES = ("game_id", "number", "webhook", "delivery", "serial", "key", "name")
POSTS = [place for place in every_operation() if place.method == "POST"]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def again(program: Program, path: str, body: Any = None, key: str = "k-1") -> list[Any]:
    """The same request twice."""
    answers = [program.post(path, body, **{KEY: key}) for _ in range(2)]
    assert len({each.content for each in answers}) == 1, [each.content for each in answers]
    assert len({each.status_code for each in answers}) == 1
    assert len({each.get("Location") for each in answers}) == 1
    return answers


@pytest.mark.parametrize("place", POSTS, ids=lambda place: place.operation.name)
def test_every_post_looks_at_its_key(place: Any) -> None:
    path = path_of(place.pattern, **dict.fromkeys(NAMES, 1))
    told = Program("ada").post(path, **{KEY: "not a key"}).json()
    assert (told["status"], told["type"].rsplit("/", 1)[-1]) == (422, "invalid")
    assert "Idempotency-Key" in told["detail"]


def test_a_pause_proposed_twice_with_one_key_is_one_proposal() -> None:
    game, ada, ben = new_game("ada", "ben", pace="daily"), Program("ada"), Program("ben")
    first = ada.post(f"games/{game.pk}/pause", **{KEY: "k-1"})
    assert ben.post(f"games/{game.pk}/pause/1").status_code == 200
    assert fresh(game).status == "paused"
    assert ada.post(f"games/{game.pk}/pause", **{KEY: "k-1"}).content == first.content
    assert fresh(game).open_pause is None, "nobody has proposed to go on"


def test_a_webhook_has_one_new_secret_and_its_overlap_is_not_lost() -> None:
    hook = webhooks.add(user=person("ada"), url="https://example.com/hook", types=["game.finished"])
    first = hook.secret
    path = f"me/webhooks/{hook.pk}/secret"
    told, later = (Program("ada").post(path, **{KEY: "k-1"}) for _ in range(2))
    hook.refresh_from_db()
    assert first == hook.earlier_secret
    assert told.json()["secret"] == hook.secret
    assert (later.status_code, later.json()) == (told.status_code, told.json() | {"secret": None})


def test_the_secret_of_a_new_webhook_is_told_once_and_kept_nowhere_else() -> None:
    body = {"url": "https://example.com/hook", "types": ["game.finished"]}
    told, later = (Program("ada").post("me/webhooks", body, **{KEY: "k-1"}) for _ in range(2))
    secret = told.json()["secret"]
    assert (later.status_code, later["Location"], later["Cache-Control"]) == (201, told["Location"], "no-store")
    assert later.json() == told.json() | {"secret": None}
    assert secret == webhooks.webhooks_of(person("ada")).get().secret
    assert secret.encode() not in bytes(KeptAnswer.objects.get().body)


def test_a_game_is_started_once() -> None:
    ada, ben = Program("ada"), Program("ben")
    number = ada.post("games", {"ruleset": "toy", "seats": 2, "name": "One", "pace": "demo"}).json()["id"]
    again(ben, f"games/{number}/seats")
    again(ada, f"games/{number}/start")
    assert Game.objects.get(pk=number).is_running
    again(ada, "games", {"ruleset": "toy", "seats": 2, "name": "Two", "pace": "demo"}, key="k-3")
    assert Game.objects.count() == 2


def test_a_key_belongs_to_one_request_of_one_person_and_what_is_refused_is_not_kept() -> None:
    ada, ben = Program("ada"), Program("ben")
    asked = {"ruleset": "toy", "seats": 2, "name": "One", "pace": "demo"}
    first = ada.post("games", asked, **{KEY: "k-1"}).json()
    other = ada.post("games", asked | {"name": "Two"}, **{KEY: "k-1"}).json()
    assert other["type"].endswith("/problems/key-reused")
    assert ben.post("games", asked, **{KEY: "k-1"}).json()["id"] != first["id"]
    path = f"games/{first['id']}/start"
    assert ada.post(path, **{KEY: "k-2"}).status_code == 422, "nobody else sits there"
    ben.post(f"games/{first['id']}/seats")
    assert ada.post(path, **{KEY: "k-2"}).status_code == 200
