"""Rematches: the first player opens one with the same rules, and the others join it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.chat import writing
from game.chat.models import Message
from game.engine.actions import Refused
from game.lobby import inviting, lobby
from game.lobby.rematch import rematch
from game.store.case_models import Sanction
from game.store.game import Game, Status
from game.store.log import Notice
from tests.scenes import person, play_on, table
from tests.tables import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return play_on(table(person("Ada"), person("Ben"), bots=1, max_turns=2))


def over(*people: User, bots: int) -> Game:
    return play_on(table(*people, bots=bots, ruleset="toy"))


def invited_to(game: Game) -> list[str]:
    return list(game.invitees.order_by("pk").values_list("user__username", flat=True))


def ask(game: Game, name: str) -> Any:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client.post(f"/games/{game.pk}/rematch/")


def test_the_first_opens_it_and_the_others_join_with_one_click(game: Game) -> None:
    opened = Game.objects.get(pk=int(ask(game, "Ada")["Location"].split("/")[2]))
    assert (opened.status, opened.host, opened.is_open) == (Status.WAITING, User.objects.get(username="Ada"), False)
    assert (opened.options, opened.pace, opened.seats_wanted) == (game.options, game.pace, game.seats_wanted)
    assert [bool(seat.bot) for seat in opened.seats.order_by("number")] == [False, True]
    assert "I opened a rematch" in Message.objects.get(game=game).text
    assert invited_to(opened) == ["Ben"]
    assert Notice.objects.filter(game=opened, kind=Notice.Kind.INVITED, user__username="Ben").exists()
    for _ in range(2):
        assert ask(game, "Ben")["Location"] == f"/games/{opened.pk}/"
    assert opened.seats.filter(user__username="Ben").exists()
    assert fresh(opened).status == Status.RUNNING, "it starts when all have joined"
    assert ask(game, "Ada")["Location"] == f"/games/{opened.pk}/", "a second click opens no second game"


def test_it_starts_with_the_last_who_accepts_the_invitation() -> None:
    game = over(person("Ada"), person("Ben"), person("Cem"), bots=0)
    opened = rematch(game_id=game.pk, user=User.objects.get(username="Ada"))
    for name, status in (("Cem", Status.WAITING), ("Ben", Status.RUNNING)):
        client = Client()
        client.force_login(User.objects.get(username=name))
        client.post(f"/games/{opened.pk}/join/")
        assert fresh(opened).status == status


def test_against_bots_it_starts_at_once_with_the_same_bots(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    ada = person("Ada")
    first = lobby.create_game(
        host=ada, name="", seats=3, bots=2, level=("house", "expert"), is_open=False, options={"max_turns": 2}
    )
    lobby.keep_clock(game_id=first.pk, user=ada)
    game = play_on(lobby.start_game(game_id=first.pk, user=ada))
    after = fresh(rematch(game_id=game.pk, user=ada))
    assert (after.status, after.keeps_clock) == (Status.RUNNING, True)
    assert [seat.bot for seat in after.seats.order_by("number")] == ["", "house", "expert"]


def test_a_guest_plays_the_bots_again() -> None:
    guest = User.objects.create_user("Guest 1", is_guest=True)
    created = lobby.create_game(host=guest, name="", seats=2, bots=1, is_open=False, pace="none", ruleset="toy")
    game = play_on(lobby.start_game(game_id=created.pk, user=guest))
    client = Client()
    client.force_login(guest)
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "It starts at once." in page
    assert "all people" not in page
    finish = page[page.index(f'action="/games/{game.pk}/rematch/"') :]
    assert "Sign up and keep your games" in finish
    assert fresh(rematch(game_id=game.pk, user=guest)).status == Status.RUNNING


def test_whoever_wants_no_invitations_is_not_sent_one_but_may_join(game: Game) -> None:
    ada, ben = (User.objects.get(username=name) for name in ("Ada", "Ben"))
    inviting.take_invitations(user=ben, wanted=False)
    opened = rematch(game_id=game.pk, user=ada)
    assert invited_to(opened) == []
    assert not Notice.objects.filter(game=opened, user=ben).exists()
    assert fresh(rematch(game_id=game.pk, user=ben)).status == Status.RUNNING


def test_a_bot_takes_the_seat_of_a_deleted_account_and_barred_people_cannot_join(game: Game) -> None:
    ada, ben = (User.objects.get(username=name) for name in ("Ada", "Ben"))
    until = timezone.now() + timedelta(days=1)
    Sanction.objects.create(user=ben, kind=Sanction.Kind.NO_JOIN, until=until, reason="Deals beside the board")
    opened = rematch(game_id=game.pk, user=ada)
    assert invited_to(opened) == []
    with pytest.raises(Refused, match="cannot create or join"):
        rematch(game_id=game.pk, user=User.objects.get(pk=ben.pk))
    lobby.leave_game(game_id=opened.pk, user=ada)
    ben.delete()
    second = fresh(rematch(game_id=game.pk, user=ada))
    assert second.status == Status.RUNNING
    assert [bool(seat.bot) for seat in second.seats.order_by("number")] == [False, True, True]


def test_only_players_of_a_finished_game_have_one(game: Game) -> None:
    eve = person("Eve")
    with pytest.raises(Refused, match="Only the players"):
        rematch(game_id=game.pk, user=eve)
    Game.objects.filter(pk=game.pk).update(status=Status.RUNNING)
    with pytest.raises(Refused, match="when the game is over"):
        rematch(game_id=game.pk, user=User.objects.get(username="Ada"))
    assert Game.objects.count() == 1


def test_a_cancelled_rematch_makes_room_for_another(game: Game) -> None:
    ada, ben = User.objects.get(username="Ada"), User.objects.get(username="Ben")
    first = rematch(game_id=game.pk, user=ada)
    lobby.leave_game(game_id=first.pk, user=ada)
    second = rematch(game_id=game.pk, user=ben)
    assert second.pk != first.pk
    assert rematch(game_id=game.pk, user=ada).pk == second.pk


def test_a_chat_that_is_off_keeps_nobody_from_it(game: Game) -> None:
    ada = User.objects.get(username="Ada")
    writing.switch(game_id=game.pk, user=ada, is_on=False)
    assert fresh(rematch(game_id=game.pk, user=ada)).status == Status.WAITING


def test_the_button_is_for_players_and_stands_under_the_standings(game: Game) -> None:
    button = f'action="/games/{game.pk}/rematch/"'
    for name, shown in (("Ada", True), ("Eve", False)):
        client = Client()
        client.force_login(User.objects.filter(username=name).first() or person(name))
        assert (button in client.get(f"/games/{game.pk}/").content.decode()) == shown
        assert (button in client.get(f"/games/{game.pk}/chat/").content.decode()) == shown


def test_whoever_has_said_all_they_may_opens_a_rematch_all_the_same(game: Game, settings: Any) -> None:
    """What the site says in their name is none of their messages."""
    ada = User.objects.get(username="Ada")
    settings.LIMITED, settings.LIMITS = True, {"message": 1}
    writing.say(game_id=game.pk, user=ada, text="Good game")
    with pytest.raises(limits.TooMany):
        writing.say(game_id=game.pk, user=ada, text="Again?")
    assert ask(game, "Ada").status_code == 302
    assert "I opened a rematch" in Message.objects.filter(game=game).latest("number").text


def test_a37_a_rematch_that_is_opened_again_and_again_is_told_once() -> None:
    ada, ben = person("Ada"), person("Ben")
    game = over(ada, ben, bots=1)
    for _ in range(3):
        after = rematch(game_id=game.pk, user=ada)
        assert invited_to(after) == ["Ben"]
        lobby.cancel_game(game_id=after.pk, user=ada)
    assert Message.objects.filter(game=game).count() == 1
    assert Notice.objects.filter(kind=Notice.Kind.INVITED, user=ben).count() == 1
