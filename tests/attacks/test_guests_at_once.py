"""A guest signs in to an account that is being deleted or closed at that moment: their games stay theirs, or are the
caretaker's, and nobody is without them by half."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from accounts import guests as guest_accounts
from accounts.models import User
from game.infra import credentials
from game.lobby import lobby
from game.people.account_deletion import delete_account
from game.store.game import Game, Pace, Seat
from tests.attacks.beside import Act, each_moment
from tests.attacks.meanwhile import answer_while
from tests.scenes import close_by_two, moderator, person
from tests.tables import fresh

pytestmark = pytest.mark.django_db(transaction=True)


def guest_with_a_game() -> tuple[User, Game]:
    guest = guest_accounts.new_guest()
    game = lobby.create_game(host=guest, name="Alone", seats=2, bots=1, pace=Pace.DEMO, is_open=False, ruleset="toy")
    return guest, lobby.start_game(game_id=game.pk, user=guest)


def ends_of(user: User) -> dict[str, Act]:
    return {
        "deleted": lambda: delete_account(user=User.objects.get(pk=user.pk)),
        "closed": lambda: close_by_two(user_id=user.pk, moderator=moderator(f"Lena {user.pk}"), reason="threats"),
    }


def check_player(game: Game, guest: User) -> None:
    """Somebody who can sign in has the seat, or the caretaker."""
    seat = Seat.objects.select_related("user").get(game=game, number=0)
    if seat.user is None:
        assert seat.keeper, "nobody plays"
        assert not User.objects.filter(pk=guest.pk).exists()
    else:
        assert seat.user.is_active
        assert seat.user.is_guest == User.objects.filter(pk=guest.pk).exists()
    assert fresh(game).host == seat.user or not seat.user


@pytest.mark.parametrize("end", ["deleted", "closed"])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.trial)])
def test_a36_no_game_of_a_guest_comes_to_an_account_that_ends_meanwhile(end: str, is_first: bool, step: int) -> None:
    laid: list[tuple[Game, User]] = []

    def lay(number: int) -> tuple[Act, Act]:
        guest, game = guest_with_a_game()
        grace = person(f"Grace {number}")
        laid.append((game, guest))
        merge: Callable[[], object] = partial(guest_accounts.merge_guests, guest, User.objects.get(pk=grace.pk))
        acts = (merge, ends_of(grace)[end])
        return acts if is_first else acts[::-1]

    for number, answers in each_moment(lay, step):
        assert {*map(type, answers.errors)} <= {guest_accounts.AccountEnded}, number
        check_player(*laid[-1])


@pytest.mark.parametrize("end", ["deleted", "closed"])
def test_a36_whoever_signs_in_to_an_account_that_ends_meanwhile_is_their_guest_again(end: str) -> None:
    """Between any two statements of the sign-in, or none."""
    guest, game = guest_with_a_game()
    grace = person("Grace")

    def act() -> None:
        with credentials.used(lambda: True):  # as another request
            ends_of(grace)[end]()

    def sign_in() -> None:
        client = Client()
        client.force_login(guest)
        answer = client.post("/accounts/login/", {"login": "Grace", "password": "correct horse battery"})
        assert answer.status_code < 500
        if User.objects.filter(pk=guest.pk).exists():
            assert game.seats.get(number=0).user == guest
            assert client.get("/accounts/fresh-token/").json()["person"] == guest.username

    number = 1
    while number:
        _, number = answer_while(sign_in, number, act, "", is_outside=True)
