"""A person at the page of a game: what they click and type, and what they see of it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.test import Client
from playwright.sync_api import expect

from game.store.game import Game
from game.store.log import Kind, LoggedAction
from tests.servers import BROWSER_PATIENCE
from tests.tables import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, FloatRect, Locator, Page, Response

    from tests.live_site import LiveSite

FIRST_REFUSAL = 400
MEASUREMENTS, BETWEEN_MEASUREMENTS = 100, 50  # how often, ms
# A draft on its way gives way to its submission: htmx calls that an error.
GIVING_WAY = ("htmx:sendAbort", "htmx:afterRequest")
expect.set_options(timeout=BROWSER_PATIENCE)


class Desk:
    """One person's page of one game."""

    def __init__(self, page: "Page", site: "LiveSite", game: Game) -> None:
        self.page, self.site, self.game = page, site, game
        self.log = page.locator("#log")
        self.bar = page.locator("#sendbar")
        self.ticket = page.locator("#ticket")
        self.brief = page.locator("#brief")

    @property
    def address(self) -> str:
        return f"{self.site.address}/games/{self.game.pk}/"

    def open(self, *, listening: bool = True) -> "Desk":
        """Load the page; with scripts, wait until its socket listens."""
        answer = self.page.goto(self.address)
        assert answer
        assert answer.status == 200
        if listening:
            expect(self.page.locator("[data-live]")).to_have_attribute("data-link", "open")
        return self

    # --- clicking and typing

    def choose(self, name: str, value: str) -> "Desk":
        """A radio button or a box of the ticket, or of the ballot beside it."""
        self.page.locator(f'input[name="{name}"][value="{value}"]').check()
        return self

    def unfold(self, *places: str) -> "Desk":
        """Open what is folded."""
        for place in places:
            self.page.locator(f"#{place}:not([open]) > summary").click()
        return self

    def pick(self, name: str, value: str) -> "Desk":
        self.ticket.locator(f"select[name={name}]").select_option(value)
        return self

    def type(self, name: str, value: int | str) -> "Desk":
        self.field(name).fill(str(value))
        return self

    def field(self, name: str) -> "Locator":
        return self.ticket.locator(f"input[name={name}]")

    def button(self, do: str) -> "Locator":
        return self.page.locator(f"button[form=ticket][name=do][value={do}]:visible")

    def press(self, do: str) -> "Desk":
        self.button(do).click()
        return self

    def send(self, *, ready: bool = True) -> "Desk":
        """Submit what the form holds; with the mark, be ready at once."""
        self.page.locator("#ready").set_checked(ready)
        return self.press("submit")

    # --- seeing

    def stands_at(self, state: str) -> "Desk":
        """What the bar under the form says of this seat."""
        expect(self.bar).to_have_attribute("data-state", state)
        return self

    def stands_at_draft(self, summary: str) -> "Desk":
        """A draft renews the bar's two lines and leaves the buttons under the finger alone."""
        expect(self.page.locator("#sendbar-s")).to_have_class(re.compile("sendbar-s--draft"))
        expect(self.page.locator("#sendbar-m")).to_contain_text(summary)
        return self

    def remember_this_page(self) -> None:
        """Marks the page: the mark is lost where it is loaded again."""
        self.page.evaluate("() => { document.documentElement.dataset.marked = 'yes'; }")

    def is_the_same_page(self) -> bool:
        return self.page.locator("html[data-marked]").count() == 1

    def reads(self, *sentences: str) -> "Desk":
        """The log says so."""
        for sentence in sentences:
            expect(self.log).to_contain_text(sentence)
        return self

    def sees(self, place: str, text: str) -> "Desk":
        expect(self.page.locator(place)).to_contain_text(text)
        return self

    def row(self, name: str) -> "Locator":
        """A player's line of the table; the reader is called You."""
        return self.page.locator("#players tbody tr", has=self.page.get_by_role("rowheader", name=name))


def box_of(place: "Locator") -> "FloatRect":
    """Where it stands on the page, in px; what is just being drawn again is measured afterwards."""
    for _ in range(MEASUREMENTS):
        if box := place.bounding_box():
            return box
        place.page.wait_for_timeout(BETWEEN_MEASUREMENTS)
    raise AssertionError(f"{place} is not drawn")


def sign_in(page: "Page", site: "LiveSite", name: str) -> None:
    """As if the person had signed in before."""
    visitor = Client()
    visitor.force_login(person(name))
    page.context.add_cookies([{"name": "sessionid", "value": visitor.cookies["sessionid"].value, "url": site.address}])


@contextmanager
def another_page(browser: "Browser", *, width: int = 1440, height: int = 900, scripts: bool = True) -> Iterator["Page"]:
    """A second visitor, or one with another device."""
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=scripts)
    try:
        opened = context.new_page()
        opened.set_default_timeout(BROWSER_PATIENCE)
        yield opened
    finally:  # a page left open after a failure would be at work on the next test's database
        for each in context.pages:  # a route that still fetches must not fail on the closed page
            each.unroute_all(behavior="ignoreErrors")
        context.close()


def watch(page: "Page", allowed: tuple[int, ...] = ()) -> list[str]:
    """What must not happen meanwhile: errors in the console, answers of 400 and above. `allowed` statuses may."""
    seen: list[str] = []

    def console(line: "ConsoleMessage") -> None:
        is_allowed = line.text.startswith(GIVING_WAY) or any(f"status of {status}" in line.text for status in allowed)
        if line.type == "error" and not is_allowed:
            seen.append(line.text)

    def answered(answer: "Response") -> None:
        if answer.status >= FIRST_REFUSAL and answer.status not in allowed:
            seen.append(f"{answer.status} {answer.url}")

    page.on("console", console)
    page.on("response", answered)
    page.on("pageerror", lambda error: seen.append(str(error)))
    return seen


def taken(game: Game, *, seat: int) -> set[str]:
    """The kinds of action that a seat's person has sent in this game so far."""
    sent = LoggedAction.objects.filter(game=game, kind=Kind.SUBMIT, seat=seat).exclude(action=None)
    return {str(entry.read_action().__struct_config__.tag) for entry in sent.select_related("game")}
