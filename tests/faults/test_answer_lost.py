"""A server that dies between the commit and the answer, or just before the commit: the same request with the same key,
sent to its successor, is done once, and answered as if nothing had been."""

import http.client
import json
from typing import Any

import pytest

from game.store.game import Game
from game.store.log import LoggedAction
from tests.api.clients import Program
from tests.faults.elsewhere import KILLED, run_elsewhere
from tests.servers import PATIENCE, accepts, free_port, wait_until
from tests.tables import fresh, new_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("judged")]
SERVER = """
import os, signal, sys
from wsgiref.simple_server import make_server
import django
django.setup()
from django.core.wsgi import get_wsgi_application
from django.db import connection
pages = get_wsgi_application()
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
def answer_and_die(environ, start_response):
    if sys.argv[1] == "before":
        connection.commit = die
    list(pages(environ, start_response))  # committed, and nothing of the answer is sent
    die()
make_server("127.0.0.1", int(sys.argv[2]), answer_and_die).serve_forever()
"""
KEY = {"Idempotency-Key": "sent-twice"}
MOMENTS = ("before", "after")


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def send_to_a_server_that_dies(moment: str, program: Program, path: str, body: Any) -> None:
    """A POST whose answer never comes; `moment` is when the server dies, before or after its commit."""
    port = free_port()
    server = run_elsewhere(SERVER, moment, port)
    try:
        wait_until(lambda: accepts(port), server)
        headers = {**program.headers, **KEY, "Content-Type": "application/json", "Host": "testserver"}
        response = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        response.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            response.getresponse()
        assert server.wait(PATIENCE) == KILLED
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_move_whose_answer_was_lost_counts_once(moment: str) -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    body = {"phase_serial": 1, "actions": [{"kind": "bid", "coins": 3}, {"kind": "ready"}]}
    send_to_a_server_that_dies(moment, ada, f"games/{game.pk}/moves", body)
    taken = LoggedAction.objects.filter(game=game, seat=0)
    assert taken.exists() is (moment == "after")
    answers = [ada.post(f"games/{game.pk}/moves", body, **KEY).json() for _ in range(2)]
    assert [answer.pop("replayed") for answer in answers] == [moment == "after", True]
    assert answers[0] == answers[1]
    assert taken.count() == 2, "the bid and the word that ends it"
    assert answers[0]["version"] == taken.latest("number").version == fresh(game).version
    assert fresh(game).load_position().pending[0]["bid"].coins == 3


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_game_whose_answer_was_lost_is_created_once(moment: str) -> None:
    ada, body = Program("ada"), {"ruleset": "toy", "seats": 2, "name": "Sent twice"}
    send_to_a_server_that_dies(moment, ada, "games", body)
    assert Game.objects.count() == (moment == "after")
    first, second = (ada.post("games", body, **KEY) for _ in range(2))
    assert (first.status_code, first.content) == (201, second.content)
    assert first.json()["id"] == Game.objects.get().pk
    assert first["Location"] == second["Location"] == f"/api/v1/games/{Game.objects.get().pk}"
