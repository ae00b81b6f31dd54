"""Phases that ask in secret: two courses of the same table that differ in whom the phase asks. When it has closed, the
others are shown the same, numbers of their reliability included."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from game.store.game import Game
from game.store.log import LoggedAction
from game.store.seat_models import Tenure
from tests.attacks.laying import lay, store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.secrets import HIDDEN
from tests.attacks.walk import differences
from tests.tables import READY, clock_runs_out, fresh, new_game, send

pytestmark = pytest.mark.django_db
KEY, SUSPENDED, BLANK = "stock_market_tycoon", "suspended", "blank"
ADA, BEN, CID = "ada", "bob", "cid"


def ready(game: Game) -> None:
    """Whoever is asked decides in time to do nothing."""
    for seat in fresh(game).waiting_seats:
        send(game, seat, READY)


def at_one_time(game: Game) -> None:
    """Both courses happened in the same instant."""
    at = game.started_at
    assert at is not None
    LoggedAction.objects.filter(game=game).update(at=at)
    Game.objects.update(moved_at=at, clock_since=at, deadline_at=at + timedelta(hours=20, seconds=30))


@pytest.mark.parametrize("course", [ready, clock_runs_out])
def test_a26_who_was_asked_in_secret_is_not_known_afterwards(course: Callable[[Game], object]) -> None:
    game = lay(new_game(ADA, BEN, CID, ruleset=KEY, pace="daily"), HIDDEN[KEY]["asked"].at())
    Tenure.objects.filter(game=game).update(decisions=30, missed=2, made_weight=30, missed_weight=2, in_a_row=1)
    people = [f"/people/{name}/" for name in (ADA, CID)]
    reader = Reader(BEN, [*paths_about(game, ADA), *people])
    assert set(people) <= set(reader.paths)
    seen: list[Answers] = []
    for asked, other in ((0, 2), (2, 0)):
        with undone():
            position = fresh(game).load_position()
            position.state.hands[asked], position.state.hands[other] = [SUSPENDED], [BLANK]
            store(game, position)
            assert fresh(game).waiting_seats == [asked]
            course(game)
            assert fresh(game).phase_name != "suspend"
            at_one_time(game)
            seen.append(reader.see())
    assert differences(*seen) == []
