"""Fixtures of people at tables: a described table, and its first player's page."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.browser.desk import Desk, another_page, sign_in, taken, watch
from tests.browser.positions import lay, others_are_ready
from tests.rulesets.sectors.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.visiting import Visitors
    from tests.live_site import LiveSite

TAKES = "takes(tag, …): the kinds of action that this story takes by clicking; they are looked for in the game's log"
REFUSED = "refused: answers of 422 are what this story is about"
Sit = Callable[..., Desk]
Join = Callable[[Desk, str], Desk]


def pytest_configure(config: pytest.Config) -> None:
    for mark in (TAKES, REFUSED):
        config.addinivalue_line("markers", mark)


def two_people() -> Table:
    """Two people of 500 dollars and a company; a story describes the rest. The stock round has one pass."""
    laid = Table().seats("ada", "bob", cash=500).options(max_sub_rounds=1)
    return laid.company("ACME", price=47).sector("industrial", consumers=5)


@pytest.fixture
def table() -> Table:
    return two_people()


# The site comes first, so that the pages and their sockets are closed before the database is.
@pytest.fixture
def sit(live_site: "LiveSite", page: "Page", request: pytest.FixtureRequest) -> Iterator[Sit]:
    """Lay the table, let everybody else be ready unless told otherwise, and open ada's page; nothing may go wrong on
    it."""
    desks: list[Desk] = []
    seen = watch(page, (422,) if request.node.get_closest_marker("refused") else ())

    def seated(table: Table, *, all_ready: bool = True) -> Desk:
        game = lay(table)
        if all_ready:
            others_are_ready(game)
        sign_in(page, live_site, "ada")
        desks.append(Desk(page, live_site, game).open())
        return desks[-1]

    yield seated
    mark = request.node.get_closest_marker("takes")
    told = set(mark.args) if mark else set()
    assert told <= {tag for desk in desks for tag in taken(desk.game, seat=0)}
    assert not seen, seen


@pytest.fixture
def join(live_site: "LiveSite", browser: "Browser") -> Iterator[Join]:
    """Open the same game in a second browser, for somebody else at the table."""
    with ExitStack() as pages:

        def joined(desk: Desk, name: str) -> Desk:
            page = pages.enter_context(another_page(browser))
            sign_in(page, live_site, name)
            return Desk(page, live_site, desk.game).open()

        yield joined


@pytest.fixture
def visitors(live_site: "LiveSite", browser: "Browser") -> Iterator["Visitors"]:
    """People who open pages; their windows are closed before the database is."""
    from tests.browser.visiting import Visitors

    opened = Visitors(live_site, browser)
    yield opened
    opened.stack.close()
