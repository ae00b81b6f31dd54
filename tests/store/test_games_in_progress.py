"""Games that an earlier version of the rules stored in the middle of a turn are read, lead to the same positions under
the rules they followed, and are played on by today's."""

import pytest

from game.store import replay
from game.store.game import Game, Status
from game.store.log import Draft
from tests.scenes import play_on
from tests.store import games_in_progress

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]


@pytest.fixture(params=games_in_progress.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games_in_progress.restore(request.param)


def test_its_log_leads_to_every_position_under_the_rules_it_followed(game: Game) -> None:
    checks = list(replay.replay_game(game=game))
    opened = game.log.exclude(opened_serial=None).values_list("number", flat=True)
    assert set(opened) <= {check.number for check in checks}
    assert [check.number for check in checks if not check.is_equal] == []


def test_what_was_given_and_begun_is_still_there(game: Game) -> None:
    assert any(game.load_position().pending.values()) or game.load_position().earlier
    assert Draft.objects.filter(seat__game=game, serial=game.phase_serial).count() == 1


def test_it_is_played_on_to_its_end_and_still_replays(game: Game) -> None:
    now = play_on(game)
    assert now.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=now))
