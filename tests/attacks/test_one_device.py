"""Several seats at one device: whatever lies in their hands, an account is answered and told the same at every address
and by every channel, except in the browser that holds the seat, which is shown that hand and no other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from game.delivery import board_links, notice_sending
from game.delivery.push_channel import PushChannel
from game.lobby import lobby
from game.outbox import notices
from game.play import devices
from game.store.game import Game
from game.store.log import Notice
from tests.attacks.laying import store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.test_twins import KEYS
from tests.rulesets.games import OTHERWISE
from tests.scenes import let_time_pass
from tests.tables import fresh, person

pytestmark = pytest.mark.django_db
RULES = "power_up"
KIM, EVE = "kim", "eve"
COVERED, HELD, ELSEWHERE = "covered", "held", "elsewhere"
"""Two browsers of the account: nobody holds a seat; the first one holds it; and the second meanwhile."""


class Room:
    """A game in which Kim and Ada play in Kim's browsers, Eve in hers, beside a bot."""

    def __init__(self) -> None:
        host = person(KIM)
        game = lobby.create_game(
            host=host, name="One device", seats=4, pace="daily", ruleset=RULES, companions=["Ada"], bots=1
        )
        lobby.join_game(game_id=game.pk, user=person(EVE))
        self.game: Game = fresh(lobby.start_game(game_id=game.pk, user=host))
        self.paths = paths_about(self.game, KIM)
        self.browsers = {name: Reader(KIM, []) for name in (HELD, ELSEWHERE)}

    def hold(self, number: int) -> None:
        answer = self.browsers[HELD].client.post(f"/games/{self.game.pk}/device/hold/", {"seat": str(number)})
        assert answer.status_code == 302

    def hands(self, viewer: int | None) -> tuple[Any, Any]:
        """The position now, and with everything changed that this seat does not see."""
        position = fresh(self.game).load_position()
        return position, OTHERWISE[RULES](position, viewer)

    def twice(self, look: Any, viewer: int | None = None) -> tuple[Any, Any]:
        """What is seen of two positions that differ in what is hidden from this viewer, from everybody by default."""
        found = []
        for position in self.hands(viewer):
            with undone():
                store(self.game, position)
                found.append(look())
        return found[0], found[1]

    def differs(self, name: str, viewer: int | None = None) -> set[str]:
        """Where this browser and its program are answered otherwise."""
        reader = self.browsers[name]
        one, other = self.twice(lambda: reader.read(self.paths), viewer)
        return {path for path in self.paths if without_length(one, path) != without_length(other, path)}

    def messages(self, mailbox: list[Any]) -> list[str]:
        """What the account is told by email and by its browsers."""
        before = len(mailbox)
        notices.write_notices()
        waiting = Notice.objects.filter(game=self.game, user__username=KIM).select_related("user", "seat", "game")
        lines = []
        for notice in waiting.order_by("pk"):
            notice.game = fresh(self.game)
            lines += [each.text.decode() for each in PushChannel().write([notice], now=notice.game.now)]
        let_time_pass(self.game, timedelta(hours=7))
        notice_sending.send_due_notices()
        address = person(KIM).email
        mails = [mail for mail in mailbox[before:] if mail.to[0] == address]
        return lines + [f"{mail.subject} {KEYS.sub('', mail.body)}" for mail in mails]


def without_length(answers: Answers, path: str) -> Any:
    return answers[path].status, answers[path].body


@pytest.fixture
def room(settings: Any) -> Room:
    settings.LIMITED = False
    return Room()


def test_a2_under_the_cover_nothing_tells_what_lies_in_the_hands(room: Room) -> None:
    assert room.differs(ELSEWHERE) == set()


def test_a2_only_the_browser_that_holds_a_seat_is_shown_its_hand(room: Room) -> None:
    for number in (0, 1):
        room.hold(number)
        result = room.differs(HELD)
        assert f"/games/{room.game.pk}/" in result
        assert {path for path in result if path.startswith("/api/")} == set(), "programs read it as strangers do"
        assert room.differs(HELD, viewer=number) == set(), "what the other seat at the device has is hidden"
        assert room.differs(ELSEWHERE) == set()


def test_a2_whoever_puts_the_seat_down_sees_nothing_any_more(room: Room) -> None:
    room.hold(1)
    devices.put_down(game_id=room.game.pk, user=person(KIM))
    assert room.differs(HELD) == set()


def test_a2_no_mail_tells_what_lies_in_a_hand_even_while_it_is_held(room: Room, mailoutbox: list[Any]) -> None:
    person(KIM)
    for number in (None, 0, 1):
        with undone():
            if number is not None:
                room.hold(number)
            one, other = room.twice(lambda: room.messages(mailoutbox))
        assert one == other
        assert any(one)


def test_a2_the_link_of_an_email_shows_no_seat_at_a_device(room: Room) -> None:
    room.hold(0)
    notice = Notice(game=room.game, seat=room.game.seats.get(number=0), user=person(KIM), kind="turn")
    link = board_links.board_url(notice).removeprefix("http://testserver")
    assert room.browsers[ELSEWHERE].client.get(link).status_code == 404


def test_a2_every_form_of_the_game_is_refused_to_who_does_not_hold_the_seat(room: Room) -> None:
    """Whatever the address: nothing is written."""
    room.hold(0)
    before = fresh(room.game).version, fresh(room.game).entries
    paths = paths_about(room.game, KIM, takes_forms=True)
    for path in [each for each in paths if each.startswith("/games/") and "/device/" not in each]:
        answer = room.browsers[ELSEWHERE].client.post(path)
        assert answer.status_code in {404, 405, 409}, path
    assert (fresh(room.game).version, fresh(room.game).entries) == before
