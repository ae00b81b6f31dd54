"""The button that votes wants a choice; to abstain has a button of its own."""

import pytest
from django.test import Client

from game.store.game import Game
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.tables import fresh, person, send

pytestmark = pytest.mark.django_db
REFUSAL = 'id="refusal"'
REVENUE = {"kind": "vote_revenue", "company": "ACME", "choice": "full"}


def at(phase: str) -> Game:
    """ada and bob hold shares of ACME, which has money and revenue."""
    table = Table().seats("ada", "bob", cash=500).company("ACME", revenue=157, treasury=400)
    table = table.holdings("ACME", ada=3, bob=2)
    return lay(table.at(phase, acting="ACME") if phase == "company_vote" else table.at(phase))


def press(client: Client, game: Game, do: str, **fields: str) -> tuple[int, str]:
    client.force_login(person("ada"))
    form = {"do": do, "serial": str(game.phase_serial), "token": do} | fields
    answer = client.post(f"/games/{game.pk}/actions/", form, HTTP_HX_REQUEST="true")
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("phase", ["revenue_vote", "company_vote"])
def test_a_vote_for_nothing_is_refused_and_an_abstention_counts(client: Client, phase: str) -> None:
    game = at(phase)
    status, page = press(client, game, "submit")
    assert (status, REFUSAL in page) == (422, True)
    assert fresh(game).version == game.version, "nothing was submitted"
    status, page = press(client, game, "pass")
    assert (status, REFUSAL in page) == (200, False)


def test_who_has_voted_may_take_it_back_by_choosing_nothing(client: Client) -> None:
    game = at("revenue_vote")
    send(game, 0, REVENUE)
    assert press(client, fresh(game), "submit")[0] == 200


def test_a_standing_wish_is_a_choice(client: Client) -> None:
    game = at("revenue_vote")
    assert press(client, game, "submit", always="on")[0] == 200
