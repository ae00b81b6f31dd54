"""The seat of a player whom one moderator alone has banned is kept for them: the caretaker plays it, and nobody else
takes it over and sees its hand, for it could be another account of that moderator."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from game.bots import accounts
from game.engine.actions import Refused
from game.lobby import free_seats, lobby
from game.moderation import sanctions
from game.play import attendance
from game.reputation import bans
from game.seats import takeover
from game.store.case_models import Sanction
from game.store.game import Game, Seat
from tests.scenes import moderator, person, run_out, table, who
from tests.seats.test_takeover import ban_by_two, go_away, take
from tests.tables import READY, fresh, send

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=3)


@pytest.fixture
def game() -> Game:
    person("Dora")
    return table(person("Ada"), person("Ben"), bots=1, pace="daily")


def ban_alone(name: str, days: int = 10) -> User:
    lena = User.objects.filter(username="Lena").first() or moderator("Lena")
    assert sanctions.impose(person=who(name), moderator=lena, kind="ban", reason="insults", days=days) is None
    return lena


def end_bans(since: timedelta) -> None:
    """The bans of everybody ended so long ago."""
    Sanction.objects.update(until=timezone.now() - since)
    User.objects.update(banned_until=None)


def is_offered(game: Game, name: str = "Dora") -> bool:
    """What the lobby and the API list, what its link shows, and what the board of the game offers."""
    user, now = who(name), fresh(game)
    lines, _ = free_seats.free_seats_after(user=user, cursor=None, limit=10)
    lists = [bool(free_seats.free_seats(user=user)), bool(lines), bool(free_seats.free_seats_at(now))]
    assert len({*lists, takeover.has_free_seat(now)}) == 1, lists
    return lists[0]


def test_a38_the_seat_of_whom_one_moderator_alone_banned_is_taken_by_nobody(game: Game) -> None:
    ban_alone("Ben")
    for _ in range(2):
        send(game, 0, READY)
        run_out(fresh(game))
    now = fresh(game)
    assert (now.seats.get(number=1).keeper, now.is_running) == ("away", True), "the table plays on"
    go_away(game, 1, LONG_AGO)
    assert not is_offered(game)
    assert take(game, 1, "Dora").status_code == 409
    assert game.seats.get(number=1).user == who("Ben")


def test_a38_after_the_ban_its_player_has_time_to_come_back(game: Game) -> None:
    ban_alone("Ben")
    go_away(game, 1, LONG_AGO)
    end_bans(bans.TIME_TO_RETURN - timedelta(hours=1))
    assert not is_offered(game)
    assert take(game, 1, "Dora").status_code == 409
    end_bans(bans.TIME_TO_RETURN + timedelta(hours=1))
    assert is_offered(game)
    attendance.reclaim_seat(game_id=game.pk, user=who("Ben"))
    assert take(game, 1, "Dora").status_code == 409
    go_away(game, 1, LONG_AGO)
    assert take(game, 1, "Dora").status_code == 302


def test_a38_nor_does_a_ban_that_is_lifted_open_the_seat_at_once(game: Game) -> None:
    lena = ban_alone("Ben")
    go_away(game, 1, LONG_AGO)
    sanctions.lift(
        person=Sanction.objects.get().user, number=Sanction.objects.get().pk, moderator=lena, reason="a mistake"
    )
    assert not is_offered(game)
    assert take(game, 1, "Dora").status_code == 409


def test_a38_the_seat_of_whom_two_banned_is_offered(game: Game) -> None:
    ban_by_two("Ben")
    go_away(game, 1, LONG_AGO)
    assert is_offered(game)
    assert take(game, 1, "Dora").status_code == 302


def test_a38_a_later_ban_by_one_alone_is_not_what_two_confirmed(game: Game) -> None:
    lena = ban_by_two("Ben")
    sanctions.lift(
        person=Sanction.objects.get().user, number=Sanction.objects.get().pk, moderator=lena, reason="a mistake"
    )
    ban_alone("Ben", days=3)
    go_away(game, 1, LONG_AGO)
    assert not is_offered(game)


def test_a38_nor_is_the_seat_of_a_bot_of_theirs_taken(game: Game) -> None:
    declared = accounts.Declared(["sectors"], ["daily"], 3, 4, 2)
    robot = accounts.make_bot(owner=person("Olga"), name="Robot", declared=declared).user
    Seat.objects.filter(game=game, number=1).update(user=robot)
    ban_alone("Olga")
    go_away(game, 1, LONG_AGO)
    assert not is_offered(game)
    assert take(game, 1, "Dora").status_code == 409


@pytest.mark.parametrize("is_by_two", [False, True])
def test_a38_nor_that_of_somebody_at_their_device(is_by_two: bool) -> None:
    """The account of its host is on one seat there at a time."""
    host, dora = person("kim"), person("Dora")
    game = lobby.create_game(
        host=host, name="At ours", seats=3, companions=["Ada"], pace="daily", bots=1, ruleset="sectors", is_open=False
    )
    lobby.start_game(game_id=game.pk, user=host)
    lena = ban_by_two("kim") if is_by_two else ban_alone("kim")
    for number in (0, 1):
        go_away(game, number, LONG_AGO)
    token = fresh(game).invitation.token
    for user in (lena,) if is_by_two else (lena, dora):
        for number in (0, 1):
            with pytest.raises(Refused):
                takeover.take_seat(game_id=game.pk, user=user, number=number, token=token)
    assert takeover.has_free_seat(fresh(game)) is is_by_two


def test_a_seat_that_its_player_gave_up_stays_free(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    ban_alone("Ben")
    assert is_offered(game)
    assert take(game, 1, "Dora").status_code == 302
