"""Who hides whose messages from themselves in the chat of a game."""

import pytest

from game.chat import reading
from game.chat.models import Mute
from game.engine.actions import Refused
from game.seats.takeover import resign
from game.store.game import Game
from tests.chat.test_chat import client_of, say, unread, user, words
from tests.scenes import person, table

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"), person("Mary Ann"))


def test_muting_hides_a_player_from_me_alone_and_nobody_learns_of_it(game: Game) -> None:
    say(game, "Ada", "Spam, spam")
    before = {name: words(game, name) for name in ("Ada", "Mary Ann")}
    ben = client_of("Ben")
    assert ben.post(f"/games/{game.pk}/chat/mute/0/", {"on": "yes"}).status_code == 302
    assert "Spam, spam" not in words(game, "Ben")
    say(game, "Ada", "@Ben do you hear me?")
    assert unread(game, "Ben") == 0
    assert unread(game, "Mary Ann") == 1
    for name in ("Ada", "Mary Ann"):
        assert "Spam, spam" in words(game, name)
        assert "muted" not in words(game, name)
        assert words(game, name).count("Mute") == before[name].count("Mute")
    assert ben.post(f"/games/{game.pk}/chat/mute/0/", {"on": "no"}).status_code == 302
    assert "Spam, spam" in words(game, "Ben")


@pytest.mark.parametrize("seat", [1, 3, 77])
def test_one_mutes_the_other_people_of_the_own_game(game: Game, seat: int) -> None:
    """Neither oneself, nor a bot, nor nobody."""
    assert client_of("Ben").post(f"/games/{game.pk}/chat/mute/{seat}/", {"on": "yes"}).status_code == 409
    assert not Mute.objects.exists()


def test_who_has_resigned_mutes_nobody_and_is_muted_by_nobody_but_shows_again_what_they_had_muted(game: Game) -> None:
    reading.mute(game_id=game.pk, user=user("Ben"), seat_number=0, is_on=True)
    resign(game_id=game.pk, user=user("Ben"))
    for name, seat in (("Ben", 2), ("Ada", 1)):
        with pytest.raises(Refused, match="You can mute the other players"):
            reading.mute(game_id=game.pk, user=user(name), seat_number=seat, is_on=True)
    reading.mute(game_id=game.pk, user=user("Ben"), seat_number=0, is_on=False)
    assert not Mute.objects.exists()
    with pytest.raises(Refused, match="You can mute the other players"):
        reading.mute(game_id=game.pk, user=user("Ben"), seat_number=0, is_on=False)
