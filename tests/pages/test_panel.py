"""The panel of every phase, drawn from positions reached by random play, and sent back to the rules as a browser
would."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from jinja2 import Environment

from game.engine import referee
from game.engine.offers import Flag
from game.rulesets.sectors.ruleset import SECTORS as RULES
from tests.pages.panels import FIELDS, Controls, check_offer, check_page, drawn, page_engine, random_game


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


ENOUGH = 4  # offers of a kind tried in a game
TABLES = ((2, "priority"), (3, "bid"), (4, "bid"), (5, "priority"), (6, "priority"), (8, "bid"))
MOST = 3  # games at each table


def test_every_offer_of_random_games_can_be_sent_from_its_form(engine: Environment) -> None:
    """Each kind of offer is tried a few times in each game: the form prints it and the rules take it. After a game at
    each table there are more until all kinds were met."""
    met: Counter[str] = Counter()
    for number, (seats, distribution) in product(range(MOST), TABLES):
        if number == 0 or set(met) != set(FIELDS):
            met += offers_met(engine, random_game(f"docks {seats} {number}", seats, distribution=distribution))
    assert set(met) == set(FIELDS)


def offers_met(engine: Environment, game: Iterator[Any]) -> Counter[str]:
    tried: Counter[str] = Counter()
    for position in game:
        for seat in sorted(referee.with_a_choice(RULES, position)):
            offers = [
                offer
                for offer in referee.offers(RULES, position, seat)
                if not offer.refused and tried[offer.kind] < ENOUGH and not is_for_programs(offer)
            ]
            page = drawn(engine, position, seat) if offers else ""
            for offer in offers:
                check_offer(page, position, seat, offer)
                tried[offer.kind] += 1
            if page:
                check_page(page)
    return tried


def is_for_programs(offer: Any) -> bool:
    """The turn sheet asks ahead for a market order alone."""
    is_ahead = any(isinstance(field, Flag) for field in offer.fields)
    return is_ahead and offer.kind in {"limit_order", "short_order", "option_order"}


def test_who_has_no_decision_is_never_asked(engine: Environment) -> None:
    for position in random_game("strangers", 3):
        for seat in (None, *(seat for seat in range(3) if not referee.offers(RULES, position, seat))):
            page = drawn(engine, position, seat)
            check_page(page)
            assert not Controls(page).buttons
    assert "The game is over" in page
    assert 'class="standing"' in page
