"""What stands on a locked screen, for anybody who walks by: a notification of a browser tells no secret, not even its
reader's own orders and hand."""

from __future__ import annotations

import pytest
from django.utils import timezone

from game.delivery.push_channel import PushChannel
from game.store.game import Game
from game.store.log import Notice
from tests.attacks.laying import lay, store, undone
from tests.attacks.secrets import HIDDEN, OWNER, SEALED
from tests.attacks.test_secrets import HIDDEN_ROWS, NAMES
from tests.rulesets.games import OTHERWISE
from tests.tables import fresh, new_game, send

pytestmark = pytest.mark.django_db

SEALED_ROWS = [pytest.param(key, kind, id=f"{key}-{kind}") for key, kinds in SEALED.items() for kind in kinds]


def notifications(game: Game) -> dict[tuple[int, str], bytes]:
    """The text of every kind of notification to every seat, before it is encrypted."""
    now, found = timezone.now(), {}
    for seat in game.seats.select_related("user"):
        for kind in Notice.Kind:
            notice = Notice(game=game, seat=seat, user=seat.user, kind=kind, serial=game.phase_serial)
            [push] = PushChannel().write([notice], now=now)
            found[seat.number, str(kind)] = push.text
    return found


@pytest.mark.parametrize(("key", "kind"), SEALED_ROWS)
def test_a26_a_notification_does_not_tell_what_is_sealed(key: str, kind: str) -> None:
    row = SEALED[key][kind]
    game = lay(new_game(*NAMES, ruleset=key), row.at())
    texts = []
    for request in (row.one, row.other):
        with undone():
            if request:
                send(fresh(game), OWNER, request)
            texts.append(notifications(fresh(game)))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("key", "what"), HIDDEN_ROWS)
def test_a26_a_notification_does_not_tell_what_is_hidden_nor_what_is_in_a_hand(key: str, what: str) -> None:
    game = lay(new_game(*NAMES, ruleset=key), HIDDEN[key][what].at())
    before = notifications(fresh(game))
    other = OTHERWISE[key](fresh(game).load_position(), None)
    with undone():
        store(game, other)
        assert notifications(fresh(game)) == before
