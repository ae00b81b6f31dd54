"""Opens every page of a list and says what is wrong with each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.browser.desk import another_page, sign_in
from tests.browser.every_page import Tables, Visit
from tests.browser.wcag import ALL_ROUNDS, BY_MEASURES, HEIGHT, ROUNDS, WIDE, Round, faults_of, stands_at, take_look

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

HOW_OFTEN = [
    pytest.param(BY_MEASURES, id="without axe"),
    pytest.param(ALL_ROUNDS, id="at all sizes", marks=pytest.mark.trial),
]
PATIENCE = 60_000  # the heaviest pages, on a busy machine


class Visitors:
    """A browser window for each visitor, opened when the first page asks for it."""

    def __init__(self, site: "LiveSite", browser: "Browser") -> None:
        self.site, self.browser = site, browser
        self.pages: dict[str, Page] = {}
        self.stack = ExitStack()

    def page_of(self, who: str) -> "Page":
        if who not in self.pages:
            page = self.pages[who] = self.stack.enter_context(another_page(self.browser, width=WIDE, height=HEIGHT))
            page.set_default_timeout(PATIENCE)
            if who:
                sign_in(page, self.site, who)
        return self.pages[who]

    def faults_at(self, visit: Visit, rounds: Sequence[Round] = ROUNDS) -> list[str]:
        """Open one page and measure it: in the window as the page before has left it first."""
        page = self.page_of(visit.who)
        if stands_at(page, rounds[-1]):
            rounds = rounds[::-1]
        take_look(page, rounds[0])
        answer = page.goto(visit.path if visit.path.startswith("http") else f"{self.site.address}{visit.path}")
        assert answer
        if answer.status != visit.status:
            return [f"answered {answer.status}"]
        return faults_of(page, rounds)

    def faults_on(
        self, pages: Mapping[str, Callable[[Tables], Iterator[Visit]]], rounds: Sequence[Round]
    ) -> dict[str, list[str]]:
        """The faulty ones of many pages, by who sees which; tables are shared, and so are visits of several names."""
        tables = Tables()
        visits = (visit for listed in dict.fromkeys(pages.values()) for visit in listed(tables))
        seen = {f"{visit.who or 'nobody'} at {visit.path}": self.faults_at(visit, rounds) for visit in visits}
        assert seen
        return {where: faults for where, faults in seen.items() if faults}


def told(found: Mapping[str, list[str]]) -> str:
    """The faults, a page a paragraph."""
    return "\n".join(f"{where}\n  " + "\n  ".join(faults) for where, faults in found.items())
