"""A stand-in who never comes: the caretaker plays the seat until its player or the stand-in is back."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from game.bots import playing
from game.engine.actions import Refused
from game.seats import takeover
from game.store.game import Game, Seat
from game.store.seat_models import Tenure
from tests.api.clients import Program
from tests.scenes import client_of, person, run_out, table, who
from tests.seats.test_stand_ins import last_note, page_of, seat_seen_by, sent, stand_in
from tests.servers import Mailbox
from tests.tables import fresh, send

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    person("Carla")
    return table(person("Ada"), person("Ben"), bots=1, max_turns=2)


def keeper(game: Game) -> str:
    stored = Seat.objects.get(game=game, number=1).keeper
    assert fresh(game).keepers.get("1", "") == stored, "the game row has a true copy"
    return stored


def to_seat_1(game: Game) -> None:
    """Bots act, and Ada is ready wherever she is waited for, until only seat 2 is."""
    while (now := fresh(game)).waiting_seats != [1]:
        if not playing.play_bots(game_id=game.pk):
            send(now, 0, {"kind": "ready"})


def misses_two(game: Game) -> None:
    for _ in range(2):
        to_seat_1(game)
        run_out(game)


def test_for_a_proxy_who_never_comes_the_caretaker_plays_and_both_are_told(mailbox: Mailbox, game: Game) -> None:
    stand_in(game)
    sent(mailbox, "Ben")
    misses_two(game)
    assert keeper(game) == "away"
    until = "The caretaker plays this seat until Carla or Ben is back."
    assert last_note(game) == f"Carla missed two decisions in a row. {until}"
    mine = Tenure.objects.get(game=game, number=1)
    assert (mine.user, mine.missed, mine.in_a_row, mine.excused) == (who("Ben"), 0, 0, 2)
    assert "Carla, who plays it for you, missed two decisions in a row" in page_of(game, "Ben")
    assert "You missed two decisions in a row" in page_of(game, "Carla")
    mails = sent(mailbox, "Ben")
    assert "the caretaker plays your seat" in mails
    assert mails.count("Carla, who plays for you, missed two decisions in a row") == 2, "as text and as a page"
    long_ago = Now() - timedelta(days=3)
    Seat.objects.filter(game=game, number=1).update(left_at=long_ago)
    person("Dora")
    with pytest.raises(Refused, match="no longer free"):
        takeover.take_seat(game_id=game.pk, user=who("Dora"), number=1)
    assert not free_seats_of("Dora")


def free_seats_of(name: str) -> list[Any]:
    return Program(name).get("free-seats").json()["items"]


@pytest.mark.parametrize("name", ["Ben", "Carla"])
def test_owner_and_proxy_take_the_seat_back_from_the_caretaker(mailbox: Mailbox, game: Game, name: str) -> None:
    stand_in(game)
    misses_two(game)
    assert client_of(name).post(f"/games/{game.pk}/seat/back/").status_code == 302
    assert keeper(game) == ""
    assert seat_seen_by(game, name) == 1
    assert fresh(game).has_stand_in(1) == (name == "Carla")
    to_seat_1(game)
    run_out(game)
    assert keeper(game) == "", "the count begins afresh"
    assert "caretaker" not in sent(mailbox, "Ben"), "it was told no more once somebody was back"


def test_a_decision_of_the_proxy_starts_the_count_of_misses_afresh(game: Game) -> None:
    stand_in(game)
    for _ in range(3):
        to_seat_1(game)
        run_out(game)
        to_seat_1(game)
        send(game, 1, {"kind": "ready"})
    assert keeper(game) == ""
