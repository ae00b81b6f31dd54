"""A page whose clock the test moves: what its scripts wait for is over at once, and no sooner than they asked for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

LIMIT, SLOW, FIRST_PAUSE = 10_000, 1500, 2500  # ms of requests.js: of an answer, until it is mentioned, before a try
# The limits of requests are no timers of the page: here they become some, which the clock of Playwright moves.
LIMITS_AS_TIMERS = """(() => {
  AbortSignal.timeout = (ms) => {
    const control = new AbortController();
    setTimeout(() => control.abort(new DOMException("signal timed out", "TimeoutError")), ms);
    return control.signal;
  };
  const { prototype } = XMLHttpRequest, limit = Object.getOwnPropertyDescriptor(prototype, "timeout");
  const passed = 1; // ms after the request was sent, which is long ago
  const set = function (ms) { setTimeout(() => limit.set.call(this, passed), ms); };
  Object.defineProperty(prototype, "timeout", { ...limit, set });
})()"""


def take_clock(page: "Page") -> None:
    """From the next load on, `page.clock` moves whatever the page waits for; until then time goes on by itself."""
    page.clock.install()
    page.add_init_script(LIMITS_AS_TIMERS)
