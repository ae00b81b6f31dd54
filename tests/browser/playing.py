"""Whole games: played by clicking, by several people, each on a page of their own, who take what is offered; or ended
by bots and the clock."""

import re
import time
from collections.abc import Callable
from typing import Any

from game.bots import playing
from game.store.game import Game
from tests.browser.desk import Desk, sign_in
from tests.scenes import come_back, run_out
from tests.tables import fresh

PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
MOST_CLOSINGS = 400
SECONDS = 240  # the bots' answers, on a busy machine
OVER, BETWEEN_LOOKS = "0", 50  # the serial of a game that is over; ms
# Serial and name of the open phase if it waits for this person, read at one moment: a socket may draw the page again
# at any other. A vote that can only be cast ahead waits for nobody.
ASKED = """(bar) => {
  const buttons = [...document.querySelectorAll("button[form=ticket][name=do]")];
  const phase = document.querySelector("#ticket input[name=phase]");
  const waits = buttons.some((each) => ["pass", "ready"].includes(each.value) && each.getClientRects().length);
  return waits && phase ? [bar.dataset.serial, phase.value] : ["", ""];
}"""
WIDER = "() => document.scrollingElement.scrollWidth - innerWidth"


def seated(page: Any, site: Any, name: str, theme: str) -> Any:
    """The page of a person who signed in before, in a theme."""
    page.emulate_media(color_scheme=theme)
    sign_in(page, site, name)
    return page


def play(*desks: Desk, look: Callable[[Desk], None] = lambda desk: None) -> set[str]:
    """Take what is offered to anybody here and be ready, until the game is over on every page; the phases in which
    something was asked. `look` is called before each decision."""
    asked: set[str] = set()
    answered: dict[Desk, str] = {}
    latest = time.monotonic() + SECONDS
    while any(desk.bar.get_attribute("data-serial") != OVER for desk in desks):
        assert time.monotonic() < latest, f"The game stands still at {stands(desks)}; asked so far: {asked}"
        for desk in desks:
            # A phase in which somebody is asked stays open until it is answered.
            serial, phase = desk.bar.evaluate(ASKED)
            if serial and answered.get(desk) != serial:
                asked.add(phase)
                look(desk)
                take_what_is_offered(desk)
                answered[desk], latest = serial, time.monotonic() + SECONDS
        desks[0].page.wait_for_timeout(BETWEEN_LOOKS)
    return asked


def stands(desks: tuple[Desk, ...]) -> list[tuple[str | None, ...]]:
    """Phase and state of the bar on each page."""
    return [tuple(desk.bar.get_attribute(name) for name in ("data-serial", "data-state")) for desk in desks]


def take_what_is_offered(desk: Desk) -> None:
    """Fill the ticket in, submit it and be ready."""
    kind = re.search(r"ticket--(\w+)", desk.ticket.get_attribute("class") or "")
    FILL.get(kind[1] if kind else "", lambda desk: None)(desk)
    if kind and kind[1] == "help":
        desk.press("ready")
    else:
        desk.send()


def bid(desk: Desk) -> None:
    desk.ticket.locator("[data-step='1']").click()


def tick_the_first(desk: Desk) -> None:
    desk.ticket.locator(".picks input:enabled").first.check()


def pay_out(desk: Desk) -> None:
    for row in desk.ticket.locator("fieldset.rev").all():
        row.locator("input[value=full]").check()


def vote(desk: Desk) -> None:
    desk.page.locator("#ballot .ballot input:enabled").first.check()


FILL: dict[str, Callable[[Desk], None]] = {
    "bid": bid,
    "cards": tick_the_first,
    "ticks": tick_the_first,
    "revenue": pay_out,
    "lens": vote,
}


def finish(game: Game) -> None:
    """Bots act, and for people the clock runs out, to the end."""
    for _ in range(MOST_CLOSINGS):
        now = fresh(game)
        if now.deserted_at is not None:
            come_back(now)
        elif not now.is_running:
            return
        if not playing.play_bots(game_id=game.pk):
            run_out(game)
    raise AssertionError("The game does not end.")


def finish_unseen(game: Game, *desks: Desk) -> None:
    """Finish it while its pages are closed: drawn at each closing, they would take most of the time."""
    for desk in desks:
        desk.page.goto("about:blank")
    finish(game)
    for desk in desks:
        desk.open()
