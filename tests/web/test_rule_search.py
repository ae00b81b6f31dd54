"""Looking something up: the section about it comes first, in each rulebook, by the words that players use."""

import re

import pytest
from django.test import Client

from game.boards.registry import board_of
from game.boards.rulebook import pages_of
from game.deadlines.paces import length_of

FIRST_HITS = {
    "sectors": {
        "tranche": "S-1.9", "limit order": "S-5.5", "short": "S-5.6", "cover short": "S-5.6", "loan": "S-7.4",
        "price chart": "part-3", "dividend": "S-6.5", "dividends": "S-6.5", "margin": "S-5.6", "bankrupt": "S-6.12",
        "taxes": "S-7.1", "How does the game end?": "S-4.5", "net worth": "S-4.5", "IPO": "S-5.4", "strike": "S-5.7",
        "player priority": "S-7.8", "deadline": "S-4.4", "sub-rounds": "S-4.2", "starting cash": "S-1.1",
    },
    "power_up": {
        "merger": "PU-4.5", "mergers": "PU-4.5", "bonus": "PU-4.5", "Department of Energy": "PU-4.7", "sell": "PU-4.5",
        "end of the game": "PU-5", "win": "PU-6", "deadline": "PU-8", "actions": "PU-3",
    },
    "stock_market_tycoon": {
        "Chairman": "ST-4.12", "director": "ST-4.12", "withhold": "ST-4.11", "lot": "ST-1.5", "end of the game": "ST-6",
        "currency": "ST-5", "plan": "ST-3", "starting cash": "ST-1.4",
    },
    "big_shoulders": {
        "dividend": "BS-7.5", "withhold": "BS-7.5", "raise funds": "BS-7.2", "worker": "BS-1.7", "take over": "BS-5.7",
        "certificate limit": "BS-1.3", "sell shares": "BS-5.2", "goals": "BS-1.13", "end of the game": "BS-9",
    },
}  # fmt: skip
HITS = re.compile(r'<section class="rule-s[^"]*" id="([^"]+)"')


def hits(key: str, query: str, language: str = "en") -> list[str]:
    answer = Client().get(f"/rules/{key}/", {"q": query}, headers={"accept-language": language})
    return HITS.findall(answer.content.decode())


@pytest.mark.parametrize("key", FIRST_HITS)
def test_the_section_about_a_subject_comes_first(key: str) -> None:
    """It is named in the heading or in the index, before sections that only mention it."""
    assert {query: hits(key, query)[:1] for query in FIRST_HITS[key]} == {
        query: [first] for query, first in FIRST_HITS[key].items()
    }


@pytest.mark.parametrize(
    ("key", "query", "first"),
    [
        ("sectors", "Leerverkauf", "S-5.6"),
        ("sectors", "Vermögen", "S-4.5"),
        ("power_up", "Fusion", "PU-4.5"),
        ("stock_market_tycoon", "Vorsitz", "ST-4.12"),
    ],
)
def test_a_german_term_finds_the_english_rule(key: str, query: str, first: str) -> None:
    """And after it the glossary, which explains the term in German."""
    found = hits(key, query, "de")
    assert found[0] == first
    assert "words" in found


def test_the_index_names_sections_that_are_there() -> None:
    for key in FIRST_HITS:
        book = board_of(key).book
        assert book
        numbers = {section.number for each in book.variants for section in pages_of(book, each.key, length_of).sections}
        assert set(book.index) <= numbers
