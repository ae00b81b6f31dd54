"""A token for one game: it plays there, and opens nothing of its owner's other games or of its owner."""

from typing import Any

import pytest

from accounts.models import ApiToken
from game.api.long_poll import ASKS, SECRET, WAITS
from game.lobby import lobby
from game.store.game import Game
from tests.api.clients import Program
from tests.api.operations import every_operation, path_of
from tests.scenes import play_on
from tests.tables import fresh, new_game, person, send

pytestmark = [pytest.mark.django_db]
ELSEWHERE = {
    "key": "toy", "name": "refused", "number": 0, "serial": 1, "webhook": 1, "delivery": 1, "rule": "T 1", "turn": 1,
    "figure": "cash", "subject": "0",
}  # fmt: skip
OF_IT_ALONE = {"list_decisions", "get_stream", "get_token", "revoke_token"}


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


@pytest.fixture
def games() -> tuple[Game, Game]:
    """Two games of ada's: the one that a token is for, and another."""
    one, other = (new_game("ada", "ben", ruleset="toy") for _ in range(2))
    return one, other


def hidden_table() -> Game:
    """A game by invitation, of ada's."""
    return lobby.create_game(host=person("ada"), name="Ours", seats=2, ruleset="toy", is_open=False)


def asked(program: Program, method: str, path: str) -> Any:
    """The answer to a request without anything in it."""
    sending = {"POST": program.post, "PUT": program.put, "PATCH": program.patch}
    return (
        sending[method](path, {}) if method in sending else {"GET": program.get, "DELETE": program.delete}[method](path)
    )


def test_it_plays_its_game_like_any_token(games: tuple[Game, Game]) -> None:
    game, _ = games
    program = Program("ada", only_game=game.pk)
    assert program.get("token").json()["game"] == game.pk
    assert program.get(f"games/{game.pk}").json()["you"] == 0
    assert program.move(game, {"kind": "bid", "coins": 1}).status_code == 200
    assert program.get(f"games/{game.pk}/position").json()["view"]["mine"]
    assert program.post(f"games/{game.pk}/chat", {"text": "Hello"}).status_code == 201
    assert program.get("rulesets/toy").status_code == 200


def test_at_every_address_of_another_game_and_of_its_owner_it_is_refused(games: tuple[Game, Game]) -> None:
    one, other = games
    program, found = Program("ada", only_game=one.pk), {}
    for place in every_operation():
        name = place.operation.name
        if name in OF_IT_ALONE:
            continue
        answer = asked(program, place.method, path_of(place.pattern, game_id=other.pk, **ELSEWHERE))
        found[name] = answer.json().get("type", "").rpartition("/")[2] if answer.status_code == 403 else ""
        if found[name] == "one-game":
            assert answer.json()["game"] == one.pk
            assert answer.json()["detail"] == f"This token is for game {one.pk} alone."
    public = {place.operation.name for place in every_operation() if place.operation.is_open and "game_id" not in
              place.pattern}  # fmt: skip
    hooks = {name for name in found if "webhook" in name or "deliver" in name}
    assert {name for name, kind in found.items() if kind != "one-game"} == public | hooks
    assert all(found[name] == "scope" for name in hooks), "webhooks are told of all games"
    assert not ApiToken.objects.get(pk=program.token.pk).scopes.count("webhooks")


def test_a_game_that_does_not_exist_is_refused_like_one_that_does(games: tuple[Game, Game]) -> None:
    one, _ = games
    program, hidden = Program("ada", only_game=one.pk), hidden_table()
    answers = [program.get(f"games/{number}").content for number in (hidden.pk, 10**9)]
    assert answers[0] == answers[1]


def test_what_waits_and_what_streams_is_of_that_game_alone(games: tuple[Game, Game]) -> None:
    one, other = games
    program, both = Program("ada", only_game=one.pk), Program("ada")
    assert {each["game"] for each in both.get("me/decisions").json()["items"]} == {one.pk, other.pk}
    assert [each["game"] for each in program.get("me/decisions").json()["items"]] == [one.pk]
    assert [each["game"] for each in program.get("me/stream").json()["games"]] == [one.pk]
    heard = program.get("me/stream", **{ASKS: SECRET})[WAITS]
    assert heard == f"{program.token.user_id} game.{one.pk} game.{one.pk}.seat.0"
    for path in ("me/decisions", "me/stream"):
        tag = program.get(path)["ETag"]
        waits = program.get(path, **{"If-None-Match": tag, ASKS: SECRET})
        assert (waits.status_code, waits[WAITS]) == (304, heard)
        send(other, 1, {"kind": "ready"})
        assert program.get(path)["ETag"] == tag, "nothing of another game is told, nor that it happened"
        send(other, 1, {"kind": "ready", "on": False})


def test_lists_are_those_of_a_stranger(games: tuple[Game, Game]) -> None:
    hidden = hidden_table()
    one, all_ = Program("ada", only_game=games[0].pk), Program("ada")
    listed = [{each["id"] for each in program.get("games").json()["items"]} for program in (one, all_)]
    assert listed[1] - listed[0] == {hidden.pk}
    assert all(each["you"] is None for each in one.get("games").json()["items"])


def test_a_hidden_table_is_there_for_its_own_token() -> None:
    hidden = hidden_table()
    assert Program("ada", only_game=hidden.pk).get(f"games/{hidden.pk}").status_code == 200
    assert Program("ben", only_game=hidden.pk).get(f"games/{hidden.pk}").status_code == 404


def test_it_does_not_lead_to_a_rematch(games: tuple[Game, Game]) -> None:
    over = play_on(games[0])
    assert fresh(over).status == "finished"
    answer = Program("ada", only_game=over.pk).post(f"games/{over.pk}/rematch")
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (403, "one-game")
    assert Program("ada").post(f"games/{over.pk}/rematch").status_code == 200


def test_an_answer_that_is_kept_for_another_token_is_not_given_out(games: tuple[Game, Game]) -> None:
    one, other = games
    said, key = {"text": "Hello"}, {"Idempotency-Key": "twice"}
    assert Program("ada").post(f"games/{other.pk}/chat", said, **key).status_code == 201
    assert Program("ada", only_game=one.pk).post(f"games/{other.pk}/chat", said, **key).status_code == 403
