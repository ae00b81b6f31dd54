"""What the board of Sectors must not leave open: whose a piece is, what a figure counts, and which tier or pass is
meant."""

import re
from pathlib import Path

import pytest

from game.boards.sectors.cards import token_html
from game.boards.sectors.rulebook.terms import TERMS
from game.boards.sectors.words import company_note
from tests.pages.panels import page_engine, places_at
from tests.rulesets.sectors.table import Table

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "templates" / "jinja" / "boards" / "sectors").rglob("*.html"))


@pytest.mark.parametrize(("you", "is_mine"), [(0, True), (1, False), (None, False)])
def test_a_company_that_is_not_floated_is_tinted_for_its_holders(you: int | None, is_mine: bool) -> None:
    """Its piece says both: not floated, and mine; the style sheet gives that pair a colour of its own."""
    table = Table().company("IDLE", status="inactive").holdings("IDLE", ada=2).at("stock_orders")
    classes = re.findall(r'class="([^"]+)"', token_html(table.view("ada").company("IDLE"), you, small=True))[0].split()
    assert ("token--off" in classes, "is-mine" in classes) == (True, is_mine)
    assert ".token--off.is-mine { --own:" in (ROOT / "static" / "css" / "boards" / "sectors.css").read_text()


def test_the_cash_of_a_tranche_carries_its_label() -> None:
    table = Table().company("ACME").tranche("industrial", cash=90, prestige=1).at("tranche_vote", turn=3)
    names = ("ada", "bob", "cid")
    page = (
        page_engine()
        .get_template("boards/sectors/_tranches.html")
        .render(view=table.view("ada"), seats=places_at(names, 0))
    )
    assert re.findall(r"<b>90 <small>([a-z]+)</small></b>", page) == ["cash"]


def test_a_tier_says_whose_it_is_and_a_pass_is_no_sub_round() -> None:
    """Glossary: a price tier, the tier of a company; to pass is to do nothing, and a sub-round is no pass."""
    terms = {term.word: term.meaning for term in TERMS}
    assert {"price tier", "tier of a company", "pass", "sub-round"} <= set(terms)
    assert "tier" not in terms
    printed = " ".join(path.read_text() for path in PAGES)
    for vague in (r">\s*Tier \{", r"\border pass", r"\bpass \d", r"\beach pass\b"):
        assert not re.search(vague, printed, re.IGNORECASE), vague


def test_the_card_of_a_company_that_has_acted_says_what_it_did() -> None:
    """On a phone the order of companies shows their pieces alone."""
    table = Table().company("ACME", treasury=900).company("BETA", sector="energy")
    table.holdings("ACME", ada=3).holdings("BETA", ada=3).at("company_vote", acting="ACME", queue=["ACME", "BETA"])
    table.ada.votes("ACME", "small_marketing").is_ready()
    assert company_note(table.view("ada").company("ACME")) == "Did: small marketing campaign"
    assert company_note(table.view("ada").company("BETA")) == "Votes now"
