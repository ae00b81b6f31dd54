"""What was and what was said, through the API: past phases, each as the seat saw it then, and the chat."""

from typing import Any

import pytest

from tests.api.clients import Program
from tests.scenes import play_on
from tests.tables import fresh, new_game, send

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_a_past_phase_is_shown_as_each_seat_saw_it_then() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    for seat in (0, 1):
        send(game, seat, {"kind": "bid", "coins": 3 - seat}, {"kind": "ready"})
    hand = list(fresh(game).load_position().state.hands[0])
    ada, ben, nobody = Program("ada"), Program("ben"), Program()
    stops = nobody.get(f"games/{game.pk}/history").json()["items"]
    assert [stop["phase_serial"] for stop in stops] == [1, 2]
    path = f"games/{game.pk}/history/2"
    assert ada.get(path).json()["view"]["players"][0]["hand"] == sorted(hand)
    for other in (ben, nobody):
        assert other.get(path).json()["view"]["players"][0]["hand"] == []
    assert nobody.get(f"games/{game.pk}/history/9").status_code == 404
    over = play_on(game)
    assert over.status == "finished"
    assert nobody.get(path).json()["view"]["players"][0]["hand"] == sorted(hand), "once it is over nothing is hidden"


def test_the_chat_is_the_players_own_and_a_message_is_sent_once() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, ben = Program("ada"), Program("ben")
    first = ada.post(f"games/{game.pk}/chat", {"text": "Hello"}, **{"Idempotency-Key": "hello"})
    assert first.status_code == 201
    assert ada.post(f"games/{game.pk}/chat", {"text": "Hello"}, **{"Idempotency-Key": "hello"}).json() == first.json()
    other = ada.post(f"games/{game.pk}/chat", {"text": "Good day"}, **{"Idempotency-Key": "hello"})
    assert other.json()["type"].endswith("/problems/key-reused")
    ben.post(f"games/{game.pk}/chat", {"text": "And you"})
    assert [line["text"] for line in ben.get(f"games/{game.pk}/chat").json()["items"]] == ["Hello", "And you"]
    page = ben.get(f"games/{game.pk}/chat?limit=1").json()
    assert [line["text"] for line in page["items"]] == ["And you"]
    older = ben.get(page["next"].removeprefix("/api/v1/")).json()
    assert [line["text"] for line in older["items"]] == ["Hello"]
    assert ada.post(f"games/{game.pk}/chat", {"text": " "}).status_code == 422
    assert Program("mallory").get(f"games/{game.pk}/chat").status_code == 403


def test_a_custom_pace_is_chosen_as_on_the_form() -> None:
    ada = Program("ada")
    made = ada.post(
        "games", {"ruleset": "toy", "seats": 2, "pace": "custom", "timing": {"lengths": {"decision": 7200}}}
    )
    assert (made.status_code, made.json()["pace"]) == (201, "custom")
    wrong = ada.post(
        "games", {"ruleset": "toy", "seats": 2, "pace": "custom", "timing": {"lengths": {"decision": "x"}}}
    )
    assert wrong.status_code == 422


def test_reading_costs_a_few_statements_whatever_the_game(django_assert_max_num_queries: Any) -> None:
    """Of them one is for the token and its owner, one for the game and one for its seats."""
    game = play_on(new_game("ada", "ben", ruleset="toy"))
    running = new_game("ada", "ben", bots=2, ruleset="sectors")
    ada = Program("ada")
    ada.get("me")  # its day is noted
    for number in (game.pk, running.pk):
        for part, most in (("", 3), ("/position", 3), ("/log", 4)):
            with django_assert_max_num_queries(most):
                assert ada.get(f"games/{number}{part}").status_code == 200
    with django_assert_max_num_queries(3):
        ada.get(f"games/{running.pk}/position?include=offers")
    with django_assert_max_num_queries(3):
        ada.get("games")
    with django_assert_max_num_queries(3):
        ada.get("me/decisions")
