"""Changes of hands: whoever has lost a seat, has lent it or never had it is answered and told the same whatever lies in
its hand, at every address that shows a seat its hand and by every channel; whoever has it is shown it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts import api_tokens
from game.bots import accounts
from game.bots.accounts import Declared
from game.delivery import board_links, notice_sending
from game.delivery.push_channel import PushChannel
from game.live import access
from game.lobby import lobby
from game.moderation import sanctions, seat_acts
from game.outbox import notices
from game.rulesets.registry import RULESETS
from game.seats import stand_ins as proxies
from game.seats import takeover
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.log import Notice
from game.store.moderation_models import Intervention
from tests.attacks.laying import store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.test_twins import KEYS
from tests.rulesets.games import OTHERWISE
from tests.scenes import by_two, close_by_two, let_time_pass, moderator, person, seen
from tests.tables import fresh

pytestmark = pytest.mark.django_db
RULES = "power_up"
ADA, BEN, DEEP, FRED, CARLA, DEEPER = "ada", "ben", "Deep", "fred", "carla", "Deeper"
"""Ada's is the first seat. Ben and a bot of Carla's keep theirs; Deeper is Carla's other bot. Fred comes to Ada's."""
BESIDE = (FRED, CARLA, DEEPER)


class Table:
    """A game in which every seat has a hand, and everybody's browsers, programs and links of before any change."""

    def __init__(self) -> None:
        self.people = {name: person(name) for name in (ADA, BEN, FRED, CARLA)}
        self.lena = moderator("Lena")
        declared = Declared(list(RULESETS), ["live", "daily"], 2, 8, 2)
        bots = [accounts.make_bot(owner=self.people[CARLA], name=name, declared=declared) for name in (DEEP, DEEPER)]
        self.people |= {name: made.user for name, made in zip((DEEP, DEEPER), bots, strict=True)}
        self.game = self._begun()
        self.links = {name: self.link_of(name) for name in (ADA, FRED)}
        paths = paths_about(self.game, ADA)
        self.readers = {name: Reader(name, paths if name == ADA else []) for name in (ADA, BEN, FRED, CARLA)}
        for name, made in zip((DEEP, DEEPER), bots, strict=True):
            _, text = api_tokens.issue(user=made.user, owner=made.owner, name="it", scopes=["read"], days=30)
            self.readers[name] = Reader("", [])
            self.readers[name].program.headers["Authorization"] = f"Bearer {text}"
        self.paths = self.where_hands_are_shown()

    def _begun(self) -> Game:
        host = self.people[ADA]
        game = lobby.create_game(host=host, name="Hands", seats=4, pace="daily", ruleset=RULES)
        lobby.change_game(game_id=game.pk, user=host, takes_bots=True)
        for name in (BEN, DEEP):
            lobby.join_game(game_id=game.pk, user=self.people[name])
        lobby.fill_with_bots(game_id=game.pk, user=host)
        return fresh(lobby.start_game(game_id=game.pk, user=host))

    def link_of(self, name: str) -> str:
        notice = Notice(game=self.game, seat=self.game.seats.get(number=0), user=self.people[name], kind="turn")
        return board_links.board_url(notice).removeprefix("http://testserver")

    def where_hands_are_shown(self) -> list[str]:
        """The addresses at which Ada, who sits there, is answered otherwise when the hands are others."""
        reader = self.readers[ADA]
        one, other = self.twice(reader.see)
        return [path for path in reader.paths if one[path] != other[path]]

    def twice(self, look: Callable[[], Any]) -> tuple[Any, Any]:
        """What is seen now, and where everything that is hidden from everybody is otherwise."""
        found = []
        for is_otherwise in (False, True):
            with undone():
                position = fresh(self.game).load_position()
                store(self.game, OTHERWISE[RULES](position, None) if is_otherwise else position)
                found.append(look())
        return found[0], found[1]

    def answers(self) -> dict[str, Answers]:
        """What everybody is answered, and whoever has the link of an email."""
        found = {name: reader.read(self.paths) for name, reader in self.readers.items()}
        by_link = {name: Client().get(link) for name, link in self.links.items()}
        return found | {f"link of {name}": {"": without_hours(page)} for name, page in by_link.items()}

    def see(self) -> set[str]:
        """Who sees a hand."""
        one, other = self.twice(self.answers)
        return {name for name in one if one[name] != other[name]}

    def listen(self) -> dict[str, int | None]:
        """As which seat each browser that may listen hears of the game."""
        browsers = {name: self.readers[name].client for name in (ADA, BEN, *BESIDE[:2])}
        welcomes = access.admissions(
            [access.AccessRequest(each.session.session_key or "", self.game.pk) for each in browsers.values()]
        )
        return {
            name: welcome.seat for name, welcome in zip(browsers, welcomes, strict=True) if welcome and welcome.claim
        }

    def messages(self, mailbox: list[Any]) -> dict[str, list[str]]:
        """What everybody is told by email and by their browsers, of what waits to be told."""
        before = len(mailbox)
        notices.write_notices()
        waiting = Notice.objects.filter(game=self.game).select_related("user", "seat", "game").order_by("pk")
        values_by_key: dict[str, list[str]] = {name: [] for name in self.people}
        for notice in waiting:
            notice.game = fresh(self.game)
            values_by_key[notice.user.username.partition(" [")[0]] += [
                each.text.decode() for each in PushChannel().write([notice], now=notice.game.now)
            ]
        let_time_pass(self.game, timedelta(hours=7))
        notice_sending.send_due_notices()
        names = {user.email: name for name, user in self.people.items()}
        for mail in mailbox[before:]:
            if mail.to[0] in names:
                values_by_key[names[mail.to[0]]].append(f"{mail.subject} {KEYS.sub('', mail.body)}")
        return values_by_key


def without_hours(page: Any) -> Any:
    return page.status_code, page.content if page.status_code == 200 else b""


def resign(table: Table) -> None:
    takeover.resign(game_id=table.game.pk, user=table.people[ADA])


def take_over(table: Table) -> None:
    takeover.take_seat(game_id=table.game.pk, user=table.people[FRED], number=0)


def by_lena(table: Table) -> dict[str, Any]:
    return {
        "game_id": table.game.pk,
        "moderator": table.lena,
        "reason": "ill",
        "seen": seen(table.game),
        "seat_number": 0,
    }


def hand_on(table: Table) -> None:
    by_two(Intervention.HAND_SEAT_TO_USER, **by_lena(table), username=FRED)


def hand_to_bot(table: Table) -> None:
    seat_acts.hand_seat_to_bot(**by_lena(table))


def lend(table: Table) -> None:
    by_two(Intervention.SET_PROXY, **by_lena(table), username=FRED, days=7)


def give_back(table: Table) -> None:
    proxies.give_back(game_id=table.game.pk, user=table.people[FRED])


def take_back(table: Table) -> None:
    proxies.reclaim_seat(game_id=table.game.pk, user=table.people[ADA])


def end_proxy(table: Table) -> None:
    seat_acts.end_stand_in(**by_lena(table))


def ban(table: Table) -> None:
    sanctions.impose(person=table.people[ADA], moderator=table.lena, kind="ban", reason="threats", days=7)


def lift(table: Table) -> None:
    sanctions.lift(
        person=Sanction.objects.get().user, number=Sanction.objects.get().pk, moderator=table.lena, reason="error"
    )


def close(table: Table) -> None:
    close_by_two(user_id=table.people[ADA].pk, moderator=table.lena, reason="many accounts")


CHANGES: dict[str, tuple[list[Callable[[Table], None]], str]] = {
    "nothing": ([], ADA),
    "resigned": ([resign], ""),
    "taken over": ([resign, take_over], FRED),
    "handed on": ([hand_on], FRED),
    "handed to a bot": ([hand_to_bot], ""),
    "lent": ([lend], FRED),
    "given back": ([lend, give_back], ADA),
    "taken back": ([lend, take_back], ADA),
    "lending ended": ([lend, end_proxy], ADA),
    "banned": ([ban], ""),
    "ban over": ([ban, lift], ADA),
    "closed": ([close], ""),
}
"""What happens to Ada's seat, and who sees its hand afterwards."""


@pytest.fixture
def table(settings: Any) -> Table:
    settings.LIMITED = False
    return Table()


def test_a2_whoever_has_no_seat_is_answered_the_same_whatever_is_in_its_hand(table: Table) -> None:
    """By pages, the API, links of emails and sockets, before and after each change of hands."""
    number, wrong = table.game.pk, {}
    for path in (f"/games/{number}/", f"/games/{number}/spreadsheet/", f"/api/v1/games/{number}/position"):
        assert path in table.paths
    for name, (acts, owner) in CHANGES.items():
        with undone():
            for act in acts:
                act(table)
            sees, listens = table.see(), table.listen()
        expected = {BEN, DEEP} | ({owner, f"link of {owner}"} if owner else set())
        if sees != expected:
            wrong[name] = sees ^ expected
        assert {each for each, seat in listens.items() if seat is not None} == expected & {ADA, BEN, FRED}, name
    assert wrong == {}


def test_a2_whoever_has_no_seat_is_told_the_same_whatever_is_in_its_hand(table: Table, mailoutbox: list[Any]) -> None:
    """By email and by notifications of browsers, also of what was to be told before the seat changed hands."""
    notices.write_notices()
    wrong = {}
    for name, (acts, owner) in CHANGES.items():
        with undone():
            for act in acts:
                act(table)
            one, other = table.twice(lambda: table.messages(mailoutbox))
        assert any(one.values())
        differs = {each for each in one if one[each] != other[each]} - {owner, BEN, DEEP}
        if differs:
            wrong[name] = differs
    assert wrong == {}
