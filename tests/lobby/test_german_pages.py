"""Every page of the site as a German player reads it: no English is left on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests.browser.every_page import ACCOUNTS, BOARDS, GAMES, NOBODY, SAID, SITE, Tables, Visit
from tests.english import english_of, texts_of
from tests.servers import ROOT
from tests.tables import person

Pages = Mapping[str, Callable[[Tables], Iterator[Visit]]]
EVERYWHERE: tuple[Pages, ...] = (BOARDS, GAMES, SITE, ACCOUNTS)
# What this test's tables, the world's places and its time zones are called.
NAMES = (
    SAID,
    "ACME Works",
    "A test laid this table.",
    "Port of Spain",
    "Isle of Man",
    "Atlantic",
    "Pacific",
    "Universal",
)


def german(visit: Visit) -> Client:
    client = Client(headers={"accept-language": "de"})
    if visit.who != NOBODY:
        client.force_login(person(visit.who))
        User.objects.filter(username=visit.who).update(language="de")
    return client


def names() -> set[str]:
    titles = {rules.title for rules in RULESETS.values()}
    people = User.objects.values_list("username", flat=True)
    return {*NAMES, *titles, *Game.objects.values_list("name", flat=True), *people}


def is_of_the_toy(visit: Visit) -> bool:
    """The game of the tests has no German."""
    number = re.match(r"/games/(\d+)/", visit.path)
    return bool(number and Game.objects.filter(pk=number[1], ruleset="toy").exists())


def english_on(*pages: Pages) -> dict[str, list[str]]:
    tables, found = Tables(), {}
    for listed in (listed for some in pages for listed in some.values()):
        for visit in listed(tables):
            if is_of_the_toy(visit):
                continue
            answer: Any = german(visit).get(visit.path, follow=True)
            assert answer.status_code == visit.status, visit
            if english := english_of(texts_of(answer.content.decode()), names()):
                found[f"{visit.who or 'nobody'} at {visit.path}"] = english
    return found


@pytest.mark.django_db
def test_a_german_page_says_nothing_in_english(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    found = english_on(*EVERYWHERE)
    assert not found, "\n".join(f"{where}\n  " + "\n  ".join(texts) for where, texts in found.items())


@pytest.mark.django_db
def test_every_kind_of_figure_is_explained_in_german(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    tables = Tables()
    for game in (tables.over, tables.played):
        board: Any = german(Visit(game.get_absolute_url())).get(game.get_absolute_url())
        links = re.findall(r'class="explain" href="([^"]+/explain/([^/]+)/[^"]+)"', board.content.decode())
        by_figure = {figure: path for path, figure in links}
        assert by_figure
        for path in by_figure.values():
            answer: Any = german(Visit(path)).get(path)
            assert not english_of(texts_of(answer.content.decode()), names()), path


def test_style_sheets_hold_no_words() -> None:
    """What they write is never translated."""
    written = [
        (sheet.name, words)
        for sheet in (ROOT / "static" / "css").rglob("*.css")
        for words in re.findall(r'content: *"([^"]*)"', sheet.read_text(encoding="utf-8"))
    ]
    assert written
    assert [each for each in written if re.search(r"[^\W\d_]", re.sub(r"\\[0-9a-f]+", "", each[1]))] == []


def test_english_is_found() -> None:
    """In whole texts, in texts with facts and between their tags, and in words that no catalogue has."""
    german = ["Spiele", "Order", "Frist: 20. Nov., 20:00 Uhr", "ACME", "ada hat 3 ACME gekauft."]
    assert english_of(german, {"ada"}) == []
    english = ["Open games", "ada bought 3 ACME on the open market.", "nobody owns it"]
    assert english_of([*german, *english], {"ada"}) == english
    assert english_of(["Sectors against bots"], {"Sectors", "Sectors against bots"}) == []
    assert english_of(["Sectors against bots"], {"Sectors"}) != []
    assert texts_of('<p title="Cash">Eins <b lang="en">two</b><script>three</script></p>') == ["Cash", "Eins "]
