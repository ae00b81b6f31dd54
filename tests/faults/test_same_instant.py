"""Four processes close one phase in the same instant: two workers at its deadline, the last player who is waited for,
and a moderator."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from game.store.game import Game
from game.store.log import Kind
from tests.faults.elsewhere import run_elsewhere
from tests.faults.sizes import size, tell
from tests.scenes import moderator
from tests.tables import READY, fresh, new_game, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("judged")]
ROUNDS = size(8, full=500)
WHO = ("worker", "other worker", "player", "moderator")
SOON = 0.05  # seconds, in which each of them reads what is asked
CLOSER = """
import json, sys, time
import django
django.setup()
from accounts.models import User
from game.engine.actions import Refused
from game.moderation import interventions as moderation
from game.play import moves

def close():
    if "worker" in who:
        return moves.close_phase(game_id=game, expected_serial=seen.serial)
    try:
        if who == "player":
            ready = [{"kind": "ready"}]
            return moves.submit(game_id=game, seat_number=1, requests=ready, serial=seen.serial).closed
        moderation.resolve_now(game_id=game, moderator=lena, reason="They are all here.", seen=seen)
        return True
    except Refused as refused:
        return False

who, lena = sys.argv[1], User.objects.get(username="Lena")
print("here", flush=True)
for line in sys.stdin:
    game, version, serial, at = json.loads(line)
    seen = moderation.Seen(version, serial)
    time.sleep(max(at - time.monotonic(), 0))
    print(json.dumps(close()), flush=True)
"""


@pytest.fixture
def closers() -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Processes that wait for a game and an instant."""
    moderator("Lena")
    found = {who: run_elsewhere(CLOSER, who, takes=subprocess.PIPE) for who in WHO}
    assert [heard(closer) for closer in found.values()] == ["here"] * len(WHO)
    yield found
    for closer in found.values():
        closer.communicate()
        assert closer.returncode == 0


def heard(closer: subprocess.Popen[bytes]) -> str:
    assert closer.stdout is not None
    return closer.stdout.readline().decode().strip()


def test_f3_of_four_processes_that_close_a_phase_in_the_same_instant_one_does(
    closers: dict[str, subprocess.Popen[bytes]],
) -> None:
    winners: Counter[str] = Counter()
    for number in range(ROUNDS):
        game = waiting_for_the_last(number)
        at = time.monotonic() + SOON
        Game.objects.filter(pk=game.pk).update(deadline_at=Now() + timedelta(seconds=SOON))
        for closer in closers.values():
            assert closer.stdin is not None
            closer.stdin.write(json.dumps([game.pk, game.version, game.phase_serial, at]).encode() + b"\n")
            closer.stdin.flush()
        closed = [who for who, closer in closers.items() if json.loads(heard(closer))]
        assert len(closed) == 1, (number, closed)
        winners.update(closed)
        (entry,) = fresh(game).log.filter(serial=game.phase_serial).exclude(opened_serial=None)
        assert entry.kind == {"player": Kind.SUBMIT, "moderator": Kind.MODERATION}.get(closed[0], Kind.CLOSE)
    tell(f"{ROUNDS} rounds: {dict(winners)}")


def waiting_for_the_last(number: int) -> Game:
    """A new game of two, of whom the second is waited for."""
    game = new_game(f"ada{number}", f"bob{number}")
    send(game, 0, READY)
    return fresh(game)
