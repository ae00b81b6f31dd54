"""Stock Market Tycoon on the site, in each mode and each way of trading: created by the form, shown at every decision,
played to its end."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from game.bots import playing
from game.rulesets.stock_market_tycoon.tables import MODES, TRADE_MODES
from game.store.game import Game, Status
from tests.store.stored_games import bot_requests
from tests.tables import READY, clock_runs_out, fresh, new_game, person, send
from tests.toy_scenes import news_of, page_of, sits, words_of

pytestmark = [pytest.mark.django_db]
MOVED = "(?:rose|fell) from"
BOUGHT = ("NT", "VP", "OE")


@pytest.mark.parametrize("trade_mode", TRADE_MODES)
@pytest.mark.parametrize("mode", MODES)
def test_every_way_to_play_is_created_shown_and_played(mode: str, trade_mode: str) -> None:
    """Each mode and each way to trade to its end once, the other pairs for a year."""
    client = Client()
    client.force_login(person("ada"))
    form = {"game": "stock_market_tycoon", "filled": "1", "name": "Ours", "preset": f"{mode}_short", "pace": "none"}
    address = client.post("/games/new/", form | {"seats": "3", "bots": "2", "trade_mode": trade_mode})["Location"]
    client.post(f"{address}bots/fill/")
    client.post(f"{address}start/")
    game = Game.objects.get()
    assert (game.status, game.options["mode"], game.options["trade_mode"]) == (Status.RUNNING, mode, trade_mode)
    is_whole = (mode, trade_mode) in zip(MODES, TRADE_MODES, strict=True)
    while (game := fresh(game)).is_running:
        assert client.get(address).status_code == 200
        if game.turn > 1 and not is_whole:
            return
        if not playing.play_bots(game_id=game.pk):
            send(game, 0, *bot_requests(game, 0), *([] if game.phase_name == "trade" else [READY]))
    page = client.get(address).content.decode()
    assert (game.status, game.turn) == (Status.FINISHED, 3)
    assert "Net worth" in page


def with_passes(game: Game, turn: int) -> Game:
    """The game in a later year, in which nobody has had a turn; until then everybody passes, and decides nothing."""
    while (game := fresh(game)).turn < turn:
        for seat in game.waiting_seats:
            send(game, seat, {"kind": "end_turn"} if game.phase_name == "trade" else READY)
    return game


def bought_by_ada() -> Game:
    """A game of two people who decide all themselves; in the first year ada bought shares of three companies."""
    game = new_game("ada", "bob", ruleset="stock_market_tycoon", mode="trader", years=3)
    for company in BOUGHT:
        while (seat := int(fresh(game).waiting_seats[0])) != 0:
            send(game, seat, {"kind": "end_turn"})
        send(game, 0, {"kind": "buy", "company": company, "shares": 1000})
    return game


def test_the_course_of_prices_has_those_of_the_end_of_each_year() -> None:
    game = with_passes(bought_by_ada(), 3)
    view = game.rules.view(game.load_position(), None)
    closes = {company.key: company.closes for company in view.companies}
    for point in game.course:
        assert point["prices"] == {key: prices[point["turn"]] for key, prices in closes.items()}
    assert [point["turn"] for point in game.course] == [0, 1, 2]


def test_what_the_end_of_a_year_did_to_own_shares_is_told_after_the_last_decision() -> None:
    """Once, besides the short lines that a phone shows while the news are folded."""
    game = with_passes(bought_by_ada(), 2)
    changes = game.rules.view(game.load_position(), 0).year_end.changes
    moved = [change for change in changes if change.company in BOUGHT and change.price != change.was]
    news = words_of(re.sub(r'(?s)<ul class="leads">.*?</ul>', "", news_of(page_of(game, sits("ada")))))
    for change in moved:
        went = "rose" if change.price > change.was else "fell"
        assert f"{went} from {change.was} to {change.price}. You hold 1,000 shares." in news
    assert len(re.findall(MOVED, news)) == len(moved)
    assert not re.search(MOVED, words_of(news_of(page_of(game, sits("bob")))))


def test_a_missed_turn_is_told_once() -> None:
    """In the news, on the page of outcomes and in the log of who missed it; the others read that this player passed."""
    game = new_game("ada", "bob", ruleset="stock_market_tycoon", pace="daily")
    seat = int(game.waiting_seats[0])
    game = clock_runs_out(game)
    away, other = (sits(("ada", "bob")[number]) for number in (seat, 1 - seat))
    page = page_of(game, away)
    outcomes = away.get(f"{game.get_absolute_url()}outcomes/").content.decode()
    for text in (news_of(page), page.split('id="log"')[1], outcomes):
        words = words_of(text)
        assert "You made no decision in phase 3, Trading" in words
        assert words.lower().count("you passed") == words.count("You made no decision")
    assert f"{('ada', 'bob')[seat]} passed." in words_of(news_of(page_of(game, other)))
