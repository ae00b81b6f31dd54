"""Invitations by name under attack: guessed, by strangers, twice at once, and by hosts who are not wanted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from game.engine.actions import Refused
from game.lobby import inviting, lobby
from game.seats import takeover
from game.store import eyes
from game.store.game import Game, Keeper
from game.store.log import Notice
from game.store.seat_models import InvitationStop, Invitee
from tests.api.clients import Program
from tests.attacks.test_authority import hand_over
from tests.attacks.walk import CHANCE
from tests.tables import fresh, person, signed_in

AT_ONCE = 4


def gathering(**more: Any) -> Game:
    usual: dict[str, Any] = {"seats": 3, "pace": "daily", "ruleset": "toy", "is_open": False}
    return lobby.create_game(host=person("ada"), name="Ours", **{**usual, **more})


@pytest.mark.django_db(transaction=True)
def test_somebody_who_is_invited_twice_at_once_is_invited_once() -> None:
    game, ben = gathering(), person("ben")
    host, barrier = person("ada"), Barrier(AT_ONCE)

    def run(_: int) -> str:
        barrier.wait(60)
        try:
            inviting.invite(game_id=game.pk, user=host, person=ben.pk)
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return "invited"

    with ThreadPoolExecutor(AT_ONCE) as pool:
        result = sorted(pool.map(run, range(AT_ONCE)))
    assert result == ["already_invited"] * (AT_ONCE - 1) + ["invited"]
    assert (Invitee.objects.count(), Notice.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_who_joins_while_the_host_withdraws_either_sits_there_or_does_not() -> None:
    game, ben, host = gathering(), person("ben"), person("ada")
    inviting.invite(game_id=game.pk, user=host, person=ben.pk)
    barrier = Barrier(2)

    def run(act: Any) -> str:
        barrier.wait(60)
        try:
            act()
        except Refused as refused:
            return refused.code
        finally:
            connection.close()
        return ""

    acts = (
        lambda: lobby.join_game(game_id=game.pk, user=ben),
        lambda: inviting.withdraw(game_id=game.pk, user=host, person=ben.pk),
    )
    with ThreadPoolExecutor(2) as pool:
        result = tuple(pool.map(run, acts))
    sits = game.seats.filter(user=ben).exists()
    assert result == (("", "no_such_invitation") if sits else ("by_invitation", ""))
    assert not Invitee.objects.exists()


@pytest.mark.django_db
def test_a_stranger_answers_and_withdraws_nobodys_invitation() -> None:
    game, ben = gathering(is_open=True), person("ben")
    inviting.invite(game_id=game.pk, user=person("ada"), person=ben.pk)
    eve, room = signed_in("eve"), game.get_absolute_url()
    for path in ("decline/", "stop/", f"{ben.pk}/withdraw/", f"{person('eve').pk}/withdraw/"):
        assert eve.post(f"{room}invitees/{path}").status_code == 409, path
    assert eve.post(f"{room}invitees/", {"name": "eve"}).status_code == 409
    assert Client().post(f"{room}invitees/decline/").status_code == 302
    assert list(Invitee.objects.values_list("user", "declined_at")) == [(ben.pk, None)]
    assert not InvitationStop.objects.exists()


@pytest.mark.django_db
def test_a_game_by_invitation_is_there_for_nobody_who_guesses_that_they_are_invited() -> None:
    game = gathering()
    inviting.invite(game_id=game.pk, user=person("ada"), person=person("ben").pk)
    eve = signed_in("eve")
    for path in ("", "decline/", "stop/", f"{person('ben').pk}/withdraw/"):
        there, nowhere = (eve.post(f"/games/{number}/invitees/{path}") for number in (game.pk, game.pk + 1000))
        assert there.status_code == nowhere.status_code == 404
        assert told(there, game.pk) == told(nowhere, game.pk + 1000)


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["page", "program"])
def test_the_host_is_answered_alike_about_nobody_and_those_who_do_not_want_them(way: str) -> None:
    """Answers of pages and of the API are equal byte for byte, after equal statements."""
    game = gathering()
    inviting.take_invitations(user=person("ben"), wanted=False)
    InvitationStop.objects.create(user=person("cay"), host=person("ada"))
    gone = person("dan")
    gone.is_active = False
    gone.save()
    ask = by_page if way == "page" else by_program
    answers = [ask(game, name, fresh_numbers(name)) for name in ("ben", "cay", "dan", "eli")]
    assert answers == [answers[0]] * 4
    assert fresh(game).version == game.version


def fresh_numbers(name: str) -> int:
    """The number of somebody, or one that nobody has."""
    from accounts.models import User

    found = User.objects.filter(username=name).first()
    return found.pk if found else 2**40


def by_page(game: Game, name: str, _: int) -> tuple[int, bytes, int]:
    ada = signed_in("ada")
    with CaptureQueriesContext(connection) as asked:
        answer = ada.post(reverse("invite_person", args=[game.pk]), {"name": name})
    return answer.status_code, told(answer, game.pk), len(asked.captured_queries)


def by_program(game: Game, _: str, number: int) -> tuple[int, bytes, int]:
    from tests.api.clients import Program

    program = Program("ada")
    with CaptureQueriesContext(connection) as asked:
        answer = program.post(f"games/{game.pk}/seats", {"person": number})
    return answer.status_code, answer.content, len(asked.captured_queries)


def told(answer: Any, number: int) -> bytes:
    """Without what is drawn for each answer, and without the number of the game."""
    return CHANCE.sub(b"", answer.content).replace(str(number).encode(), b"N")


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["handed on", "taken over", "resigned"])
def test_whoever_has_left_a_running_game_comes_back_neither_by_its_link_nor_by_name(way: str) -> None:
    """They know what their seat could see, and are sent the new link. Another seat is free meanwhile."""
    game = lobby.create_game(
        host=person("ada"), name="Ours", seats=4, pace="daily", ruleset="toy", is_open=False, is_rated=False
    )
    for name in ("ben", "carla", "dora"):
        lobby.join_game(game_id=game.pk, user=person(name), token=token_of(game))
    lobby.start_game(game_id=game.pk, user=person("ada"))
    takeover.resign(game_id=game.pk, user=person("dora"))
    leave(game, way)
    link, token = eyes.link_to(game.pk).removeprefix("http://testserver"), token_of(game)
    ben, program = signed_in("ben"), Program("ben")
    for number in (1, 3):
        answer = ben.post(link, {"seat": str(number)})
        assert answer.status_code in (403, 404, 409), number
        refused = program.post(f"games/{game.pk}/seats/{number}", {"invitation": token})
        assert refused.status_code in {403, 409, 422}, refused.json()
    if way != "resigned":
        with suppress(Refused):
            inviting.invite(game_id=game.pk, user=person("ada"), person=person("ben").pk)
        assert ben.post(f"/games/{game.pk}/seats/3/take/").status_code in (302, 404, 409)
    assert not game.seats.filter(user=person("ben")).exclude(keeper=Keeper.RESIGNED).exists()


def token_of(game: Game) -> str:
    return eyes.link_to(game.pk).rstrip("/").rsplit("/", 1)[1]


def leave(game: Game, way: str) -> None:
    """Ben has no seat any more."""
    if way == "handed on":
        with transaction.atomic():
            hand_over(game, number=1, to="eve")
    else:
        takeover.resign(game_id=game.pk, user=person("ben"))
    if way == "taken over":
        takeover.take_seat(game_id=game.pk, user=person("eve"), number=1, token=token_of(game))
