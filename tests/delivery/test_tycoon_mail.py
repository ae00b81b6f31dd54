"""The mail of a turn of Stock Market Tycoon: what happened, what is asked, until when, and what happens otherwise."""

from __future__ import annotations

from datetime import timedelta

import pytest

from game.delivery.notice_sending import send_due_notices
from game.outbox import notices
from tests.delivery.test_mails_of_one_game import words_of
from tests.scenes import let_time_pass, person
from tests.servers import Mailbox
from tests.tables import fresh, new_game, send

pytestmark = [pytest.mark.django_db]


def test_a_turn_mail_tells_the_purchase_before_it_and_what_is_asked(mailbox: Mailbox) -> None:
    people = [person(name, quiet_from=0, quiet_until=0) for name in ("Ada", "Ben")]
    game = new_game("Ada", "Ben", ruleset="stock_market_tycoon", pace="daily")
    first = int(game.waiting_seats[0])
    send(game, first, {"kind": "buy", "company": "AB", "shares": 3000})
    notices.write_notices()
    let_time_pass(game, timedelta(hours=1))
    send_due_notices()
    lines = [message for message in mailbox.messages if people[1 - first].email in message["To"]]
    message = lines[-1]
    assert fresh(game).waiting_seats == [1 - first]
    assert "Take your turn" in message["Subject"]
    for words in words_of(message):
        assert f"{people[first].username} bought 3,000 Atlas Bank" in words
        assert "you pass" in words
        assert "Still deciding" not in words, "it is asked alone"
        assert "Net worth" in words
        assert "600,000" in words
