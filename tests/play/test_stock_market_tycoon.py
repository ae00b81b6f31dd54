"""Stock Market Tycoon on the site, in each mode and each way of trading: created by the form, shown at every decision,
played to its end."""

from __future__ import annotations

import pytest
from django.test import Client

from game.bots import playing
from game.rulesets.stock_market_tycoon.tables import MODES, TRADE_MODES
from game.store.game import Game, Status
from tests.store.stored_games import bot_requests
from tests.tables import READY, fresh, person, send

pytestmark = [pytest.mark.django_db]


@pytest.mark.parametrize("trade_mode", TRADE_MODES)
@pytest.mark.parametrize("mode", MODES)
def test_every_way_to_play_is_created_shown_and_played_to_its_end(mode: str, trade_mode: str) -> None:
    client = Client()
    client.force_login(person("ada"))
    form = {"game": "stock_market_tycoon", "filled": "1", "name": "Ours", "preset": f"{mode}_short", "pace": "none"}
    address = client.post("/games/new/", form | {"seats": "3", "bots": "2", "trade_mode": trade_mode})["Location"]
    client.post(f"{address}bots/fill/")
    client.post(f"{address}start/")
    game = Game.objects.get()
    assert (game.status, game.options["mode"], game.options["trade_mode"]) == (Status.RUNNING, mode, trade_mode)
    while (game := fresh(game)).is_running:
        assert client.get(address).status_code == 200
        if not playing.play_bots(game_id=game.pk):
            send(game, 0, *bot_requests(game, 0), *([] if game.phase_name == "trade" else [READY]))
    page = client.get(address).content.decode()
    assert (game.status, game.turn) == (Status.FINISHED, 3)
    assert "Net worth" in page
