"""Tickets, ballots and what follows from them, as a German player reads them."""

from __future__ import annotations

import pytest

from accounts.languages import override_language
from game.boards.decision import BadField, Filled
from game.boards.sectors.decisions import DECISIONS
from tests.pages.panels import BOARD, RULES, drawn, page_engine
from tests.pages.test_previews import made_panel, market, position, rows
from tests.pages.test_vote_table import outcomes, table_of, voting

BALLOT = {"kind": "vote_actions", "company": "SOLAR", "actions": ["loan", "veto"]}


def test_an_order_and_what_it_would_do() -> None:
    with override_language("de"):
        made = made_panel(position("stock_orders"), market("buy", 2))
        assert made.ticket
        assert (made.ticket.title, made.ticket.send) == ("Gib eine Order auf oder passe.", "Order abgeben")
        assert made.ticket.preview.caption == "Wenn die Order für SOLAR Works ausgeführt wird"
        assert rows(made)["Du hast"] == ("3", "5 von 10")
        assert [option.label for option in made.ticket.form.sides] == ["Kaufen", "Verkaufen"]
        assert BOARD.sentence(market("buy", 2), RULES.view(position("stock_orders"), 0)) == "2 SOLAR kaufen"


def test_a_ballot_keeps_the_capitals_of_german_nouns() -> None:
    at = position("company_vote", acting="SOLAR", solar={"treasury": 90, "tier": "startup"})
    view = RULES.view(at, 0)
    assert DECISIONS["company_vote"].sentence(BALLOT, view) == "SOLAR: loan and veto"
    with override_language("de"):
        assert DECISIONS["company_vote"].sentence(BALLOT, view) == "SOLAR: Kredit und Veto"
        page = drawn(page_engine(), at, 0)
    assert "Wähle, was SOLAR Works tut." in page
    assert "Mit 3 Aktien abstimmen" in page
    assert '<th class="l" scope="col">Was sie bewirkt</th>' in page
    assert "What it does" not in page
    assert "<kbd>P</kbd> Sich enthalten" in page


def test_a_vote_and_how_far_ones_shares_carry() -> None:
    with override_language("de"):
        table = table_of(voting(ada=3, bob=2, cid=2), "loan")
        assert outcomes(table) == {
            "Sonst stimmt niemand ab": "deine gewinnt 3 zu 0",
            "Alle anderen stimmen für Verschiedenes": "deine gewinnt 3 zu 2",
            "Nur bob stimmt dagegen": "deine gewinnt 3 zu 2",
            "Alle anderen einigen sich auf etwas anderes": "ihre gewinnt 4 zu 3",
        }
        assert table.pivot.lead == "Deine 3 Aktien entscheiden, wenn bob gegen cid stimmt."


def test_a_refusal_is_told_to_whoever_reads_it() -> None:
    form = Filled({"actions_SOLAR": ["loan", "veto", "research", "raise_price"]})
    with pytest.raises(BadField) as refused:
        DECISIONS["company_vote"].read(form, [])
    assert refused.value.text == "SOLAR takes up to 3 different actions; you ticked 4."
    with override_language("de"):
        assert refused.value.text == "SOLAR führt höchstens 3 verschiedene Aktionen aus; du hast 4 gewählt."
