"""Every POST can be sent again with its key: the work is done once, and the answer is the same."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache

from game.delivery import webhooks
from game.infra.models import StoredResponse
from game.rulesets.registry import RULESETS
from game.store.game import Game
from game.store.proposals import VoteTopic, open_proposal
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


@pytest.fixture
def one_of_each(settings: Any) -> Iterator[None]:
    """Limits of one request, for whatever does work."""
    settings.LIMITED, settings.LIMITS = True, {"move": 1, "write": 1, "read": 20}
    cache.clear()
    yield
    cache.clear()


def again(program: Program, path: str, body: Any = None, key: str = "k-1") -> list[Any]:
    """Send a request twice."""
    answers = [program.post(path, body, **{KEY: key}) for _ in range(2)]
    assert len({each.content for each in answers}) == 1, [each.content for each in answers]
    assert len({each.status_code for each in answers}) == 1
    assert len({each.get("Location") for each in answers}) == 1
    return answers


@pytest.mark.parametrize("place", POSTS, ids=lambda place: place.operation.name)
def test_every_post_looks_at_its_key(place: Any) -> None:
    path = path_of(place.pattern, **dict.fromkeys(NAMES, 1))
    response = Program("ada").post(path, **{KEY: "not a key"}).json()
    assert (response["status"], response["type"].rsplit("/", 1)[-1]) == (422, "invalid")
    assert "Idempotency-Key" in response["detail"]


def test_a_pause_proposed_twice_with_one_key_is_one_proposal() -> None:
    game, ada, ben = new_game("ada", "ben", pace="daily"), Program("ada"), Program("ben")
    first = ada.post(f"games/{game.pk}/pause", **{KEY: "k-1"})
    assert ben.post(f"games/{game.pk}/pause/1").status_code == 200
    assert fresh(game).status == "paused"
    assert ada.post(f"games/{game.pk}/pause", **{KEY: "k-1"}).content == first.content
    assert open_proposal(fresh(game), VoteTopic.PAUSE) is None, "nobody has proposed to go on"


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
    assert secret.encode() not in bytes(StoredResponse.objects.get().body)


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
    fields = {"ruleset": "toy", "seats": 2, "name": "One", "pace": "demo"}
    first = ada.post("games", fields, **{KEY: "k-1"}).json()
    other = ada.post("games", fields | {"name": "Two"}, **{KEY: "k-1"}).json()
    assert other["type"].endswith("/problems/key-reused")
    assert ben.post("games", fields, **{KEY: "k-1"}).json()["id"] != first["id"]
    path = f"games/{first['id']}/start"
    assert ada.post(path, **{KEY: "k-2"}).status_code == 422, "nobody else sits there"
    ben.post(f"games/{first['id']}/seats")
    assert ada.post(path, **{KEY: "k-2"}).status_code == 200


NEW_GAME = {"ruleset": "toy", "seats": 2, "name": "One", "pace": "demo"}


def limited(answer: Any) -> str:
    """The limit that an answer of 429 names."""
    assert answer.status_code == 429, answer.content
    return str(answer.json()["limit"])


@pytest.mark.usefixtures("one_of_each")
def test_an_answer_is_had_again_after_the_limit_of_its_work_is_used_up() -> None:
    ada = Program("ada")
    first = again(ada, "games", NEW_GAME)[0]
    assert limited(ada.post("games", NEW_GAME, **{KEY: "k-2"})) == "write"
    assert limited(ada.post("games", NEW_GAME)) == "write"
    response = ada.post("games", NEW_GAME, **{KEY: "k-1"})
    assert (response.status_code, response.content, response["Location"]) == (201, first.content, first["Location"])
    assert response["RateLimit"].startswith('"read"')
    other = ada.post("games", NEW_GAME | {"name": "Two"}, **{KEY: "k-1"})
    assert other.json()["type"].endswith("/problems/key-reused")
    assert ada.post("games", NEW_GAME, **{KEY: "no key"}).status_code == 429, "what is no key answers nothing"
    assert Game.objects.count() == 1


@pytest.mark.usefixtures("one_of_each")
def test_a_receipt_and_a_message_are_had_again_after_their_limits_are_used_up() -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    moves, body = f"games/{game.pk}/moves", {"phase_serial": game.phase_serial, "actions": [{"kind": "ready"}]}
    receipt = ada.post(moves, body, **{KEY: "k-1"}).json()
    assert limited(ada.post(moves, body, **{KEY: "k-2"})) == "move"
    assert ada.post(moves, body, **{KEY: "k-1"}).json() == receipt | {"replayed": True}
    chat, said = f"games/{game.pk}/chat", {"text": "Hello"}
    again(ada, chat, said)
    assert limited(ada.post(chat, {"text": "And?"}, **{KEY: "k-2"})) == "write"
    assert again(ada, chat, said)[0].status_code == 201


@pytest.mark.usefixtures("one_of_each")
def test_asking_for_an_answer_again_has_a_limit_of_its_own(settings: Any) -> None:
    settings.LIMITS |= {"read": 3}
    ada = Program("ada")
    ada.post("games", NEW_GAME, **{KEY: "k-1"})
    lines = [ada.post("games", NEW_GAME, **{KEY: "k-1"}) for _ in range(4)]
    assert [each.status_code for each in lines] == [201, 201, 201, 429]
    assert limited(lines[-1]) == "read"


def closing_move(game: Game) -> tuple[str, dict[str, Any]]:
    """What closes the open phase, after Ben is ready."""
    body = {"phase_serial": game.phase_serial, "actions": [{"kind": "ready"}]}
    Program("ben").post(f"games/{game.pk}/moves", body, **{KEY: "k-ben"})
    return f"games/{game.pk}/moves", body


def test_the_first_receipt_of_what_closed_a_phase_says_so_for_good() -> None:
    game, ada = new_game("ada", "ben", pace="daily"), Program("ada")
    path, body = closing_move(game)
    receipt = ada.post(path, body, **{KEY: "k-1"}).json()
    assert receipt["phase_closed"]
    assert ada.post(path, body, **{KEY: "k-1"}).json() == receipt | {"replayed": True}
    early = Program("ben").post(path, body, **{KEY: "k-ben"}).json()
    assert (early["replayed"], early["phase_closed"]) == (True, False), "it was ada who closed it"


def test_a_move_that_brings_newer_rules_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULESETS["sectors"]
    earlier = {version: words for version, words in rules.changes.items() if version < rules.version}
    with monkeypatch.context() as then:
        then.setitem(RULESETS, "sectors", replace(rules, version=rules.version - 1, changes=earlier))
        game = new_game("ada", "ben", pace="daily")
    path, body = closing_move(game)
    receipt = Program("ada").post(path, body, **{KEY: "k-1"}).json()
    assert fresh(game).ruleset_version == rules.version
    assert Program("ada").post(path, body, **{KEY: "k-1"}).json() == receipt | {"replayed": True}
