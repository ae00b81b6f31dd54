"""What the panel shows of a phase in which nothing is decided: a sentence, the company that acted, who has looked."""

import pytest
from jinja2 import Environment

from game.boards.sectors.places import SENTENCES
from game.boards.shapes import Panel
from game.engine.flow import Mode
from game.rulesets.sectors.flow import FLOWS
from tests.pages.panels import drawn, page_engine, panel, places_at
from tests.rulesets.sectors.table import Table


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


@pytest.fixture
def two_companies() -> Table:
    """ACME acts before BOLT; ada and bob are looked at."""
    table = Table().company("ACME", name="Acme Works", price=47, treasury=500).company("BOLT", price=20, treasury=500)
    return (
        table.holdings("ACME", ada=6)
        .holdings("BOLT", ada=6)
        .at("company_vote", queue=["ACME", "BOLT"], acting="ACME", reviews=True)
    )


def made_panel(table: Table, seat: int | None = 0) -> Panel:
    return panel(table.position, places_at(table.names, seat), seat)


@pytest.mark.parametrize("edition", FLOWS)
def test_every_phase_without_decisions_has_its_sentence(edition: int) -> None:
    automatic = {row.phase.name for row in FLOWS[edition].rows if row.phase.mode is Mode.AUTOMATIC}
    assert automatic <= set(SENTENCES)


@pytest.mark.parametrize(
    ("phase", "title"),
    [("company_vote_result", "Acme Works has decided."), ("company_action", "Acme Works has acted.")],
)
def test_a_review_names_the_company_that_acted(two_companies: Table, phase: str, title: str) -> None:
    """S 6.7: BOLT, whose turn comes next, is not mentioned before its own vote."""
    shown = made_panel(two_companies.play_to(phase)).brief
    assert (shown.flag, shown.aside, shown.title) == ("Result", "Operating round, company 1 of 2", title)


@pytest.mark.parametrize(("gift", "title"), [(300, "Acme Works is saved."), (1, "Acme Works is bankrupt.")])
def test_a_review_says_what_became_of_an_insolvent_company(gift: int, title: str) -> None:
    """S 6.12."""
    table = Table().company("ACME", name="Acme Works", status="insolvent", treasury=0).holdings("ACME", ada=3)
    table.at("contributions", acting="ACME", reviews=True).asks("ada", "contribute", cash=gift, shares=0)
    assert made_panel(table.play_to("contribution_result")).brief.title == title


def test_who_looks_at_a_result_is_not_late(two_companies: Table, engine: Environment) -> None:
    two_companies.play_to("company_action").asks("bob", "ready")
    assert [one.state for one in made_panel(two_companies).brief.who][:2] == ["looking", "seen"]
    page = drawn(engine, two_companies.position, 0)
    assert "Viewing" in page
    assert "Not started" not in page
