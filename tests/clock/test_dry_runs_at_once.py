"""A submission may come in while its game is tried, as nothing is locked for that; SQLite lets one in at a time."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import mail
from django.db import connection

from accounts import emails
from game.clock import dry_runs
from game.rulesets.registry import RULESETS
from game.store.heartbeats import DryRun
from tests.clock.test_dry_runs import BID, near_its_deadline
from tests.faults.endless import closing
from tests.scenes import moderator
from tests.tables import fresh, new_game, send

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_submission_in_the_middle_of_a_dry_run_is_no_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    moderator("Lena")
    game = near_its_deadline(new_game("ada", "bob", pace="daily"), minutes=5)
    seats = [0]

    def submit(seat: int) -> None:
        send(game, seat, BID)
        connection.close()

    def is_overtaken(play: Any) -> None:
        """Influence bids close without doing anything; the first time, somebody bids in the meantime."""
        if seats:
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(submit, seats.pop()).result()

    monkeypatch.setitem(RULESETS, "sectors", closing(is_overtaken))
    assert dry_runs.try_due_closings() == 1
    assert fresh(game).entries > game.entries, "the bid counts"
    assert DryRun.objects.get().deadline_at is None
    assert dry_runs.try_due_closings() == 1, "it is tried again at once"
    assert dry_runs.try_due_closings() == 0
    assert not DryRun.objects.get().has_failed
    emails.send_queued()
    assert not [message.subject for message in mail.outbox if "At risk" in message.subject]
