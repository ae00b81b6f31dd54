"""Seats change hands while their players' sockets, streams and programs are at work, on a server of its own threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from game.engine.actions import Refused
from game.store.game import Seat
from tests.api.test_live import Caller
from tests.api.test_streams import EVENTS, NDJSON, PATIENCE, Listener
from tests.attacks.test_authority import hand_over
from tests.tables import everybody_ready, fresh, new_game, person, send

if TYPE_CHECKING:
    from tests.live_site import LiveSite

ROUNDS, REVISIONS = 2, 6
NEXT_PLAYERS = 1_000_000
"""From this version of the seat on, its revisions are the next player's."""
ADAS, CARLAS = (1, 2, 3), (4, 5, 6)
"""The coins that each of them bids."""

pytestmark = pytest.mark.django_db(transaction=True)


class Table:
    """A game in which Ada revises her bid until Carla has her seat, who then revises hers."""

    def __init__(self, site: LiveSite) -> None:
        self.site, self.game = site, new_game("ada", "ben", ruleset="toy")
        self.heard: list[dict[str, Any]] = []
        self.is_over, self.listens = threading.Event(), [threading.Event() for _ in range(4)]

    def at_once(self, *work: Callable[[], None]) -> None:
        """Do all of this, each in a thread of its own; if one fails, the others end too."""

        def run(each: Callable[[], None]) -> None:
            try:
                each()
            except BaseException:
                self.is_over.set()
                raise
            finally:
                connection.close()

        with ThreadPoolExecutor(len(work)) as pool:
            for done in [pool.submit(run, each) for each in work]:
                done.result(PATIENCE)

    def socket(self) -> None:
        """Hear all until the site ends it."""
        client = Client()
        client.force_login(person("ada"))
        cookie = {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}
        address = f"{self.site.address.replace('http', 'ws')}/ws/games/{self.game.pk}/"
        with connect(address, origin=self.site.address, additional_headers=cookie) as socket:  # type: ignore[arg-type]
            self.listens[0].set()
            with suppress(ConnectionClosed):
                while True:
                    self.heard.append(msgspec.json.decode(socket.recv(PATIENCE)))
            assert socket.close_code == 4403

    def stream(self, number: int, path: str, kind: str) -> Callable[[], None]:
        """Hear all until the public version says that the phase after the change has begun, or the game is gone."""

        def listen() -> None:
            with Listener(self.site, "ada", path, kind).connected() as lines:
                self.listens[number].set()
                for line in lines:
                    self.heard += line.get("games", [line])
                    if line["type"] == "over" or self.is_over.is_set():
                        return

        return listen

    def ada_revises(self) -> None:
        with suppress(Refused):  # she has the seat no longer
            for number in range(1000):
                send(self.game, 0, {"kind": "bid", "coins": ADAS[number % 3]}, user_id=person("ada").pk)

    def reads(self, name: str, coins: tuple[int, ...]) -> Callable[[], None]:
        """A program that reads the position all the time is never shown these bids."""

        def read() -> None:
            program = Caller(self.site, name)
            while not self.is_over.is_set():
                mine = program.get(f"games/{self.game.pk}/position").json()["view"]["mine"]
                assert not [bid for bid in mine.values() if bid["coins"] in coins]

        return read

    def change_hands(self) -> None:
        assert all(listens.wait(PATIENCE) for listens in self.listens)
        try:
            with transaction.atomic():
                hand_over(self.game)
            Seat.objects.filter(game=self.game, number=0).update(version=F("version") + NEXT_PLAYERS)
            for number in range(REVISIONS):
                send(self.game, 0, {"kind": "bid", "coins": CARLAS[number % 3]}, user_id=person("carla").pk)
        finally:
            self.is_over.set()
        everybody_ready(self.game)


def test_a36_what_a_former_player_has_open_tells_nothing_of_the_next_one(live_site: LiveSite, settings: Any) -> None:
    settings.LIMITED = False
    for name in ("ada", "ben", "carla"):
        person(name)
    for _ in range(ROUNDS):
        table = Table(live_site)
        path = f"games/{table.game.pk}/stream"
        streams = [table.stream(1, path, NDJSON), table.stream(2, path, EVENTS), table.stream(3, "me/stream", NDJSON)]
        readers = [table.reads("ada", CARLAS), table.reads("carla", ADAS)]
        table.at_once(table.socket, *streams, *readers, table.ada_revises, table.change_hands)
        assert table.heard
        assert max(max(line.get("seat_version", 0), line.get("version", 0)) for line in table.heard) < NEXT_PLAYERS
        assert fresh(table.game).phase_serial > table.game.phase_serial
