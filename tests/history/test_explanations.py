"""A figure explained: its parts add up to it, at any moment, and only where it may be known."""

from typing import Any

import pytest
from django.test import Client

from game.history.explanations import explanation_of
from game.history.viewer import viewer_of
from game.store.game import Game
from game.store.log import LoggedAction
from tests import kept_games
from tests.scenes import play_on
from tests.tables import fresh, new_game, steps_to_the_end
from tests.toy_scenes import at_turns, sits

pytestmark = [pytest.mark.django_db]


def total(game: Game, figure: str, subject: str) -> int:
    """The figure as its parts add up, and as it says itself."""
    found = explanation_of(viewer_of(game, None), figure, subject)
    assert found is not None
    assert found.total == sum(entry.amount for entry in found.entries)
    assert not found.entries or found.entries[-1].after == found.total
    return found.total


def test_parts_add_up_to_every_figure_all_through_a_game(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (4,)}
    game, seen = new_game("ada", bots=3, max_turns=4), 0
    for now in steps_to_the_end(game):
        if now.entries % 12 and now.is_running:
            continue
        view = now.rules.view(now.load_position(), None)
        for company in view.companies:
            for figure in ("demand", "supply", "operating_cost", "treasury"):
                if company.status != "bankrupt":
                    assert total(now, figure, company.ticker) == getattr(company, figure)
                    seen += 1
        for player in view.players:
            for figure in ("net_worth", "cash"):
                assert total(now, figure, str(player.seat)) == getattr(player, figure)
    assert seen > 30


def test_the_spreadsheet_leads_to_the_explanation_and_the_page_names_every_movement(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = kept_games.finished("sectors", max_turns=2)
    nobody = Client()
    sheet = nobody.get(f"/games/{game.pk}/spreadsheet/").content.decode()
    for address in (f"/games/{game.pk}/explain/cash/1/", f"/games/{game.pk}/explain/net_worth/1/"):
        assert f'href="{address}"' in sheet
        answer = nobody.get(address)
        assert answer.status_code == 200
        assert "Total" in answer.content.decode()
    assert "Set-up" in nobody.get(f"/games/{game.pk}/explain/cash/1/").content.decode()


def test_what_was_there_before_the_ledger_was_kept_is_one_row(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = kept_games.finished("sectors", max_turns=2)
    first = game.log.exclude(transfers=None).order_by("number").first()
    assert first is not None
    LoggedAction.objects.filter(pk=first.pk).update(transfers=None)
    found = explanation_of(viewer_of(fresh(game), None), "cash", "0")
    assert found is not None
    assert found.entries[0].what == "Before the ledger was kept"
    assert found.entries[-1].after == found.total


@pytest.mark.parametrize(
    "path", ["cash/9", "cash/x", "cash/-1", "secret/0", "net_worth/7", "net_worth/x", "demand/NO", "treasury/NO",
             "margin/²"],
)  # fmt: skip
def test_there_is_no_other_figure(path: str) -> None:
    answer = Client().get(f"/games/{new_game('ada', 'bob').pk}/explain/{path}/")
    assert answer.status_code == 404
    assert "no figure of that name" in answer.content.decode()


def test_accounts_that_may_be_hidden_are_explained_at_the_end_alone() -> None:
    game = at_turns()
    assert sits("ada").get(f"/games/{game.pk}/explain/cash/0/").status_code == 404
    game = play_on(game)
    assert sits("ben").get(f"/games/{game.pk}/explain/cash/0/").status_code == 200


def test_explanations_are_private_where_the_game_is() -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    path = f"/games/{game.pk}/explain/cash/0/"
    assert [who.get(path).status_code for who in (sits("ada"), sits("eve"), Client())] == [200, 404, 404]
