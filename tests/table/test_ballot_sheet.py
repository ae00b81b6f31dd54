"""The ballot sheet by plain forms: one visit for all companies of an operating round, one email, what it takes back."""

from typing import Any

import pytest
from django.test import Client

from game.outbox import notices
from game.store.game import Game
from game.store.log import LoggedAction, Notice
from tests.browser.positions import lay
from tests.pages.panels import Controls
from tests.rulesets.sectors.table import Table
from tests.tables import READY, fresh, person, send, without_chance

pytestmark = pytest.mark.django_db(transaction=True)
TICKERS = ("ACME", "BETA", "COAL")


def described(phase: str = "company_vote") -> Table:
    """ACME acts, then BETA and COAL; ada and bob own all three."""
    table = Table().seats("ada", "bob", cash=500)
    for place, ticker in enumerate(TICKERS):
        table.company(ticker, treasury=600, unit_price=10 + place).holdings(ticker, ada=3, bob=2)
    return table.at(phase, acting="ACME", queue=list(TICKERS))


def visit(game: Game, name: str = "ada") -> Client:
    client = Client()
    client.force_login(person(name))
    assert client.get(address(game)).status_code == 200
    return client


def address(game: Game) -> str:
    return f"/games/{game.pk}/"


def submitted(client: Client, game: Game, do: str = "submit", **values: Any) -> Any:
    """The page's form as it stands, with other values in some fields; None empties one."""
    sent = Controls(client.get(address(game)).content.decode()).sent
    filled = {name: value for name, value in ({**sent, "do": do} | values).items() if value is not None}
    return client.post(f"{address(game)}actions/", filled)


def held(game: Game, seat: int = 0) -> dict[str, Any]:
    """What counts for a seat: the actions by company, None for a pass."""
    inputs = fresh(game).load_position().pending.get(seat, {})
    return {slot.removeprefix("vote_actions "): getattr(given, "actions", None) for slot, given in inputs.items()}


def test_one_form_votes_at_every_company_and_nobody_is_mailed_again() -> None:
    """ada gives her sheet in one submission; bob votes at each company; only bob is asked at BETA and COAL."""
    game = lay(described())
    ada = visit(game)
    answer = submitted(
        ada, game, actions_ACME="loan", actions_BETA="small_marketing", actions_COAL="abstain", ready="on"
    )
    assert answer.status_code == 302
    assert held(game) == {"ACME": ["loan"], "BETA": ["small_marketing"], "COAL": []}
    for ticker in TICKERS:
        assert fresh(game).waiting_seats == [1]
        send(game, 1, {"kind": "vote_actions", "company": ticker, "actions": ["lobby"]}, READY)
    requests = [entry.asks for entry in LoggedAction.objects.filter(game=game).order_by("number") if entry.asks]
    assert requests[1:3] == [[1], [1]]  # BETA and COAL; the first began the game
    notices.write_notices()
    mailed = Notice.objects.filter(game=game, kind=Notice.Kind.TURN, serial__lt=fresh(game).phase_serial)
    assert not mailed.filter(user=person("ada")).exists()


def test_the_rest_abstains_with_one_mark() -> None:
    game = lay(described())
    assert submitted(visit(game), game, actions_BETA="loan", abstain_rest="on").status_code == 302
    assert held(game) == {"BETA": ["loan"], "COAL": []}


def test_a_visit_later_shows_what_counts_and_changes_it() -> None:
    game = lay(described())
    ada = visit(game)
    submitted(ada, game, actions_BETA="loan", actions_COAL="abstain")
    page = ada.get(address(game)).content.decode()
    assert "Counts now: loan" in page
    assert "Counts now: abstain" in page
    assert "2 of 2 later votes cast" in page
    submitted(ada, game, actions_BETA="lobby", actions_COAL=None)
    assert held(game) == {"BETA": ["lobby"]}


def test_who_empties_the_sheet_takes_every_vote_back() -> None:
    """A form that chooses nothing any more is a pass here, and leaves nothing for later."""
    game = lay(described())
    ada = visit(game)
    submitted(ada, game, actions_ACME="loan", actions_BETA="loan", actions_COAL="abstain")
    submitted(ada, game, actions_ACME=None, actions_BETA=None, actions_COAL=None)
    assert held(game) == {"pass": None}


def test_abstain_at_the_company_that_acts_takes_the_sheet_along() -> None:
    """The button speaks of the company that votes now; what is ticked for the later ones counts."""
    game = lay(described())
    assert submitted(visit(game), game, "pass", actions_BETA="loan", ready="on").status_code == 302
    assert held(game) == {"pass": None, "BETA": ["loan"]}


def test_votes_ahead_are_given_and_taken_back_while_another_company_asks_for_help() -> None:
    table = described("contributions").company("ACME", status="insolvent", treasury=0)
    game = lay(table)
    ada = visit(game)
    submitted(ada, game, actions_BETA="loan")
    assert held(game) == {"BETA": ["loan"]}
    submitted(ada, game, actions_BETA=None)
    assert held(game) == {}
    refused = submitted(ada, game)
    assert refused.status_code == 422
    assert "A contribution is at least 1 dollar or 1 share." in refused.content.decode()


def test_abstaining_and_choosing_at_one_company_is_refused_in_words() -> None:
    game = lay(described())
    answer = submitted(visit(game), game, actions_BETA=["loan", "abstain"])
    assert answer.status_code == 422
    assert "You cannot abstain for BETA and choose an action. Untick one." in answer.content.decode()
    assert held(game) == {}


def test_what_ada_gives_ahead_is_on_no_page_of_bobs() -> None:
    """Secrets: nothing on bob's page or a stranger's tells of it."""
    game = lay(described())
    for name in ("bob", "eve"):
        visit(game, name)  # a first visit marks its own
    before = [visit(game, name).get(address(game)).content.decode() for name in ("bob", "eve")]
    submitted(visit(game), game, actions_BETA="loan", actions_COAL="abstain")
    after = [visit(game, name).get(address(game)).content.decode() for name in ("bob", "eve")]
    assert [without_chance(page) for page in after] == [without_chance(page) for page in before]
