"""Bots of people: made and declared on their owner's page, seated where hosts let them, told apart everywhere."""

from typing import Any

import pytest
from allauth.account.signals import password_reset
from django.contrib.auth import authenticate
from django.db.models.functions import Now
from django.test import Client

from accounts import api_tokens
from accounts.models import User
from game.admin.read_only import outside_own_games
from game.bots import accounts
from game.bots.accounts import Declared
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.people import account_deletion
from game.play import attendance
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.store.game import Game, Seat, Status
from game.store.proposals import VoteTopic
from game.store.seat_models import BotAccount
from game.votes import voting
from tests.api.clients import Program
from tests.scenes import seen
from tests.tables import clock_runs_out, fresh, new_game, person, signed_in

pytestmark = [pytest.mark.django_db]
ALL = Declared(list(RULESETS), ["live", "demo", "daily"], 2, 8, 2)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def bot(name: str = "Deep", owner: str = "carla", declared: Declared = ALL) -> BotAccount:
    return accounts.make_bot(owner=person(owner), name=name, declared=declared)


def program_of(made: BotAccount) -> Program:
    program = Program()
    _, text = api_tokens.issue(user=made.user, owner=made.owner, name="it", scopes=["read", "play", "manage"], days=30)
    program.headers["Authorization"] = f"Bearer {text}"
    return program


def table(host: str = "ada", seats: int = 2) -> Game:
    game = lobby.create_game(host=person(host), name="Bots", seats=seats, ruleset="toy", pace="demo")
    lobby.change_game(game_id=game.pk, user=person(host), takes_bots=True)
    return fresh(game)


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


def test_a_bot_is_silent_in_the_chat_and_told_so() -> None:
    game, program = table(), program_of(bot())
    program.post(f"games/{game.pk}/seats")
    refused = program.post(f"games/{game.pk}/chat", {"text": "Good luck"})
    assert (refused.status_code, refused.json()["detail"]) == (422, "Bots cannot write in chats.")
    assert "@Deep [carla]" in signed_in("ada").get(f"/games/{game.pk}/chat/").content.decode()


def begun_with_a_bot() -> tuple[Game, Program]:
    """Ada plays with a bot of Carla's."""
    game, program = table(), program_of(bot())
    program.post(f"games/{game.pk}/seats")
    lobby.start_game(game_id=game.pk, user=person("ada"))
    return fresh(game), program


def test_bots_have_no_say_and_nobody_waits_for_their_word() -> None:
    game, program = begun_with_a_bot()
    refused = program.post(f"games/{game.pk}/pause")
    assert (refused.status_code, code_of(refused)) == (422, "bots_have_no_say")
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("ada"))
    assert fresh(game).status == Status.PAUSED
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ada"))
    assert fresh(game).status == Status.ABANDONED


def test_bots_do_not_play_on_among_themselves_when_no_person_is_left() -> None:
    """P-15: it waits for Ada, for whom the caretaker plays, as a game among people does."""
    game, _ = begun_with_a_bot()
    Seat.objects.filter(game=game, number=0).update(keeper="away", left_at=Now())
    Game.objects.filter(pk=game.pk).update(keepers={"0": "away"})
    clock_runs_out(game)
    assert (fresh(game).status, fresh(game).keepers) == (Status.PAUSED, {"0": "away"})
    attendance.reclaim_seat(game_id=game.pk, user=person("ada"))
    assert fresh(game).is_running
    takeover.resign(game_id=game.pk, user=person("ada"))
    assert fresh(game).status == Status.PAUSED


def test_an_owner_sees_and_revokes_the_tokens_of_a_bot_and_nobody_else_does() -> None:
    made = bot()
    program, carla = program_of(made), signed_in("carla")
    token = made.user.api_tokens.get()
    listed = carla.get("/accounts/bots/").content.decode()
    assert token.prefix in listed
    assert f'action="/accounts/tokens/{token.pk}/revoke/"' in listed
    assert token.prefix not in carla.get("/accounts/tokens/").content.decode()
    signed_in("mallory").post(f"/accounts/tokens/{token.pk}/revoke/")
    assert program.get("me").status_code == 200
    revoked = carla.post(f"/accounts/tokens/{token.pk}/revoke/", {"back": "bots"})
    assert revoked["Location"] == "/accounts/bots/"
    assert program.get("me").status_code == 401


def test_a_reset_password_shuts_the_owners_bots_out_too(rf: Any) -> None:
    """Whoever had the account may have made those tokens."""
    program, others = program_of(bot()), program_of(bot("Other", "dora"))
    carla = person("carla")
    password_reset.send(sender=User, request=rf.get("/"), user=carla)
    assert (program.get("me").status_code, others.get("me").status_code) == (401, 200)


def test_hosts_decide_and_bots_keep_to_what_they_declare() -> None:
    program = program_of(bot(declared=Declared(["sectors"], ["daily"], 3, 4, 2)))
    closed = lobby.create_game(host=person("ada"), name="No bots", seats=2, ruleset="toy")
    assert code_of(program.post(f"games/{closed.pk}/seats")) == "bots_not_wanted"
    assert code_of(program.post(f"games/{table().pk}/seats")) == "bot_not_for_this"
    assert code_of(program.post("games", {"ruleset": "toy", "seats": 2})) == "bots_host_nothing"
    assert program.get("me").json()["most_games"] == 2


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


def test_a28_two_bots_of_one_owner_never_sit_at_one_table() -> None:
    game, deep, blue = table(seats=3), program_of(bot("Deep")), program_of(bot("Blue"))
    assert deep.post(f"games/{game.pk}/seats").status_code == 200
    assert code_of(blue.post(f"games/{game.pk}/seats")) == "owners_bot_sits"
    assert program_of(bot("Red", owner="dora")).post(f"games/{game.pk}/seats").status_code == 200


def test_nobody_moderates_a_table_of_their_bot() -> None:
    game, carla = table(seats=3), person("carla")
    assert program_of(bot()).post(f"games/{game.pk}/seats").status_code == 200
    lobby.join_game(game_id=game.pk, user=person("ben"))
    lobby.start_game(game_id=game.pk, user=person("ada"))
    carla.is_staff = carla.is_superuser = True
    carla.save()
    with pytest.raises(Refused) as refused:
        interventions.pause(game_id=game.pk, moderator=carla, reason="mine", seen=seen(game))
    assert refused.value.code == "plays_there"
    assert not Game.objects.filter(outside_own_games(carla, "pk")).exists()


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
