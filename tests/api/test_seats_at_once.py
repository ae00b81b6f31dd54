"""Everybody at a full table sends at the same instant: all are taken, the phase closes once, and no version is
missing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from tests.api.clients import Program
from tests.servers import PATIENCE
from tests.tables import fresh, new_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("judged")]
SEATS, PHASES = 8, 4
BID = [{"kind": "bid_influence", "points": 5}]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_eight_seats_send_at_once_phase_after_phase() -> None:
    names = [f"player{seat}" for seat in range(SEATS)]
    game = new_game(*names)
    programs = [Program(name) for name in names]

    def send(seat: int, serial: int, barrier: Barrier) -> Any:
        bids = BID if serial == 1 else []
        barrier.wait(PATIENCE)
        try:
            body = {"phase_serial": serial, "actions": [*bids, {"kind": "ready"}]}
            return programs[seat].post(f"games/{game.pk}/moves", body, **{"Idempotency-Key": f"{serial}-{seat}"})
        finally:
            connection.close()

    assert game.waiting_seats == list(range(SEATS))
    with ThreadPoolExecutor(SEATS) as pool:
        for _ in range(PHASES):
            now = fresh(game)
            seats = now.waiting_seats
            together = Barrier(len(seats))
            answers = list(pool.map(send, seats, [now.phase_serial] * len(seats), [together] * len(seats)))
            assert {answer.status_code for answer in answers} == {200}, [each.content for each in answers]
            receipts = [answer.json() for answer in answers]
            assert [receipt["phase_closed"] for receipt in receipts].count(True) == 1
            versions = sorted(receipt["version"] for receipt in receipts)
            assert versions[:-1] == list(range(now.version + 1, now.version + len(seats)))
            assert fresh(game).phase_serial > now.phase_serial
    numbers = game.log.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(numbers[0], numbers[0] + fresh(game).entries))
