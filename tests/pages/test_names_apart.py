"""A name that is written from right to left turns nothing round on any page of a game: what stands in one text with it
keeps its place."""

import re
from typing import Any

import pytest
from django.test import Client

from game.rulesets.registry import RULESETS
from tests.english import texts_of
from tests.scenes import play_on
from tests.tables import new_game, person, shortest

pytestmark = [pytest.mark.django_db]
NAMES = ("אבי 338", "נועה")
PAGES = ("", "log/", "results/", "outcomes/", "history/", "charts/", "spreadsheet/", "chat/", "seat/")


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("is_over", [False, True])
def test_names_stand_apart_from_what_is_beside_them(ruleset: str, is_over: bool, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game(*NAMES, bots=1, ruleset=ruleset, **shortest(ruleset))
    if is_over:
        game = play_on(game)
    reader = Client()
    reader.force_login(person(NAMES[1]))
    turned: set[tuple[str, str]] = set()
    for page in PAGES:
        answer = reader.get(f"/games/{game.pk}/{page}", follow=True)
        for text in texts_of(answer.content.decode()):
            turned |= {(page, text.strip()) for name in NAMES if turns(text, name)}
    assert sorted(turned) == []


def turns(text: str, name: str) -> bool:
    """True if the name stands in a text with something else and is not isolated."""
    others = re.sub("\u2068[^\u2068\u2069]*\u2069", "", text).strip()
    return name in others and others != name
