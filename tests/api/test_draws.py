"""A program checks the draws of a game that is over, where its owner may see the game; before the end nobody does."""

from typing import Any

import pytest

from game.history import draws as fairness
from game.store.game import Game
from tests import kept_games
from tests.api.clients import Program
from tests.history.test_draws import draws, made_again
from tests.tables import new_game
from tests.toy_scenes import sits

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_a_program_makes_the_draws_of_a_game_by_invitation_again_and_strangers_do_not_see_them() -> None:
    game = kept_games.finished("power_up")
    assert Program().get(f"games/{game.pk}/draws").json() == draws(game, sits("ada"))
    Game.objects.filter(pk=game.pk).update(is_open=False)
    result = Program("ada").get(f"games/{game.pk}/draws").json()
    assert result == draws(game, sits("ada"))
    assert result["whole"]
    assert result["draws"]
    assert [made_again(result, draw) for draw in result["draws"]] == [draw["value"] for draw in result["draws"]]
    assert [secret["fingerprint"] for secret in result["secrets"]] == [game.secret_hash]
    for other in (Program(), Program("eve"), Program("ada", ["play"])):
        answer = other.get(f"games/{game.pk}/draws")
        assert answer.status_code == 404
        assert game.secret not in answer.content.decode()


def test_a_game_that_goes_on_shows_no_secret_to_its_own_players() -> None:
    game = new_game("ada", bots=2, ruleset="power_up")
    answer = Program("ada").get(f"games/{game.pk}/draws")
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (409, "not-finished")
    assert game.secret not in answer.content.decode()


def test_who_has_the_draws_makes_the_site_play_no_game_again() -> None:
    """That request counts for next to nothing, so it must cost next to nothing."""
    game = kept_games.finished("power_up")
    tag = Program().get(f"games/{game.pk}/draws")["ETag"]
    fairness._proofs.clear()
    assert Program().get(f"games/{game.pk}/draws", **{"If-None-Match": tag}).status_code == 304
    assert len(fairness._proofs) == 0
