"""Two acts that need the same rows: whenever the second one begins, both end, and neither is given up because each
waits for the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts import guests as guest_accounts
from accounts.models import User
from game.chat import writing
from game.lobby import lobby
from game.moderation import interventions, multi_accounts, sanctions, site_desk
from game.people import account_closure, two_people
from game.people.account_deletion import delete_account
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.moderation_models import Intervention
from tests.attacks.beside import Act, each_moment, is_lock
from tests.attacks.test_guests_at_once import guest_with_a_game
from tests.lock_order import watched
from tests.scenes import moderator, person, seen
from tests.tables import new_game

pytestmark = pytest.mark.django_db(transaction=True)


class Laid:
    """People, the oldest account first, and two moderators, whose accounts are younger."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.uma, self.otto, self.ada = (person(f"{name} {number}") for name in ("Uma", "Otto", "Ada"))
        self.lena, self.mia = (moderator(f"{name} {number}") for name in ("Lena", "Mia"))
        self.why: dict[str, Any] = {"moderator": self.lena, "reason": "threats in chat"}

    @property
    def game(self) -> Game:
        return new_game(self.ada.username, self.otto.username, ruleset="toy")

    @property
    def room(self) -> Game:
        return lobby.create_game(host=self.ada, name="Room", seats=3, ruleset="toy", pace="demo")

    def again(self, user: User) -> User:
        return User.objects.get(pk=user.pk)

    def closes(self, user: User) -> Act:
        request = account_closure.request_closure(user_id=user.pk, **self.why)
        return partial(account_closure.confirm_closing, request_id=request.pk, moderator=self.again(self.mia))

    def gives(self, what: Intervention, **more: Any) -> Act:
        """Uma is to get Ada's seat."""
        game = self.game
        fields: dict[str, Any] = {
            "game_id": game.pk,
            "seen": seen(game),
            "seat_number": 0,
            "username": self.uma.username,
            **more,
        }
        request = two_people.request_game_act(what=what, **fields, **self.why)
        mia = self.again(self.mia)
        return lambda: two_people.confirm_about_game(request_id=request.pk, moderator=mia, seen=seen(game))

    def bans(self, user: User) -> Act:
        return partial(sanctions.impose, person=user, kind="ban", days=2, **self.why)


def stand_in_and_closing(laid: Laid) -> tuple[Act, Act]:
    return laid.gives(Intervention.SET_PROXY, days=3), laid.closes(laid.uma)


def new_player_and_closing(laid: Laid) -> tuple[Act, Act]:
    return laid.gives(Intervention.HAND_SEAT_TO_USER), laid.closes(laid.uma)


def stand_in_tried_out_and_ban(laid: Laid) -> tuple[Act, Act]:
    game = laid.game
    fields: dict[str, Any] = {"game_id": game.pk, "seen": seen(game), "seat_number": 0, "username": laid.uma.username}
    ask = partial(two_people.request_game_act, what=Intervention.SET_PROXY, days=3, **fields, **laid.why)
    return ask, laid.bans(laid.again(laid.uma))


def link_and_ban(laid: Laid) -> tuple[Act, Act]:
    link = partial(multi_accounts.record_link, person=laid.uma, username=laid.otto.username, **laid.why)
    return link, laid.bans(laid.again(laid.uma))


def end_of_a_ban_and_another(laid: Laid) -> tuple[Act, Act]:
    laid.bans(laid.uma)()
    lift = partial(sanctions.lift, person=laid.uma, number=Sanction.objects.get(user=laid.uma).pk, **laid.why)
    return lift, laid.bans(laid.again(laid.uma))


def message_and_new_name_of_a_room(laid: Laid) -> tuple[Act, Act]:
    room, host = laid.room.pk, laid.again(laid.ada)
    return (
        partial(writing.say, game_id=room, user=laid.ada, text="Hello"),
        partial(lobby.change_game, game_id=room, user=host, name="Other"),
    )


def deadlines_and_pause(laid: Laid) -> tuple[Act, Act]:
    Game.objects.all().delete()  # it locks each game that runs
    game, lena = laid.game, laid.again(laid.lena)
    shift = transaction.atomic(partial(site_desk.shift_deadlines, hours=3, **laid.why))
    pause = partial(interventions.pause, game_id=game.pk, moderator=lena, reason="storm", seen=seen(game))
    return shift, pause


def confirmed_address_and_sign_in(laid: Laid) -> tuple[Act, Act]:
    guest, _ = guest_with_a_game()
    User.objects.filter(pk=guest.pk).update(becomes=laid.uma)

    @transaction.atomic
    def confirm() -> None:
        guest_accounts.lock_with_guests(laid.uma.pk)
        guest_accounts.merge_guests(None, laid.uma)

    return confirm, partial(guest_accounts.merge_guests, guest, laid.again(laid.uma))


def seat_and_deletion(laid: Laid) -> tuple[Act, Act]:
    join = partial(lobby.join_game, game_id=laid.room.pk, user=laid.again(laid.uma))
    return partial(delete_account, user=laid.uma), join


CASES: Iterable[Callable[[Laid], tuple[Act, Act]]] = (
    stand_in_and_closing,
    new_player_and_closing,
    stand_in_tried_out_and_ban,
    link_and_ban,
    end_of_a_ban_and_another,
    message_and_new_name_of_a_room,
    deadlines_and_pause,
    confirmed_address_and_sign_in,
    seat_and_deletion,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a36_no_two_acts_wait_for_each_other(case: Callable[[Laid], tuple[Act, Act]], is_turned: bool) -> None:
    def lay(number: int) -> tuple[Act, Act]:
        acts = case(Laid(number))
        return acts[::-1] if is_turned else acts

    with watched():
        for number, answers in each_moment(lay, counts=is_lock):
            assert answers.errors == [], number
