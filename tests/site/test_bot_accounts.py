"""Bots of people: made and declared on their owner's page, seated where hosts let them, told apart everywhere."""

from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.test import Client

from accounts import api_tokens
from accounts.models import User
from game.chat_pages import messages_for
from game.engine.actions import Refused
from game.models import BotAccount, Game, Seat
from game.rulesets.registry import RULESETS
from game.services import account_deletion, bot_accounts, lobby
from game.services.bot_accounts import Declared
from game.services.chat_rules import access_to
from tests.api.clients import Program
from tests.tables import clock_runs_out, fresh, new_game, person

pytestmark = [pytest.mark.django_db]
ALL = Declared(list(RULESETS), ["live", "demo", "daily"], 2, 8, 2)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def bot(name: str = "Deep", owner: str = "carla", declared: Declared = ALL) -> BotAccount:
    return bot_accounts.make_bot(owner=person(owner), name=name, declared=declared)


def program_of(made: BotAccount) -> Program:
    program = Program()
    _, text = api_tokens.issue(user=made.user, owner=made.owner, name="it", scopes=["read", "play", "manage"], days=30)
    program.headers["Authorization"] = f"Bearer {text}"
    return program


def table(host: str = "ada", **more: Any) -> Game:
    game = lobby.create_game(host=person(host), name="Bots", seats=2, ruleset="toy", pace="demo", **more)
    lobby.change_game(game_id=game.pk, user=person(host), takes_bots=True)
    return fresh(game)


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def code_of(answer: Any) -> str:
    return str(answer.json()["errors"][0]["code"])


def test_a_bot_is_made_on_its_owners_page_and_plays_under_both_names() -> None:
    carla = signed_in("carla")
    sent = {"name": "Deep", "rulesets": ["toy"], "paces": ["demo"], "least_seats": 2, "most_seats": 4, "most_games": 1}
    assert carla.post("/accounts/bots/new/", sent).status_code == 302
    made = BotAccount.objects.get()
    assert "Deep" in carla.get("/accounts/bots/").content.decode()
    game, program = table(), program_of(made)
    seat = program.post(f"games/{game.pk}/seats").json()["seats"][1]
    assert (seat["name"], seat["is_bot"], seat["person"]) == ("Deep [carla]", True, made.user_id)
    assert Program().get(f"people/{made.user_id}").json()["owner"] == "carla"
    assert "A bot of carla" in Client().get("/people/Deep/").content.decode()
    Program("ada").post(f"games/{game.pk}/start")
    assert "Deep [carla]" in signed_in("ada").get(f"/games/{game.pk}/").content.decode()
    moved = {"phase_serial": 1, "actions": [{"kind": "ready"}]}
    assert program.post(f"games/{game.pk}/moves", moved).status_code == 422, "a bot's moves have a key"
    assert program.post(f"games/{game.pk}/moves", moved, **{"Idempotency-Key": "one"}).status_code == 200
    other = table("ben")
    assert code_of(program.post(f"games/{other.pk}/seats")) == "too_many_games"


def test_what_a_bot_says_in_the_chat_is_said_under_both_names(django_assert_num_queries: Any) -> None:
    game, program = table(), program_of(bot())
    program.post(f"games/{game.pk}/seats")
    Program("ada").post(f"games/{game.pk}/start")
    program.post(f"games/{game.pk}/chat", {"text": "Good luck"})
    ada = signed_in("ada")
    assert "<b>Deep [carla]</b>" in ada.get(f"/games/{game.pk}/chat/").content.decode()
    assert "<b>Deep [carla]</b>" in ada.get(f"/games/{game.pk}/chat/1/report/").content.decode()
    (said,) = Program("ada").get(f"games/{game.pk}/chat").json()["items"]
    assert said["name"] == "Deep [carla]"
    messages = list(messages_for(game, access_to(game=game, user=person("ada")), set()))
    with django_assert_num_queries(0):
        assert [message.said_by for message in messages] == ["Deep [carla]"]


def test_hosts_decide_and_bots_keep_to_what_they_declare() -> None:
    program = program_of(bot(declared=Declared(["sectors"], ["daily"], 3, 4, 2)))
    closed = lobby.create_game(host=person("ada"), name="No bots", seats=2, ruleset="toy")
    assert code_of(program.post(f"games/{closed.pk}/seats")) == "bots_not_wanted"
    assert code_of(program.post(f"games/{table().pk}/seats")) == "bot_not_for_this"
    assert code_of(program.post("games", {"ruleset": "toy", "seats": 2})) == "bots_host_nothing"


def test_a_bot_and_its_owner_never_sit_at_one_table() -> None:
    program = program_of(bot())
    assert code_of(program.post(f"games/{table('carla').pk}/seats")) == "owner_sits"
    game = table()
    assert program.post(f"games/{game.pk}/seats").status_code == 200
    lobby.remove_seat(game_id=game.pk, user=person("ada"), number=1)
    lobby.join_game(game_id=game.pk, user=person("carla"))
    assert code_of(program.post(f"games/{game.pk}/seats")) in {"owner_sits", "was_sent_away"}
    other = table("ben")
    program.post(f"games/{other.pk}/seats")
    with pytest.raises(Refused, match="Your bot plays"):
        lobby.join_game(game_id=other.pk, user=person("carla"))


def test_nobody_signs_in_as_a_bot_and_people_have_five() -> None:
    made = bot()
    assert not made.user.has_usable_password()
    assert authenticate(None, username="Deep", password="") is None
    for name in ("Two", "Three", "Four", "Five"):
        bot(name)
    with pytest.raises(Refused, match="5 bots"):
        bot("Six")
    carla = signed_in("carla")
    sent = {"name": "ada", "rulesets": ["toy"], "paces": ["demo"], "least_seats": 2, "most_seats": 4, "most_games": 1}
    person("ada")
    assert carla.post("/accounts/bots/new/", sent).status_code == 422
    assert signed_in("ben").get(f"/accounts/bots/{made.pk}/").status_code == 404
    assert signed_in("ben").post(f"/accounts/bots/{made.pk}/delete/").status_code == 404


def test_after_two_missed_deadlines_the_caretaker_plays_until_the_owner_takes_the_seat_back() -> None:
    made, game = bot(), table()
    program_of(made).post(f"games/{game.pk}/seats")
    lobby.start_game(game_id=game.pk, user=person("ada"))
    for _ in range(4):
        if Seat.objects.get(game=game, user=made.user).keeper:
            break
        clock_runs_out(game)
    assert Seat.objects.get(game=game, user=made.user).keeper == "away"
    carla = signed_in("carla")
    assert "Take the seat back" in carla.get("/accounts/bots/").content.decode()
    carla.post(f"/accounts/bots/{made.pk}/back/{game.pk}/")
    assert not Seat.objects.get(game=game, user=made.user).keeper


def test_bots_go_with_their_owner_and_leave_no_name() -> None:
    made, game = bot(), table()
    program = program_of(made)
    program.post(f"games/{game.pk}/seats")
    lobby.start_game(game_id=game.pk, user=person("ada"))
    account_deletion.delete_account(user=person("carla"))
    assert not User.objects.filter(username__in=["carla", "Deep"]).exists()
    assert program.get("me").status_code == 401
    seat = Seat.objects.get(game=game, number=1)
    assert (seat.user, seat.shown_name) == (None, "Seat 2")
    assert not game.log.filter(note__contains="carla").exists()
    assert not game.log.filter(note__contains="Deep").exists()


def test_people_have_no_brackets_in_their_names() -> None:
    """A seat whose name ends in one is a bot's."""
    with pytest.raises(Exception, match="letters, digits"):
        bot("Deep [ada]")
    assert new_game("ada", "ben", ruleset="toy").seats.get(number=0).shown_name == "ada"
