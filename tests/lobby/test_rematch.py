"""The same people once more: opened by the first, joined by the others, with the same rules."""

from typing import Any

import pytest
from django.test import Client

from accounts import limits
from accounts.models import User
from game.chat import writing
from game.chat.models import Mention, Message
from game.engine.actions import Refused
from game.lobby import lobby
from game.lobby.rematch import rematch
from game.store.game import Game, Status
from game.store.log import Notice
from tests.scenes import person, play_on, table
from tests.tables import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return play_on(table(person("Ada"), person("Ben"), bots=1, max_turns=2))


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
    assert Mention.objects.get().user.username == "Ben"
    assert Notice.objects.filter(game=game, kind=Notice.Kind.MENTION, user__username="Ben").exists()
    for _ in range(2):
        assert ask(game, "Ben")["Location"] == f"/games/{opened.pk}/"
    assert opened.seats.filter(user__username="Ben").exists()
    assert ask(game, "Ada")["Location"] == f"/games/{opened.pk}/", "a second click opens no second game"
    lobby.start_game(game_id=opened.pk, user=opened.host)


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
