"""What spares later questions, by plain forms: given, shown as it stands, ended in any phase, and nobody else's."""

import re
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.db.models.functions import Now
from django.test import Client

from game.delivery.notice_sending import send_due_notices
from game.outbox import preferences
from game.outbox.models import NoticeTiming, Topic
from game.store.game import Game
from game.store.log import Channel, Notice
from game.store.seat_models import Tenure
from tests.browser.positions import lay, put
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to, page_of, text_of
from tests.rulesets.sectors.table import Table
from tests.scenes import let_time_pass, person, silent
from tests.scenes import table as of_the_site
from tests.servers import Mailbox
from tests.table.test_ballot_sheet import address, submitted, visit
from tests.tables import READY, fresh, send

pytestmark = pytest.mark.django_db(transaction=True)
FELL = "You own shares of ACME, whose price fell from 20 to 12."


def dividends() -> Table:
    """ACME has revenue, ada and bob vote on it."""
    table = Table().seats("ada", "bob", cash=500).company("ACME", treasury=400, revenue=100)
    return table.holdings("ACME", ada=3, bob=2).at("revenue_vote", turn=2)


def investing() -> Table:
    table = Table().seats("ada", "bob", cash=500).company("ACME", price=20, market=6)
    return table.holdings("ACME", ada=2).at("stock_orders", turn=2)


def opening() -> Table:
    table = Table().seats("ada", "bob", cash=400).company("ACME", sector="energy", price=20, market=6)
    table.holdings("ACME", ada=2).headlines(("energy", 1))
    return table.tranche("energy", cash=40).tranche("energy", cash=51).at("start_turn", turn=3)


def held(game: Game, seat: int = 0) -> set[str]:
    return set(fresh(game).load_position().pending.get(seat, {}))


def page(client: Client, game: Game) -> str:
    return client.get(address(game)).content.decode()


def stop(client: Client, game: Game, of: str) -> Any:
    """The button beside what lasts, whatever phase is open."""
    sent = {"serial": fresh(game).phase_serial, "step": 0, "of": of, "do": "stop"}
    return client.post(f"{address(game)}actions/", sent)


def test_full_dividends_are_chosen_once_and_ended_in_any_phase() -> None:
    game = lay(dividends())
    ada = visit(game)
    assert submitted(ada, game, always="on").status_code == 302
    assert held(game) == {"vote_full_revenue"}
    assert fresh(game).waiting_seats == [1]  # who says so is ready
    assert "Full dividends from now on" in page(ada, game)
    send(game, 1, READY)
    assert fresh(game).phase_name != "revenue_vote"
    assert 'name="of" value="vote_full_revenue"' in page(ada, game)
    assert "vote_full_revenue" not in page(visit(game, "bob"), game)
    assert stop(ada, game, "vote_full_revenue").status_code == 302
    assert held(game) == set()
    answer = stop(ada, game, "vote_full_revenue")
    assert answer.status_code == 422
    assert "You have submitted nothing by that name to withdraw." in answer.content.decode()


def test_votes_that_a_lasting_choice_answers_say_nothing_of_who_is_there() -> None:
    """It is one decision; whoever decides beside it is there."""
    game = lay(dividends())
    first = game.load_position()
    submitted(ada := visit(game), game, always="on")
    given = fresh(game).load_position()
    again = msgspec.structs.replace(first, pending=given.pending, ready=given.ready)
    tenures = Tenure.objects.filter(game=game).order_by("number")

    def counted() -> list[tuple[int, int]]:
        return list(tenures.values_list("decisions", "in_a_row"))

    send(game, 1, READY)
    assert counted() == [(1, 0), (1, 0)]
    tenures.update(in_a_row=1)
    for sent, expected in (({}, (1, 1)), ({"vote_ACME": "full", "always": "on"}, (2, 0))):
        put(fresh(game), again)
        assert fresh(game).waiting_seats == [1]
        if sent:
            submitted(ada, game, **sent)
        send(game, 1, READY)
        assert fresh(game).phase_name != "revenue_vote"
        assert counted()[0] == expected
    assert counted()[1] == (3, 0)


def test_other_submissions_leave_what_lasts_alone() -> None:
    game = lay(dividends())
    ada = visit(game)
    submitted(ada, game, always="on", vote_ACME="full")
    send(game, 1, READY)
    for _ in range(3):
        if 0 in fresh(game).waiting_seats:
            submitted(ada, game, do="pass")
        assert "vote_full_revenue" in held(game)
        send(game, 1, READY) if 1 in fresh(game).waiting_seats else None


def test_who_votes_full_dividends_from_now_on_cannot_abstain_as_well() -> None:
    game = lay(dividends())
    answer = submitted(visit(game), game, do="pass", always="on")
    assert answer.status_code == 422
    assert "You cannot vote full dividends from now on and not vote." in answer.content.decode()
    assert held(game) == set()


def test_a_pass_or_an_order_may_be_the_last_of_a_stock_round() -> None:
    game = lay(investing())
    ada = visit(game)
    submitted(ada, game, do="pass", done="on")
    assert held(game) == {"stop_ordering"}
    assert fresh(game).waiting_seats == [1]
    assert "No more orders in this stock round" in page(ada, game)
    submitted(ada, game, done="on", kind="market_order", side="buy", location="market", company="ACME", quantity="1")
    assert held(game) == {"order", "stop_ordering"}
    submitted(ada, game, done=None, kind="market_order", side="buy", location="market", company="ACME", quantity="1")
    assert held(game) == {"order"}
    submitted(ada, game, do="withdraw")
    assert held(game) == set()


def test_the_stock_round_ends_when_both_are_done() -> None:
    game = lay(investing())
    submitted(visit(game), game, done="on", kind="market_order", side="buy", location="market", company="ACME",
              quantity="1")  # fmt: skip
    submitted(visit(game, "bob"), game, do="pass", done="on")
    assert fresh(game).phase_name not in {"stock_orders", ""}


def test_the_turn_is_decided_in_one_visit() -> None:
    game = lay(opening())
    ada = visit(game)
    answer = submitted(
        ada, game, headline="1", tranche="2", first="buy/market/ACME", first_quantity="2", done="on", ready="on"
    )
    assert answer.status_code == 302
    assert held(game) == {"pledge_headline", "vote_tranche", "order", "stop_ordering"}
    text = page(ada, game)
    for said in ("Pledge to the", "vote for tranche 2", "more"):
        assert said in text
    send(game, 1, READY)
    assert (fresh(game).phase_name, fresh(game).waiting_seats) == ("tranche_vote", [1])
    send(game, 1, READY)
    while fresh(game).phase_name != "stock_orders":
        for seat in fresh(game).waiting_seats:
            send(game, seat, READY)
    for _ in range(2):  # the order is resolved, and bob alone is asked whether he wants another
        assert fresh(game).waiting_seats == [1]
        send(game, 1, READY)
    assert fresh(game).phase_name != "stock_orders"


def test_a_sheet_without_a_pledge_is_a_pass_for_it() -> None:
    """Nobody is told later that an answer was missing."""
    game = lay(opening())
    ada = visit(game)
    submitted(ada, game, tranche="1")
    assert held(game) == {"pass", "vote_tranche"}
    submitted(ada, game, do="pass", tranche="2")
    assert held(game) == {"pass", "vote_tranche"}
    assert "vote for tranche 2" in page(ada, game).lower()


def test_a_limit_order_a_short_and_the_prize_stand_on_the_sheet() -> None:
    game = lay(opening())
    ada = visit(game)
    submitted(
        ada,
        game,
        tranche="2",
        prize="2/ACME",
        first="buy/limit/ACME",
        first_quantity="2",
        first_value="18",
        always="on",
    )
    assert held(game) == {"pass", "vote_tranche", "distribute_tranche", "order", "vote_full_revenue"}
    text = page(ada, game)
    assert "if you win it, ACME gets what is in it" in text
    assert "first order: buy 2 ACME at 18" in text
    assert text.count('name="of" value="vote_full_revenue"') == 1
    assert 'name="always"' not in text
    for chosen in ('value="2/ACME" selected', 'value="buy/limit/ACME" selected', 'name="first_value"'):
        assert chosen in text
    submitted(ada, game, tranche="1", prize="", first="short/ACME", first_quantity="1")
    order = fresh(game).load_position().pending[0]["order"]
    assert (order.quantity, order.at, order.ready) == (1, 20, True)
    assert held(game) == {"pass", "vote_tranche", "order", "vote_full_revenue"}


def test_a_limit_is_proposed_for_the_order_that_is_chosen() -> None:
    """Without scripts the button that shows what follows proposes it too; what was typed stays."""
    game = lay(opening().company("BOLT", price=47, market=3))
    ada, where = visit(game), {"serial": fresh(game).phase_serial, "step": 0, "phase": "start_turn", "touched": "yes"}

    def limit(**sent: str) -> str:
        answer = ada.post(f"{address(game)}drafts/", where | {"first_quantity": "2"} | sent, follow=True)
        found = re.search(r'name="first_value"[^>]* value="(\d*)"', answer.content.decode())
        assert found
        return found[1]

    assert limit(first="buy/limit/ACME", first_value="", first_for="") == "19"
    assert limit(first="buy/limit/BOLT", first_value="19", first_for="buy/limit/ACME") == "46"
    assert limit(first="buy/limit/BOLT", first_value="17", first_for="buy/limit/ACME") == "17"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"first": "buy/limit/ACME", "first_value": ""}, "The limit is empty"),
        ({"tranche": "1", "prize": "2/ACME"}, "That company belongs to tranche 2."),
        ({"tranche": "1", "prize": "9/ACME"}, "The company of the tranche"),
        ({"first": "buy/market/NONE"}, "The first order"),
        ({"first": "buy/market/ACME", "first_quantity": "0"}, "takes a whole number"),
        ({"tranche": "9"}, "The tranche takes a whole number from 1 to 2"),
    ],
)
def test_a_wrong_sheet_is_refused_whole(fields: dict[str, str], words: str) -> None:
    game = lay(opening())
    answer = submitted(visit(game), game, headline="1", **fields)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert held(game) == set()


@pytest.mark.parametrize("how", [NoticeTiming.NOW, NoticeTiming.DIGEST])
def test_why_a_lasting_choice_ended_is_told_on_the_page_and_in_the_next_email(
    mailbox: Mailbox, client: Client, how: NoticeTiming
) -> None:
    ada = person("Ada", **ALWAYS_AWAKE)
    game = of_the_site(ada, silent(), bots=0)
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.TURN, Channel.MAIL): how})
    send_due_notices()
    Notice.objects.all().delete()
    mailbox.messages.clear()
    put(game, falling().position)
    send(game, 0, {"kind": "stop_ordering"}, READY)
    send(game, 1, {"kind": "market_order", "side": "sell", "location": "market", "company": "ACME", "quantity": 4})
    send(game, 1, READY)
    assert fresh(game).phase_name == "stock_orders"
    assert 0 in fresh(game).waiting_seats, "her choice has ended"
    send_due_notices()
    if how == NoticeTiming.DIGEST:
        assert not mailbox.messages
        let_time_pass(game, timedelta(hours=25))
        Game.objects.update(deadline_at=Now() + timedelta(hours=1))
        send_due_notices()
    (message,) = mails_to(mailbox, ada)
    assert f"What you had submitted in advance no longer counts. {FELL}" in text_of(message)
    assert FELL in plain(page_of(message))
    client.force_login(ada)
    assert FELL in plain(client.get(address(game)).content.decode())


def plain(page: str) -> str:
    """Its words alone."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def falling() -> Table:
    """Ada owns shares of ACME, whose price falls when bob sells his."""
    table = Table().seats("ada", "bob", cash=500).company("ACME", price=20)
    return table.holdings("ACME", ada=2, bob=4).at("stock_orders", turn=2)
